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

/** A thread with undecided attacks, at least one, and the steps blocked for delaying stores. */
export interface AttackerJob {
  /** The first thread of a class; represents all threads with equal code. */
  readonly thread: ThreadId;
  readonly blocked: BlockedSteps;
}

/** Data shared by all searches for the attacks of one thread, in the program and in its parts. */
export interface SearchedAttacker {
  readonly thread: ThreadId;
  readonly automaton: AttackerAutomaton;
  /** The number of the automaton in the tables over values. */
  readonly number: number;
  /** The undecided attacks. */
  readonly open: OpenAttacks;
  readonly starts: OpenStarts;
  /** Indexed by thread. */
  readonly joinable: readonly JoinableCells[];
  /** Places of the threads with the attacker's code. */
  readonly members: readonly ThreadId[];
}

/**
 * Whether an attack of a thread, which represents its class, was refuted without a search or is not
 * to be decided.
 */
export function isRefutedBy(session: SearchSession, thread: ThreadId): IsRefuted {
  return (store, load) => {
    const attack = { thread, store, load };
    return !session.isWanted(attack) || session.settled.stageOf(attack) !== undefined;
  };
}

/** Returns the attacker of a job, before any search. */
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
  // Stores with nothing to decide are left out from the start.
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
