import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { FencePart } from '@fencewright/model/program/repair.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { placesOfFence } from './text-editor.js';

/** The reason for not changing a text. */
export type EditRefusal =
  | { readonly kind: 'text'; readonly diagnostics: readonly Diagnostic[] }
  /**
   * A fence at, for instance, the head of a loop stands in the text before the label of the loop.
   * The statements of these properties about labels then fail.
   */
  | { readonly kind: 'labels-move'; readonly properties: readonly string[] };

/** The result of putting fences into a source text. */
export type EditedSource =
  | {
      readonly kind: 'text';
      readonly text: string;
      /**
       * Returns the places of a location that got a fence, as indices into the location's places;
       * `undefined` means all.
       */
      readonly chosenPlaces: (
        thread: ThreadId,
        location: LocationId,
      ) => readonly number[] | undefined;
    }
  /** The text does not allow this change. */
  | { readonly kind: 'refused'; readonly refusal: EditRefusal }
  /** The changed text could not be checked. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

/** Whether a text with repairs meets the goal; a reason if unknown. */
type TextJudge = (text: string) => Promise<boolean | UnknownReason>;

class TextEdit {
  readonly #editor: TextEditor;
  readonly #repairs: readonly SourceRepair[];
  readonly #isGood: TextJudge;
  readonly #chosen = new Map<string, readonly number[]>();

  constructor(editor: TextEditor, repairs: readonly SourceRepair[], isGood: TextJudge) {
    this.#editor = editor;
    this.#repairs = repairs;
    this.#isGood = isGood;
  }

  async run(): Promise<EditedSource | { readonly kind: 'misses' }> {
    const { text, diagnostics } = this.#edited();
    if (text === undefined) return { kind: 'refused', refusal: { kind: 'text', diagnostics } };
    const isGood = await this.#isGood(text);
    if (typeof isGood === 'string') return { kind: 'unknown', reason: isGood };
    if (!isGood) return { kind: 'misses' };
    for (const repair of this.#repairs) if (repair.kind === 'fence') await this.#thinOut(repair);
    const chosen = new Map(this.#chosen);
    return {
      kind: 'text',
      text: this.#edited().text ?? text,
      chosenPlaces: (thread, location) => chosen.get(`${thread} ${location}`),
    };
  }

  #edited(): ReturnType<TextEditor['repair']> {
    return this.#editor.repair(this.#repairs, (thread, location) =>
      this.#chosen.get(`${thread} ${location}`),
    );
  }

  /** Leaves out the unneeded places of one fence, for instance a fence at the head of a loop. */
  async #thinOut(fence: FencePart): Promise<void> {
    const { thread, location } = fence;
    const key = `${thread} ${location}`;
    let needed = placesOfFence(this.#editor, fence).map((_, index) => index);
    for (const index of needed) {
      if (needed.length === 1) return;
      const fewer = needed.filter((other) => other !== index);
      this.#chosen.set(key, fewer);
      const { text } = this.#edited();
      if (text !== undefined && (await this.#isGood(text)) === true) needed = fewer;
      else this.#chosen.set(key, needed);
    }
  }
}

/**
 * Returns the text with the repairs, as accepted by `isGood`, with a minimal set of inserted
 * fences; `misses` if `isGood` rejects the text with all fences.
 */
export function editText(
  editor: TextEditor,
  repairs: readonly SourceRepair[],
  isGood: TextJudge,
): Promise<EditedSource | { readonly kind: 'misses' }> {
  return new TextEdit(editor, repairs, isGood).run();
}
