import { decide, type Limits, readText, sentence } from '@fencewright/core';
import { type LessonClaim, decideClaim, parseClaim, type Truth } from './claims.js';
import type { WebFormat } from './messages.js';
import type { Read } from './read.js';
import { version } from './version.js';

/** An exercise: a program to be changed until all conditions hold. */
interface ChangeExercise {
  readonly kind: 'change';
  readonly format: WebFormat;
  readonly start: string;
  /** A correct text, with which some conditions compare the answer. */
  readonly reference?: string;
  readonly conditions: readonly {
    readonly claim: string;
    /** The message for a condition that does not hold. */
    readonly otherwise: string;
  }[];
}

/** An exercise: sentences about a program, of which the user has to tick all true ones. */
interface ChoiceExercise {
  readonly kind: 'choice';
  readonly format: WebFormat;
  readonly program: string;
  readonly options: readonly { readonly claim: string; readonly label: string }[];
}

export type Exercise = ChangeExercise | ChoiceExercise;

/** The changed text, or the indices of the ticked options, from 0. */
export type Answer = string | readonly number[];

/** The judgement of an answer; the page, if any, shows an execution that refutes the answer. */
export interface Judgement {
  readonly kind: 'right' | 'wrong' | 'undecided';
  readonly words: string;
  readonly page?: string;
}

const tooLong: Judgement = {
  kind: 'undecided',
  words: 'The program is too large to be decided here in time. Does it have to be that large?',
};

/** Whether an execution can refute a claim. */
function isShown(claim: LessonClaim): boolean {
  return ['robust', 'reaches', 'answer'].includes(claim.kind === 'not' ? '' : claim.kind);
}

async function executionOf(read: Read, limits: Limits): Promise<string | undefined> {
  const { file, text: source, model, diagnostics } = read;
  const result = await decide(model, { kind: 'explain' }, limits);
  if (result.kind !== 'explain' || result.result.verdict.kind !== 'not-robust') return undefined;
  const { explainHtml } = await import('@fencewright/core/page');
  const { about, result: checked, replay: replayed } = result;
  return explainHtml({ file, source, program: about }, checked, {
    ...{ diagnostics, version },
    ...(replayed && { replay: replayed }),
  });
}

async function readAnswer(
  format: WebFormat,
  text: string,
  limits: Limits,
): Promise<Read | Judgement> {
  const asked = { file: 'answer.fw', format, text, timeout: limits.timeout ?? 0 };
  const { model, diagnostics } = await readText(asked.format, asked.text);
  if (model) return { ...asked, model, diagnostics };
  const [first] = diagnostics.filter(({ severity }) => severity === 'error');
  const where = first?.span ? `Line ${first.span.start.line + 1}: ` : '';
  const hint = first?.hint === undefined ? '' : ` ${sentence(first.hint).replace(/\?\.$/, '?')}`;
  return {
    kind: 'wrong',
    words: `${where}${first?.message ?? 'The text is not a program'}.${hint}`,
  };
}

async function judgeChange(
  exercise: ChangeExercise,
  text: string,
  limits: Limits,
): Promise<Judgement> {
  const read = await readAnswer(exercise.format, text, limits);
  if ('kind' in read) return read;
  const context = {
    given: exercise.start,
    ...(exercise.reference !== undefined && { reference: exercise.reference }),
  };
  for (const { claim: line, otherwise } of exercise.conditions) {
    const claim = parseClaim(line);
    const truth = await decideClaim(claim, { read, context }, limits);
    if (truth === 'unknown') return tooLong;
    if (truth) continue;
    const page = isShown(claim) ? await executionOf(read, limits) : undefined;
    return { kind: 'wrong', words: otherwise, ...(page !== undefined && { page }) };
  }
  return { kind: 'right', words: 'Right.' };
}

/** Decides the truth of each option, in order. */
export async function truths(
  { format, program, options }: ChoiceExercise,
  limits: Limits,
): Promise<readonly Truth[]> {
  const read = await readAnswer(format, program, limits);
  if ('kind' in read) throw new Error(read.words);
  const found: Truth[] = [];
  for (const { claim } of options)
    found.push(await decideClaim(parseClaim(claim), { read, context: {} }, limits));
  return found;
}

async function judgeChoice(
  exercise: ChoiceExercise,
  ticked: readonly number[],
  limits: Limits,
): Promise<Judgement> {
  const found = await truths(exercise, limits);
  if (found.includes('unknown')) return tooLong;
  const wrong = ticked.find((option) => found[option] !== true);
  if (wrong !== undefined)
    return { kind: 'wrong', words: `Wrong: ${exercise.options[wrong]?.label ?? ''}` };
  const missing = found.filter((truth, option) => truth === true && !ticked.includes(option));
  if (missing.length === 0) return { kind: 'right', words: 'Right.' };
  const left =
    missing.length === 1
      ? 'one more sentence is true'
      : `${missing.length} more sentences are true`;
  return { kind: 'wrong', words: sentence(`so far so good, but ${left}`) };
}

/** Judges an answer by the engines. */
export async function judge(
  exercise: Exercise,
  answer: Answer,
  limits: Limits,
): Promise<Judgement> {
  return exercise.kind === 'change'
    ? judgeChange(exercise, typeof answer === 'string' ? answer : '', limits)
    : judgeChoice(exercise, typeof answer === 'string' ? [] : answer, limits);
}
