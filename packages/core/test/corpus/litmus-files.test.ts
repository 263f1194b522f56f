import { finiteProgram } from '@fencewright/model/program/model.js';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { lintProgram } from '@fencewright/model/analysis/lint-program.js';
import { check } from '../../src/api/check.js';
import { fence } from '../../src/api/fence.js';
import { reach } from '../../src/api/reach.js';
import { parseLitmus } from '@fencewright/languages/litmus/parse-litmus.js';
import { printLitmus } from '@fencewright/languages/litmus/print-litmus.js';
import type { Program } from '@fencewright/model/program/program.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { type Expectation, readRepositoryFile } from './load-corpus.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Returns the litmus tests of a folder with their expected facts. */
function litmusFiles(folder: string) {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith('.litmus'))
    .sort()
    .map((name) => {
      const path = `${folder}/${name}`;
      const expectation = readRepositoryFile(path.replace(/\.litmus$/, '.expected.json'));
      return {
        path,
        text: readRepositoryFile(path),
        expected: JSON.parse(expectation) as Expectation,
      };
    });
}

function parse(text: string): Program {
  const { model, diagnostics } = parseLitmus(text);
  const program = finiteProgram(model);
  expect(diagnostics).toEqual([]);
  return program!;
}

describe.each(['corpus/litmus-x86', 'examples'])('%s', (folder) => {
  const files = litmusFiles(folder);

  test('has litmus tests', () => {
    expect(files.length).toBeGreaterThanOrEqual(folder === 'examples' ? 1 : 15);
  });

  test.each(files)(
    '$path has the expected verdict with all engines',
    async ({ text, expected }) => {
      const program = parse(text);
      expect(lintProgram(program).filter(({ code }) => code !== 'FW2003')).toEqual([]);
      for (const engine of ['search', 'instrument', 'single-query'] as const)
        expect((await check(program, { engine })).verdict.kind).toBe(expected.verdict);
      const { sameFinalStates, sc, tso } = await reach(program);
      expect(sameFinalStates).toBe(expected.stateRobust ? 'yes' : 'no');
      if (expected.scStates !== undefined) expect(sc.finalStates).toHaveLength(expected.scStates);
      if (expected.tsoStates !== undefined)
        expect(tso.finalStates).toHaveLength(expected.tsoStates);
      if (expected.tsoTraces !== undefined) {
        const { executions, cyclicExecutions } = enumerateTraces(program);
        expect([executions, cyclicExecutions]).toEqual([
          expected.tsoTraces,
          expected.nonrobustTraces,
        ]);
      }
      if (expected.fences !== undefined)
        expect((await fence(program)).verdict).toMatchObject({
          kind: 'found',
          cost: expected.fences,
        });
    },
  );

  test.each(files)('$path keeps its verdict when it is printed and read', async (file) => {
    const { text: printed } = printLitmus(parse(file.text));
    if (printed === undefined) return;
    expect((await check(parse(printed))).verdict.kind).toBe(file.expected.verdict);
  });
});
