import { binary, constant, negate, registerValue } from '@fencewright/model/program/expression.js';
import { defaultRmwOrder } from '@fencewright/model/c11/default-orders.js';
import type { Instruction, RmwInstruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';

/**
 * Returns the steps of an rmw under the bus lock, as paths of instructions: a `cas` has two paths,
 * which part after the load into the register `old`.
 */
function pathsOf(rmw: RmwInstruction, old: number): readonly (readonly Instruction[])[] {
  const { address, operation, into } = rmw;
  const [first = constant(0), second = constant(0)] = operation.operands;
  const found = registerValue(old);
  const keep = (value: typeof first): readonly Instruction[] =>
    into === undefined ? [] : [{ kind: 'assign', into, value }];
  const store = (value: typeof first): Instruction => ({ kind: 'store', address, value });
  switch (operation.name) {
    case 'xchg':
      return [[store(first), ...keep(found)]];
    case 'fetch_add':
      return [[store(binary('+', found, first)), ...keep(found)]];
    case 'cas': {
      const isEqual = binary('==', found, first);
      return [
        [{ kind: 'assume', condition: isEqual }, store(second), ...keep(constant(1))],
        [{ kind: 'assume', condition: negate(isEqual) }, ...keep(constant(0))],
      ];
    }
    default:
      throw new Error(`no section for ${operation.name}`);
  }
}

function threadWithSections(thread: Thread): Thread {
  const old = thread.registers.length;
  const locations = [...thread.locations];
  const transitions: Transition[] = [];
  for (const one of thread.transitions) {
    const { from, to, instruction, origin } = one;
    if (instruction.kind !== 'rmw') {
      transitions.push(one);
      continue;
    }
    const fresh = (): number => locations.push({ ...thread.locations[from]! }) - 1;
    const add = (start: number, end: number, step: Instruction): void => {
      transitions.push({ from: start, to: end, instruction: step, origin });
    };
    const { order = defaultRmwOrder, failureOrder, address, mayFail } = instruction;
    const [locked, loaded] = [fresh(), fresh()];
    const failing = { ...(failureOrder && { failureOrder }), ...(mayFail && { mayFail }) };
    add(from, locked, { kind: 'lock', order, ...failing });
    add(locked, loaded, { kind: 'load', into: old, address });
    for (const path of pathsOf(instruction, old)) {
      let at = loaded;
      for (const step of path) {
        const next = fresh();
        add(at, next, step);
        at = next;
      }
      add(at, to, { kind: 'unlock' });
    }
  }
  const registers = [...thread.registers, { ...thread.registers[0]!, name: 'found' }];
  return { ...thread, registers, locations, transitions };
}

/** Returns the program with each rmw as a section under the bus lock, as in libraries of C. */
export function rmwsAsSections(program: Program): Program {
  return { ...program, threads: program.threads.map(threadWithSections) };
}
