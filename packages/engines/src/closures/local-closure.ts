import { at, wordAt } from '@fencewright/ground/base/at.js';
import type { Mark } from '../automata/access-levels.js';
import { outcomeSize } from '@fencewright/ground/product/tables.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { ClosureSession, FirstPhase } from './closure-session.js';
import type { OwnId } from './own-values.js';
import type { Refutation, Refuted } from './refuter.js';
import {
  closeThreads,
  writer,
  type ClosedSets,
  type Effort,
  type ClosureFailure,
} from './thread-closure.js';

/**
 * The end of an attack, right after its last load: the marked contents of cells, and the values of
 * the attacker's own cells.
 */
interface AttackEnd {
  readonly target: { readonly cell: number; readonly mark: Mark };
  readonly load: {
    readonly cell: number;
    /** The contents (values with marks) that the loaded cell may have after the load, ascending. */
    readonly contents: readonly number[];
  };
  /**
   * The values of the attacker's own cells (written by no other thread), as far as other threads
   * access the cells.
   */
  readonly own: OwnId;
}

/**
 * An end of an attack, with closed sets of the third phase that begins with this end. In these
 * sets, no happens-before path reaches the target.
 */
interface RefutedEnd {
  readonly end: AttackEnd;
  /**
   * Closed sets of local states, which prove that no happens-before path reaches the target. The
   * components of the sets are the helpers of the first phase.
   */
  readonly sets: ClosedSets;
}

/** The local states that the attacker may reach in the second phase, while delaying stores. */
interface DelayingStates {
  /** The nodes of the attacker's automaton that the attacker may reach. */
  readonly nodes: readonly number[];
  /**
   * The values of the attacker's own cells at the first delayed store, one entry for each of
   * `nodes`, in the order of `nodes`.
   */
  readonly owns: readonly OwnId[];
}

/** The proof that an attack is infeasible: closed sets for the three phases. */
export interface LocalClosureProof {
  readonly first: FirstPhase;
  readonly delaying: DelayingStates;
  /** All ends of the attack; empty if the attacker never reaches the load. */
  readonly ends: readonly RefutedEnd[];
}

const ownsPerNode = 2 ** 24;

function keyOf({ target, load, own }: AttackEnd): string {
  return `${target.cell}.${target.mark}:${load.cell}:${load.contents.join()}:${own}`;
}

/** Returns the values that the attacker may load from a cell in the second phase. */
function valuesIn(
  { own }: ClosureSession,
  { sets, attacker }: FirstPhase,
  cell: number,
  attackerOwn: OwnId,
): readonly number[] {
  if (sets.writers[cell] === attacker) return [own.value(attackerOwn, cell)];
  return sets.contents[cell] ?? [0];
}

/**
 * Computes the second phase of attacks that begin with `store`. A load of the attacker may read any
 * value that its cell may hold in the first phase. Returns `undefined` if too much work is needed.
 */
function delay(
  session: ClosureSession,
  first: FirstPhase,
  thread: ThreadId,
  store: TransitionId,
  effort: Effort,
): DelayingStates | undefined {
  const { automata } = session;
  const { attackerNumber } = at(automata.threads, thread);
  const seen = new Set<number>();
  const nodes: number[] = [];
  const owns: OwnId[] = [];
  const visit = (node: number, own: OwnId): void => {
    const key = node * ownsPerNode + own;
    if (seen.has(key)) return;
    seen.add(key);
    nodes.push(node);
    owns.push(own);
  };
  const locals = at(first.sets.locals, first.attacker);
  const starts = session.starts(thread);
  locals.nodes.forEach((node, i) => {
    for (const start of starts.at(node))
      if (start.store === store)
        for (const entry of start.entries) visit(entry.node, at(locals.owns, i));
  });
  const { attacker } = at(automata.threads, thread);
  const tables = automata.valueTables;
  for (let i = 0; i < nodes.length; i++) {
    const node = at(nodes, i);
    const own = at(owns, i);
    for (const [action, cell] of attacker.actionCells(node).entries())
      for (const value of valuesIn(session, first, cell, own)) {
        if (--effort.left < 0) return undefined;
        const list = tables.outcomes(attackerNumber, node, action, value);
        for (let o = 0; o < wordAt(tables.memory, list); o++)
          visit(wordAt(tables.memory, list + 2 + outcomeSize * o), own);
      }
  }
  return { nodes, owns };
}

/** Returns the ends of the attacks (the states after the last load), by last load. */
function endsByLoad(
  session: ClosureSession,
  first: FirstPhase,
  thread: ThreadId,
  { nodes, owns }: DelayingStates,
): ReadonlyMap<TransitionId, ReadonlyMap<string, AttackEnd>> {
  const { automata, own } = session;
  const { attacker } = at(automata.threads, thread);
  const ends = new Map<TransitionId, Map<string, AttackEnd>>();
  nodes.forEach((node, i) => {
    const attackerOwn = at(owns, i);
    for (const { transition, cell, isEnd } of attacker.loads(node)) {
      if (!isEnd) continue;
      const contents = valuesIn(session, first, cell, attackerOwn).flatMap((value) =>
        attacker
          .lastLoads(node, transition, value)
          .map(({ mark, held }) => automata.marks.id(cell, held, mark)),
      );
      const end: AttackEnd = {
        target: attacker.target(node),
        load: { cell, contents: [...new Set(contents)].sort((a, b) => a - b) },
        own: own.restricted(attackerOwn, (other) => first.noticed.has(other)),
      };
      const known = ends.get(transition) ?? new Map<string, AttackEnd>();
      ends.set(transition, known.set(keyOf(end), end));
    }
  });
  return ends;
}

/**
 * Computes the third phase: closed sets of the helpers. At the start, helpers are at any of their
 * local states of the first phase, off the happens-before path.
 */
function closeLastPhase(
  session: ClosureSession,
  { sets, groups, helpers, attacker }: FirstPhase,
  end: AttackEnd,
  effort: Effort,
): RefutedEnd | ClosureFailure {
  const { automata, own } = session;
  const { marks } = automata;
  const cells = Math.max(
    sets.contents.length,
    // A lock block that never ends may write a cell that has no entry in `contents`, because no
    // other thread sees the written values.
    sets.writers.length,
    end.target.cell + 1,
    end.load.cell + 1,
  );
  const contents = Array.from({ length: cells }, (_, cell) => {
    if (cell === end.load.cell) return end.load.contents;
    const cellMark = cell === end.target.cell ? end.target.mark : 0;
    const values =
      sets.writers[cell] === attacker ? [own.value(end.own, cell)] : (sets.contents[cell] ?? [0]);
    return values.map((value) => marks.id(cell, value, cellMark));
  });
  const closure = closeThreads(
    {
      tables: automata.markTables,
      components: helpers.map((helper) => {
        const { thread, count } = at(groups, helper);
        return { automaton: at(automata.threads, thread).pathNumber, count };
      }),
      own,
      valueOf: (cell, content) => marks.value(cell, content),
      writers: Array.from({ length: cells }, (_, cell) => {
        const component = sets.writers[cell] ?? writer.nobody;
        if (component < 0) return component;
        const place = helpers.indexOf(component);
        return place < 0 ? writer.nobody : place;
      }),
      start: {
        locals: helpers.map((helper) => {
          const { path } = at(automata.threads, at(groups, helper).thread);
          const { nodes, owns } = at(sets.locals, helper);
          return { nodes: nodes.map((node) => path.offPath(node)), owns };
        }),
        contents,
      },
    },
    effort,
  );
  return typeof closure === 'string' ? closure : { end, sets: closure.sets };
}

/**
 * Groups attacks by the store that the attacker delays first; the groups are ordered by the first
 * attack of each store.
 */
function byStore(attacks: readonly Attack[]): ReadonlyMap<TransitionId, readonly Attack[]> {
  const groups = new Map<TransitionId, Attack[]>();
  for (const attack of attacks) {
    const known = groups.get(attack.store);
    if (known) known.push(attack);
    else groups.set(attack.store, [attack]);
  }
  return groups;
}

/** Refutes attacks of one thread. Attacks with equal ends share a third phase. */
class LocalClosures {
  readonly #session: ClosureSession;
  readonly #attacker: ThreadId;
  readonly #effort: Effort;
  /**
   * The results of the third phases (from the attack's last load on) computed so far, by the closed
   * sets of the first phase and by the end of the attack. `open`: a happens-before path may
   * complete the attack.
   */
  readonly #ends = new Map<ClosedSets, Map<string, RefutedEnd | 'open'>>();
  readonly refuted: Refuted<LocalClosureProof>[] = [];
  /** Whether some closure was given up for too much work, so that attacks may be left. */
  isCutOff = false;
  /** Whether the values of some cell seem to grow for ever, so that more work would not help. */
  isGrowing = false;

  constructor(session: ClosureSession, attacker: ThreadId, effort: Effort) {
    this.#session = session;
    this.#attacker = attacker;
    this.#effort = effort;
  }

  refute(store: TransitionId, attacks: readonly Attack[]): void {
    const session = this.#session;
    const first = session.firstPhase(this.#attacker, store, this.#effort);
    if (first === 'effort') this.isCutOff = true;
    if (first === 'growth') this.isGrowing = true;
    if (typeof first === 'string' || session.isInVain) return;
    const delaying = delay(session, first, this.#attacker, store, this.#effort);
    if (!delaying) {
      this.isCutOff = true;
      return;
    }
    const ends = endsByLoad(session, first, this.#attacker, delaying);
    for (const attack of attacks) {
      const attackEnds = [...(ends.get(attack.load)?.values() ?? [])];
      const closed = this.#closeAll(first, attackEnds);
      if (session.isInVain) return;
      if (closed) this.refuted.push({ attack, proof: { first, delaying, ends: closed } });
    }
  }

  #closeAll(first: FirstPhase, ends: readonly AttackEnd[]): readonly RefutedEnd[] | undefined {
    const closed: RefutedEnd[] = [];
    for (const end of ends) {
      const result = this.#close(first, end);
      if (result === 'open') return undefined;
      closed.push(result);
    }
    return closed;
  }

  #close(first: FirstPhase, end: AttackEnd): RefutedEnd | 'open' {
    const known = this.#ends.get(first.sets) ?? new Map<string, RefutedEnd | 'open'>();
    this.#ends.set(first.sets, known);
    const key = keyOf(end);
    let result = known.get(key);
    if (!result) {
      const closed = closeLastPhase(this.#session, first, end, this.#effort);
      if (closed === 'effort') this.isCutOff = true;
      if (closed === 'growth') this.isGrowing = true;
      result = typeof closed === 'string' ? 'open' : closed;
      known.set(key, result);
    }
    return result;
  }
}

/**
 * Refutes attacks by closed sets for the three phases. Each thread runs alone, and loads any value
 * that the cell may have held at any time. Soundness: docs/adr/0014.
 */
export function refuteByLocalClosure(
  session: ClosureSession,
  attacker: ThreadId,
  open: readonly Attack[],
  maxWork: number,
): Refutation<LocalClosureProof> {
  const effort: Effort = { left: maxWork, isOver: session.isOver };
  const closures = new LocalClosures(session, attacker, effort);
  if (session.isSupported)
    for (const [store, attacks] of byStore(open)) {
      if (session.isInVain) break;
      if (effort.left <= 0) closures.isCutOff = true;
      else closures.refute(store, attacks);
    }
  const { refuted, isCutOff, isGrowing } = closures;
  return {
    refuted,
    work: maxWork - Math.max(0, effort.left),
    isCutOff: isCutOff && !isGrowing && !session.isInVain,
  };
}
