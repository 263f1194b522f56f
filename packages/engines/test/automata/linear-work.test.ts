import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { fence } from '../../../core/src/api/fence.js';
import type { Program } from '@fencewright/model/program/program.js';
import { programOf } from '../robustness/native-program.js';

/**
 * Returns a program of threads in a ring: each stores to its own cell, drains its buffer, and loads
 * the cell of the next thread.
 */
function ring(threads: number): Program {
  const all = Array.from({ length: threads }, (_, t) => t);
  const texts = all.map(
    (t) => `thread t${t} { local r; x[${t}] = 1; fence; r = x[${(t + 1) % threads}]; }`,
  );
  return programOf(`var x[${threads}] ${texts.join('\n')}`);
}

/**
 * Returns how many times the question `ask` reads the instruction of a transition of the program.
 */
async function instructionsRead(
  program: Program,
  ask: (program: Program) => Promise<unknown>,
): Promise<number> {
  let reads = 0;
  const threads = program.threads.map((thread) => ({
    ...thread,
    transitions: thread.transitions.map(({ instruction, ...rest }) => ({
      ...rest,
      get instruction() {
        reads++;
        return instruction;
      },
    })),
  }));
  await ask({ ...program, threads });
  return reads;
}

describe('a program with four times as many threads', () => {
  test.each([
    ['check', (program: Program) => check(program)],
    ['check --all-attacks', (program: Program) => check(program, { allAttacks: true })],
    ['fence', (program: Program) => fence(program)],
  ])('is read at most five times as often by %s', async (_, ask) => {
    const [few, many] = [
      await instructionsRead(ring(25), ask),
      await instructionsRead(ring(100), ask),
    ];
    expect(few).toBeGreaterThan(0);
    expect(many / few).toBeLessThanOrEqual(5);
  });
});
