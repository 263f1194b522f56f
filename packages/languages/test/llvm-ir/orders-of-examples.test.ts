import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { expect, test } from 'vitest';
import { cExamples, programOf } from './fixtures.js';

const folder = fileURLToPath(new URL('../../../../examples/c/', import.meta.url));

/**
 * Returns the memory orders that the calls in a line of C name; `seq_cst` for a call without an
 * order.
 */
function ordersOfLine(line: string): readonly string[] {
  const calls = line.match(
    /\batomic_(?:load|store|exchange|fetch_\w+|compare_\w+|thread_fence)\w*\(/g,
  );
  if (!calls) return [];
  const named = [...line.matchAll(/\bmemory_order_(\w+)/g)].map(([, order]) => order!);
  const isDefault = calls.some((call) => !/_explicit\(|thread_fence\(/.test(call));
  return isDefault ? [...named, 'seq_cst'] : named;
}

/** The orders that an instruction has. */
function ordersOf(instruction: Instruction): readonly string[] {
  if (instruction.kind === 'fence') return ['seq_cst'];
  if (instruction.kind === 'skip') return instruction.fence ? [instruction.fence] : [];
  if (!('order' in instruction) || instruction.order === undefined) return [];
  const { order } = instruction;
  const failure = 'failureOrder' in instruction ? instruction.failureOrder : undefined;
  return failure ? [order, failure] : [order];
}

const inC = cExamples.filter(([name]) => {
  const text = readFileSync(path.join(folder, name), 'utf8');
  return name.endsWith('.c') && text.split('\n').some((line) => ordersOfLine(line).length > 0);
});

test.each(inC)('%s: the orders of each line arrive', (name) => {
  const lines = readFileSync(path.join(folder, name), 'utf8').split('\n');
  const found = new Map<number, Set<string>>();
  for (const { transitions } of programOf(name, 'clang-22').threads)
    for (const { instruction, origin } of transitions) {
      const orders = ordersOf(instruction);
      if (!origin.span || orders.length === 0) continue;
      const at = origin.span.start.line;
      found.set(at, new Set([...(found.get(at) ?? []), ...orders]));
    }
  const wanted = lines.flatMap((line, at) => {
    const orders = ordersOfLine(line);
    return orders.length === 0 ? [] : [[at + 1, [...new Set(orders)].sort()]];
  });
  const arrived = wanted.map(([line]) => [
    line,
    [...(found.get((line as number) - 1) ?? [])].sort(),
  ]);
  expect(arrived).toEqual(wanted);
});
