import { finiteProgram } from '@fencewright/model/program/model.js';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { folders, loadCorpus, parseCorpusFile } from './load-corpus.js';

/** Returns the verdicts under standard and under value happens-before. */
async function verdictsOf(text: string): Promise<string[]> {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  const standard = await check(program);
  const value = await check(program, { happensBefore: 'value' });
  return [standard.verdict.kind, value.verdict.kind];
}

// [BEMT18] Sect. 6 proves these programs robust by movers, for value happens-before: all stores to
// the racing variable write one value.
test.each(['r-detour', 'r-detours', 'sb-detours', 'sb-detours-coh', 'write-r', 'write-r-coh'])(
  '%s is robust under the value notion only',
  async (name) => {
    const file = loadCorpus('corpus/figures').find(({ path }) => path.endsWith(`-${name}.fw`));
    expect(await verdictsOf(file?.text ?? '')).toEqual(['not-robust', 'robust']);
  },
);

const write = (data: number): string => `k = c; c = k + 1; buf = ${data}; c = k + 2;`;
const read = 'do { a = c; v = buf; b = c; } while (a != b || a % 2 == 1);';

describe('the non-blocking write protocol with two writers, one of which reads', () => {
  const program = (first: number, second: number): string => `program NbwWWr
    var c, buf
    thread w { local k; ${write(first)} }
    thread wr { local k, a, v, b; ${write(second)} ${read} }`;

  // If both threads write equal data, the reader cannot distinguish their order.
  test('is robust under the value notion only if both write the same data', async () => {
    expect(await verdictsOf(program(6, 6))).toEqual(['not-robust', 'robust']);
    expect(await verdictsOf(program(6, 7))).toEqual(['not-robust', 'not-robust']);
  });
});

// lr delays the release past its read of the version; the writer finishes; rl reads the new
// version, and then finds the lock taken.
test('a lock taken before a protected read, and one after it, is robust under neither notion', async () => {
  const lock = 'loop { o = fetch_add(lk, -1); if (o >= 1) break; do { o = lk; } while (o <= 0); }';
  const program = `program NbwLrRl
    var lk = 1, z, c, buf
    thread w { local k; ${write(6)} }
    thread lr { local o, a, v, b; ${lock} z = 1; lk = 1; ${read} }
    thread rl { local o, s, a, v, b; ${read} ${lock} s = z; lk = 1; }`;
  expect(await verdictsOf(program)).toEqual(['not-robust', 'not-robust']);
});

describe.each(folders)('%s', (folder) => {
  const robust = loadCorpus(folder).filter(({ expected }) => expected.verdict === 'robust');
  test.each(robust)('$path stays robust under the value notion', async (file) => {
    const { verdict, happensBefore } = await check(parseCorpusFile(file), {
      happensBefore: 'value',
    });
    expect([verdict.kind, happensBefore]).toEqual(['robust', 'value']);
  });
});

test('the other engines do not decide the value notion', async () => {
  const [file] = loadCorpus('corpus/figures');
  if (!file) throw new Error('no figures');
  for (const engine of ['instrument', 'single-query'] as const) {
    const { verdict } = await check(parseCorpusFile(file), { engine, happensBefore: 'value' });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
  }
});
