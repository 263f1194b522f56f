import { actsOf, type Arc, type Guess } from './acts.js';
import type { Abstraction } from './claims.js';
import { codeCondition } from './code-terms.js';
import { take } from './execute.js';
import { type Obligation, Question } from './question.js';
import { nameOf } from './steps.js';
import { anyState, type Model, type Role, type TermState } from './symbolic-state.js';
import { and, type Bool, int, less, not, or, same } from './terms.js';

/**
 * Returns obligations that an abstraction allows everything that the replaced access does, from
 * every state ([BEMT18] Lemma 2). The obligations assume no invariant, as none is known to hold
 * under TSO before the proof is complete.
 */
export function soundness(
  model: Model,
  abstractions: readonly Abstraction[],
): readonly Obligation[] {
  return abstractions.flatMap((abstraction) => {
    const role = { thread: abstraction.thread };
    const { thread, arcs } = model.threads[role.thread]!;
    const id = abstraction.kind === 'read' ? abstraction.load : abstraction.rmw;
    const kept = arcs.filter((arc) => arc.id === id);
    const [first] = kept;
    // No execution reaches the access.
    if (!first) return [];
    const { act } = first;
    const scripts =
      act.kind === 'load' && act.guess
        ? [guesses(model, role, act.into, act.guess)]
        : actsOf(thread.transitions[id]!.instruction, undefined).map((plain) =>
            covers(model, role, { ...first, act: plain }, kept),
          );
    const claim = `${thread.name} at ${nameOf(thread, first.from)}: what is in its place does all that the access does`;
    return scripts.map((script) => ({ claim, script, wanted: 'unsat' }) as const);
  });
}

/**
 * Returns the script for finding a load with a result forbidden by the guess (a load that may
 * return any value its condition allows).
 */
function guesses(model: Model, role: Role, into: number, guess: Guess): string {
  const question = new Question();
  const { self, registers } = anyState(model, [role], question).locals.get(role)!;
  const held = question.integer();
  const seen = [...registers];
  seen[into] = held;
  seen[guess.cell] = held;
  const { symbols } = model.automata;
  const { low, high } = guess.range ?? {};
  question.assert(
    or([
      not(codeCondition(guess.condition, { symbols, self, registers: seen })),
      ...(low === undefined ? [] : [less(held, int(low))]),
      ...(high === undefined ? [] : [less(int(high), held)]),
    ]),
  );
  return question.script;
}

/**
 * Returns the script for finding a behaviour of the plain access that is absent from all replacing
 * arcs (acts with their locations).
 */
function covers(model: Model, role: Role, plain: Arc, others: readonly Arc[]): string {
  const question = new Question();
  const before = anyState(model, [role], question);
  const done = take(model, [plain], role, before, question);
  question.assert(done.guard);
  for (const other of others) {
    const { guard, after } = take(model, [other], role, before, question);
    question.assert(not(and([guard, isSame(role, done.after, after)])));
  }
  return question.script;
}

function isSame(role: Role, a: TermState, b: TermState): Bool {
  const [mine, its] = [a.locals.get(role)!, b.locals.get(role)!];
  return and([
    ...a.memory.map((slot, i) => same(slot, b.memory[i]!)),
    ...mine.registers.map((register, i) => same(register, its.registers[i]!)),
  ]);
}
