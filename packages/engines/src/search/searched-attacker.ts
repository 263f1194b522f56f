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
 * The thread whose attacks are to be decided, and what keeps it from delaying stores; at least one
 * attack is left.
 */
export interface AttackerJob {
  /** The first of its class; it stands for all threads with its code. */
  readonly thread: ThreadId;
  readonly blocked: BlockedSteps;
}

/** What all searches for the attacks of one thread share, of the program and of parts of it. */
export interface SearchedAttacker {
  readonly thread: ThreadId;
  readonly automaton: AttackerAutomaton;
  /** The automaton's, in the tables over values. */
  readonly number: number;
  /** What is still to be decided. */
  readonly open: OpenAttacks;
  readonly starts: OpenStarts;
  /** Indexed by thread. */
  readonly joinable: readonly JoinableCells[];
  /** Places of the threads with its code. */
  readonly members: readonly ThreadId[];
}

/**
 * Whether an attack of a thread, which stands for its class, was refuted without a search, or is
 * none that is to be decided.
 */
export function isRefutedBy(session: SearchSession, thread: ThreadId): IsRefuted {
  return (store, load) => {
    const attack = { thread, store, load };
    return !session.isWanted(attack) || session.settled.stageOf(attack) !== undefined;
  };
}

/** The attacker of a job, nothing of which has been searched. */
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
