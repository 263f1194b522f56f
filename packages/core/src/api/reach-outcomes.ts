import { Budget } from '@fencewright/ground/base/budget.js';
import { observedProgram, type FiniteModel } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ReachResult } from '@fencewright/model/verdict/reach-result.js';
import type { StateAnswer } from '@fencewright/model/verdict/state-answer.js';
import { reach, type ReachOptions } from './reach.js';

/** The reached states, and the program that was explored. */
export interface Reached {
  readonly about: Program;
  readonly result: ReachResult;
}

/**
 * The maximum number of states of the first exploration of the program in which final states have
 * all registers and variables of the source.
 */
const firstStates = 100_000;
/**
 * A program is first explored without the registers and variables that are seen only in final
 * states. If that takes n states, the exploration with all registers and variables may have at most
 * n times this factor.
 */
const factor = 100;
/**
 * The maximum number of states of the search for threads that wait for ever, as a multiple of the
 * number of states explored under SC and TSO.
 */
const waitingFactor = 10;

/** Returns the names of the registers of `observed` that `program` lacks. */
function namesMissing(observed: Program, program: Program): readonly string[] {
  const namesIn = ({ threads }: Program): readonly string[] =>
    threads.flatMap((thread) =>
      thread.registers.flatMap(({ name, hidden, shown }) =>
        hidden ? [] : [shown ?? `${thread.name}.${name}`],
      ),
    );
  const known = new Set(namesIn(program));
  return namesIn(observed).filter((name) => !known.has(name));
}

/**
 * Explores a program with everything that the source shows in final states. If that takes too many
 * states, for example because a thread counts without bound, first explores the program without
 * registers and variables seen only in final states. Both programs have equal claims, and a
 * difference between SC and TSO in the smaller program is a difference in the larger one.
 */
export async function reachOutcomes(model: FiniteModel, options: ReachOptions): Promise<Reached> {
  const { program } = model;
  const observed = observedProgram(model);
  const budget = new Budget(options.limits);
  // For a robust program no observed states differ.
  if (observed === program || options.robustness === 'robust')
    return { about: program, result: await reach(program, options) };
  const ask = async (about: Program, mostStates: number): Promise<Reached> => {
    const limits = budget.part(mostStates).share(1);
    const result = await reach(about, { ...options, limits });
    budget.finishSearch(result.sc.states + result.tso.states, 0);
    return { about, result };
  };
  const first = await ask(observed, firstStates);
  if (!isOpen(first.result.answer)) {
    const most = waitingFactor * (first.result.sc.states + first.result.tso.states);
    const goesOn = isCutWhileWaiting(first.result) && Math.min(most, budget.room(0)) > firstStates;
    return goesOn ? ask(observed, most) : first;
  }
  const smaller = await ask(program, Number.POSITIVE_INFINITY);
  const notShown = namesMissing(observed, program);
  const plain =
    notShown.length === 0 ? smaller : { ...smaller, result: { ...smaller.result, notShown } };
  const { answer } = plain.result;
  if (answer.kind !== 'stricter') return plain;
  const { sc, tso } = plain.result;
  const most = factor * (sc.states + tso.states);
  const second = most > firstStates ? await ask(observed, most) : first;
  if (!isOpen(second.result.answer)) return second;
  const open = { kind: 'unknown', open: 'states', claims: [], why: { kind: 'alone' } } as const;
  // The compared final states lack the registers and variables seen only in final states.
  return { ...plain, result: { ...plain.result, sameFinalStates: 'unknown', answer: open } };
}

/**
 * Whether all states were explored, but the search for threads that wait for ever hit the limit.
 */
function isCutWhileWaiting({ sc, tso, hangs }: ReachResult): boolean {
  const isKnown = sc.incomplete === undefined && tso.incomplete === undefined;
  if (!isKnown || hangs.kind !== 'unknown') return false;
  return hangs.why.kind === 'limit' && hangs.why.reason === 'states';
}

/** Whether exploring more states could decide the question. */
function isOpen(answer: StateAnswer): boolean {
  if (answer.kind !== 'unknown') return false;
  const { why } = answer;
  if (why.kind === 'limit') return why.reason !== 'cancelled';
  return why.kind !== 'faults' && why.kind !== 'buffer';
}
