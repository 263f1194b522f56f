import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { describeWith } from '../../../../tools/external-program.js';
import { reach } from '../../../core/src/api/reach.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { Program, SharedSymbol } from '@fencewright/model/program/program.js';
import { printC } from '../../src/printers/c/print-c.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { loadCorpus, parseCorpusFile } from '../../../core/test/corpus/load-corpus.js';
import { compileTexts, inFolder, prepare, runText } from './run-c.js';

const runs = randomRuns(30, 1000, 15);
const seed = randomSeed(20111103);

const symbol = (name: string, base: number, initial: readonly number[]): SharedSymbol => ({
  name,
  base,
  length: initial.length,
  isArray: initial.length > 1,
  initial,
});

/** Converts the address `e & 1` to an array element with this index. */
function asElement(address: Expression): Expression {
  return address.kind === 'binary' ? { kind: 'element', symbol: 0, index: address } : address;
}

function withElements(program: Program): Program {
  return {
    ...program,
    threads: program.threads.map((thread) => ({
      ...thread,
      transitions: thread.transitions.map((transition) => {
        const { instruction } = transition;
        if (!('address' in instruction)) return transition;
        const address = asElement(instruction.address);
        return { ...transition, instruction: { ...instruction, address } };
      }),
    })),
  };
}

/** Random programs: some with names for cells, some with initial values, some with a domain. */
const programs = fc
  .tuple(
    fc.oneof(
      randomProgram({ maxItems: 3 }),
      randomProgram({ maxItems: 3, many: 'rmws' }),
      randomProgram({ maxItems: 3, many: 'lock blocks' }),
    ),
    fc.constantFrom('numbers', 'array', 'variables'),
    fc.array(fc.nat(2), { minLength: 2, maxLength: 2 }),
    fc.option(fc.constantFrom(1, 2, 3), { nil: undefined, freq: 3 }),
  )
  .map(([program, naming, initial, high]): Program => {
    const bounded = { ...program, ...(high !== undefined && { domain: { low: 0, high } }) };
    if (naming === 'numbers') return bounded;
    const [first, second] = initial as [number, number];
    const symbols =
      naming === 'array'
        ? [symbol('a', 0, initial), symbol('z', 2, [first])]
        : [symbol('x', 0, [first]), symbol('log', 1, [second])];
    return { ...(naming === 'array' ? withElements(bounded) : bounded), symbols };
  });

/** Returns the values of cells and registers in a state, by their names in the text. */
function shown(program: Program, names: Iterable<string>, state: MachineState): string {
  const value = (name: string): number => {
    const cell = /^(?:memory|a)\[(.*)\]$/.exec(name)?.[1] ?? /^m(\d+)$/.exec(name)?.[1] ?? name;
    const [base = '', offset = '0'] = cell.split(' + ');
    const number = { a: 0, x: 0, z: 2, log: 1, v_log: 1 }[base] ?? Number(base);
    if (!Number.isNaN(number)) return state.memory.get(number + Number(offset)) ?? 0;
    const [, thread, register] = /^(t\d)_r(\d)$/.exec(name)!;
    const id = program.threads.findIndex((one) => one.name === thread);
    return state.registers[id]![Number(register)]!;
  };
  return [...names].map((name) => `${name} = ${value(name)}`).join(', ');
}

describeWith('cc', ['--version'], 'programs in C', () => {
  test('compile without a warning: random ones', async () => {
    const all = fc.sample(programs, { numRuns: 100, seed });
    const texts = all.flatMap((program) => printC(program).text ?? []);
    expect(texts.length).toBeGreaterThan(90);
    expect(await compileTexts('cc', texts)).toBe('');
  });

  test('compile without a warning: the examples', async () => {
    const files = (
      ['corpus/table2', 'corpus/figures', 'corpus/litmus', 'examples'] as const
    ).flatMap((folder) => loadCorpus(folder));
    const texts = files.map((file) => printC(parseCorpusFile(file)).text!);
    expect(texts.length).toBeGreaterThan(100);
    expect(await compileTexts('cc', texts, ['-std=c11'])).toBe('');
    // With the functions of verifiers declared.
    expect(await compileTexts('cc', texts, ['-DVERIFIER'])).toBe('');
  });

  test('run as they do under TSO', async () => {
    const count = new FeatureCount();
    const seen = {
      final: 0,
      compared: 0,
      blocked: 0,
      failed: 0,
      refused: 0,
      states: 0,
      reachable: 0,
    };
    await inFolder(async (folder) => {
      await prepare(folder);
      const one = async (program: Program): Promise<void> => {
        const { text } = printC(program);
        if (text === undefined) {
          seen.refused++;
          return;
        }
        const { tso, diagnostics } = await reach(program);
        // An execution faults, so there is no complete result to compare.
        if (tso.incomplete) expect(diagnostics).not.toEqual([]);
        const ended = await runText(folder, text, 12);
        const states = new Set<string>();
        count.add(programFeatures(program));
        for (const end of ended) {
          seen[end.kind]++;
          // A failing run must be a known fault of some execution.
          if (end.kind === 'failed') expect(diagnostics, text).not.toEqual([]);
          if (end.kind !== 'final' || tso.incomplete) continue;
          seen.compared++;
          const names = [...end.values.keys()];
          const possible = new Set(tso.finalStates.map((state) => shown(program, names, state)));
          const state = [...end.values].map(([name, v]) => `${name} = ${v}`).join(', ');
          states.add(state);
          expect([...possible], text).toContain(state);
        }
        seen.states += states.size;
        seen.reachable += tso.finalStates.length;
      };
      await fc.assert(fc.asyncProperty(programs, one), { numRuns: runs, seed, endOnFailure: true });
    });
    console.log(JSON.stringify(seen), count.toString());
    expect(seen.compared).toBeGreaterThan(runs * 4);
    expect(seen.blocked).toBeGreaterThan(0);
    expect(seen.refused).toBeLessThan(runs / 10);
  });
});
