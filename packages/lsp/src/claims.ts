import {
  answeredInstances,
  answerInWords,
  answerWord,
  type Claim,
  type ClaimTruth,
  claimsExistence,
  claimVerdicts,
  deadlockHeadline,
  deadlocksIn,
  type EventProgram,
  type EventReachResult,
  type EventSemanticsReach,
  type HangFindings,
  headlineText,
  type Model,
  type OverAll,
  placedHang,
  type PlacedHang,
  type Program,
  type Span,
  spanOfWaiting,
  type StateAnswer,
} from '@fencewright/core';
import type { Claiming } from './document.js';
import type { EngineAnswer } from './engine.js';
import { asWritten } from './templates.js';

/** The truth of a claim under each memory model, by ids of the program as written. */
interface FoundClaim {
  readonly claim: Claim;
  readonly sc: ClaimTruth;
  readonly tso: ClaimTruth;
  /**
   * For programs of events: the truth under the semantics of a single thread; `sc` and `tso` are
   * about several threads.
   */
  readonly single?: ClaimTruth;
}

/** The claims of a program, with their truth under TSO. */
export interface ClaimFindings {
  readonly claims: readonly FoundClaim[];
  /** The answer about claims in one or two words; absent for programs of events. */
  readonly answer?: string;
  /** The meaning of the answer about claims, as a sentence. */
  readonly meaning?: string;
  /** The threads that wait for ever under TSO only. */
  readonly hangs?: readonly PlacedHang[];
  /**
   * The deadlock without store buffers, in a sentence, and the place at which its first thread
   * waits.
   */
  readonly deadlock?: PlacedText;
}

/** A sentence, and the place in the text that it is about. */
interface PlacedText {
  readonly text: string;
  readonly span?: Span;
}

/** Returns the deadlock of a program without store buffers; `undefined` if none is known. */
function deadlockIn(about: Program, hangs: HangFindings): PlacedText | undefined {
  const found = deadlocksIn(hangs);
  const headline = deadlockHeadline(about, found);
  const [first] = found.kind === 'found' ? found.waiting : [];
  if (!headline || !first) return undefined;
  const span = spanOfWaiting(about, first);
  return { text: headlineText(headline), ...(span && { span }) };
}

function hangsIn(about: Program, answer: StateAnswer): readonly PlacedHang[] {
  return answer.kind === 'hangs' ? answer.hangs.map((hang) => placedHang(about, hang)) : [];
}

function truthOf(all: OverAll, isQuestion: boolean): ClaimTruth {
  if (all.kind === 'unknown') return 'unknown';
  return (all.kind === 'in') === isQuestion ? 'holds' : 'violated';
}

function asksFor(program: Claiming, claim: Claim): boolean {
  const property = claim.kind === 'property' ? program.properties[claim.property] : undefined;
  return property !== undefined && claimsExistence(property);
}

function written(about: Program, model: Model, claim: Claim): Claim {
  return claim.kind === 'property'
    ? claim
    : { ...claim, thread: asWritten(about, model, claim.thread) };
}

/**
 * Returns the truth that an exploration has found; `unknown` if the exploration has not found a
 * state that decides the claim, and bounds have cut the exploration.
 */
function truthIn(
  { bounds, incomplete }: EventSemanticsReach,
  found: ClaimTruth,
  isFound: boolean,
): ClaimTruth {
  return isFound || (bounds.length === 0 && incomplete === undefined) ? found : 'unknown';
}

/** Returns the truth of the claims of a program of events under each semantics. */
function eventClaims(about: EventProgram, result: EventReachResult): readonly FoundClaim[] {
  const onEach = (truth: (side: EventSemanticsReach) => ClaimTruth) => ({
    single: truth(result.single),
    sc: truth(result.sc),
    tso: truth(result.tso),
  });
  const properties = about.properties.map((property, i): FoundClaim => {
    const byRun = claimsExistence(property) ? 'holds' : 'violated';
    return {
      claim: { kind: 'property', property: i },
      ...onEach((side) => {
        const { verdict } = side.properties[i]!;
        return truthIn(side, verdict, verdict === byRun);
      }),
    };
  });
  const assertions = about.bodies.flatMap(({ transitions }, thread) =>
    transitions.flatMap(({ instruction }, transition): FoundClaim[] => {
      if (instruction.kind !== 'assert') return [];
      const fails = ({ failedAssertions }: EventSemanticsReach): boolean =>
        failedAssertions.some(({ site }) => site.body === thread && site.transition === transition);
      return [
        {
          claim: { kind: 'assertion', thread, transition },
          ...onEach((side) => (fails(side) ? 'violated' : truthIn(side, 'holds', false))),
        },
      ];
    }),
  );
  return [...properties, ...assertions];
}

/** Returns the findings on claims in an answer to `reach`; `undefined` for other answers. */
export function claimFindingsOf(answered: EngineAnswer): ClaimFindings | undefined {
  if (answered.kind !== 'answer') return undefined;
  const { result, model } = answered;
  if (result.kind === 'event-reach') return { claims: eventClaims(result.about, result.result) };
  if (result.kind === 'reach') {
    const { about } = result;
    const { answer } = result.result;
    const claims = claimVerdicts(about, result.result).map(({ claim, sc, tso }) => ({
      ...{ claim: written(about, model, claim), sc, tso },
    }));
    const deadlock = deadlockIn(about, result.result.hangs);
    return {
      ...{ claims, answer: answerWord[answer.kind], meaning: answerInWords(about, answer) },
      hangs: hangsIn(about, answer),
      ...(deadlock && { deadlock }),
    };
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
    hangs: hangsIn(result.result.shown?.program ?? about, answer),
  };
}

/**
 * The findings on a claim, with the place of the claim. If a claim belongs to several copies of a
 * thread, the worst finding counts.
 */
interface ClaimAt extends FoundClaim {
  readonly span: Span;
  /** Whether the claim asks whether a state can be reached; reaching the state is then no fault. */
  readonly isQuestion: boolean;
}

const order: readonly ClaimTruth[] = ['holds', 'unknown', 'violated'];

function worse(one: ClaimTruth, other: ClaimTruth): ClaimTruth {
  return order.indexOf(one) < order.indexOf(other) ? other : one;
}

/** Returns the claims of a text with their findings, in the order of discovery. */
export function claimsIn(
  program: Claiming | undefined,
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

/** Returns the findings on a claim, in a few words. */
export function claimTitle({
  isQuestion,
  single,
  ...both
}: Omit<ClaimAt, 'span' | 'claim'>): string {
  if (single === undefined) return isQuestion ? reachedInWords(both) : heldInWords(both);
  const [yes, no, verb] = isQuestion
    ? (['holds', 'violated', 'reached'] as const)
    : (['violated', 'holds', 'fails'] as const);
  if (single === yes) return isQuestion ? 'reached' : 'fails, on a single thread as well';
  if (both.sc === yes) return `${verb} on several threads${single === no ? ' only' : ''}`;
  if (both.tso === yes) return `${verb} under TSO${both.sc === no ? ' only' : ''}`;
  if (single === no && both.sc === no && both.tso === no)
    return isQuestion ? 'not reached' : 'holds';
  return 'not decided';
}

type Both = Pick<FoundClaim, 'sc' | 'tso'>;

function reachedInWords({ sc, tso }: Both): string {
  // Everything reachable under SC is reachable under TSO.
  if (sc === 'holds') return 'reached';
  if (sc === 'violated' && tso === 'holds') return 'reached under TSO only';
  if (sc === 'violated' && tso === 'violated') return 'not reached';
  return sc === 'violated' ? 'not reached under SC; TSO: not decided' : 'not decided';
}

function heldInWords({ sc, tso }: Both): string {
  if (sc === 'violated') return 'fails, without store buffers as well';
  if (tso === 'violated')
    return sc === 'holds' ? 'fails under TSO only' : 'fails under TSO; SC: not decided';
  if (tso === 'holds') return 'holds';
  return sc === 'holds' ? 'holds under SC; TSO: not decided' : 'not decided';
}
