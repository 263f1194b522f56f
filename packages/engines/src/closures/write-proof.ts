import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { hasKind } from '@fencewright/model/program/has-kind.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByStore } from '../robustness/attacks.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { ClosureSession, type FirstPhase } from './closure-session.js';
import { type LocalClosureProof, refuteByLocalClosure } from './local-closure.js';
import type { OwnId } from './own-values.js';
import { PairFirstPhases } from './pair-first-phase.js';
import { GaveUp } from './pair-steps.js';
import type { Refuted } from './refuter.js';
import { StaticPaths } from './static-path.js';
import { writer } from './thread-closure.js';

/**
 * A place of a thread in a certificate: location, registers, and the values of the cells that only
 * the thread writes.
 */
export type WrittenPlace = readonly [
  location: number,
  registers: readonly number[],
  own: readonly number[],
];

/**
 * An invariant of all SC executions, with separate states for each thread, in a certificate. With
 * `towards`, an invariant of the executions in which one thread can still reach one of some stores.
 * Contains no ids of tables and automata.
 */
export interface WrittenInvariant {
  /**
   * For each thread, the addresses of the thread's own cells (cells that only this thread writes);
   * indexed by thread.
   */
  readonly owned: readonly (readonly number[])[];
  /**
   * For each thread, its places (location and registers) before an access or a lock; indexed by
   * thread.
   */
  readonly threads: readonly (readonly WrittenPlace[])[];
  /** All possible values of each cell; a cell without an entry keeps the initial value. */
  readonly cells: readonly (readonly [address: number, values: readonly number[]])[];
  readonly towards?: {
    readonly thread: ThreadId;
    readonly stores: readonly TransitionId[];
    /**
     * The index of a wider invariant: an invariant of more executions, including executions that
     * cannot reach the stores.
     */
    readonly within: number;
    /** The places from which the thread named by `towards` can reach none of the stores. */
    readonly away: readonly WrittenPlace[];
  };
}

/** An invariant, and the attacks of one thread refuted by the invariant. */
interface WrittenAttacks {
  readonly thread: ThreadId;
  readonly store: TransitionId;
  readonly loads: readonly TransitionId[];
  /** The index of the refuting invariant in the certificate's list of invariants. */
  readonly invariant: number;
}

/** The content of a robustness certificate: attacks, and the invariants that refute the attacks. */
interface RobustnessProof {
  readonly happensBefore: HappensBefore;
  readonly invariants: readonly WrittenInvariant[];
  /**
   * The refuted attacks. Of threads with equal code, the certificate has only the attacks of the
   * first.
   */
  readonly attacks: readonly WrittenAttacks[];
  /**
   * The addresses of the cells that each thread keeps in a closed relation, indexed by thread. A
   * checker may compute the relation to refute the attacks that `attacks` leaves open. Attacks that
   * the relation does not refute need a search.
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

/** Writes the first phases of attacks as invariants, each once. */
class InvariantWriter {
  readonly #session: ClosureSession;
  readonly written: WrittenInvariant[] = [];
  readonly #indices = new Map<string, number>();

  constructor(session: ClosureSession) {
    this.#session = session;
  }

  /**
   * Writes a first phase as an invariant, unless it is written already; returns the invariant's
   * index.
   */
  write(phase: FirstPhase, thread: ThreadId, store: TransitionId): number {
    const { towards } = phase;
    const within = towards && this.write(towards.wider, thread, store);
    const owned = this.#owned(phase, thread);
    const invariant: WrittenInvariant = {
      owned,
      threads: this.#session.program.threads.map((_, t) => {
        const component = this.#componentOf(phase, t, thread);
        const { nodes, owns } = at(phase.sets.locals, component);
        return this.#places(t, nodes, owns, at(owned, t));
      }),
      cells: this.#cells(phase),
    };
    const kept = towards && [...towards.nodes].sort((a, b) => a - b);
    const key = JSON.stringify([invariant, ...(kept ? [thread, within, kept] : [])]);
    const known = this.#indices.get(key);
    if (known !== undefined) return this.#alsoTowards(known, store);
    const number = this.written.length;
    this.#indices.set(key, number);
    if (towards === undefined || within === undefined) this.written.push(invariant);
    else {
      const away = this.#away(towards, thread, at(at(this.written, within).owned, thread));
      this.written.push({ ...invariant, towards: { thread, stores: [store], within, away } });
    }
    return number;
  }

  /**
   * Adds a store to a written invariant: the invariant also covers the executions in which the
   * thread can still reach this store. Returns the invariant's index.
   */
  #alsoTowards(number: number, store: TransitionId): number {
    const { towards, ...invariant } = at(this.written, number);
    if (towards && !towards.stores.includes(store)) {
      const stores = [...towards.stores, store];
      this.written[number] = { ...invariant, towards: { ...towards, stores } };
    }
    return number;
  }

  /** Returns the component of thread `t` in a first phase of the attacks by `thread`. */
  #componentOf({ groups, attacker }: FirstPhase, t: ThreadId, thread: ThreadId): number {
    if (t === thread) return attacker;
    const { classes } = this.#session.automata;
    const members = classes.findIndex((own) => own.includes(t));
    return groups.findIndex(
      (group, c) => classes[members]!.includes(group.thread) && (c !== attacker || group.count > 1),
    );
  }

  /**
   * Returns the addresses of each thread's own cells, indexed by thread. If nobody writes an own
   * cell of the attacker in this phase any more, the cell remains the attacker's own, as in the
   * wider phase.
   */
  #owned(phase: FirstPhase, thread: ThreadId): readonly (readonly number[])[] {
    const { program, automata } = this.#session;
    const { sets, groups, towards } = phase;
    const before = towards && at(this.#owned(towards.wider, thread), thread);
    return program.threads.map((_, t) => {
      const component = this.#componentOf(phase, t, thread);
      if (at(groups, component).count > 1) return [];
      const written = sets.writers.flatMap((writing, cell) =>
        writing === component ? [automata.cells.address(cell)] : [],
      );
      const unwritten = (t === thread ? (before ?? []) : []).filter(
        (address) =>
          (sets.writers[automata.cells.cell(address)] ?? writer.nobody) === writer.nobody,
      );
      return [...new Set([...written, ...unwritten])];
    });
  }

  #places(
    t: ThreadId,
    nodes: readonly number[],
    owns: readonly OwnId[],
    owned: readonly number[],
  ): WrittenPlace[] {
    const { program, automata, own } = this.#session;
    const { sequential } = at(automata.threads, t);
    const { cells } = automata;
    const count = at(program.threads, t).registers.length;
    return nodes.flatMap((node, i): WrittenPlace[] => {
      const local = sequential.local(node);
      if (!local) return [];
      const values = owned.map((address) => {
        const cell = cells.cell(address);
        return cells.value(cell, own.value(at(owns, i), cell));
      });
      return [[local.location, local.registers.slice(0, count), values]];
    });
  }

  #cells({ sets }: FirstPhase): WrittenInvariant['cells'] {
    const { cells } = this.#session.automata;
    return sets.contents.flatMap((values, cell) =>
      values && values.length > 1
        ? [[cells.address(cell), values.map((value) => cells.value(cell, value))] as const]
        : [],
    );
  }

  /**
   * Returns the places of the wider phase from which the attacker can no longer reach the store.
   */
  #away(
    { wider, nodes: kept }: NonNullable<FirstPhase['towards']>,
    thread: ThreadId,
    owned: readonly number[],
  ): WrittenPlace[] {
    const { nodes, owns } = at(wider.sets.locals, wider.attacker);
    const away = nodes.flatMap((node, i) => (kept.has(node) ? [] : [i]));
    return this.#places(
      thread,
      away.map((i) => at(nodes, i)),
      away.map((i) => at(owns, i)),
      owned,
    );
  }
}

/**
 * Writes a proof that a robust program with a fixed number of threads is robust, as far as closures
 * refute attacks. A checker has to search for the remaining attacks. Cells that only one thread
 * accesses are in memory here, not among the thread's registers, so a checker needs to know only
 * the semantics. Returns the limit instead, if a limit was met.
 */
export async function writeRobustnessProof(
  program: Program,
  happensBefore: HappensBefore,
  budget: Budget,
): Promise<RobustnessProof | Exhaustion> {
  const options = { symmetry: true, maskDeadRegisters: true, ownedCells: false, happensBefore };
  const isOver = (): boolean => budget.isOver;
  const session = new ClosureSession(program, options, maxWork, isOver);
  const invariants = new InvariantWriter(session);
  const paths = new StaticPaths(program, 'text');
  const attacks: WrittenAttacks[] = [];
  let left = 0;
  let work = maxWork;
  for (const members of session.automata.classes) {
    const thread = at(members, 0);
    const open = openAttacks(program, thread, paths);
    const found = refuteByLocalClosure(session, thread, open, work);
    work -= found.work;
    budget.spend(found.work);
    left += open.length - found.refuted.length;
    const exhausted = await budget.checkpoint(0, session.automata.bytes());
    if (exhausted) return exhausted;
    attacks.push(...byInvariant(found.refuted, invariants));
  }
  const kept = left > 0 ? keptCells(session) : undefined;
  return { happensBefore, invariants: invariants.written, attacks, ...(kept && { kept }) };
}

/**
 * Returns the addresses of each thread's own cells and inboxes under SC, indexed by thread.
 * `undefined` if no closed relation was found, and for programs with lock blocks, so that a checker
 * of relations need not know lock blocks.
 */
function keptCells(session: ClosureSession): readonly (readonly number[])[] | undefined {
  const { program, automata } = session;
  if (!session.isSupported || session.isInVain || hasKind(program.threads, 'lock'))
    return undefined;
  try {
    const { keepers } = new PairFirstPhases(session, session.isOver).keepingInboxes();
    if (session.isInVain) return undefined;
    return program.threads.map((_, t) =>
      keepers.flatMap((keeper, cell) =>
        keeper !== undefined && automata.classes[keeper]?.[0] === t
          ? [automata.cells.address(cell)]
          : [],
      ),
    );
  } catch (error) {
    if (error instanceof GaveUp) return undefined;
    throw error;
  }
}

/** Returns the refuted attacks of one thread, grouped by store and invariant. */
function byInvariant(
  refuted: readonly Refuted<LocalClosureProof>[],
  invariants: InvariantWriter,
): readonly WrittenAttacks[] {
  const written = new Map<string, WrittenAttacks>();
  for (const { attack, proof } of refuted) {
    const { thread, store, load } = attack;
    const invariant = invariants.write(proof.first, thread, store);
    const key = `${store}:${invariant}`;
    const loads = [...(written.get(key)?.loads ?? []), load];
    written.set(key, { thread, store, loads, invariant });
  }
  return [...written.values()];
}
