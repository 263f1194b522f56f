import { describe, expect, it } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import { sameAutomata } from '@fencewright/model/program/same-automata.js';
import { fewestPlaces } from './fewest-places.js';
import { cExamples, clangs, programOf } from './fixtures.js';

describe.each(cExamples)('%s', (name, expected) => {
  const [program, other] = clangs.map((clang) => programOf(name, clang)) as [Program, Program];

  it('is the same program by all compilers', () => {
    expect(sameAutomata(program, other)).toBe(true);
  });

  it(`is ${expected.verdict}`, async () => {
    const { verdict } = await check(program, { engine: 'search' });
    expect(verdict.kind).toBe(expected.verdict);
  });

  it(`needs fences at ${expected.fences} places`, async () => {
    expect(await fewestPlaces(program)).toBe(expected.fences);
  });

  it('has a place in the file for everything', () => {
    for (const { transitions } of program.threads)
      for (const { origin } of transitions) {
        expect(origin.span?.source?.name).toBe(`examples/c/${name}`);
        for (const { span } of origin.calls ?? []) expect(span).toBeDefined();
      }
  });
});

/** Returns the program with a fence in place of each heavy fence. */
function withOwnFences(program: Program): Program {
  const threads = program.threads.map((thread) => ({
    ...thread,
    transitions: thread.transitions.map((step) =>
      step.instruction.kind === 'heavy-fence'
        ? { ...step, instruction: { kind: 'fence' } as const }
        : step,
    ),
  }));
  return { ...program, threads };
}

const withMembarrier = cExamples.filter(([name]) => name.endsWith('-membarrier.c'));

describe('examples with membarrier', () => {
  it('are the six of docs/asymmetric.md', () => {
    expect(withMembarrier).toHaveLength(6);
  });

  it.each(withMembarrier)('%s: a fence of its own thread would not do', async (name) => {
    const program = programOf(name, clangs[0]);
    expect(hasHeavyFences(program)).toBe(true);
    expect((await check(withOwnFences(program))).verdict.kind).toBe('not-robust');
  });
});
