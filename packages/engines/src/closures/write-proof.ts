import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByStore } from '../robustness/attacks.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { ClosureSession } from './closure-session.js';
import { PairFirstPhases } from './pair-first-phase.js';
import { GaveUp } from './pair-steps.js';
import { StaticPaths } from './static-path.js';

/** The content of a robustness certificate. */
interface RobustnessProof {
  readonly happensBefore: HappensBefore;
  /**
   * The addresses of the cells that each thread keeps in a closed relation, indexed by thread. A
   * checker computes the relation to refute attacks; attacks that the relation does not refute need
   * a search. Absent if control flow and addresses refute all attacks.
   */
  readonly kept?: readonly (readonly number[])[];
}

/**
 * The maximum work of closures for a certificate. A certificate is written once, so the work may be
 * more than in a check.
 */
const maxWork = 2_000_000;

/**
 * Returns the attacks of a thread that control flow and addresses allow. A checker excludes all
 * other attacks without an invariant.
 */
function openAttacks(program: Program, thread: ThreadId, paths: StaticPaths): Attack[] {
  return [...attacksByStore(program, thread)]
    .flatMap(({ store, loads, undrained }) =>
      loads.filter(undrained).map((load) => ({ thread, store, load })),
    )
    .filter((attack) => !paths.refutes(attack));
}

/**
 * Writes a proof that a robust program with a fixed number of threads is robust: the cells that
 * threads keep. Cells that only one thread accesses are in memory here, not among the thread's
 * registers, so a checker needs to know only the semantics. Returns the limit instead, if a limit
 * was met.
 */
export async function writeRobustnessProof(
  program: Program,
  happensBefore: HappensBefore,
  budget: Budget,
): Promise<RobustnessProof | Exhaustion> {
  const options = { symmetry: true, maskDeadRegisters: true, ownedCells: false, happensBefore };
  const isOver = (): boolean => budget.isOver;
  const session = new ClosureSession(program, options, maxWork, isOver);
  const paths = new StaticPaths(program, 'text');
  const isOpen = session.automata.classes.some(
    ([thread]) => openAttacks(program, thread!, paths).length > 0,
  );
  const kept = isOpen ? keptCells(session) : undefined;
  const exhausted = await budget.checkpoint(0, session.automata.bytes());
  return exhausted ?? { happensBefore, ...(kept && { kept }) };
}

/**
 * Returns the addresses of each thread's own cells and inboxes under SC, indexed by thread; only of
 * own cells if the relation with inboxes is too large. `undefined` if closures do not end.
 */
function keptCells(session: ClosureSession): readonly (readonly number[])[] | undefined {
  const { program, automata } = session;
  if (!session.isSupported || session.isInVain) return undefined;
  const keepers = keepersWithInboxes(session) ?? session.stepsUnderSc()?.writers;
  if (!keepers || session.isInVain) return undefined;
  return program.threads.map((_, t) =>
    keepers.flatMap((keeper, cell) => {
      const threads = keeper === undefined ? [] : (automata.classes[keeper] ?? []);
      return threads.length === 1 && threads[0] === t ? [automata.cells.address(cell)] : [];
    }),
  );
}

/**
 * Returns the class of threads that keeps each cell, indexed by cell; `undefined` if the relation
 * that decides is too large.
 */
function keepersWithInboxes(session: ClosureSession): readonly (number | undefined)[] | undefined {
  try {
    const phases = new PairFirstPhases(session, session.isOver);
    const { keepers } = phases.keepingInboxes();
    phases.withInboxes();
    return keepers;
  } catch (error) {
    if (error instanceof GaveUp) return undefined;
    throw error;
  }
}
