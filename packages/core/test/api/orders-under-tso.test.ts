import fc from 'fast-check';
import { expect, test } from 'vitest';
import { automataToJson } from '@fencewright/model/program/automata-json.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { loadOrders, rmwOrders, storeOrders } from '@fencewright/model/program/memory-order.js';
import type { Program } from '@fencewright/model/program/program.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { check, type CheckEngine } from '../../src/api/check.js';

function withOrder(instruction: Instruction, pick: number): Instruction {
  switch (instruction.kind) {
    case 'store':
      return { ...instruction, order: storeOrders[pick % 3]! };
    case 'load':
      return { ...instruction, order: loadOrders[pick % 3]! };
    case 'rmw':
      return { ...instruction, order: rmwOrders[pick % 5]!, failureOrder: loadOrders[pick % 3]! };
    case 'skip':
      return { kind: 'skip', fence: (['acquire', 'release', 'acq_rel'] as const)[pick % 3]! };
    default:
      return instruction;
  }
}

function withOrders(program: Program, seed: number): Program {
  return {
    ...program,
    threads: program.threads.map((thread, t) => ({
      ...thread,
      transitions: thread.transitions.map((transition, id) => ({
        ...transition,
        instruction: withOrder(transition.instruction, seed + 7 * t + id),
      })),
    })),
  };
}

const engines: readonly CheckEngine[] = ['search', 'instrument', 'single-query'];

test('memory orders change nothing under TSO: verdicts of all engines, and certificates', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(randomProgram(), fc.nat(1000), async (program, seed) => {
      const ordered = withOrders(program, seed);
      expect(automataToJson(ordered)).toEqual(automataToJson(program));
      for (const engine of engines) {
        const [one, other] = [await check(program, { engine }), await check(ordered, { engine })];
        expect(other.verdict.kind).toBe(one.verdict.kind);
        seen.set(one.verdict.kind, (seen.get(one.verdict.kind) ?? 0) + 1);
      }
    }),
    { numRuns: 40, seed: 38 },
  );
  expect(seen.get('robust')).toBeGreaterThan(10);
  expect(seen.get('not-robust')).toBeGreaterThan(10);
});
