import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { accessOrdersToJson } from '../../../reports/src/json/c11-json.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseNative } from '../../src/native/parse-native.js';
import { cExamples, programOf } from './fixtures.js';

const folder = fileURLToPath(new URL('../../../../examples/c', import.meta.url));

/** The lines of a file, from 1, without comments. */
function codeOf(name: string): readonly string[] {
  const text = readFileSync(path.join(folder, name), 'utf8');
  const code = text
    .replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/\/\/.*/g, '');
  return ['', ...code.split('\n')];
}

/** Returns the memory orders that the statement at a line names. */
function ordersInText(lines: readonly string[], line: number): readonly string[] {
  const rest = lines.slice(line);
  const end = rest.findIndex((one) => /;|\{\s*$/.test(one));
  const words = rest.slice(0, end + 1).join('\n');
  return [...words.matchAll(/memory_order(?:_|::)(\w+)/g)].map(([, order]) => order!);
}

/** Programs that sleep in the kernel: their text has accesses without orders, which C11 refuses. */
const sleeping = new Set(['atomic-wait.cpp', 'futex-event.c', 'wait-queue.c']);

test('the orders of the examples in C are those of their texts', () => {
  let found = 0;
  for (const [name] of cExamples) {
    if (sleeping.has(name)) continue;
    const lines = codeOf(name);
    const orders = accessOrdersToJson(programOf(name, 'clang-22', { main: `examples/c/${name}` }));
    const named = new Set<number>();
    for (const { place, order, failure } of orders) {
      const line = Number(place);
      const text = Number.isInteger(line) ? ordersInText(lines, line) : [];
      // Another access of the statement may be plain.
      if (text.length === 0 || order === 'plain') continue;
      expect([name, line, text]).toEqual([name, line, expect.arrayContaining([order])]);
      if (failure)
        expect([name, line, text]).toEqual([name, line, expect.arrayContaining([failure])]);
      named.add(line);
      found += 1;
    }
    lines.forEach((code, line) => {
      // The order of a signal fence affects the compiler only.
      if (!code.includes('memory_order') || code.includes('atomic_signal_fence')) return;
      // A call may begin at an earlier line.
      const start = [line, line - 1].some((one) => named.has(one));
      expect([name, line, start]).toEqual([name, line, true]);
    });
  }
  expect(found).toBeGreaterThan(100);
});

test('orders that the text leaves out, of sections, copies and plain variables', () => {
  const text = `program P
    var x
    var plain d
    thread t[2] {
      local r;
      d = 1;
      x = 1;
      r = fetch_add(x, 1);
      r = cas(x, 0, 1, acq_rel);
      atomic { r = x; x = r + 1; }
      fence(release);
      fence;
    }`;
  const orders = accessOrdersToJson(finiteProgram(parseNative(text).model)!);
  const row = (line: number, access: string, order: string, failure?: string): unknown => ({
    ...{ thread: 't[0]', place: String(line), access, order, ...(failure && { failure }) },
  });
  expect(orders).toEqual([
    row(6, 'store', 'plain'),
    row(7, 'store', 'relaxed'),
    row(8, 'rmw', 'seq_cst'),
    row(9, 'rmw', 'acq_rel', 'acquire'),
    row(10, 'rmw', 'seq_cst', 'seq_cst'),
    row(11, 'fence', 'release'),
    row(12, 'fence', 'seq_cst'),
  ]);
});
