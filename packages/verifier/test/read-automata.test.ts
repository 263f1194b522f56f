import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { automataToJson, openModel, threadModel } from '@fencewright/core';
import { parseLlvmIr } from '@fencewright/core/c';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import { readAutomata } from '../src/read-automata.js';
import { ShapeError } from '../src/shape.js';
import { programsOfRepository } from './programs.js';

/**
 * Returns all programs of the repository: finite programs, programs with any number of threads, and
 * open programs.
 */
function models(): [file: string, json: unknown][] {
  return programsOfRepository().flatMap(([file, { model }]): [string, unknown][] => {
    const threads = threadModel(model);
    return threads ? [[file, JSON.parse(JSON.stringify(automataToJson(threads)))]] : [];
  });
}

const fixtures = fileURLToPath(new URL('../../languages/test/fixtures/c/', import.meta.url));

/**
 * Returns the C programs of the tests as compiled by clang, every fourth of those that are not
 * refused.
 */
function compiledPrograms(): [file: string, json: object][] {
  const library = 'clang-16/library.c.ll';
  const textOf = (file: string) => ({
    file,
    text: readFileSync(path.join(fixtures, file), 'utf8'),
  });
  return ['clang-16', 'programs']
    .flatMap((folder) =>
      readdirSync(path.join(fixtures, folder)).map((name) => `${folder}/${name}`),
    )
    .filter((file) => file.endsWith('.ll') && file !== library)
    .filter((_, i) => i % 4 === 0)
    .flatMap((file): [string, object][] => {
      const modules = [textOf(file), textOf(library)];
      const threads = threadModel(parseLlvmIr(modules, { main: file }).model);
      return threads ? [[file, JSON.parse(JSON.stringify(automataToJson(threads))) as object]] : [];
    });
}

/** Whether automata compute with 64-bit numbers, which the verifier does not read. */
function isWide(json: object): boolean {
  try {
    readAutomata(json, 'automata');
    return false;
  } catch (error) {
    return error instanceof ShapeError && /operator: |a 32-bit integer/.test(error.message);
  }
}

describe('automata', () => {
  test('are read as they were written, for every program of the repository', () => {
    const all = models();
    expect(all.length).toBeGreaterThan(100);
    for (const [file, json] of all) expect(readAutomata(json, 'automata'), file).toEqual(json);
  });

  test('are read as they were written, for programs in C', () => {
    const all = compiledPrograms();
    const narrow = all.filter(([, json]) => !isWide(json));
    expect(narrow.length).toBeGreaterThan(30);
    expect(all.length - narrow.length).toBeLessThan(10);
    for (const [file, json] of narrow) expect(readAutomata(json, 'automata'), file).toEqual(json);
    expect(narrow.filter(([, json]) => 'assumptions' in json).length).toBeGreaterThan(2);
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
    [
      'several cells of what is no array',
      '"length":1',
      '"length":2',
      '"initial":[0]',
      '"initial":[0,0]',
    ],
    ['no cell', '"length":1', '"length":0', '"initial":[0]', '"initial":[]'],
    [
      'cells beyond 32 bits',
      ...['"base":1', '"base":2147483647', '"isArray":false', '"isArray":true'],
      ...['"length":1', '"length":2', '"initial":[0]', '"initial":[0,0]'],
    ],
  ])('are refused with %s', (_, ...changes) => {
    let forged = text;
    for (let i = 0; i < changes.length; i += 2) {
      expect(forged).toContain(changes[i]);
      forged = forged.replace(changes[i]!, changes[i + 1]!);
    }
    expect(() => readAutomata(JSON.parse(forged), 'automata')).toThrow(ShapeError);
  });

  test('are refused with a cell of two variables', () => {
    const forged = JSON.parse(text) as { symbols: object[] };
    forged.symbols.push({ ...forged.symbols[0]!, name: 'y' });
    expect(() => readAutomata(forged, 'automata')).toThrow(ShapeError);
  });
});
