import { automataToJson, openModel, threadModel } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import { readAutomata } from '../src/read-automata.js';
import { ShapeError } from '../src/shape.js';
import { programsOfRepository } from './programs.js';

/** All programs of the repository: finite ones, those with any number of threads, and open ones. */
function models(): [file: string, json: unknown][] {
  return programsOfRepository().flatMap(([file, { model }]): [string, unknown][] => {
    const threads = threadModel(model);
    return threads ? [[file, JSON.parse(JSON.stringify(automataToJson(threads)))]] : [];
  });
}

describe('automata', () => {
  test('are read as they were written, for every program of the repository', () => {
    const all = models();
    expect(all.length).toBeGreaterThan(100);
    for (const [file, json] of all) expect(readAutomata(json, 'automata'), file).toEqual(json);
  });

  const json = automataToJson(
    openModel(
      parseNative(
        'program P\nvar x\nthread t[*] { local r; r = self; x = 1; }\nthread u { local q; q = x; }',
      ).model,
    )!,
  );
  const text = JSON.stringify(json);

  test.each([
    ['a location that is not there', '"to":1', '"to":9'],
    ['a register that is not there', '"into":0', '"into":1'],
    ['a symbol that is not there', '"symbol":0', '"symbol":1'],
    ['an unknown instruction', '"kind":"load"', '"kind":"leap"'],
    ['a member of no meaning', '"isArray"', '"isAray"'],
    ['a value beyond 32 bits', '"initial":[0]', '"initial":[4294967296]'],
    ['a table of another length', '"length":1', '"length":2'],
    ['another version', '"version":1', '"version":2'],
  ])('are refused with %s', (_, from, to) => {
    expect(text).toContain(from);
    expect(() => readAutomata(JSON.parse(text.replace(from, to)), 'automata')).toThrow(ShapeError);
  });
});
