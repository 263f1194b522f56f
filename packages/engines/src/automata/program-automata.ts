import { at } from '@fencewright/ground/base/at.js';
import { hasGuesses } from '@fencewright/model/analysis/guesses.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { ProductTables, type AutomatonSource } from '@fencewright/ground/product/tables.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import { accessLevels, type AccessLevels } from './access-levels.js';
import { AttackerAutomaton, nothingBlocked } from './attacker-automaton.js';
import { computeCellOwnership, noOwnership } from './cell-ownership.js';
import { CellDirectory } from './cell-directory.js';
import { ThreadCode } from './local-closure.js';
import { MarkedCells } from './marked-cells.js';
import { PathAutomaton } from './path-automaton.js';
import { SequentialAutomaton } from './sequential-automaton.js';
import { threadClasses, type ThreadClasses } from './thread-classes.js';

/**
 * The automata of one class of threads with equal code, and the numbers of these automata in the
 * `ProductTables` of a program's searches.
 */
export interface ClassAutomata {
  readonly sequential: SequentialAutomaton;
  readonly sequentialNumber: number;
  /**
   * The automaton of a helper under SC while the attacker delays stores; no heavy fence is
   * completed in that phase.
   */
  readonly delayed: AutomatonSource;
  readonly delayedNumber: number;
  readonly attacker: AttackerAutomaton;
  readonly attackerNumber: number;
  readonly path: PathAutomaton;
  readonly pathNumber: number;
}

/** All automata of a program, and the tables of their steps, which the program's searches share. */
export interface ProgramAutomata {
  readonly classes: ThreadClasses;
  /** The automata of each thread, indexed by thread; threads with equal code share theirs. */
  readonly threads: readonly ClassAutomata[];
  readonly cells: CellDirectory;
  readonly marks: MarkedCells;
  readonly levels: AccessLevels;
  /**
   * The table of the steps of the sequential automata and of the attackers, in which memory cells
   * hold values.
   */
  readonly valueTables: ProductTables;
  /**
   * The table of the steps of the helpers after the attack's last load, in which memory cells hold
   * values with marks (`Mark`).
   */
  readonly markTables: ProductTables;
  /**
   * The automaton of a thread that does nothing: its number in `valueTables` (`value`) and its
   * number in `markTables` (`mark`). The only node of this automaton is 0.
   */
  readonly idle: { readonly value: number; readonly mark: number };
  /** Returns the number of bytes of all automata (estimated) and all tables (exact). */
  readonly bytes: () => number;
  /** Returns the steps that have ended in a fault so far. */
  readonly faults: () => FaultyStep[];
  /** Whether some thread computes locally without end, so that some of its states were left out. */
  readonly isEndless: () => boolean;
}

export interface AutomataOptions {
  readonly symmetry: boolean;
  readonly maskDeadRegisters: boolean;
  readonly ownedCells: boolean;
  /** The notion of happens-before that searches for attacks follow. */
  readonly happensBefore: HappensBefore;
  /** The largest number of delays of an attack; absent if attacks are not limited. */
  readonly maxDelays?: number;
}

/**
 * The automaton of a thread that does nothing. Its one node is the end, like node 0 of every
 * automaton of a thread.
 */
const idleAutomaton: AutomatonSource = {
  actionCells: () => [],
  isExclusive: () => false,
  outcomes: () => [],
};

/**
 * Returns the automaton of a thread that cannot execute heavy fences: the nodes and actions of
 * `sequential`, but no step leads over a heavy fence.
 */
function withoutHeavyFences(sequential: SequentialAutomaton): AutomatonSource {
  return {
    actionCells: (node) => sequential.actionCells(node),
    isBlind: (node, action) => sequential.isBlind(node, action),
    isExclusive: (node) => sequential.isExclusive(node),
    outcomes: (node, action, value) =>
      sequential.actions(node)[action]?.effect.kind === 'heavy-fence'
        ? []
        : sequential.outcomes(node, action, value),
  };
}

export function createProgramAutomata(
  program: Program,
  { symmetry, maskDeadRegisters, ownedCells, happensBefore, maxDelays }: AutomataOptions,
): ProgramAutomata {
  const cells = new CellDirectory(program);
  const marks = new MarkedCells();
  const levels = accessLevels(happensBefore, hasGuesses(program));
  const valueTables = new ProductTables();
  const markTables = new ProductTables();
  const ownership = ownedCells ? computeCellOwnership(program) : noOwnership(program);
  const classes = threadClasses(program, symmetry, ownership);
  const automata = new Map<ThreadId, ClassAutomata>();
  for (const members of classes) {
    const code = new ThreadCode(program, at(members, 0), maskDeadRegisters, ownership);
    const sequential = new SequentialAutomaton(program, code, cells);
    const thread = program.threads[at(members, 0)];
    if (!thread) continue;
    const attacker = new AttackerAutomaton(
      ...([thread, sequential, cells, levels, nothingBlocked, maxDelays] as const),
    );
    const path = new PathAutomaton(sequential, cells, marks, levels);
    const sequentialNumber = valueTables.add(sequential);
    const delayed = hasHeavyFences(program) ? withoutHeavyFences(sequential) : sequential;
    const own = {
      sequential,
      sequentialNumber,
      delayed,
      delayedNumber: delayed === sequential ? sequentialNumber : valueTables.add(delayed),
      attacker,
      attackerNumber: valueTables.add(attacker),
      path,
      pathNumber: markTables.add(path),
    };
    for (const thread of members) automata.set(thread, own);
  }
  const threads = program.threads.flatMap((_, t) => automata.get(t) ?? []);
  const different = [...new Set(threads)];
  return {
    classes,
    threads,
    cells,
    marks,
    levels,
    valueTables,
    markTables,
    idle: { value: valueTables.add(idleAutomaton), mark: markTables.add(idleAutomaton) },
    bytes: () =>
      different.reduce(
        (sum, { sequential, attacker }) => sum + sequential.bytes + attacker.bytes,
        valueTables.bytes + markTables.bytes,
      ),
    isEndless: () => threads.some(({ sequential }) => sequential.code.isEndless),
    faults: () =>
      [...new Set(threads.map(({ sequential }) => sequential.code))].flatMap((code) => [
        ...code.faults.values(),
      ]),
  };
}
