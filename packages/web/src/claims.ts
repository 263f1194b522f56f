import {
  decide,
  inspectedProgram,
  type Limits,
  type Model,
  type Program,
  type ResultOf,
  sameAccesses,
  threadModel,
  readText,
} from '@fencewright/core';
import type { Read } from './read.js';

/** A statement about a program, made by a lesson or demanded by an exercise. */
export type LessonClaim =
  | { readonly kind: 'robust' }
  /** The claim that a program of events is robust against a criterion. */
  | { readonly kind: 'robust-against'; readonly criterion: 'concurrency' | 'tso' }
  /** The claim that the program has this number of feasible attacks. */
  | { readonly kind: 'attacks'; readonly count: number }
  /**
   * The claim that the attack is feasible: `thread:store:load`, by label or line of the text, lines
   * from 1.
   */
  | { readonly kind: 'attack'; readonly name: string }
  /** The claim that a cheapest set of fences has this number of fences. */
  | { readonly kind: 'cheapest'; readonly count: number }
  /** The claim that some final state satisfies the condition. */
  | { readonly kind: 'reaches'; readonly model: 'SC' | 'TSO'; readonly condition: string }
  /** A claim about the answer on claims and states under TSO. */
  | {
      readonly kind: 'answer';
      readonly answer: 'breaks' | 'wrong-under-sc' | 'hangs' | 'differs' | 'stricter' | 'robust';
    }
  | { readonly kind: 'race' }
  /** The claim that the program is robust against C11. */
  | { readonly kind: 'c11-robust' }
  /** The claim that the program has a data race in C11. */
  | { readonly kind: 'c11-race' }
  /** The claim that no memory order can be weaker with the program robust against C11. */
  | { readonly kind: 'weakest-orders' }
  /** The claim that the text has at most this number of fences or threads. */
  | { readonly kind: 'at-most'; readonly count: number; readonly of: 'fences' | 'threads' }
  /** The claim that the text equals the given text, except for fences, spaces and comments. */
  | { readonly kind: 'only-fences' }
  /**
   * The claim that the text equals the given text, except for memory orders, spaces and comments.
   */
  | { readonly kind: 'only-orders' }
  /**
   * The claim that the text equals the given text, except for numbers of threads, spaces and
   * comments.
   */
  | { readonly kind: 'only-threads' }
  /** The claim that the program has equal accesses in equal order to a reference program. */
  | { readonly kind: 'same-accesses' }
  | { readonly kind: 'not'; readonly claim: LessonClaim };

type Maker = (...parts: string[]) => LessonClaim;

const answers = ['breaks', 'wrong-under-sc', 'hangs', 'differs', 'stricter', 'robust'] as const;

/** Patterns of claims, each with the claim that a matching line makes. */
const forms: readonly (readonly [RegExp, Maker])[] = [
  [/^not (.+)$/, (rest) => ({ kind: 'not', claim: parseClaim(rest) })],
  [/^robust$/, () => ({ kind: 'robust' })],
  [
    /^robust against (concurrency|TSO)$/,
    (name) => ({
      kind: 'robust-against',
      criterion: name === 'TSO' ? 'tso' : 'concurrency',
    }),
  ],
  [/^(\d+) feasible attacks?$/, (count) => ({ kind: 'attacks', count: Number(count) })],
  [/^attack (\S+)$/, (name) => ({ kind: 'attack', name: name })],
  [/^cheapest fences (\d+)$/, (count) => ({ kind: 'cheapest', count: Number(count) })],
  [
    /^(SC|TSO) reaches (.+)$/,
    (model, condition) => ({
      kind: 'reaches',
      model: model === 'SC' ? 'SC' : 'TSO',
      condition: condition,
    }),
  ],
  [
    new RegExp(`^answer (${answers.join('|')})$`),
    (said) => ({ kind: 'answer', answer: answers.find((answer) => answer === said)! }),
  ],
  [/^race$/, () => ({ kind: 'race' })],
  [/^robust against C11$/, () => ({ kind: 'c11-robust' })],
  [/^race in C11$/, () => ({ kind: 'c11-race' })],
  [/^orders cannot be weaker$/, () => ({ kind: 'weakest-orders' })],
  [
    /^at most (\d+) (fences|threads)$/,
    (count, of) => ({
      kind: 'at-most',
      count: Number(count),
      of: of === 'fences' ? 'fences' : 'threads',
    }),
  ],
  [/^only fences changed$/, () => ({ kind: 'only-fences' })],
  [/^only orders changed$/, () => ({ kind: 'only-orders' })],
  [/^only threads changed$/, () => ({ kind: 'only-threads' })],
  [/^same accesses$/, () => ({ kind: 'same-accesses' })],
];

/** Parses the claim in a line; throws if there is none. */
export function parseClaim(line: string): LessonClaim {
  for (const [pattern, make] of forms) {
    const match = pattern.exec(line);
    if (match) return make(...match.slice(1));
  }
  throw new Error(`not a claim: ${line}`);
}

/** The texts to which a claim may refer besides the program itself. */
interface Context {
  /** The program's text as the lesson contains it. */
  readonly given?: string;
  /** A text with the accesses that the exercise requires. */
  readonly reference?: string;
}

/**
 * The truth of a claim. `unknown`: the limits were too narrow, or the question does not apply to
 * the program.
 */
export type Truth = boolean | 'unknown';

/** Returns a text without comments and repeated spaces. */
const bare = (text: string): string =>
  text.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ');

/** Returns a text without comments, spaces and fences. */
const essence = (text: string): string =>
  bare(text)
    .replaceAll(/\bm?fence ?;/g, '')
    .replaceAll(/ /g, '');

/** Returns a text without comments, spaces and the memory orders of its accesses. */
const withoutOrders = (text: string): string =>
  bare(text)
    .replaceAll(/, ?(?:relaxed|acquire|release|acq_rel|seq_cst)\b/g, '')
    .replaceAll(/ /g, '');

/** Returns a text without comments, spaces and numbers of threads. */
const template = (text: string): string =>
  bare(text)
    .replaceAll(/\bthread (\w+) ?\[ ?\d+ ?\]/g, 'thread $1[]')
    .replaceAll(/ /g, '');

async function answerTo<K extends 'check' | 'reach' | 'fence' | 'trf'>(
  model: Model,
  question: Parameters<typeof decide>[1] & { readonly kind: K },
  limits: Limits,
): Promise<ResultOf<K> | undefined> {
  const result = await decide(model, question, limits);
  return result.kind === question.kind ? (result as ResultOf<K>) : undefined;
}

const truthOf = (kind: string, yes: string, no: string): Truth =>
  kind === yes ? true : kind === no ? false : 'unknown';

async function isRobust(model: Model, limits: Limits): Promise<Truth> {
  const answer = await answerTo(model, { kind: 'check' }, limits);
  return truthOf(answer?.result?.verdict.kind ?? '', 'robust', 'not-robust');
}

async function isRobustAgainst(
  model: Model,
  against: 'concurrency' | 'tso',
  limits: Limits,
): Promise<Truth> {
  const result = await decide(model, { kind: 'check', events: { against } }, limits);
  if (result.kind !== 'event-check') return 'unknown';
  return truthOf(result.result.criteria[against].kind, 'robust', 'not-robust');
}

async function hasAttacks(model: Model, count: number, limits: Limits): Promise<Truth> {
  const question = { kind: 'check', allAttacks: true } as const;
  const answer = await answerTo(model, question, limits);
  if (!answer?.result) return 'unknown';
  const { total, byCfg, infeasible, feasible } = answer.result.statistics.attacks;
  return total === byCfg + infeasible + feasible ? feasible === count : 'unknown';
}

async function isFeasible(model: Model, attack: string, limits: Limits): Promise<Truth> {
  const result = await decide(model, { kind: 'explain', attack }, limits);
  if (result.kind !== 'explain' || !result.explained) return 'unknown';
  const verdicts = result.explained.attacks.map(({ verdict }) => verdict);
  if (verdicts.includes('feasible')) return true;
  return verdicts.includes('unknown') || verdicts.length === 0 ? 'unknown' : false;
}

async function isCheapest(model: Model, count: number, limits: Limits): Promise<Truth> {
  const answer = await answerTo(model, { kind: 'fence' }, limits);
  const verdict = answer?.fences.result.verdict;
  if (verdict?.kind !== 'found') return verdict?.kind === 'impossible' ? false : 'unknown';
  return verdict.repairs.length === count;
}

/** A name of a property that no program uses. */
const asked = 'asked_by_the_lesson';

async function reaches(
  { read }: ClaimSubject,
  { model, condition }: Extract<LessonClaim, { kind: 'reaches' }>,
  limits: Limits,
): Promise<Truth> {
  const text = `${read.text}\nproperty ${asked}: exists (${condition})\n`;
  const { model: extended } = await readText(read.format, text);
  const answer = extended && (await answerTo(extended, { kind: 'reach' }, limits));
  if (!answer) return 'unknown';
  const { properties } = answer.result[model === 'SC' ? 'sc' : 'tso'];
  const found = properties.find(({ property }) => property === asked);
  return truthOf(found?.verdict ?? '', 'holds', 'violated');
}

async function isAnswer(model: Model, expected: string, limits: Limits): Promise<Truth> {
  const answer = await answerTo(model, { kind: 'reach' }, limits);
  const kind = answer?.result.answer.kind ?? 'unknown';
  return kind === 'unknown' ? 'unknown' : kind === expected;
}

async function hasRace(model: Model, limits: Limits): Promise<Truth> {
  const answer = await answerTo(model, { kind: 'trf' }, limits);
  return truthOf(answer?.result.verdict.kind ?? '', 'race', 'free');
}

async function isRobustAgainstC11(model: Model, limits: Limits): Promise<Truth> {
  const answer = await decide(model, { kind: 'c11', model: 'c11' }, limits);
  const kind = answer.kind === 'c11' ? answer.result.verdict.kind : 'unknown';
  return truthOf(kind, 'robust', 'not-robust');
}

async function hasRaceInC11(model: Model, limits: Limits): Promise<Truth> {
  const answer = await decide(model, { kind: 'c11', model: 'c11' }, limits);
  if (answer.kind !== 'c11') return 'unknown';
  const { race, verdict } = answer.result;
  if (typeof race === 'object') return true;
  return race === 'none' && verdict.kind === 'robust' ? false : 'unknown';
}

async function areOrdersWeakest(model: Model, limits: Limits): Promise<Truth> {
  const question = { kind: 'orders', model: 'c11', change: 'lower' } as const;
  const answer = await decide(model, question, limits);
  const verdict = answer.kind === 'orders' ? answer.orders.result.verdict : undefined;
  if (verdict?.kind !== 'found' || verdict.open) return 'unknown';
  return verdict.changes.length === 0 && verdict.alone.length === 0;
}

function programOf(model: Model): Program | undefined {
  const threads = threadModel(model);
  return threads && inspectedProgram(threads);
}

function isAtMost(
  model: Model,
  { count, of }: Extract<LessonClaim, { kind: 'at-most' }>,
  { text }: Read,
): Truth {
  const threads = programOf(model)?.threads;
  if (!threads) return 'unknown';
  if (of === 'threads') return threads.length <= count;
  return [...text.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, '').matchAll(/\bm?fence\b/g)].length <= count;
}

async function hasAccessesOf(reference: string | undefined, read: Read): Promise<Truth> {
  const other = (await readText(read.format, reference ?? '')).model;
  const [a, b] = [programOf(read.model), other && programOf(other)];
  return a && b ? (sameAccesses(a, b) ?? 'unknown') : 'unknown';
}

/** A program with the texts to which claims may refer. */
interface ClaimSubject {
  readonly read: Read;
  readonly context: Context;
}

/** Decides a claim about a program by the engines; each question gets the full limits. */
export async function decideClaim(
  claim: LessonClaim,
  subject: ClaimSubject,
  limits: Limits,
): Promise<Truth> {
  const { read, context } = subject;
  const { model } = read;
  switch (claim.kind) {
    case 'not': {
      const truth = await decideClaim(claim.claim, subject, limits);
      return truth === 'unknown' ? truth : !truth;
    }
    case 'robust':
      return isRobust(model, limits);
    case 'robust-against':
      return isRobustAgainst(model, claim.criterion, limits);
    case 'attacks':
      return hasAttacks(model, claim.count, limits);
    case 'attack':
      return isFeasible(model, claim.name, limits);
    case 'cheapest':
      return isCheapest(model, claim.count, limits);
    case 'reaches':
      return reaches(subject, claim, limits);
    case 'answer':
      return isAnswer(model, claim.answer, limits);
    case 'race':
      return hasRace(model, limits);
    case 'c11-robust':
      return isRobustAgainstC11(model, limits);
    case 'c11-race':
      return hasRaceInC11(model, limits);
    case 'weakest-orders':
      return areOrdersWeakest(model, limits);
    case 'at-most':
      return isAtMost(model, claim, read);
    case 'only-fences':
      return essence(read.text) === essence(context.given ?? '');
    case 'only-orders':
      return withoutOrders(read.text) === withoutOrders(context.given ?? '');
    case 'only-threads':
      return template(read.text) === template(context.given ?? '');
    case 'same-accesses':
      return hasAccessesOf(context.reference, read);
  }
}
