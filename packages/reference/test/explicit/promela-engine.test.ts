import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { createSpin } from '../../../core/src/node/spin.js';
import type { Program } from '@fencewright/model/program/program.js';
import { FeatureCount, programFeatures } from '../../src/testing/program-features.js';
import { randomProgram } from '../../src/testing/random-program.js';
import type { EngineName } from '@fencewright/model/verdict/verdict.js';
import { loadCorpus, parseCorpusFile } from '../../../core/test/corpus/load-corpus.js';
import { describeWith } from '../../../../tools/external-program.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

/** The number of random programs; small, as each has to be compiled. */
const runs = randomRuns(12, 300, 6);
const seed = randomSeed(20130318);

/** Returns the verdict, and the verdicts of the attacks in program order. */
async function decide(program: Program, engine: EngineName): Promise<readonly string[]> {
  const result = await check(program, {
    engine: engine === 'spin' ? { name: engine, jobs: 2, modelChecker: createSpin() } : engine,
    allAttacks: true,
  });
  return [result.verdict.kind, ...result.attacks.map(({ verdict }) => verdict)];
}

/** Programs that take SPIN a moderate time; long runs take the others. */
const chosen = [
  'corpus/figures/bdm13-fig2.fw',
  'corpus/figures/bemt18-r-detour.fw',
  'corpus/table2/lock-free-stack.fw',
  'corpus/table2/nbw2.fw',
  'corpus/table2/nbwl.fw',
  'corpus/table2/parker-nonrobust.fw',
  'corpus/table2/peterson-nonrobust.fw',
  'examples/double-checked-init.fw',
  'examples/hazard-pointer.fw',
  'examples/lost-wakeup.fw',
  'examples/mcs-lock.fw',
  'examples/spinlock.fw',
  'examples/spsc-queue.fw',
];

describeWith('spin', ['-V'], 'SPIN and the other engines agree', () => {
  const files = (['corpus/table2', 'corpus/figures', 'examples'] as const)
    .flatMap((folder) => loadCorpus(folder))
    .filter(({ path }) => chosen.includes(path));

  test.each(files)('on $path', async (file) => {
    const program = parseCorpusFile(file);
    const expected = await decide(program, 'search');
    expect(expected[0]).toBe(file.expected.verdict);
    for (const engine of ['instrument', 'single-query', 'spin'] as const)
      expect(await decide(program, engine), engine).toEqual(expected);
  });

  test(`on ${runs} random programs with something to decide`, async () => {
    const count = new FeatureCount();
    const interesting = randomProgram({ loops: true }).filter(({ threads }) =>
      threads.some(({ transitions }) =>
        transitions.some(({ instruction: { kind } }) => kind === 'store'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(interesting, async (program) => {
        const expected = await decide(program, 'search');
        const undecided = expected.slice(1).some((verdict) => verdict !== 'by-cfg');
        if (!undecided) fc.pre(false);
        for (const engine of ['instrument', 'single-query', 'spin'] as const)
          expect(await decide(program, engine), engine).toEqual(expected);
        count.add([...programFeatures(program), expected[0] ?? '']);
      }),
      { numRuns: runs, seed },
    );
    console.info(count.toString());
  });

  test('a limit on states leaves attacks open whose search is larger', async () => {
    const program = programOf(`var x, y
      thread s { local r; x = 1; r = y; }
      thread t { local r; y = 1; r = x; }`);
    const engine = { name: 'spin', modelChecker: createSpin() } as const;
    const kinds = async (maxStates: number) =>
      (await check(program, { engine, limits: { maxStates } })).verdict.kind;
    expect([await kinds(1), await kinds(100_000)]).toEqual(['unknown', 'not-robust']);
  });

  const faulty = async (text: string) =>
    check(programOf(text), {
      engine: { name: 'spin', modelChecker: createSpin() },
      allAttacks: true,
    });
  const partner = 'thread t { local r; y = 1; fence; r = x; }';

  test.each([
    ['2147483647', 'r = r + 1', 'unknown', 'FW3001'],
    ['-2147483647', 'r = r - 2', 'unknown', 'FW3001'],
    ['65536', 'r = r * r', 'unknown', 'FW3001'],
    ['-65536', 'r = r * 32768', 'robust', undefined],
    ['-65536', 'r = r * 32769', 'unknown', 'FW3001'],
    ['-1073741824', 'r = r << 1', 'robust', undefined],
    ['1073741824', 'r = r << 1', 'unknown', 'FW3001'],
    ['-2147483648', 'r = r / (r >> 31)', 'unknown', 'FW3001'],
    ['-2147483648', 'r = r % (r >> 31)', 'robust', undefined],
    ['0', 'r = 1 / r', 'error', 'FW3002'],
    ['0', 'r = r && 1 / r', 'robust', undefined],
    ['2', 'r = a[r]', 'error', 'FW3004'],
    ['1', 'r = a[r]', 'robust', undefined],
    ['9', 'd = r', 'error', 'FW3003'],
    ['8', 'd = r', 'robust', undefined],
  ])('on faults: r = %s; %s is %s', async (start, step, verdict, code) => {
    const domain = step.startsWith('d') ? 'domain -8..8' : '';
    const text = `var x, y, d, a[2]
      ${domain}
      thread s { local r, q; r = ${start}; ${step}; r = 0; x = 1; fence; q = y; q = d; x = q & 1; r = x; }
      thread u { local r; fence; }`;
    const result = await faulty(text);
    const other = await check(programOf(text), { engine: 'instrument', allAttacks: true });
    expect(result.verdict.kind).toBe(verdict);
    expect(other.verdict.kind).toBe(verdict);
    expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(code ? [code] : []);
  });

  test('on initial values, wide choices, and addresses that nothing bounds', async () => {
    const initial = await faulty(`var x = -3, y
      thread s { local r; r = x; assume(r == -3); x = 1; r = y; } ${partner}`);
    expect(initial.verdict.kind).toBe('not-robust');
    const wide = await faulty(`var x, y
      thread s { local r; havoc r in -100..200 with r % 150 == 149; assume(r == 149); x = 1; r = y; } ${partner}`);
    expect(wide.verdict.kind).toBe('not-robust');
    const far = await faulty(`var x, y
      thread s { local r; while (r < 3000) { r = r + 1; } mem[r] = 1; r = y; } ${partner}`);
    expect(far.verdict.kind).toBe('unknown');
    expect(far.diagnostics.map(({ code }) => code)).toEqual(['FW3007']);
  });
});
