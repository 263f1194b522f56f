import type { Limits } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program, StateExpression } from '@fencewright/model/program/program.js';
import { sameAutomata } from '@fencewright/model/program/same-automata.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { FenceResult, FenceVerdict } from '@fencewright/model/verdict/fence-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { checkParameterized } from './check-parameterized.js';
import { check } from './check.js';
import { fence, fenceParameterized, type FenceOptions } from './fence.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { CompiledText } from './environment.js';
import type { ProgramText } from './question.js';
import { parseText } from './parse-text.js';
import { editText, type EditedSource } from './edit-text.js';

type Found = Extract<FenceVerdict, { kind: 'found' }>;

/** What the text has to satisfy after editing. */
export interface EditPurpose {
  /** Instead of robustness: what has to hold under TSO. */
  readonly asked?: Pick<FenceOptions, 'properties' | 'assertions' | 'rest'>;
  readonly happensBefore: HappensBefore;
  /** What is left for a search that starts now. */
  readonly limits: () => Limits;
  /** Who reads the text, where it is not read here. */
  readonly read?: CompiledText['read'];
}

/** What a verdict does to a text. */
export function repairsOf({ repairs, removable }: Found): SourceRepair[] {
  return [
    ...repairs.flatMap((repair): SourceRepair[] => {
      const { kind, thread } = repair;
      if (kind === 'fence') {
        const { location, before } = repair;
        return [{ kind, thread, location, ...(before && { before }) }];
      }
      return kind === 'xchg' ? [{ kind, thread, transition: repair.transition }] : [];
    }),
    ...removable.flatMap((repair): SourceRepair[] => {
      const { kind, thread } = repair;
      return kind === 'fence' ? [] : [{ kind: 'remove', thread, transition: repair.transition }];
    }),
  ];
}

/** Whether the program is as it should be; a reason if that cannot be told. */
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

/** With no repair to choose from, all that is left is the question whether one is needed. */
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

/** The numbers of copies with which a text is read. */
export function numbersOf({ copies }: ProgramText): ReadonlyMap<string, number> | undefined {
  return copies && new Map(Object.entries(copies));
}

class SourceEdit {
  readonly #text: ProgramText;
  readonly #editor: TextEditor;
  readonly #goal: EditPurpose;
  readonly #repairs: readonly SourceRepair[];
  readonly #repaired: Program;
  /** What a compiler says of the text with the repairs, if it does not take it. */
  #complaints: readonly Diagnostic[] | undefined;

  constructor(text: ProgramText, editor: TextEditor, goal: EditPurpose, found: Found) {
    this.#text = text;
    this.#editor = editor;
    this.#goal = goal;
    this.#repairs = repairsOf(found);
    this.#repaired = found.repaired;
  }

  /** The text is parsed anew, and decided anew unless it says exactly what was decided before. */
  async run(): Promise<EditedSource> {
    const edited = await editText(this.#editor, this.#repairs, (text) => this.#isGood(text));
    if (edited.kind !== 'misses') return edited;
    if (this.#complaints)
      return { kind: 'refused', refusal: { kind: 'text', diagnostics: this.#complaints } };
    if (!this.#speaksOfLabels())
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
      this.#complaints = diagnostics;
      return false;
    }
    if (model?.kind === 'unbounded') return this.#areGood(model);
    if (model?.kind !== 'finite')
      throw new InternalError('the program does not parse with the fences written into its text');
    const { program } = model;
    // The repaired program is what the search has shown to reach the goal.
    // Where its labels stand is not part of the automaton.
    if (sameAutomata(program, this.#repaired) && !this.#speaksOfLabels()) return true;
    return reaches(program, this.#goal);
  }

  /** Whether a property of the goal says `t @ l`. */
  #speaksOfLabels(): boolean {
    const names = this.#goal.asked?.properties ?? [];
    return this.#repaired.properties.some(
      ({ name, condition }) => names.includes(name) && hasLabel(condition),
    );
  }

  async #areGood(model: UnboundedModel): Promise<boolean | UnknownReason> {
    if (sameAutomata(model.templates, this.#repaired) && !this.#speaksOfLabels()) return true;
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
 * Makes the repairs that were found in the text, with as few inserted fences as will do; never
 * gives a text that misses the goal.
 */
export function editSource(
  text: ProgramText,
  editor: TextEditor,
  found: Found,
  goal: EditPurpose,
): Promise<EditedSource> {
  return new SourceEdit(text, editor, goal, found).run();
}
