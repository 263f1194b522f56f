import {
  c11Finding,
  c11InOneLine,
  type CheckResult,
  formatCell,
  headlineText,
  type Model,
  type Program,
  reasonInWords,
  type ResultOf,
  type Span,
} from '@fencewright/core';
import {
  criterionNames,
  decisive,
  eventVerdict,
  whyEventsUnknown,
} from '@fencewright/core/event-verdict';
import type { ClaimFindings } from './claims.js';
import type { EngineAnswer } from './engine.js';
import { asWritten } from './templates.js';

/** A feasible attack, by ids of the program as written (for copies, ids of the template). */
interface AttackIds {
  readonly thread: number;
  readonly store: number;
  readonly load: number;
}

/** The cheapest fences. */
interface FoundFences {
  readonly count: number;
  /**
   * The lines of the text before which fences are to be inserted, from 0, with the cost of each
   * fence.
   */
  readonly lines: readonly { readonly line: number; readonly cost: number }[];
}

/** The findings about a text; all findings belong to a single version. */
export interface Findings {
  readonly state: 'robust' | 'not-robust' | 'unknown' | 'error';
  /** The details of the verdict, to be written after a colon; empty if there are none. */
  readonly detail: string;
  /** The criterion that the program violates, for programs of events that are not robust. */
  readonly against?: string;
  readonly attacks: readonly AttackIds[];
  readonly states: number;
  readonly milliseconds: number;
  /** The cheapest fences for the text, once known. */
  readonly fences?: FoundFences;
  /** The claims of the program with their truth, once decided. */
  readonly claims?: ClaimFindings;
  /** The findings about the text under C11, if a model of C11 is configured. */
  readonly orders?: FoundOrders;
}

/** The findings about a program under C11. */
export interface FoundOrders {
  /** The finding about the program under C11, in one line. */
  readonly line: string;
  /** The problem of the program under C11, with its place in the text; absent if there is none. */
  readonly against?: { readonly level: 'error' | 'warning'; readonly span?: Span };
}

const nothing = { detail: '', attacks: [], states: 0, milliseconds: 0 } as const;

function attacksOf(about: Program, model: Model, result: CheckResult): readonly AttackIds[] {
  const { verdict } = result;
  const feasible = result.attacks.filter((one) => one.verdict === 'feasible');
  const all = [
    ...(verdict.kind === 'not-robust' ? [verdict.witness.attack] : []),
    ...feasible.map(({ attack }) => attack),
  ].map(({ thread, store, load }) => ({
    ...{ thread: asWritten(about, model, thread), store, load },
  }));
  return [...new Map(all.map((one) => [`${one.thread} ${one.store} ${one.load}`, one])).values()];
}

/** Returns the findings in an answer to `check`. */
export function findingsOf(answered: EngineAnswer): Findings {
  switch (answered.kind) {
    case 'unread':
      return { ...nothing, state: 'error', detail: 'the text has errors' };
    case 'stopped':
      return { ...nothing, state: 'unknown', detail: reasonInWords[answered.reason] };
    case 'failed':
      return { ...nothing, state: 'unknown', detail: answered.message };
    case 'answer':
  }
  const { result, model } = answered;
  if (result.kind === 'event-check') {
    const { statistics } = result.result;
    const verdict = eventVerdict(result.result);
    const criterion = decisive(result.result);
    const state = verdict.kind === 'not-asked' ? 'unknown' : verdict.kind;
    return {
      ...{ ...nothing, ...statistics, state },
      detail: verdict.kind === 'unknown' ? whyEventsUnknown(result.about, verdict.why) : '',
      ...(state === 'not-robust' && { against: `not ${criterionNames[criterion]}` }),
    };
  }
  if (result.kind !== 'check' || !result.result)
    return {
      ...nothing,
      state: 'unknown',
      detail: 'only a proof can decide this program: see fencewright prove',
    };
  const { verdict, statistics } = result.result;
  const { states, milliseconds } = statistics;
  return {
    state: verdict.kind,
    detail: verdict.kind === 'unknown' ? reasonInWords[verdict.reason] : '',
    attacks: attacksOf(result.about, model, result.result),
    ...{ states, milliseconds },
  };
}

/** Returns the fences in an answer to `fence`; `undefined` if there are none. */
export function foundFences(answered: EngineAnswer): FoundFences | undefined {
  if (answered.kind !== 'answer') return undefined;
  if (answered.result.kind === 'event-fence') return foundEventFences(answered.result);
  if (answered.result.kind !== 'fence') return undefined;
  const { result, places } = answered.result.fences;
  if (result.verdict.kind !== 'found') return undefined;
  const { repairs } = result.verdict;
  const lines = repairs.flatMap((one) =>
    one.kind === 'fence'
      ? places
          .filter(({ thread, location }) => one.thread === thread && one.location === location)
          .flatMap(({ positions }) => positions.map(({ line }) => ({ line, cost: one.cost })))
      : [],
  );
  return { count: repairs.length, lines };
}

/** Returns the findings in an answer about C11; `undefined` for other answers. */
export function foundOrders(answered: EngineAnswer): FoundOrders | undefined {
  if (answered.kind !== 'answer' || answered.result.kind !== 'c11') return undefined;
  const { about, result } = answered.result;
  const line = headlineText(c11InOneLine(about, result));
  const found = c11Finding(about, result);
  if (!found) return { line };
  const { span } = about.threads[found.thread]!.transitions[found.transition]!.origin;
  return { line, against: { level: found.level, ...(span && { span }) } };
}

function foundEventFences({ fences }: ResultOf<'event-fence'>): FoundFences | undefined {
  const { result, places } = fences;
  if (result.verdict.kind !== 'found') return undefined;
  const lines = result.verdict.fences.flatMap(({ body, location, cost }) =>
    places
      .filter((place) => place.body === body && place.location === location)
      .flatMap(({ positions }) => positions.map(({ line }) => ({ line, cost }))),
  );
  return { count: result.verdict.fences.length, lines };
}

/** The store or the load of an attack, in a text. */
interface AttackAccess {
  readonly transition: number;
  readonly span: Span;
  readonly cell: string;
}

/** A store that can be delayed, with the loads that can overtake the store. */
export interface AttackedStore {
  readonly thread: string;
  readonly store: AttackAccess;
  readonly loads: readonly AttackAccess[];
}

function endOf(program: Program, thread: number, id: number): AttackAccess | undefined {
  const owner = program.threads[thread];
  const transition = owner?.transitions[id];
  const span = transition?.origin.span;
  if (!owner || !span || span.source) return undefined;
  const { instruction } = transition;
  const cell = 'address' in instruction ? formatCell(program, owner, instruction.address) : '';
  return { transition: id, span, cell };
}

/** Returns the attacks in a text, one entry a store, in the order of the text. */
export function attackedStores(
  program: Program | undefined,
  attacks: readonly AttackIds[],
): readonly AttackedStore[] {
  if (!program) return [];
  const stores = new Map<string, AttackedStore>();
  for (const { thread, store, load } of attacks) {
    const [from, to] = [endOf(program, thread, store), endOf(program, thread, load)];
    const name = program.threads[thread]?.copy?.template ?? program.threads[thread]?.name;
    if (!from || !to || name === undefined) continue;
    const { start } = from.span;
    const key = `${name} ${start.line} ${start.column} ${from.cell}`;
    const known = stores.get(key)?.loads ?? [];
    const isKnown = known.some(
      ({ span }) =>
        span.start.line === to.span.start.line && span.start.column === to.span.start.column,
    );
    stores.set(key, { thread: name, store: from, loads: isKnown ? known : [...known, to] });
  }
  return [...stores.values()].toSorted(
    (a, b) =>
      a.store.span.start.line - b.store.span.start.line ||
      a.store.span.start.column - b.store.span.start.column,
  );
}
