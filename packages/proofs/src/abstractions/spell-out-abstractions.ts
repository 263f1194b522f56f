import {
  binary,
  constant,
  readsRegister,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Domain, Location, Thread, Transition } from '@fencewright/model/program/program.js';
import { findReadAbstractions } from '@fencewright/model/analysis/guesses.js';

/**
 * A program in which each read abstraction (a load that may return further values) is replaced by
 * choices among finitely many values.
 */
interface SpelledOut {
  readonly open: Templates;
  /**
   * Whether the choices include every value that the conditions of the read abstractions allow;
   * otherwise only some of these values are tried.
   */
  readonly isExact: boolean;
}

/**
 * Returns the program with each read abstraction as a choice of assignments to the register: of the
 * load's own value, and of the values named in the condition (`r == e || ...`), each tested by the
 * condition. If a condition allows further values, only those in `candidates` are tried.
 */
export function spellOutAbstractions(open: Templates, candidates: Domain): SpelledOut {
  const spelled = open.templates.threads.map((thread) =>
    spellOutThread(thread, open.templates.domain, candidates),
  );
  return {
    open: {
      ...open,
      templates: { ...open.templates, threads: spelled.map((each) => each.thread) },
    },
    isExact: spelled.every((each) => each.isExact),
  };
}

function spellOutThread(
  thread: Thread,
  domain: Domain | undefined,
  candidates: Domain,
): { readonly thread: Thread; readonly isExact: boolean } {
  const locations: Location[] = [...thread.locations];
  const transitions: Transition[] = [...thread.transitions];
  let isExact = true;
  for (const { load, havoc } of findReadAbstractions(thread)) {
    const loaded = thread.transitions[load]?.instruction;
    const guess = thread.transitions[havoc];
    if (loaded?.kind !== 'load' || guess?.instruction.kind !== 'havoc') continue;
    const { into, where = constant(1), range = domain } = guess.instruction;
    const named = valuesNamed(where, into);
    if (!named && !range) isExact = false;
    // The load's own value takes the place of the `havoc`, so the ids of transitions stay.
    const values = [registerValue(loaded.into), ...(named ?? [])];
    const condition = range ? binary('&&', where, within(registerValue(into), range)) : where;
    values.forEach((value, choice) => {
      const tested = locations.length;
      locations.push({ name: `guess'${tested}`, hidden: true });
      const assign: Transition = {
        from: guess.from,
        to: tested,
        instruction: { kind: 'assign', into, value },
        origin: guess.origin,
      };
      if (choice === 0) transitions[havoc] = assign;
      else transitions.push(assign);
      transitions.push({
        from: tested,
        to: guess.to,
        instruction: { kind: 'assume', condition },
        origin: guess.origin,
      });
    });
    if (!named)
      transitions.push({
        ...guess,
        instruction: { ...guess.instruction, range: range ?? candidates },
      });
  }
  return { thread: { ...thread, locations, transitions }, isExact };
}

function within(value: Expression, { low, high }: Domain): Expression {
  return binary('&&', binary('>=', value, constant(low)), binary('<=', value, constant(high)));
}

/**
 * Returns expressions one of which equals the register whenever the condition holds; `undefined` if
 * the condition's form does not tell.
 */
function valuesNamed(
  condition: Expression,
  register: RegisterId,
): readonly Expression[] | undefined {
  if (condition.kind !== 'binary') return undefined;
  const { operator, left, right } = condition;
  const isRegister = (each: Expression): boolean =>
    each.kind === 'register' && each.register === register;
  switch (operator) {
    case '==':
      if (isRegister(left) && !readsRegister(right, register)) return [right];
      return isRegister(right) && !readsRegister(left, register) ? [left] : undefined;
    case '||': {
      const first = valuesNamed(left, register);
      const second = valuesNamed(right, register);
      return first && second && [...first, ...second];
    }
    case '&&':
      return valuesNamed(left, register) ?? valuesNamed(right, register);
    default:
      return undefined;
  }
}
