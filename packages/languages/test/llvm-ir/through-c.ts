import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import type { Clang } from '../../../core/src/node/find-clang.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program, StateExpression } from '@fencewright/model/program/program.js';
import { binary, constant } from '@fencewright/model/program/expression.js';
import { computeLockStatus } from '@fencewright/model/program/lock-status.js';
import { constantCell, layoutInC } from '../../src/printers/c/c-memory.js';
import { namesInC } from '../../src/printers/c/c-names.js';
import { CStatements, needsBlock } from '../../src/printers/c/c-statement.js';
import { printC } from '../../src/printers/c/print-c.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shipped } from '../../../core/test/node/clang/clangs.js';

/** The answers about a program: the verdict, feasible attacks as lines of C, and final states. */
export interface Said {
  readonly verdict: string;
  readonly attacks: readonly string[];
  readonly sc: readonly string[];
  readonly tso: readonly string[];
}

const limits = { maxStates: 300_000 };
const someNumber = 123_456;

/** Compiles the C text of a program, and returns the program that the front end reads. */
async function readBack(clang: Clang, folder: string, text: string): Promise<Program> {
  await writeFile(path.join(folder, 'program.c'), text);
  const compiled = await compileC(clang, [{ file: 'program.c' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: 'program.c' });
  const program = finiteProgram(model);
  if (!program) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`);
  return program;
}

/**
 * Returns the names of cells and results in C, each with a function that returns the value in a
 * state.
 */
function observed(program: Program): ReadonlyMap<string, (state: MachineState) => number> {
  const layout = layoutInC(program)!;
  const names = namesInC(program, layout.kind === 'variables' ? layout.others : []);
  const named = program.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, cell) => base + cell),
  );
  const others =
    layout.kind === 'array' ? layout.addresses : layout.others.map(({ address }) => address);
  const cells = [...new Set([...named, ...others])].map(
    (address) =>
      [
        constantCell(layout, program.symbols, names, address)!,
        (state: MachineState) => state.memory.get(address) ?? 0,
      ] as const,
  );
  const registers = program.threads.flatMap(({ registers, transitions }, thread) =>
    registers.flatMap(({ hidden }, register) => {
      const isSet = transitions.some(
        ({ instruction }) => 'into' in instruction && instruction.into === register,
      );
      if (hidden || !isSet) return [];
      const value = (state: MachineState): number => state.registers[thread]![register]!;
      return [[names.threads[thread]!.results[register]!, value] as const];
    }),
  );
  return new Map([...cells, ...registers]);
}

function finalStates(
  states: readonly MachineState[],
  values: ReadonlyMap<string, (state: MachineState) => number>,
): readonly string[] {
  const lines = states.map((state) =>
    [...values].map(([name, value]) => `${name}=${value(state)}`).join(' '),
  );
  return [...new Set(lines)].toSorted();
}

const accessesIn = (lines: readonly string[]): string =>
  lines.find((line) => /atomic_(load|store)/.test(line))?.trim() ?? '';

/** Returns the distinct feasible attacks; places with equal text count as one. */
function feasible(
  { attacks }: CheckResult,
  threadName: (thread: number) => string,
  line: (thread: number, transition: number) => string,
): readonly string[] {
  const lines = attacks.flatMap(({ attack: { thread, store, load }, verdict }) =>
    verdict === 'feasible'
      ? [`${threadName(thread)}: ${line(thread, store)} -> ${line(thread, load)}`]
      : [],
  );
  return [...new Set(lines)].toSorted();
}

/** Returns the feasible attacks of the program itself, by the lines of their accesses in C. */
function attacksOf(program: Program, result: CheckResult): readonly string[] {
  const layout = layoutInC(program)!;
  const names = namesInC(program, layout.kind === 'variables' ? layout.others : []);
  const hasBlocks = program.threads.some(({ transitions }) =>
    transitions.some(
      ({ instruction }) =>
        instruction.kind === 'lock' ||
        instruction.kind === 'unlock' ||
        (instruction.kind === 'rmw' && needsBlock(program, instruction.operation)),
    ),
  );
  const file = {
    ...{ program, layout, names, hasBlocks },
    report: { note: () => undefined, refuse: () => undefined } as never,
    uses: () => undefined,
    isChecked: whyFaultFree(program) === undefined,
  };
  const statements = program.threads.map(
    (thread, id) => new CStatements(file, thread, names.threads[id]!),
  );
  return feasible(
    result,
    (thread) => names.threads[thread]!.name,
    (thread, id) =>
      accessesIn(statements[thread]!.statement(program.threads[thread]!.transitions[id]!)),
  );
}

/**
 * Returns the program with an assertion about all observed cells after the joins, so that no cell
 * is left out.
 */
function watched(program: Program): Program {
  const layout = layoutInC(program)!;
  const cells =
    layout.kind === 'array' ? layout.addresses : layout.others.map(({ address }) => address);
  const named = program.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, cell) => base + cell),
  );
  const leaves: StateExpression[] = [
    ...[...new Set([...named, ...cells])].map((address) => ({ kind: 'memory' as const, address })),
    ...program.threads.flatMap(({ registers }, thread) =>
      registers.map((_, register) => ({ kind: 'register' as const, thread, register })),
    ),
  ];
  const condition = leaves
    .map((leaf) => binary('!=', leaf, constant(someNumber)))
    .reduce<StateExpression>((left, right) => binary('&&', left, right), constant(1));
  return { ...program, properties: [{ name: 'all', kind: 'finally', condition }] };
}

/** Returns the cell for names such as `memory.2[8]` and `memory[x + 1]`. */
function cellOf(name: string, program: Program, original: Program): number | undefined {
  const cells = new Map(
    program.symbols.map(({ name: own, base }) => [
      own.replace(
        /\.(\d+)(?:\[(\d+)\])?$/,
        (_, first: string, second = '0') => `[${Number(first) + Number(second)}]`,
      ),
      base,
    ]),
  );
  const known = cells.get(name);
  if (known !== undefined) return known;
  const [, start = '', offset = '0'] = /^memory\[(\S+)(?: \+ (\d+))?\]$/.exec(name) ?? [];
  const named = original.symbols.find((symbol) => symbol.name === start);
  return cells.get(`memory[${(named?.base ?? Number(start)) + Number(offset)}]`);
}

/** Whether a thread may end while it holds the bus lock, so that main would wait for ever. */
export function endsInBlock({ threads }: Program): boolean {
  return threads.some((thread) => {
    const status = computeLockStatus(thread);
    return thread.locations.some(
      (_, end) => status[end] !== 'free' && !thread.transitions.some(({ from }) => from === end),
    );
  });
}

/** Returns the answers about the program itself, and about its C text. */
export async function bothWays(
  clang: Clang,
  folder: string,
  program: Program,
): Promise<readonly [Said, Said]> {
  const values = observed(program);
  const own = await check(program, { allAttacks: true, limits });
  const states = await reach(program, { limits });
  const before: Said = {
    verdict: own.verdict.kind,
    attacks: attacksOf(program, own),
    sc: finalStates(states.sc.finalStates, values),
    tso: finalStates(states.tso.finalStates, values),
  };
  const text = printC(program).text!;
  const lines = text.split('\n');
  const read = await readBack(clang, folder, text);
  const result = await check(read, { allAttacks: true, limits });
  const full = await readBack(clang, folder, printC(watched(program)).text!);
  const reached = await reach(full, { limits });
  const there = new Map(
    [...values.keys()].map((name) => {
      const address = cellOf(name, full, program);
      return [
        name,
        (state: MachineState) => (address === undefined ? 0 : (state.memory.get(address) ?? 0)),
      ];
    }),
  );
  const after: Said = {
    verdict: result.verdict.kind,
    attacks: feasible(
      result,
      (thread) => read.threads[thread]!.copy?.template ?? read.threads[thread]!.name,
      (thread, id) => {
        const span = read.threads[thread]!.transitions[id]!.origin.span;
        return span ? lines[span.start.line]!.trim() : '';
      },
    ),
    sc: finalStates(reached.sc.finalStates, there),
    tso: finalStates(reached.tso.finalStates, there),
  };
  return [before, after];
}
