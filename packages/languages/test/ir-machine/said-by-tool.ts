import { check } from '../../../core/src/api/check.js';
import { reachOutcomes } from '../../../core/src/api/reach-outcomes.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import type { LlvmIrModule } from '../../src/llvm-ir/places.js';
import {
  type FiniteModel,
  finiteProgram,
  observedProgram,
} from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { valueToJson } from '@fencewright/model/program/wide-values.js';
import {
  knowsAssertions,
  knowsEnds,
  type ModelReach,
} from '@fencewright/model/verdict/reach-result.js';

/** The tool's answer about a program on one memory model. */
export interface SaidOfModel {
  /** The lines of the assertions that fail under the memory model. */
  readonly assertions: ReadonlySet<number>;
  readonly knowsAssertions: boolean;
  readonly knowsEnds: boolean;
  /** For each final state under the memory model, the values of its cells by name. */
  readonly finals: readonly ReadonlyMap<string, number>[];
}

export type SaidByTool =
  | { readonly kind: 'refused'; readonly why: string }
  | {
      readonly kind: 'said';
      readonly verdict: string;
      /** Whether executions end in faults, so that the answer has no further facts. */
      readonly hasFaults: boolean;
      /**
       * Whether final states have all registers and variables of the source; false if that takes
       * too many states.
       */
      readonly showsAll: boolean;
      readonly sc: SaidOfModel;
      readonly tso: SaidOfModel;
      /** The names of the assumptions that the answer states. */
      readonly assumptions: readonly string[];
      /** The codes of the warnings and notes in the answer. */
      readonly codes: readonly string[];
    };

/** Runs the tool on a program, front end included. */
export async function saidByTool(
  modules: readonly LlvmIrModule[],
  file: string,
  maxStates: number,
  given: Readonly<Record<string, number>> = {},
  areOfMachine = false,
  source = '',
): Promise<SaidByTool> {
  const outside = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, { low: value, high: value }]),
  );
  const { model, diagnostics } = parseLlvmIr(modules, {
    ...{ main: file, outside, sourceOf: (name) => (name === file ? source : undefined) },
    ...(areOfMachine && { areOfMachine, headers: ['/usr/'] }),
  });
  const program = model && finiteProgram(model);
  if (!program) {
    const error = diagnostics.find(({ severity }) => severity === 'error');
    return { kind: 'refused', why: error?.message ?? 'no program' };
  }
  const limits = { maxStates };
  const checked = await check(program, { limits });
  const { about, result } = await reachOutcomes(model as FiniteModel, { limits });
  const { sc, tso } = result;
  const all = [...diagnostics, ...checked.diagnostics];
  return {
    kind: 'said',
    verdict: checked.verdict.kind,
    hasFaults: all.some(({ code }) => faults.includes(code)),
    showsAll: about === observedProgram(model as FiniteModel),
    sc: saidOfModel(about, sc),
    tso: saidOfModel(about, tso),
    assumptions: (program.assumptions ?? []).map(({ text }) => text),
    codes: [...new Set(all.map(({ code }) => code))],
  };
}

/** Codes of diagnostics about executions that end in faults. */
const faults: readonly string[] = ['FW3003', 'FW3004', 'FW3005', 'FW3008'];

/** Converts the value of a cell to `int`, as the programs print it. */
function asInt(value: number, unsignedBits: number | undefined): number {
  const integer = BigInt(valueToJson(value, unsignedBits));
  return Number(BigInt.asIntN(32, integer));
}

function saidOfModel(program: Program, model: ModelReach): SaidOfModel {
  const lines = model.failedAssertions.map(
    ({ thread, transition }) =>
      (program.threads[thread]!.transitions[transition]!.origin.span?.start.line ?? -2) + 1,
  );
  const finals = model.finalStates.map((state) => new Map(cellsOf(program, state)));
  // The tool names a call by its number on some paths and by its line on others.
  for (const name of finals[0]?.keys() ?? [])
    if (finals.every((final) => Number.isNaN(final.get(name))))
      for (const final of finals) final.delete(name);
  return {
    assertions: new Set(lines),
    knowsAssertions: knowsAssertions(model),
    knowsEnds: knowsEnds(model),
    finals,
  };
}

/** Returns the cells in memory and the registers of single threads, under names that occur once. */
function cellsOf(
  program: Program,
  { memory, registers }: MachineState,
): readonly (readonly [string, number])[] {
  const cells = program.symbols.flatMap(({ name, base, length, unsignedBits }) =>
    length === 1 ? [[name, asInt(memory.get(base) ?? 0, unsignedBits)] as const] : [],
  );
  const alone = program.threads.flatMap((thread, t) =>
    thread.registers.flatMap(({ shown, noValue, unsignedBits }, register) => {
      const value = registers[t]![register]!;
      if (shown === undefined) return [];
      return [[shown, value === noValue ? NaN : asInt(value, unsignedBits)] as const];
    }),
  );
  const all = [...cells, ...alone];
  return all.filter(([name]) => all.filter(([other]) => other === name).length === 1);
}
