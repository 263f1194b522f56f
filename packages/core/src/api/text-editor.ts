import { repairTrencherText } from '../frontends/trencher/repair-trencher.js';
import type { LocationId, ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { RepairedText, SourceRepair } from '../program/source-repair.js';
import type { Position } from '../source/span.js';
import type { InputFormat } from './parse-text.js';

/** Which of the places of a location get a fence, as indices; all where it gives `undefined`. */
export type ChoosePlaces = (
  thread: ThreadId,
  location: LocationId,
) => readonly number[] | undefined;

/** How repairs get into the text of a program. */
export interface TextEditor {
  /** Where fences make a fence at a location; empty where the text has no room for one. */
  readonly placesOf: (thread: ThreadId, location: LocationId) => readonly Position[];
  readonly repair: (repairs: readonly SourceRepair[], choose: ChoosePlaces) => RepairedText;
}

/** The editor of a text; `program` is what it parses to. */
export async function textEditorOf(
  format: InputFormat,
  text: string,
  program: Program,
): Promise<TextEditor> {
  switch (format) {
    case 'native': {
      const { nativeInsertionPoints } = await import('../frontends/native/insertion-points.js');
      const { repairNativeText } = await import('../frontends/native/repair-native.js');
      const points = nativeInsertionPoints(text, { withEnds: true }) ?? [];
      return {
        placesOf: (thread, location) =>
          (points[thread]?.get(location) ?? []).map(({ position }) => position),
        repair: (repairs, choose) => repairNativeText(text, repairs, choose),
      };
    }
    case 'trencher':
      return {
        placesOf: (thread, location) => {
          const transitions = program.threads[thread]?.transitions ?? [];
          const first = transitions.find(({ from }) => from === location);
          return first?.origin.span ? [first.origin.span.start] : [];
        },
        repair: (repairs) => repairTrencherText(text, repairs),
      };
    case 'memorax': {
      const { memoraxFencePlaces, repairMemoraxText } =
        await import('../frontends/memorax/repair-memorax.js');
      return {
        placesOf: memoraxFencePlaces(text, program),
        repair: (repairs, choose) => repairMemoraxText(text, program, repairs, choose),
      };
    }
    case 'litmus': {
      const { litmusFencePlace, repairLitmusText } =
        await import('../frontends/litmus/repair-litmus.js');
      const placeOf = litmusFencePlace(text, program);
      return {
        placesOf: (thread, location) => {
          const place = placeOf(thread, location);
          return place ? [place] : [];
        },
        repair: (repairs) => repairLitmusText(text, program, repairs),
      };
    }
  }
}
