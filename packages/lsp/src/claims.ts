import {
  answeredInstances,
  answerInWords,
  answerWord,
  type Claim,
  type ClaimTruth,
  claimsExistence,
  claimVerdicts,
  type Model,
  type OverAll,
  type Program,
  type Span,
} from '@fencewright/core';
import type { Answered } from './engine.js';
import { asWritten } from './templates.js';

/** What each memory model says of a claim, by ids of the program as it is written. */
export interface FoundClaim {
  readonly claim: Claim;
  readonly sc: ClaimTruth;
  readonly tso: ClaimTruth;
}

/** What a program claims, and what TSO makes of it. */
export interface ClaimFindings {
  readonly claims: readonly FoundClaim[];
  /** The answer in a word or two. */
  readonly answer: string;
  /** The same as a sentence. */
  readonly meaning: string;
}

function truthOf(all: OverAll, isQuestion: boolean): ClaimTruth {
  if (all.kind === 'unknown') return 'unknown';
  return (all.kind === 'in') === isQuestion ? 'holds' : 'violated';
}

function asksFor(program: Program, claim: Claim): boolean {
  const property = claim.kind === 'property' ? program.properties[claim.property] : undefined;
  return property !== undefined && claimsExistence(property);
}

function written(about: Program, model: Model, claim: Claim): Claim {
  return claim.kind === 'property'
    ? claim
    : { ...claim, thread: asWritten(about, model, claim.thread) };
}

/** What an answer to `reach` says of claims; absent if nothing. */
export function claimFindingsOf(answered: Answered): ClaimFindings | undefined {
  if (answered.kind !== 'answer') return undefined;
  const { result, model } = answered;
  if (result.kind === 'reach') {
    const { about } = result;
    const { answer } = result.result;
    const claims = claimVerdicts(about, result.result).map(({ claim, sc, tso }) => ({
      ...{ claim: written(about, model, claim), sc, tso },
    }));
    return { claims, answer: answerWord[answer.kind], meaning: answerInWords(about, answer) };
  }
  if (result.kind !== 'reach-all') return undefined;
  const { about } = result;
  const { answer } = result.result;
  return {
    claims: result.result.claims.map(({ claim, sc, tso }) => ({
      claim: written(about, model, claim),
      sc: truthOf(sc, asksFor(about, claim)),
      tso: truthOf(tso, asksFor(about, claim)),
    })),
    answer: answerWord[answer.kind],
    meaning: answerInWords(about, answer, answeredInstances(about, result.result)),
  };
}

/** What is known of what is claimed at a place; of several copies of a thread, the worst. */
export interface ClaimAt extends FoundClaim {
  readonly span: Span;
  /** Whether it asks for a state, which is no fault of a program that has it. */
  readonly isQuestion: boolean;
}

const order: readonly ClaimTruth[] = ['holds', 'unknown', 'violated'];

function worse(one: ClaimTruth, other: ClaimTruth): ClaimTruth {
  return order.indexOf(one) < order.indexOf(other) ? other : one;
}

/** The claims of a text with what is known of them, in the order in which they were found out. */
export function claimsIn(
  program: Program | undefined,
  { claims }: Pick<ClaimFindings, 'claims'>,
): readonly ClaimAt[] {
  const places = new Map<string, ClaimAt>();
  for (const found of program ? claims : []) {
    const { claim, sc, tso } = found;
    const span =
      claim.kind === 'property'
        ? program!.properties[claim.property]?.span
        : program!.threads[claim.thread]?.transitions[claim.transition]?.origin.span;
    if (!span || span.source) continue;
    const key = `${span.start.line} ${span.start.column}`;
    const known = places.get(key);
    const isQuestion = asksFor(program!, claim);
    places.set(
      key,
      known
        ? { ...known, sc: worse(known.sc, sc), tso: worse(known.tso, tso) }
        : { ...found, span, isQuestion },
    );
  }
  return [...places.values()];
}

/** What is known of a claim, in a few words. */
export function claimTitle({ isQuestion, sc, tso }: Omit<ClaimAt, 'span' | 'claim'>): string {
  if (isQuestion) {
    // What SC reaches TSO reaches, too.
    if (sc === 'holds') return 'reached';
    if (sc === 'violated' && tso === 'holds') return 'reached under TSO only';
    if (sc === 'violated' && tso === 'violated') return 'not reached';
    return sc === 'violated' ? 'not reached under SC; TSO: not decided' : 'not decided';
  }
  if (sc === 'violated') return 'fails, without store buffers as well';
  if (tso === 'violated')
    return sc === 'holds' ? 'fails under TSO only' : 'fails under TSO; SC: not decided';
  if (tso === 'holds') return 'holds';
  return sc === 'holds' ? 'holds under SC; TSO: not decided' : 'not decided';
}
