import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { FencePart } from '@fencewright/model/program/repair.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { placesOfFence } from './text-editor.js';

/** Why a text cannot be changed. */
export type EditRefusal =
  | { readonly kind: 'text'; readonly diagnostics: readonly Diagnostic[] }
  /**
   * In the text a fence at the head of a loop, say, stands before the label that the loop bears:
   * what these properties say of labels then fails.
   */
  | { readonly kind: 'labels-move'; readonly properties: readonly string[] };

/** A source text with a fence set in it. */
export type EditedSource =
  | {
      readonly kind: 'text';
      readonly text: string;
      /**
       * The places that got a fence, as indices into those of the location; all where it gives
       * `undefined`.
       */
      readonly chosenPlaces: (
        thread: ThreadId,
        location: LocationId,
      ) => readonly number[] | undefined;
    }
  /** The text cannot be changed like this. */
  | { readonly kind: 'refused'; readonly refusal: EditRefusal }
  /** Whether the changed text is right was not found out. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

/** Whether a text with repairs is as it should be; a reason if that cannot be told. */
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

  /** Leaves out the places of one fence, the head of a loop say, that turn out not to be needed. */
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
 * The text with the repairs, as `isGood` accepts it, with as few inserted fences as will do; or
 * `misses`, if it does not with all of them.
 */
export function editText(
  editor: TextEditor,
  repairs: readonly SourceRepair[],
  isGood: TextJudge,
): Promise<EditedSource | { readonly kind: 'misses' }> {
  return new TextEdit(editor, repairs, isGood).run();
}
