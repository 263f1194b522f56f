import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf, robustIn } from '../claim.js';
import { faultsEnd, supposedOfFaults } from '../may-fault.js';
import { type Finding, inVain } from '../inductive.js';
import { ModularInvariant, modularInvariantReader } from '../modular/invariant.js';
import { AttackRefuter } from '../modular/refute-attacks.js';
import { openAttacks } from '../open-attacks.js';
import { Components } from '../pairs/components.js';
import { PairRefuter } from '../pairs/refute-by-pairs.js';
import { PairRelation } from '../pairs/relation.js';
import { readAbstraction } from '../read-abstractions.js';
import { type KindReport, rejected } from '../report.js';
import { decideRobustness, type Robustness } from '../robustness.js';
import { outOfScope } from '../scope.js';
import { distinct, index, int32, list, literal, type Read, record } from '../shape.js';
import { sameThreads } from '../same-threads.js';
import { heavyFenceClaims, whySeveralMayDelay } from '../several-delays.js';
import { StaticPaths } from '../static-path.js';
import { countOf } from '../words.js';

const any = index(2 ** 31);

const readBody = record(
  {
    happensBefore: literal('standard', 'value'),
    invariants: list(modularInvariantReader),
    /**
     * The attacks that the invariants refute, each with the index of its invariant. Attacks not
     * listed here are refuted by the verifier itself.
     */
    attacks: list(record({ thread: any, store: any, loads: distinct(any), invariant: any })),
  },
  {
    /**
     * By thread, the cells whose values are part of the thread's items in a closed relation: advice
     * to the verifier, not a claim.
     */
    kept: list(distinct(int32)),
  },
);
type Written = Read<typeof readBody>;

/** The attacks not refuted yet: by thread, for each store the loads that can overtake the store. */
type Open = readonly ReadonlyMap<number, ReadonlySet<number>>[];

function count(open: Open): number {
  return open.reduce(
    (sum, stores) => [...stores.values()].reduce((of, loads) => of + loads.size, sum),
    0,
  );
}

function less(open: Open, thread: number, store: number, loads: readonly number[]): Open {
  return open.map((stores, t) => {
    const left = stores.get(store);
    if (t !== thread || !left) return stores;
    const rest = [...left].filter((load) => !loads.includes(load));
    const others = [...stores].filter(([other]) => other !== store);
    return new Map([...others, ...(rest.length > 0 ? [[store, new Set(rest)] as const] : [])]);
  });
}

/**
 * Returns the attacks that the invariants do not refute, or the error in the first wrong invariant.
 * May throw `Met` and `Endless`.
 */
function refuteByInvariants(
  automata: Automata,
  all: Open,
  { happensBefore, invariants: written, attacks }: Written,
  budget: Budget,
): Open | Finding {
  const known: ModularInvariant[] = [];
  for (const one of written) {
    const invariant = new ModularInvariant(automata, one, happensBefore, known);
    const finding = invariant.refute(budget);
    if (finding) return finding;
    known.push(invariant);
  }
  let open = all;
  const refuters = new Map<string, AttackRefuter>();
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
    const name = `${number}:${thread}`;
    const refuter =
      refuters.get(name) ?? new AttackRefuter(invariant, thread, happensBefore, budget);
    refuters.set(name, refuter);
    const found = refuter.refute(store, new Set(loads));
    if (found.kind === 'stopped') return found;
    if (found.kind === 'open')
      return wrong(`the invariant does not refute the attack with load ${found.load}`);
    // Threads with equal code have equal attacks.
    for (const same of sameThreads(automata, thread)) open = less(open, same, store, loads);
  }
  return open;
}

/**
 * Returns the attacks that a relation between pairs of components does not refute: all attacks, if
 * there is no relation within the limits, or if threads have lock blocks. May throw `Met` and
 * `Endless`.
 */
function refuteByPairs(
  automata: Automata,
  all: Open,
  { happensBefore, kept }: Written,
  budget: Budget,
): Open | Finding {
  if (kept === undefined) return all;
  const components = new Components(automata, kept, happensBefore, 'kept');
  const hasBlocks = automata.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'lock'),
  );
  if (hasBlocks || count(all) === 0) return all;
  const relation = PairRelation.close(components, budget);
  if (!(relation instanceof PairRelation)) return relation.kind === 'stopped' ? relation : all;
  let open = all;
  for (const [thread, stores] of all.entries()) {
    const same = sameThreads(automata, thread);
    // The first thread of each code stands for all threads with the code.
    if (same[0] !== thread) continue;
    const refuter = new PairRefuter(components, relation, thread, happensBefore, budget);
    for (const [store, loads] of stores)
      for (const load of loads) {
        const found = refuter.refute(store, load);
        if (found.kind === 'stopped') return found;
        if (found.kind === 'refuted')
          for (const other of same) open = less(open, other, store, [load]);
      }
  }
  return open;
}

/**
 * Returns the attacks for which control flow and addresses do not exclude a happens-before path.
 */
function withStaticPaths(automata: Automata, open: Open): Open {
  const paths = new StaticPaths(automata);
  return open.map((stores, thread) => {
    const left = [...stores].map(([store, loads]) => {
      const rest = [...loads].filter((load) => !paths.refutes(thread, store, load));
      return [store, new Set(rest)] as const;
    });
    return new Map(left.filter(([, loads]) => loads.size > 0));
  });
}

/** Returns the result of the check if invariants refute all attacks by one delaying thread. */
function byInvariantsAlone(automata: Automata, budget: Budget): Robustness {
  const reason = whySeveralMayDelay(automata, budget);
  return reason === undefined ? { kind: 'robust', faults: false } : { kind: 'unknown', reason };
}

function judge(automata: Automata, written: Written, budget: Budget): KindReport {
  const { happensBefore } = written;
  const all = automata.threads.map(openAttacks);
  const withPaths = withStaticPaths(automata, all);
  const byInvariants = refuteByInvariants(automata, withPaths, written, budget);
  if ('kind' in byInvariants) return inVain(byInvariants);
  const open = refuteByPairs(automata, byInvariants, written, budget);
  if ('kind' in open) return inVain(open);
  const left = count(open);
  const byPairs = count(byInvariants) - left;
  const cycles = happensBefore === 'value' ? ' under value happens-before' : '';
  const says = `it is robust against TSO${cycles}`;
  const claim = claimOf(robustIn(happensBefore));
  const assumed = heavyFenceClaims(automata);
  const how = [
    `control flow leaves ${countOf(count(all), 'attack')} open`,
    `addresses refute ${count(all) - count(withPaths)} of them`,
    `invariants ${count(withPaths) - count(byInvariants)}`,
    ...(byPairs > 0 ? [`pairs of components ${byPairs}`] : []),
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
      const checked = [
        `invariants refute ${countOf(count(withPaths) - count(byInvariants), 'attack')}`,
        ...(byPairs > 0 ? [`pairs of components refute ${byPairs}`] : []),
      ];
      const notChecked = [`${says} (${found.reason})`];
      return { kind: 'partly', claim, checked, notChecked, assumes: assumed };
    }
    case 'robust':
      return {
        kind: 'accepted',
        claim,
        proves: [says, how],
        assumes: [
          ...(left === 0 ? supposedOfFaults(automata) : found.faults ? [faultsEnd] : []),
          ...assumed,
        ],
      };
  }
}

/**
 * Checks certificates that a program with a fixed number of threads is robust, with invariants that
 * refute attacks. A search decides the attacks that are not refuted.
 */
export function checkRobust(automata: Automata, body: CertificateBody, budget: Budget): KindReport {
  const written = readBody(body, 'certificate');
  const outside = outOfScope(automata);
  if (outside !== undefined) return rejected(outside);
  const abstraction = written.happensBefore === 'value' ? readAbstraction(automata) : undefined;
  if (abstraction !== undefined) return rejected(abstraction);
  return judge(automata, written, budget);
}
