import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf, robustIn } from '../claim.js';
import { faultsEnd, supposedOfFaults } from '../may-fault.js';
import { type Finding, inVain } from '../inductive.js';
import { AttackRefuter } from '../attack/refute-attacks.js';
import { type AttackThread, attackThreads } from '../attack/thread.js';
import { ModularInvariant, modularInvariantReader } from '../modular/invariant.js';
import { openAttacks, uses } from '../control-flow.js';
import { Components } from '../pairs/components.js';
import { PairCover } from '../pairs/presence.js';
import { PairRelation } from '../pairs/relation.js';
import { readAbstraction } from '../read-abstractions.js';
import { type KindReport, rejected, reportOf } from '../report.js';
import { decideRobustness, type Robustness } from '../robustness.js';
import { anyIndex, distinct, int32, list, literal, type Read, record } from '../shape.js';
import { heavyFenceClaims, whySeveralMayDelay } from '../several-delays.js';
import { StaticPaths } from '../static-path.js';
import { countOf } from '../words.js';

const readBody = record(
  {
    happensBefore: literal('standard', 'value'),
    invariants: list(modularInvariantReader),
    /**
     * The attacks that the certificate's invariants refute, each with the index of its invariant.
     * Attacks not listed here are refuted by the verifier itself.
     */
    attacks: list(
      record({
        thread: anyIndex,
        store: anyIndex,
        loads: distinct(anyIndex),
        invariant: anyIndex,
      }),
    ),
  },
  {
    /**
     * For each thread, the cells whose values are part of the thread's items (component states) in
     * a closed relation. The list is advice to the verifier, not a claim.
     */
    kept: list(distinct(int32)),
  },
);
type Written = Read<typeof readBody>;

/** An attack of a thread; the delayed store and the last load are transitions. */
interface Attack {
  readonly thread: number;
  readonly store: number;
  readonly load: number;
}

function nameOf({ thread, store, load }: Attack): string {
  return `${thread} ${store} ${load}`;
}

/**
 * Returns the names of an attack and of the equal attacks by other threads: threads with equal code
 * have equal attacks.
 */
function namesOf(attack: Attack, threads: readonly AttackThread[]): readonly string[] {
  const code = threads[attack.thread];
  return threads.flatMap((one, thread) => (one === code ? [nameOf({ ...attack, thread })] : []));
}

/** Returns the attacks that control flow allows. */
function allAttacks({ threads }: Automata): readonly Attack[] {
  return threads.flatMap((code, thread) =>
    [...openAttacks(code)].flatMap(([store, loads]) =>
      [...loads].map((load) => ({ thread, store, load })),
    ),
  );
}

/**
 * Returns the names of the attacks that the invariants refute, or the error in the first wrong
 * invariant. May throw `Met` and `Endless`.
 */
function refutedByInvariants(
  automata: Automata,
  threads: readonly AttackThread[],
  { invariants: written, attacks }: Written,
  budget: Budget,
): ReadonlySet<string> | Finding {
  const known: ModularInvariant[] = [];
  for (const one of written) {
    const invariant = new ModularInvariant(automata, threads, one, known);
    const finding = invariant.refute(budget);
    if (finding) return finding;
    known.push(invariant);
  }
  const refuted = new Set<string>();
  const refuters = known.map((invariant) => new AttackRefuter(invariant, budget));
  for (const [i, { thread, store, loads, invariant: number }] of attacks.entries()) {
    const wrong = (text: string): Finding => ({
      kind: 'wrong',
      text: `attacks ${i + 1}: ${text}`,
    });
    const invariant = known[number];
    if (!invariant) return wrong('the invariant does not exist');
    if (!automata.threads[thread]) return wrong('the thread does not exist');
    if (!invariant.isAbout(thread, [store]))
      return wrong('the invariant is about other executions');
    if (automata.threads[thread].transitions[store]?.instruction.kind !== 'store')
      return wrong('the store does not exist');
    const found = refuters[number]!.refute(thread, store, new Set(loads));
    if (found.kind === 'stopped') return found;
    if (found.kind === 'open')
      return wrong(`the invariant does not refute the attack with load ${found.load}`);
    for (const load of loads)
      for (const name of namesOf({ thread, store, load }, threads)) refuted.add(name);
  }
  return refuted;
}

/**
 * Returns the names of the open attacks that a relation between pairs of components refutes: none,
 * if there is no relation within the limits, or if threads have lock blocks. May throw `Met` and
 * `Endless`.
 */
function refutedByPairs(
  automata: Automata,
  threads: readonly AttackThread[],
  open: readonly Attack[],
  { kept }: Written,
  budget: Budget,
): ReadonlySet<string> | Finding {
  const refuted = new Set<string>();
  if (kept === undefined) return refuted;
  const components = new Components(automata, threads, kept, 'kept');
  const hasBlocks = uses(automata, ({ kind }) => kind === 'lock');
  if (hasBlocks || open.length === 0) return refuted;
  const relation = PairRelation.close(components, budget);
  if (!(relation instanceof PairRelation)) return relation.kind === 'stopped' ? relation : refuted;
  const cover = new PairCover(components, relation);
  const refuter = new AttackRefuter(cover, budget);
  for (const attack of open) {
    const { thread, store, load } = attack;
    // The first thread of each code represents all threads with the code.
    if (threads.indexOf(threads[thread]!) !== thread) continue;
    const found = refuter.refute(thread, store, new Set([load]));
    if (found.kind === 'stopped') return found;
    if (found.kind === 'refuted') for (const name of namesOf(attack, threads)) refuted.add(name);
  }
  return refuted;
}

/** Returns the result of the check if invariants refute all attacks by one delaying thread. */
function byInvariantsAlone(automata: Automata, budget: Budget): Robustness {
  const reason = whySeveralMayDelay(automata, budget);
  return reason === undefined ? { kind: 'robust', faults: false } : { kind: 'unknown', reason };
}

function judge(automata: Automata, written: Written, budget: Budget): KindReport {
  const { happensBefore } = written;
  const all = allAttacks(automata);
  const paths = new StaticPaths(automata);
  const withPaths = all.filter(({ thread, store, load }) => !paths.refutes(thread, store, load));
  const threads = attackThreads(automata, happensBefore);
  const byInvariants = refutedByInvariants(automata, threads, written, budget);
  if ('kind' in byInvariants) return inVain(byInvariants);
  const open = withPaths.filter((attack) => !byInvariants.has(nameOf(attack)));
  const byPairs = refutedByPairs(automata, threads, open, written, budget);
  if ('kind' in byPairs) return inVain(byPairs);
  const left = open.filter((attack) => !byPairs.has(nameOf(attack))).length;
  const [ofInvariants, ofPairs] = [withPaths.length - open.length, open.length - left];
  const cycles = happensBefore === 'value' ? ' under value happens-before' : '';
  const says = `it is robust against TSO${cycles}`;
  const claim = claimOf(robustIn(happensBefore));
  const assumed = heavyFenceClaims(automata);
  const how = [
    `control flow leaves ${countOf(all.length, 'attack')} open`,
    `addresses refute ${all.length - withPaths.length} of them`,
    `invariants ${ofInvariants}`,
    ...(ofPairs > 0 ? [`pairs of components ${ofPairs}`] : []),
    ...(left > 0 ? [`a search of all states ${left}`] : []),
  ].join(', ');
  const found =
    left > 0
      ? decideRobustness(automata, happensBefore, budget)
      : byInvariantsAlone(automata, budget);
  switch (found.kind) {
    case 'not-robust':
      return rejected('the program is not robust');
    case 'unknown': {
      const proved = [
        `invariants refute ${countOf(ofInvariants, 'attack')}`,
        ...(ofPairs > 0 ? [`pairs of components refute ${ofPairs}`] : []),
      ];
      return reportOf(claim, { proved, open: [`${says} (${found.reason})`], assumes: assumed });
    }
    case 'robust': {
      const faults = left === 0 ? supposedOfFaults(automata) : found.faults ? [faultsEnd] : [];
      return reportOf(claim, { proved: [says, how], assumes: [...faults, ...assumed] });
    }
  }
}

/**
 * Checks certificates that a program with a fixed number of threads is robust, with invariants that
 * refute attacks. A search decides the attacks that are not refuted.
 */
export function checkRobust(automata: Automata, body: CertificateBody, budget: Budget): KindReport {
  const written = readBody(body, 'certificate');
  const abstraction = readAbstraction(automata, written.happensBefore);
  if (abstraction !== undefined) return rejected(abstraction);
  return judge(automata, written, budget);
}
