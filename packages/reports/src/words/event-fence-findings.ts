import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type {
  EventFenceReason,
  EventFenceResult,
  EventFenceVerdict,
  FencePlace,
  PricedPlace,
} from '@fencewright/model/verdict/event-fence-result.js';
import { enumerate } from '@fencewright/ground/base/number-words.js';
import { diffOf } from './fence-findings.js';
import { siteLine } from './event-words.js';

/** The findings of a search for fences in a program of events. */
export interface EventFenceFindings {
  /** The name of the cost model that determines the costs of the fences. */
  readonly costModel: string;
  readonly result: EventFenceResult;
  /**
   * Returns the positions in the text for a fence at a place of an event or procedure; empty if
   * they are unknown.
   */
  readonly positionsOf: (place: FencePlace) => readonly Position[];
  /** The changes of the text that are necessary, as a unified diff; empty if there are none. */
  readonly diff?: string;
}

/** The findings as plain data: with a list of the places, and the text with the fences. */
type EventFencesAsData = Pick<EventFenceFindings, 'costModel' | 'result'> & {
  readonly places: readonly (FencePlace & { readonly positions: readonly Position[] })[];
  readonly text?: string;
};

/**
 * Returns a search's fences with the data for reports; `shown` is the name of the file in the
 * report.
 */
export function eventFenceFindings(
  source: string,
  { places, text, costModel, result }: EventFencesAsData,
  shown: string,
): EventFenceFindings {
  return {
    costModel,
    result,
    positionsOf: ({ body, location }) =>
      places.find((place) => place.body === body && place.location === location)?.positions ?? [],
    ...diffOf(source, text, shown),
  };
}

/**
 * Returns the lines where a fence is inserted, or else the line of an instruction that leaves the
 * place; from 1, in order.
 */
export function placeLines(
  program: EventProgram,
  place: FencePlace,
  positionsOf: EventFenceFindings['positionsOf'],
): readonly number[] {
  const positions = positionsOf(place);
  if (positions.length > 0) return positions.map(({ line }) => line + 1).sort((a, b) => a - b);
  const { body, location } = place;
  const transition = at(program.bodies, body).transitions.findIndex(
    ({ from }) => from === location,
  );
  const line = transition < 0 ? undefined : siteLine(program, { body, transition });
  return line === undefined ? [] : [line];
}

/** Returns a fence as a noun: `p: a fence at line 4`. */
export function placeNoun(
  program: EventProgram,
  place: FencePlace,
  positionsOf: EventFenceFindings['positionsOf'],
): string {
  const lines = placeLines(program, place, positionsOf);
  const { name, locations } = at(program.bodies, place.body);
  const label = at(locations, place.location);
  const where =
    (lines.length === 0
      ? ''
      : ` at ${lines.length === 1 ? 'line' : 'lines'} ${enumerate(lines.map(String))}`) +
    (label.hidden ? '' : ` (label ${label.name})`);
  return `${name}: a fence${where}${lines.length > 1 ? `, ${lines.length} ways to one point` : ''}`;
}

const isSamePlace = (a: FencePlace, b: FencePlace): boolean =>
  a.body === b.body && a.location === b.location;

/**
 * Returns the reason for a fence: a run that no other chosen fence prevents; `undefined` if none is
 * known.
 */
export function reasonFor(
  { fences, reasons }: Extract<EventFenceVerdict, { kind: 'found' }>,
  fence: PricedPlace,
): EventFenceReason | undefined {
  return reasons.find(({ places }) => {
    const chosen = fences.filter((one) => places.some((place) => isSamePlace(place, one)));
    return chosen.length === 1 && isSamePlace(at(chosen, 0), fence);
  });
}
