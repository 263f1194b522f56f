import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { checkToJson, reachToJson } from '../src/json/json.js';
import { documentSchema, type JsonDocument, jsonSchema } from '../src/json/json-schema.js';
import { unknownName } from '@fencewright/ground/source/diagnostic.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import { checkResult, program, reachResult, replayed, witness } from './store-buffering.js';

const head = { tool: 'fencewright', version: '0.1.0', formatVersion: 1 } as const;

function documentOf(result: ReturnType<typeof checkToJson>): JsonDocument {
  return { ...head, command: 'check', results: [result] };
}

describe('the JSON document', () => {
  test('of a check that fails has the witness, with places from 1', () => {
    const result = checkToJson('sb.fw', program, checkResult({ kind: 'not-robust', witness }));
    expect(result).toMatchObject({
      file: 'sb.fw',
      program: 'SB',
      verdict: 'not-robust',
      stats: { states: 1234, milliseconds: 12.346, attacks: { total: 2, feasible: 1 } },
      attacks: [
        {
          thread: 't1',
          store: { label: 'l0', line: 4 },
          load: { label: 'l1', line: 5 },
          verdict: 'feasible',
        },
      ],
      witness: {
        attack: { thread: 't1', store: 'l0', load: 'l1' },
        cycle: witness.cycle,
      },
    });
    expect(result.witness?.computation.slice(0, 2)).toEqual([
      {
        thread: 't1',
        action: 'issue',
        label: 'l0',
        line: 4,
        address: 'x',
        value: 1,
        instruction: 'x = 1',
      },
      {
        thread: 't1',
        action: 'load',
        label: 'l1',
        line: 5,
        address: 'y',
        value: 0,
        early: false,
        instruction: 'r1 = y',
      },
    ]);
    expect(documentSchema.parse(documentOf(result))).toEqual(documentOf(result));
  });

  test('of an unknown verdict has the reason', () => {
    const open = { attacks: 3, infeasible: 1 };
    const verdict = { kind: 'unknown', reason: 'time', open } as const;
    expect(checkToJson('sb.fw', program, checkResult(verdict))).toMatchObject({
      verdict: 'unknown',
      reason: 'time',
      detail: 'the time limit was reached: 3 attacks are open, 1 were found infeasible',
    });
  });

  test('of an explanation has the states of the machine', () => {
    const result = checkResult({ kind: 'not-robust', witness });
    const json = checkToJson('sb.fw', program, result, [], { states: replayed });
    expect(json.witness?.states?.[3]).toEqual({
      buffers: { t1: [{ address: 'x', value: 1 }], t2: [{ address: 'y', value: 1 }] },
      memory: { x: 0, y: 0 },
    });
    expect(documentSchema.parse(documentOf(json))).toEqual(documentOf(json));
  });

  test('has the diagnostics of reading the file, with places from 1', () => {
    const diagnostic = unknownName(spanAt(2, 6, 3), 'label', 'l9', ['l0']);
    const json = checkToJson('sb.fw', program, checkResult({ kind: 'robust' }), [diagnostic]);
    expect(json.diagnostics).toEqual([
      {
        code: 'FW1002',
        severity: 'error',
        line: 3,
        column: 7,
        endLine: 3,
        endColumn: 10,
        message: "no label is named 'l9'",
        hint: "did you mean 'l0'?",
      },
    ]);
  });

  test('of a comparison has final states by name', () => {
    const result = reachToJson('sb.fw', program, reachResult);
    expect(result.verdict).toBe('different');
    expect(result.tso?.finalStates[0]).toEqual({
      memory: { x: 1, y: 1 },
      registers: { t1: { r1: 0 }, t2: { r2: 0 } },
    });
    const document: JsonDocument = { ...head, command: 'reach', results: [result] };
    expect(documentSchema.parse(document)).toEqual(document);
  });
});

test('the published schema is the one of the code', async () => {
  const file = new URL('../../cli/schema/result.schema.json', import.meta.url);
  const published: unknown = JSON.parse(await readFile(file, 'utf8'));
  expect(published, 'run `npm run generate`').toEqual(jsonSchema());
});
