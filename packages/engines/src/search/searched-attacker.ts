import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import {
  AttackerAutomaton,
  nothingBlocked,
  type BlockedSteps,
} from '../automata/attacker-automaton.js';
import { AttackStarts, JoinableCells } from '../automata/attack-starts.js';
import { OpenAttacks, type IsRefuted } from './open-attacks.js';
import { OpenStarts } from './open-starts.js';
import type { SearchSession } from './search-session.js';

/**
 * A thread with at least one attack to be searched, and the steps at which a repair prevents the
 * thread from delaying stores.
 */
export interface AttackerJob {
  /**
   * The first of the threads with equal code; the thread's attacks represent the attacks of all
   * these threads.
   */
  readonly thread: ThreadId;
  readonly blocked: BlockedSteps;
}

/**
 * The data about an attacker shared by all searches for the attacker's attacks, in the program and
 * in parts of the program.
 */
export interface SearchedAttacker {
  readonly thread: ThreadId;
  readonly automaton: AttackerAutomaton;
  /** The number of `automaton` in `ProgramAutomata.valueTables`, the tables of its steps. */
  readonly number: number;
  /** The attacks of the attacker that are still to be decided. */
  readonly open: OpenAttacks;
  readonly starts: OpenStarts;
  /**
   * For each thread, the cells of which an access lets the thread join the happens-before path;
   * indexed by thread.
   */
  readonly joinable: readonly JoinableCells[];
  /**
   * The threads with the attacker's code: each of them may begin an attack in a state of the first
   * phase. A thread's id is also the thread's position in states of the first phase.
   */
  readonly members: readonly ThreadId[];
}

/**
 * Returns a function that tells whether an attack of a thread needs no search: the attack was
 * refuted without a search, or is not to be decided. The attacks of the thread represent the
 * attacks of all threads with equal code.
 */
export function isRefutedBy(session: SearchSession, thread: ThreadId): IsRefuted {
  return (store, load) => {
    const attack = { thread, store, load };
    return !session.isWanted(attack) || session.settled.stageOf(attack) !== undefined;
  };
}

/** Returns the data about the attacker of a job, before any search for its attacks. */
export function searchedAttacker(
  session: SearchSession,
  { thread: t, blocked }: AttackerJob,
): SearchedAttacker {
  const { program, automata } = session;
  const own = automata.threads[t];
  const thread = program.threads[t];
  if (!own || !thread) throw new InternalError('an attacker that is no thread');
  const { cells, levels, valueTables } = automata;
  const isBlocked = blocked !== nothingBlocked;
  const automaton = isBlocked
    ? new AttackerAutomaton(thread, own.sequential, cells, levels, blocked)
    : own.attacker;
  const number = isBlocked ? valueTables.add(automaton) : own.attackerNumber;
  const open = new OpenAttacks(thread, blocked, isRefutedBy(session, t));
  // Stores without undecided attacks are left out from the start.
  if (session.only) open.refresh();
  const all = new AttackStarts(own.sequential, automaton);
  const joinable = new Map(
    automata.threads.map(({ sequential }) => [sequential, new JoinableCells(sequential)]),
  );
  return {
    thread: t,
    automaton,
    number,
    open,
    starts: new OpenStarts(all, automaton, number, valueTables, open),
    joinable: automata.threads.flatMap(({ sequential }) => joinable.get(sequential) ?? []),
    members: automata.classes.find((members) => members.includes(t)) ?? [],
  };
}
