import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { libraryAssumptions } from '../../src/llvm-ir/assumed.js';
import { cExamples, programOf } from './fixtures.js';

/** Returns the memory orders of a program, by zero-based place `line:column` in the text. */
function ordersByPlace({ threads }: Program, file: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { transitions } of threads)
    for (const { instruction, origin } of transitions) {
      const { span } = origin;
      if (span?.source?.name !== file) continue;
      const place = `${span.start.line}:${span.start.column}`;
      for (const order of ordersOf(instruction))
        found.set(place, (found.get(place) ?? new Set()).add(order));
    }
  return found;
}

function ordersOf(instruction: Instruction): readonly string[] {
  switch (instruction.kind) {
    case 'load':
    case 'store':
      return instruction.order ? [instruction.order] : [];
    case 'rmw':
    case 'lock':
      return [instruction.order, instruction.failureOrder].filter((one) => one !== undefined);
    case 'fence':
      return ['seq_cst'];
    case 'skip':
      return instruction.fence ? [instruction.fence] : [];
    default:
      return [];
  }
}

/** Returns the text from a place to the end of the first call after the place. */
function callAt(lines: readonly string[], place: string): string {
  const [line = 0, column = 0] = place.split(':').map(Number);
  const rest = [lines[line]!.slice(column), ...lines.slice(line + 1, line + 3)].join(' ');
  let depth = 0;
  for (const [i, letter] of Array.from(rest).entries()) {
    if (letter === '(') depth += 1;
    if (letter === ')' && --depth === 0) return rest.slice(0, i + 1);
    if (letter === ';' && depth === 0) return rest.slice(0, i);
  }
  return rest;
}

/** Returns the memory orders that a call names; otherwise the default orders of its function. */
function namedOrders(call: string): readonly string[] {
  const named = [...call.matchAll(/memory_order(?:_|::)(\w+)/g)].map(([, order]) => order!);
  if (/\bwait\(|notify/.test(call)) return [...named, 'seq_cst'];
  if (call.includes('pthread_mutex_lock')) return ['acquire'];
  if (/pthread_mutex_unlock|rcu_assign_pointer/.test(call)) return ['release'];
  return named.length > 0 ? named : ['seq_cst'];
}

/** Whether a call is a kernel macro or a system call, whose orders are those of x86. */
const isForeign = (call: string): boolean => /syscall|wait_event|wake_up|futex/.test(call);

let compared = 0;

describe.each(cExamples)('the orders of %s', (name) => {
  const lines = readFileSync(`examples/c/${name}`, 'utf8').split('\n');
  const found = ordersByPlace(programOf(name, 'clang-22'), `examples/c/${name}`);

  it.each([...found])('%s', (place, orders) => {
    const call = callAt(lines, place);
    if (isForeign(call)) return;
    expect([...orders].sort(), call).toEqual([...new Set(namedOrders(call))].sort());
    compared += 1;
  });

  it('are printed', () => {
    const shown = [...found].map(([place, orders]) => `${place} ${[...orders].join('+')}`);
    console.log(`${name}: ${shown.join(', ')}`);
    expect(shown.length).toBeGreaterThan(0);
  });
});

it('of the examples are many', () => {
  expect(compared).toBeGreaterThan(90);
});

it('of kernel macros are those of their names, and weaker where the kernel promises no order', () => {
  const { threads } = programOf('kernel-orders.c', 'programs');
  // A name without a suffix is an order of the kernel's only if the operation gives a value.
  expect(threads[0]!.transitions.flatMap(({ instruction }) => ordersOf(instruction))).toEqual([
    'relaxed', // atomic_inc
    'release', // xchg_release
    ...['acquire', 'relaxed'], // cmpxchg_acquire, and if it fails
    ...['relaxed', 'relaxed'], // atomic_try_cmpxchg_relaxed
    'seq_cst', // atomic_add_return
    'release', // atomic_sub_return_release
    'relaxed', // set_bit
    'acquire', // test_and_set_bit_lock
    'release', // clear_bit_unlock
  ]);
});

it('says of a weak compare-exchange that it may fail', () => {
  const { threads, assumptionsOfC11 } = programOf('weak-exchange.c', 'programs');
  const weak = threads.flatMap(({ transitions }) =>
    transitions.filter(({ instruction }) => 'mayFail' in instruction),
  );
  expect(weak).toMatchObject([{ instruction: { order: 'seq_cst', mayFail: true } }]);
  expect(assumptionsOfC11).toBeUndefined();
});

it('of assembly come with an assumption about C11 only', () => {
  const { assumptions, assumptionsOfC11 } = programOf('assembly-fence.c', 'programs');
  expect(assumptions).toBeUndefined();
  expect(assumptionsOfC11).toEqual([libraryAssumptions.assemblyFence]);
  expect(programOf('kernel-orders.c', 'programs').assumptionsOfC11).toBeUndefined();
});
