import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { dividing, endless, fenced, storeBuffering, trencher } from './programs.js';

const schema = new URL('../schema/result.schema.json', import.meta.url);
const validate = new Ajv2020({ allErrors: true, strict: true }).compile(
  JSON.parse(await readFile(schema, 'utf8')) as object,
);

const files = {
  'sb.fw': storeBuffering,
  'fenced.fw': fenced,
  'endless.fw': endless,
  'dividing.fw': dividing,
  'sb.txt': trencher,
  'wrong.fw': 'program Wrong\nthread t { x = 1; }\n',
};

interface Document {
  readonly command: string;
  readonly results: Record<string, unknown>[];
}

async function documentOf(args: readonly string[]): Promise<Document> {
  const cwd = await folderWith(files);
  const run = await fencewright([...args, '--json', '--max-states', '3000'], { cwd });
  expect(run.stderr).toBe('');
  const document = JSON.parse(run.stdout) as Document;
  validate(document);
  expect(validate.errors).toBeNull();
  return document;
}

describe('--json prints a document of the published schema', () => {
  test.each([
    'check',
    'check --all-attacks',
    'check --hb value',
    'bench --hb value',
    'explain',
    'reach',
    'trf',
    'bench',
  ])('%s, whatever comes of the files', async (verb) => {
    const names = Object.keys(files);
    const document = await documentOf([...verb.split(' '), ...names, 'missing.fw']);
    expect(document).toMatchObject({
      tool: 'fencewright',
      formatVersion: 1,
      command: verb.split(' ')[0],
    });
    expect(document.results.map(({ file }) => file)).toEqual([...names, 'missing.fw']);
  });

  test.each([...Object.keys(files), 'missing.fw'])('fence %s', async (file) => {
    const document = await documentOf(['fence', file]);
    expect(document).toMatchObject({ command: 'fence', results: [{ file }] });
  });

  test('the schema refuses what is not such a document', () => {
    const head = { tool: 'fencewright', version: '1', command: 'check' };
    expect(validate({ ...head, formatVersion: 1, results: [] })).toBe(true);
    expect(validate({ ...head, formatVersion: 1, results: [{}] })).toBe(false);
    expect(validate({ ...head, formatVersion: 2, results: [] })).toBe(false);
    expect(validate({ ...head, results: [] })).toBe(false);
  });

  test('with lines and columns from 1', async () => {
    const { results } = await documentOf(['check', 'wrong.fw', 'sb.fw']);
    expect(results[0]).toMatchObject({
      verdict: 'error',
      cause: 'program',
      diagnostics: [{ code: 'FW1002', severity: 'error', line: 2, column: 12 }],
    });
    expect(results[1]).toMatchObject({
      program: 'SB',
      verdict: 'not-robust',
      stats: { threads: 2, attacks: { total: 2 } },
    });
    expect(JSON.stringify(results[1])).toContain('"line":3,"address":"x","value":1');
  });

  test('with the reason of an unknown verdict', async () => {
    const { results } = await documentOf(['check', 'endless.fw']);
    expect(results[0]).toMatchObject({ verdict: 'unknown', reason: 'states' });
  });

  test('fence adds the set, its cost, and the proof', async () => {
    const { results } = await documentOf(['fence', 'sb.fw']);
    expect(results[0]).toMatchObject({
      verdict: 'not-robust',
      outcome: 'found',
      mode: 'fence',
      costModel: 'size',
      fences: [
        { kind: 'fence', thread: 't1', line: 3, cost: 1 },
        { kind: 'fence', thread: 't2', line: 4, cost: 1 },
      ],
      cost: 2,
      optimal: true,
      clauses: [
        { repairs: [{ thread: 't1', line: 3 }], attack: { thread: 't1', store: { line: 3 } } },
        { repairs: [{ thread: 't2', line: 4 }], attack: { thread: 't2', store: { line: 4 } } },
      ],
    });
    const { results: robust } = await documentOf(['fence', 'fenced.fw']);
    expect(robust[0]).toMatchObject({ verdict: 'robust', fences: [], cost: 0, clauses: [] });
  });

  test('bench adds the fence count', async () => {
    const { results } = await documentOf(['bench', 'sb.fw', 'fenced.fw']);
    expect(results.map(({ fenceCount }) => fenceCount)).toEqual([2, 0]);
  });

  test('explain adds the states of the machine', async () => {
    const { results } = await documentOf(['explain', 'sb.fw']);
    const { witness } = results[0] as { witness: { computation: unknown[]; states: unknown[] } };
    expect(witness.states).toHaveLength(witness.computation.length + 1);
    expect(witness.states[0]).toEqual({ buffers: { t1: [], t2: [] }, memory: { x: 0, y: 0 } });
  });
});
