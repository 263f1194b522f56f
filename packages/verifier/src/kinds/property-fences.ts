import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody, VerifyOptions } from '../check.js';
import { claimOf } from '../claim.js';
import { explore } from '../explore.js';
import { subtermsOf } from '../liveness.js';
import { Machine, nowhere, replay, type State, stateKey } from '../machine.js';
import { faultsEnd } from '../may-fault.js';
import {
  checkRepairs,
  clauseMembers,
  outsideOf,
  type Problem,
  type RepairGoal,
  repairMembers,
} from '../optimum.js';
import {
  claimedOf,
  type Goal,
  goalsInWords,
  propertiesNamed,
  violatesProperty,
} from '../properties.js';
import { type AtLocation, type Item, itemsByThread, textOf } from '../repair.js';
import { type Findings, Flaw, type KindReport, rejected, wrongly } from '../report.js';
import { anyIndex, distinct, list, literal, record, tagged, text } from '../shape.js';
import { survives } from '../survives.js';
import { Drained, waitsAnew } from '../waiting.js';
import { withChosen } from '../words.js';

const readClaim = record({
  ...repairMembers,
  mode: literal('fence', 'xchg', 'any'),
  properties: distinct(
    tagged<{ kind: 'property'; name: string } | { kind: 'assertions' | 'progress' }>({
      property: record({ name: text }),
      assertions: record({}),
      progress: record({}),
    }),
    (goal) => (goal.kind === 'property' ? `property ${goal.name}` : goal.kind),
  ),
  clauses: list(record(clauseMembers, { nowhere: distinct(anyIndex) })),
});

function goalsOf(
  automata: Automata,
  named: ReturnType<typeof readClaim>['properties'],
): readonly Goal[] | undefined {
  const names = named.flatMap((one) => (one.kind === 'property' ? [one.name] : []));
  const properties = propertiesNamed(automata, names);
  const others = named.flatMap((one): Goal[] => (one.kind === 'property' ? [] : [one]));
  return properties?.map((property): Goal => ({ kind: 'property', property })).concat(others);
}

/** Returns the labels that occur in goals. */
function labelsOf(goals: readonly Goal[]): readonly AtLocation[] {
  return goals
    .flatMap((goal) => (goal.kind === 'property' ? subtermsOf(goal.property.condition) : []))
    .filter((part) => part.kind === 'at');
}

const mostEnds = 8;

/**
 * Whether the end of a computation violates a goal for every subset of the fences outside the
 * clause. Suppose a thread waits at its end with a nonempty buffer, or at a label with a fence
 * before the label. Then that fence is not passed: the thread stands before the fence, at no label
 * and not ended. Every subset of such fences is examined. No other fence makes a difference: a
 * fence before leaving a location need not be passed, and a fence before an end or a label can be
 * passed, as the buffer is empty.
 */
function isAlwaysViolation(
  machine: Machine,
  goals: readonly Goal[],
  end: State,
  outside: readonly Item[],
): boolean {
  const waitsAt = (thread: number): number =>
    outside.findIndex((item) =>
      item.some(
        (part) =>
          part.kind === 'fence' &&
          part.thread === textOf(machine.automata, thread) &&
          part.location === end.locations[thread] &&
          (part.before === true || machine.hasEnded(end, thread)) &&
          end.buffers[thread]!.length > 0,
      ),
    );
  const fences = [...new Set(end.locations.map((_, thread) => waitsAt(thread)))];
  const open = fences.filter((fence) => fence >= 0);
  if (open.length > mostEnds) return false;
  for (let bits = 0; bits < 2 ** open.length; bits++) {
    const there = new Set(open.filter((_, i) => bits & (1 << i)));
    const locations = end.locations.map((at, thread) =>
      there.has(waitsAt(thread)) ? nowhere : at,
    );
    if (violatesProperty(machine, goals, { ...end, locations }) !== true) return false;
  }
  return true;
}

/**
 * Checks that a clause's computation violates a goal in every program with none of the clause's
 * items; see `survives` and `waitsAnew`. Returns the reason if the question stays open; `undefined`
 * if the violation is shown. Throws `Flaw` if there is no violation.
 */
function checkClause(
  { claim }: Problem,
  machine: Machine,
  clause: Problem['claim']['clauses'][number],
  goals: readonly Goal[],
  budget: Budget,
): string | undefined {
  const { moments, end, fails } = replay(machine, clause.computation);
  const outside = outsideOf(claim.items, clause.items);
  if (!survives(moments, itemsByThread(machine.automata, outside)))
    throw new Flaw('repairs outside the clause stop its computation, too');
  const isAsked = (kind: Goal['kind']): boolean => goals.some((goal) => goal.kind === kind);
  if (fails && isAsked('assertions')) return undefined;
  if (isAlwaysViolation(machine, goals, end, outside)) return undefined;
  const waits =
    isAsked('progress') &&
    new Drained(machine.automata).has(end) &&
    waitsAnew(machine, [end], budget);
  if (waits === true) return undefined;
  if (waits) return whyOpen(waits);
  throw new Flaw(
    'the computation violates no property, or not with all repairs outside the clause',
  );
}

/** Returns the reason why the search did not find out whether threads wait for ever. */
function whyOpen(why: Exclude<ReturnType<typeof waitsAnew>, boolean>): string {
  return why === 'faults' ? 'an instruction faults' : why.exhausted;
}

function checkSufficiency(
  { repaired, claim }: Problem,
  goals: readonly Goal[],
  budget: Budget,
): Findings {
  const machine = new Machine(repaired);
  const watchesAssertions = goals.some(({ kind }) => kind === 'assertions');
  const isAboutWaiting = goals.some(({ kind }) => kind === 'progress');
  const drained = new Drained(repaired);
  const starts: State[] = [];
  let unknown = false;
  let faults = false;
  const found = explore(
    [machine.initial],
    stateKey,
    (state) => {
      const violated = violatesProperty(machine, goals, state);
      if (violated === true) return 'goal';
      unknown ||= violated === 'unknown';
      if (isAboutWaiting && drained.has(state)) starts.push(state);
      const after: State[] = [];
      for (let thread = 0; thread < state.locations.length; thread++) {
        const flushed = machine.flush(state, thread);
        if (flushed) after.push(flushed);
        const executed = machine.steps(state, thread, false);
        faults ||= executed.faults.length > 0;
        for (const step of executed.steps) {
          if (step.fails && watchesAssertions) return 'goal';
          after.push(step.state);
        }
      }
      return after;
    },
    budget,
  );
  if (found === 'goal') return wrongly('the program with the chosen repairs violates a property');
  const says = `${withChosen(claim, 'repair')} the properties hold under TSO: ${goalsInWords(goals)}`;
  if (found !== 'done') return { open: [`${says} (${found.exhausted})`] };
  if (unknown) return { open: [`${says} (a condition cannot be evaluated)`] };
  const waits = isAboutWaiting && waitsAnew(machine, starts, budget);
  if (waits === true)
    return wrongly('with the chosen repairs, threads wait for ever as they do not under SC');
  if (waits) return { open: [`${says} (${whyOpen(waits)})`] };
  return { proved: [says], assumes: faults ? [faultsEnd] : [] };
}

/** Checks certificates that a set of repairs is a cheapest set making properties hold under TSO. */
export function checkPropertyFences(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
  options: VerifyOptions,
): KindReport {
  const { properties, ...claim } = readClaim(body, 'certificate');
  const goals = goalsOf(automata, properties);
  if (!goals?.length)
    return rejected('the certificate names no property that repairs could restore');
  // In a clause with `nowhere`, a thread stands behind a fence. A program without the clause's
  // items may lack this fence, so a clause with `nowhere` is not checked.
  const special = claim.clauses.findIndex((clause) => clause.nowhere?.length);
  const ends = { open: [`clause ${special + 1}, in which a thread stands behind a fence`] };
  const goal: RepairGoal = {
    claimed: claimOf('properties', { ...claimedOf(goals), repairs: claim }),
    atEnds: goals.some(({ kind }) => kind === 'property'),
    seen: labelsOf(goals),
    ...(special >= 0 && { ends }),
    clause: (problem, at) =>
      checkClause(problem, new Machine(automata), claim.clauses[at]!, goals, budget),
    sufficiency: (problem) => checkSufficiency(problem, goals, budget),
  };
  return checkRepairs(automata, claim, goal, budget, options);
}
