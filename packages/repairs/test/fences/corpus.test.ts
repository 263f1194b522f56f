import { finiteProgram } from '@fencewright/model/program/model.js';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fence } from '../../../core/src/api/fence.js';
import { check } from '../../../core/src/api/check.js';
import { applyRepair } from '../../src/fences/apply-repair.js';
import { parseNative } from '@fencewright/core/native';

const root = path.join(import.meta.dirname, '../../../..');

interface Expectation {
  readonly fences?: number;
}

/** The programs whose number of fences is known, from the literature or by exhaustive search. */
const programs = ['corpus/table2', 'corpus/figures', 'examples'].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.fw'))
    .flatMap((name) => {
      const file = path.join(root, folder, name);
      const expectation = file.replace(/\.fw$/, '.expected.json');
      if (!existsSync(expectation)) return [];
      const { fences } = JSON.parse(readFileSync(expectation, 'utf8')) as Expectation;
      return fences === undefined ? [] : [{ name: `${folder}/${name}`, file, fences }];
    }),
);

test('there are programs with a known number', () => {
  expect(programs.length).toBeGreaterThan(30);
});

describe.each(programs)('$name', ({ file, fences }) => {
  test(`needs ${fences} fences, none of them idle`, async () => {
    const { model } = parseNative(readFileSync(file, 'utf8'));
    const program = finiteProgram(model);
    if (!program) return expect.fail('does not parse');
    const { verdict } = await fence(program);
    if (verdict.kind !== 'found') return expect.fail(verdict.kind);
    expect(verdict.repairs).toHaveLength(fences);
    expect((await check(verdict.repaired)).verdict.kind).toBe('robust');
    for (const left of verdict.repairs) {
      const others = verdict.repairs.filter((repair) => repair !== left);
      expect((await check(applyRepair(program, others))).verdict.kind).toBe('not-robust');
    }
  });
});
