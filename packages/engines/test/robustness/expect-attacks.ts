import { expect } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { buildTrace } from '@fencewright/model/trace/trace.js';
import { hasCycle } from '@fencewright/model/trace/cycle.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { attackName, programOf } from './native-program.js';

/** Options with which attacks are decided: each engine, with its reductions on and off. */
const engines = [
  { engine: 'instrument' },
  { engine: 'instrument', without: ['local-first', 'dead-registers', 'freeze'] },
  { engine: 'single-query' },
  { engine: 'single-query', without: ['local-first', 'dead-registers', 'freeze'] },
  { engine: 'search' },
  { engine: 'search', replayAll: true, without: ['static-path'] },
  { engine: 'search', without: ['static-path'], forTests: { stagesAfter: 0 } },
  {
    engine: 'search',
    replayAll: true,
    without: ['static-path', 'symmetry', 'dead-registers', 'owned-cells'],
  },
  {
    engine: { name: 'search', kernel: 'typescript' },
    replayAll: true,
    without: ['static-path', 'shared-dead-states'],
    forTests: { tightLayout: true },
  },
  { engine: { name: 'search', kernel: 'wasm' }, replayAll: true, without: ['static-path'] },
] as const;

const limits = { maxStates: 200_000 };

function expectEvidence(program: Program, { verdict }: CheckResult): void {
  if (verdict.kind !== 'not-robust') return;
  const { computation } = verdict.witness;
  expect(replayStates(program, computation)?.at(-1)?.buffers.flat()).toEqual([]);
  expect(hasCycle(buildTrace(computation), 'standard')).toBe(true);
}

async function expectOfEngines(
  program: Program,
  feasible: readonly string[],
  byCfg: readonly string[] | undefined,
): Promise<void> {
  for (const options of engines) {
    const who = JSON.stringify(options);
    const result = await check(program, { ...options, allAttacks: true, limits });
    const named = (wanted: string): string[] =>
      result.attacks
        .filter(({ verdict }) => verdict === wanted)
        .map(({ attack }) => attackName(program, attack))
        .sort();
    expect(named('feasible'), who).toEqual([...feasible].sort());
    expect(named('unknown'), who).toEqual([]);
    if (byCfg) expect(named('by-cfg'), who).toEqual([...byCfg].sort());
    expect(result.verdict.kind, who).toBe(feasible.length > 0 ? 'not-robust' : 'robust');
    expectEvidence(program, result);
    const first = await check(program, { ...options, limits });
    expect(first.verdict.kind, `${who}, stopping early`).toBe(result.verdict.kind);
    expectEvidence(program, first);
  }
}

/**
 * Expects that exactly the named attacks (`thread: store | load`) are feasible, according to every
 * engine and to the definition, and that the control flow refutes exactly the attacks `byCfg`, if
 * given.
 */
export async function expectAttacksOfProgram(
  program: Program,
  feasible: readonly string[],
  byCfg?: readonly string[],
): Promise<void> {
  const definition = attacksByDefinition(program);
  expect(definition.complete, 'the definition can be followed to its end').toBe(true);
  const byDefinition = definition.feasible.map((attack) => attackName(program, attack));
  expect(byDefinition.sort(), 'by definition').toEqual([...feasible].sort());
  await expectOfEngines(program, feasible, byCfg);
}

/** Expects what `expectAttacksOfProgram` expects, of a program given as native text. */
export function expectAttacks(
  text: string,
  feasible: readonly string[],
  byCfg?: readonly string[],
): Promise<void> {
  return expectAttacksOfProgram(programOf(text), feasible, byCfg);
}

/**
 * Expects attacks like `expectAttacks`, of a program that runs for ever, without comparison with
 * the definition, which does not terminate.
 */
export function expectAttacksOfLoops(
  text: string,
  feasible: readonly string[],
  byCfg?: readonly string[],
): Promise<void> {
  return expectOfEngines(programOf(text), feasible, byCfg);
}
