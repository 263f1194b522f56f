import type { Limits } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program, StateExpression } from '@fencewright/model/program/program.js';
import { sameAutomata } from '@fencewright/model/program/same-automata.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { FenceResult, FencesFound } from '@fencewright/model/verdict/fence-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { checkParameterized } from './check-parameterized.js';
import { check } from './check.js';
import { fence, fenceParameterized, type FenceOptions } from './fence.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { CompiledText } from './environment.js';
import type { ProgramText } from './question.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { editText, type EditedSource } from './edit-text.js';
import { rejectedByCompiler } from './rejected-edit.js';

/** The goal that an edited text has to meet. */
export interface EditPurpose {
  /** The goals that the edited program has to meet under TSO, instead of robustness. */
  readonly asked?: Pick<FenceOptions, 'properties' | 'assertions' | 'rest'>;
  readonly happensBefore: HappensBefore;
  /** Returns the limits for a search that starts now. */
  readonly limits: () => Limits;
  /** The function that reads the edited text, if the text needs a compiler. */
  readonly read?: CompiledText['read'];
}

/** Returns the changes that put the repairs of a verdict into the text. */
export function repairsOf({ repairs, removable, light = [] }: FencesFound): SourceRepair[] {
  return [
    ...light.map((part): SourceRepair => ({ ...part, kind: 'fence', light: true })),
    ...repairs.flatMap((repair): SourceRepair[] => {
      const { kind, thread } = repair;
      if (kind === 'fence') {
        const { location, before, heavy } = repair;
        return [
          {
            ...{ kind, thread, location },
            ...(before && { before }),
            ...(heavy !== undefined && { heavy }),
          },
        ];
      }
      return kind === 'xchg' ? [{ kind, thread, transition: repair.transition }] : [];
    }),
    ...removable.flatMap((repair): SourceRepair[] => {
      const { kind, thread } = repair;
      return kind === 'fence' ? [] : [{ kind: 'remove', thread, transition: repair.transition }];
    }),
  ];
}

/** Whether the program meets the goal; an `UnknownReason` if undecided. */
async function reaches(
  program: Program,
  { asked, happensBefore, limits }: EditPurpose,
): Promise<boolean | UnknownReason> {
  if (!asked) {
    const { verdict } = await check(program, { happensBefore, limits: limits() });
    return verdict.kind === 'unknown' ? verdict.reason : verdict.kind === 'robust';
  }
  return needsNone(await fence(program, { ...asked, limits: limits(), canFence: () => false }));
}

/**
 * Whether the program meets the goal without changes, according to a search that had no repairs to
 * choose from; an `UnknownReason` if undecided.
 */
function needsNone({ verdict }: FenceResult): boolean | UnknownReason {
  return verdict.kind === 'unknown' ? verdict.reason : verdict.kind === 'found';
}

function hasLabel(condition: StateExpression): boolean {
  switch (condition.kind) {
    case 'at':
      return true;
    case 'unary':
      return hasLabel(condition.operand);
    case 'binary':
      return hasLabel(condition.left) || hasLabel(condition.right);
    default:
      return false;
  }
}

/**
 * Returns the numbers of copies, by thread, that replace the numbers in a text; `undefined` if the
 * numbers in the text count.
 */
export function numbersOf({ copies }: ProgramText): ReadonlyMap<string, number> | undefined {
  return copies && new Map(Object.entries(copies));
}

class SourceEdit {
  readonly #text: ProgramText;
  readonly #editor: TextEditor;
  readonly #goal: EditPurpose;
  readonly #repairs: readonly SourceRepair[];
  readonly #repaired: Program;
  /** The messages about an edited text that the compiler rejects; `undefined` if it accepts. */
  #rejected: readonly Diagnostic[] | undefined;

  constructor(text: ProgramText, editor: TextEditor, goal: EditPurpose, found: FencesFound) {
    this.#text = text;
    this.#editor = editor;
    this.#goal = goal;
    this.#repairs = repairsOf(found);
    this.#repaired = found.repaired;
  }

  /**
   * Edits the text. The edited text is parsed, and decided again unless its program equals the
   * decided one. If the compiler rejects the text, the fences are spelled without the headers and
   * macros of the text.
   */
  async run(): Promise<EditedSource> {
    const edited = await this.#runWith(this.#editor);
    const { plain } = this.#editor;
    if (edited.kind !== 'refused' || edited.refusal.kind !== 'rejected' || !plain) return edited;
    const again = await this.#runWith(plain());
    return again.kind === 'text' ? again : edited;
  }

  async #runWith(editor: TextEditor): Promise<EditedSource> {
    this.#rejected = undefined;
    const edited = await editText(editor, this.#repairs, (text) => this.#isGood(text));
    if (edited.kind !== 'misses') return edited;
    if (this.#rejected)
      return { kind: 'refused', refusal: { kind: 'rejected', diagnostics: this.#rejected } };
    if (!this.#mentionsLabels())
      throw new InternalError('the program misses the goal with the fences written into its text');
    const properties = this.#goal.asked?.properties ?? [];
    return { kind: 'refused', refusal: { kind: 'labels-move', properties } };
  }

  async #isGood(text: string): Promise<boolean | UnknownReason> {
    const read = await (this.#goal.read?.(text) ??
      parseText(this.#text.format, text, numbersOf(this.#text)));
    if (typeof read === 'string') return read;
    const { model, diagnostics } = read;
    if (!model && this.#goal.read) {
      this.#rejected = rejectedByCompiler(this.#text.source, text, diagnostics);
      return false;
    }
    if (model?.kind === 'unbounded') return this.#areGood(model);
    if (model?.kind !== 'finite')
      throw new InternalError('the program does not parse with the fences written into its text');
    const { program } = model;
    // The search has shown that the repaired program reaches the goal. Positions of labels are not
    // part of the automaton.
    if (sameAutomata(program, this.#repaired) && !this.#mentionsLabels()) return true;
    return reaches(program, this.#goal);
  }

  /** Whether a property of the goal mentions a label of a thread (`t @ l`). */
  #mentionsLabels(): boolean {
    const names = this.#goal.asked?.properties ?? [];
    return this.#repaired.properties.some(
      ({ name, condition }) => names.includes(name) && hasLabel(condition),
    );
  }

  async #areGood(model: UnboundedModel): Promise<boolean | UnknownReason> {
    if (sameAutomata(model.templates, this.#repaired) && !this.#mentionsLabels()) return true;
    const { asked, happensBefore, limits } = this.#goal;
    if (asked)
      return needsNone(
        await fenceParameterized(model, { ...asked, limits: limits(), canFence: () => false }),
      );
    const { verdict } = (await checkParameterized(model, { happensBefore, limits: limits() }))
      .result;
    return verdict.kind === 'unknown' ? verdict.reason : verdict.kind === 'robust';
  }
}

/**
 * Makes the repairs in the text, and removes inserted fences that the goal does not need; refuses
 * if the edited text misses the goal.
 */
export function editSource(
  text: ProgramText,
  editor: TextEditor,
  found: FencesFound,
  goal: EditPurpose,
): Promise<EditedSource> {
  return new SourceEdit(text, editor, goal, found).run();
}
