import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf, robustIn } from '../claim.js';
import { faultsEnd, supposedOfFaults } from '../may-fault.js';
import { type Finding, inVain } from '../inductive.js';
import { AttackRefuter } from '../attack/refute-attacks.js';
import { attackThreads } from '../attack/thread.js';
import { openAttacks } from '../control-flow.js';
import { Components } from '../pairs/components.js';
import { PairCover } from '../pairs/presence.js';
import { PairRelation } from '../pairs/relation.js';
import { readAbstraction } from '../read-abstractions.js';
import { type KindReport, rejected, reportOf } from '../report.js';
import { decideRobustness, type Robustness } from '../robustness.js';
import { distinct, int32, list, literal, type Read, record } from '../shape.js';
import { heavyFenceClaims, whySeveralMayDelay } from '../several-delays.js';
import { StaticPaths } from '../static-path.js';
import { countOf } from '../words.js';

const readBody = record(
  { happensBefore: literal('standard', 'value') },
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

/** Returns the attacks that control flow allows. */
function allAttacks({ threads }: Automata): readonly Attack[] {
  return threads.flatMap((code, thread) =>
    [...openAttacks(code)].flatMap(([store, loads]) =>
      [...loads].map((load) => ({ thread, store, load })),
    ),
  );
}

/**
 * Returns the attacks that a relation between pairs of components leaves open: all
 * attacks, if there is no relation within the limits. May throw `Met` and `Endless`.
 */
function leftByPairs(
  automata: Automata,
  open: readonly Attack[],
  { kept, happensBefore }: Written,
  budget: Budget,
): readonly Attack[] | Finding {
  if (kept === undefined) return open;
  const threads = attackThreads(automata, happensBefore);
  const components = new Components(automata, threads, kept, 'kept');
  if (open.length === 0) return open;
  const relation = PairRelation.close(components, budget);
  if (!(relation instanceof PairRelation)) return relation.kind === 'stopped' ? relation : open;
  const refuter = new AttackRefuter(new PairCover(components, relation), budget);
  const left: Attack[] = [];
  const known = new Map<string, boolean>();
  for (const attack of open) {
    const { thread, store, load } = attack;
    // Threads with equal code have equal attacks: the first thread represents them.
    const first = threads.indexOf(threads[thread]!);
    const name = `${first} ${store} ${load}`;
    if (!known.has(name)) {
      const found = refuter.refute(first, store, new Set([load]));
      if (found.kind === 'stopped') return found;
      known.set(name, found.kind === 'refuted');
    }
    if (known.get(name) === false) left.push(attack);
  }
  return left;
}

/** Returns the result of the check if all attacks by one delaying thread are refuted. */
function withoutSearch(automata: Automata, budget: Budget): Robustness {
  const reason = whySeveralMayDelay(automata, budget);
  return reason === undefined ? { kind: 'robust', faults: false } : { kind: 'unknown', reason };
}

function judge(automata: Automata, written: Written, budget: Budget): KindReport {
  const { happensBefore } = written;
  const all = allAttacks(automata);
  const paths = new StaticPaths(automata);
  const withPaths = all.filter(({ thread, store, load }) => !paths.refutes(thread, store, load));
  const open = leftByPairs(automata, withPaths, written, budget);
  if ('kind' in open) return inVain(open);
  const [left, ofPairs] = [open.length, withPaths.length - open.length];
  const cycles = happensBefore === 'value' ? ' under value happens-before' : '';
  const says = `it is robust against TSO${cycles}`;
  const claim = claimOf(robustIn(happensBefore));
  const assumed = heavyFenceClaims(automata);
  const how = [
    `control flow leaves ${countOf(all.length, 'attack')} open`,
    `addresses refute ${all.length - withPaths.length} of them`,
    `pairs of components ${ofPairs}`,
    ...(left > 0 ? [`a search of all states ${left}`] : []),
  ].join(', ');
  const found =
    left > 0 ? decideRobustness(automata, happensBefore, budget) : withoutSearch(automata, budget);
  switch (found.kind) {
    case 'not-robust':
      return rejected('the program is not robust');
    case 'unknown': {
      const proved = [`pairs of components refute ${countOf(ofPairs, 'attack')}`];
      return reportOf(claim, { proved, open: [`${says} (${found.reason})`], assumes: assumed });
    }
    case 'robust': {
      const faults = left === 0 ? supposedOfFaults(automata) : found.faults ? [faultsEnd] : [];
      return reportOf(claim, { proved: [says, how], assumes: [...faults, ...assumed] });
    }
  }
}

/**
 * Checks certificates that a program with a fixed number of threads is robust. Control flow,
 * addresses and a relation between pairs of components refute attacks; a search of all states
 * decides if some attacks are left.
 */
export function checkRobust(automata: Automata, body: CertificateBody, budget: Budget): KindReport {
  const written = readBody(body, 'certificate');
  const abstraction = readAbstraction(automata, written.happensBefore);
  if (abstraction !== undefined) return rejected(abstraction);
  return judge(automata, written, budget);
}
