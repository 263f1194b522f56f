import { describe, expect, it } from 'vitest';
import { check } from '../../../core/src/api/check.js';
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
