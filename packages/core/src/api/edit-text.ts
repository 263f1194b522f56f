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
  /** The compiler rejects the text with the fences: a fault of this program, not of the user. */
  | { readonly kind: 'rejected'; readonly diagnostics: readonly Diagnostic[] }
  /**
   * A fence would stand in the text before a label, for instance at the head of a loop, so that the
   * label moves and the edited program misses the goal. `properties` are all properties of the
   * goal; at least one of them mentions a label.
   */
  | { readonly kind: 'labels-move'; readonly properties: readonly string[] };

/** The result of putting fences into a source text. */
export type EditedSource =
  | {
      readonly kind: 'text';
      readonly text: string;
      /**
       * Returns the places of an inserted fence, as indices into the places where the text can
       * express it; `undefined` means all these places.
       */
      readonly chosenPlaces: (
        thread: ThreadId,
        location: LocationId,
      ) => readonly number[] | undefined;
    }
  /** The text does not allow the repairs. */
  | { readonly kind: 'refused'; readonly refusal: EditRefusal }
  /** The changed text could not be checked. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

/** A function that decides whether an edited text meets the goal; gives the reason if unknown. */
type TextJudge = (text: string) => Promise<boolean | UnknownReason>;

const keyOf = ({ thread, location }: Pick<FencePart, 'thread' | 'location'>): string =>
  `${thread} ${location}`;

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
    await this.#thinOut(
      this.#repairs.flatMap((repair) =>
        repair.kind === 'fence' && this.#countPlaces(repair) > 1 ? [repair] : [],
      ),
    );
    const chosen = new Map(this.#chosen);
    return {
      kind: 'text',
      text: this.#edited().text ?? text,
      chosenPlaces: (thread, location) => chosen.get(keyOf({ thread, location })),
    };
  }

  #edited(): ReturnType<TextEditor['repair']> {
    return this.#editor.repair(this.#repairs, (thread, location) =>
      this.#chosen.get(keyOf({ thread, location })),
    );
  }

  #countPlaces(fence: FencePart): number {
    return placesOfFence(this.#editor, fence).length;
  }

  /**
   * Removes the unneeded places of fences that each have several places in the text, for instance
   * at the head of a loop. Most heads need a fence only in front of the loop, a few only at the end
   * of its body. So all fences are reduced together first. If this fails, each half of the fences
   * is reduced by itself.
   */
  async #thinOut(fences: readonly FencePart[]): Promise<void> {
    const [first] = fences;
    if (!first) return;
    if (fences.length === 1) return this.#thinOutOne(first);
    for (const end of [0, -1] as const) if (await this.#keepOnly(fences, end)) return;
    const half = fences.length >> 1;
    await this.#thinOut(fences.slice(0, half));
    await this.#thinOut(fences.slice(half));
  }

  /**
   * Keeps only the first place of each fence in the text (with `end` -1, its last place) if the
   * text then still meets the goal; returns whether it does.
   */
  async #keepOnly(fences: readonly FencePart[], end: 0 | -1): Promise<boolean> {
    for (const fence of fences)
      this.#chosen.set(keyOf(fence), [end === 0 ? 0 : this.#countPlaces(fence) - 1]);
    if (await this.#isStillGood()) return true;
    for (const fence of fences) this.#chosen.delete(keyOf(fence));
    return false;
  }

  async #thinOutOne(fence: FencePart): Promise<void> {
    let needed = Array.from({ length: this.#countPlaces(fence) }, (_, index) => index);
    for (const index of needed) {
      if (needed.length === 1) return;
      const fewer = needed.filter((other) => other !== index);
      this.#chosen.set(keyOf(fence), fewer);
      if (await this.#isStillGood()) needed = fewer;
      else this.#chosen.set(keyOf(fence), needed);
    }
  }

  async #isStillGood(): Promise<boolean> {
    const { text } = this.#edited();
    return text !== undefined && (await this.#isGood(text)) === true;
  }
}

/**
 * Inserts the repairs into the text, and then removes fences as long as `isGood` accepts the text;
 * returns `misses` if `isGood` rejects the text with all fences.
 */
export function editText(
  editor: TextEditor,
  repairs: readonly SourceRepair[],
  isGood: TextJudge,
): Promise<EditedSource | { readonly kind: 'misses' }> {
  return new TextEdit(editor, repairs, isGood).run();
}
