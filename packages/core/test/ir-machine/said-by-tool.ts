import { check } from '../../src/api/check.js';
import { reach } from '../../src/api/reach.js';
import { type LlvmIrModule, parseLlvmIr } from '../../src/frontends/llvm-ir/parse-llvm-ir.js';
import { finiteProgram } from '../../src/program/model.js';
import type { Program } from '../../src/program/program.js';
import { valueToJson } from '../../src/program/wide-values.js';
import { knowsAssertions, knowsEnds, type ModelReach } from '../../src/verdict/reach-result.js';

/** What the tool says of what one machine does. */
export interface SaidOfModel {
  /** Lines of assertions that fail. */
  readonly assertions: ReadonlySet<number>;
  readonly knowsAssertions: boolean;
  readonly knowsEnds: boolean;
  /** Final values of the cells that it has, by their names. */
  readonly finals: readonly ReadonlyMap<string, number>[];
}

export type SaidByTool =
  | { readonly kind: 'refused'; readonly why: string }
  | {
      readonly kind: 'said';
      readonly verdict: string;
      /** Executions end in faults, so that no more is said of them. */
      readonly hasFaults: boolean;
      readonly sc: SaidOfModel;
      readonly tso: SaidOfModel;
      /** Warnings and the like. */
      readonly codes: readonly string[];
    };

/** Puts a program to the tool, front end included. */
export async function saidByTool(
  modules: readonly LlvmIrModule[],
  file: string,
  maxStates: number,
): Promise<SaidByTool> {
  const { model, diagnostics } = parseLlvmIr(modules, { main: file });
  const program = model && finiteProgram(model);
  if (!program) {
    const error = diagnostics.find(({ severity }) => severity === 'error');
    return { kind: 'refused', why: error?.message ?? 'no program' };
  }
  const limits = { maxStates };
  const checked = await check(program, { limits });
  const { sc, tso } = await reach(program, { limits });
  const all = [...diagnostics, ...checked.diagnostics];
  return {
    kind: 'said',
    verdict: checked.verdict.kind,
    hasFaults: all.some(({ code }) => faults.includes(code)),
    sc: saidOfModel(program, sc),
    tso: saidOfModel(program, tso),
    codes: [...new Set(all.map(({ code }) => code))],
  };
}

/** Diagnostics that tell of executions that end in faults. */
const faults: readonly string[] = ['FW3003', 'FW3004', 'FW3005', 'FW3008'];

/** The value of a cell, converted to `int` as the programs print it. */
function asInt(value: number, unsignedBits: number | undefined): number {
  const integer = BigInt(valueToJson(value, unsignedBits));
  return Number(BigInt.asIntN(32, integer));
}

function saidOfModel(program: Program, model: ModelReach): SaidOfModel {
  const lines = model.failedAssertions.map(
    ({ thread, transition }) =>
      (program.threads[thread]!.transitions[transition]!.origin.span?.start.line ?? -2) + 1,
  );
  const finals = model.finalStates.map(
    ({ memory }) =>
      new Map(
        program.symbols.flatMap(({ name, base, length, unsignedBits }) =>
          length === 1 ? [[name, asInt(memory.get(base) ?? 0, unsignedBits)] as const] : [],
        ),
      ),
  );
  return {
    assertions: new Set(lines),
    knowsAssertions: knowsAssertions(model),
    knowsEnds: knowsEnds(model),
    finals,
  };
}
