import { formatAddress } from '../program/format.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Diagnostic } from '../source/diagnostic.js';
import type { Action, Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { ModelReach, ReachResult } from '../verdict/reach-result.js';
import type { Replay } from '../verdict/replay.js';
import type { CheckResult, CheckStatistics, Verdict, Witness } from '../verdict/verdict.js';
import { findTransition, lineOf, threadName } from './action-words.js';
import { instructionTexts } from './instruction-texts.js';
import type {
  JsonCheckResult,
  JsonDiagnostic,
  JsonMachineState,
  JsonModelReach,
  JsonReachResult,
  JsonStep,
  JsonWitness,
} from './json-schema.js';
import { reachOutcome } from './reach-outcome.js';

type InstructionRef = NonNullable<JsonCheckResult['attacks']>[number]['store'];

function roundMilliseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** Unlike in human output, labels that a front end made are named too: they are unique, and a script wants every field. */
function refOf(program: Program, thread: ThreadId, transition: TransitionId): InstructionRef {
  const found = findTransition(program, thread, transition);
  const line = lineOf(program, thread, transition);
  return {
    label: found?.owner.locations[found.transition.from]?.name ?? '',
    ...(line !== undefined && { line }),
  };
}

/** A diagnostic with its place counted from 1. */
export function diagnosticToJson({
  code,
  severity,
  span,
  message,
  hint,
}: Diagnostic): JsonDiagnostic {
  return {
    code,
    severity,
    ...(span && {
      line: span.start.line + 1,
      column: span.start.column + 1,
      endLine: span.end.line + 1,
      endColumn: span.end.column + 1,
    }),
    message,
    ...(hint !== undefined && { hint }),
  };
}

function valuesOf(program: Program, action: Action): Partial<JsonStep> {
  switch (action.kind) {
    case 'issue':
    case 'store':
      return { address: formatAddress(program, action.address), value: action.value };
    case 'load': {
      const { address, value, early } = action;
      return { address: formatAddress(program, address), value, early };
    }
    case 'rmw': {
      const { address, value, written } = action;
      return {
        address: formatAddress(program, address),
        value,
        ...(written !== undefined && { written }),
      };
    }
    case 'local':
    case 'fence':
    case 'lock':
    case 'unlock':
      return {};
  }
}

function stepsToJson(program: Program, computation: Computation): JsonStep[] {
  const texts = instructionTexts(program, computation);
  return computation.map((action, i) => ({
    thread: threadName(program, action.thread),
    action: action.kind,
    ...refOf(program, action.thread, action.transition),
    ...valuesOf(program, action),
    instruction: texts[i] ?? '',
  }));
}

function stateToJson(
  program: Program,
  computation: Computation,
  state: MachineState,
): JsonMachineState {
  const addresses = computation.flatMap((action) => ('address' in action ? [action.address] : []));
  const cells = [...new Set(addresses)].sort((a, b) => a - b);
  return {
    buffers: Object.fromEntries(
      state.buffers.map((stores, thread) => [
        threadName(program, thread),
        stores.map(({ address, value }) => ({ address: formatAddress(program, address), value })),
      ]),
    ),
    memory: Object.fromEntries(
      cells.map((address) => [formatAddress(program, address), state.memory.get(address) ?? 0]),
    ),
  };
}

function witnessToJson(program: Program, witness: Witness, replay?: Replay): JsonWitness {
  const { attack, computation, cycle } = witness;
  const { thread } = attack;
  return {
    attack: {
      thread: threadName(program, thread),
      store: refOf(program, thread, attack.store).label,
      load: refOf(program, thread, attack.load).label,
    },
    computation: stepsToJson(program, computation),
    cycle: cycle.map(({ from, to, relation }) => ({ from, to, relation })),
    ...(replay && {
      states: replay.states.map((state) => stateToJson(program, computation, state)),
    }),
  };
}

function statisticsToJson(statistics: CheckStatistics): NonNullable<JsonCheckResult['stats']> {
  const { threads, labels, instructions, states, queries, milliseconds, engine, attacks } =
    statistics;
  const { total, byCfg, infeasible, feasible } = attacks;
  return {
    threads,
    labels,
    instructions,
    states,
    queries,
    milliseconds: roundMilliseconds(milliseconds),
    engine,
    attacks: { total, byCfg, infeasible, feasible },
  };
}

function verdictToJson(
  program: Program,
  verdict: Verdict,
  replay: Replay | undefined,
): Pick<JsonCheckResult, 'verdict' | 'reason' | 'detail' | 'witness'> {
  switch (verdict.kind) {
    case 'robust':
    case 'error':
      return { verdict: verdict.kind };
    case 'unknown':
      return { verdict: 'unknown', reason: verdict.reason, detail: verdict.detail };
    case 'not-robust':
      return { verdict: 'not-robust', witness: witnessToJson(program, verdict.witness, replay) };
  }
}

/** A check as an entry of the document's results. `diagnostics` are those of reading the file; with `replay`, the witness has its states. */
export function checkToJson(
  file: string,
  program: Program,
  result: CheckResult,
  diagnostics: readonly Diagnostic[] = [],
  replay?: Replay,
): JsonCheckResult {
  const { witness, ...verdict } = verdictToJson(program, result.verdict, replay);
  return {
    file,
    program: program.name,
    ...verdict,
    stats: statisticsToJson(result.statistics),
    attacks: result.attacks.map(({ attack, verdict: decided }) => ({
      thread: threadName(program, attack.thread),
      store: refOf(program, attack.thread, attack.store),
      load: refOf(program, attack.thread, attack.load),
      verdict: decided,
    })),
    ...(witness && { witness }),
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}

function finalStateToJson(
  program: Program,
  state: MachineState,
): JsonModelReach['finalStates'][number] {
  const addresses = new Set(state.memory.keys());
  for (const { base, length } of program.symbols)
    for (let cell = 0; cell < length; cell++) addresses.add(base + cell);
  const cells = [...addresses].sort((a, b) => a - b);
  return {
    memory: Object.fromEntries(
      cells.map((address) => [formatAddress(program, address), state.memory.get(address) ?? 0]),
    ),
    registers: Object.fromEntries(
      program.threads.map((thread, t) => [
        thread.name,
        Object.fromEntries(
          thread.registers.flatMap(({ name, hidden }, r) =>
            hidden ? [] : [[name, state.registers[t]?.[r] ?? 0] as const],
          ),
        ),
      ]),
    ),
  };
}

function modelToJson(program: Program, model: ModelReach): JsonModelReach {
  return {
    states: model.states,
    ...(model.incomplete !== undefined && { incomplete: model.incomplete }),
    finalStates: model.finalStates.map((state) => finalStateToJson(program, state)),
    properties: model.properties.map(({ property, verdict, computation }, i) => ({
      name: property,
      kind: program.properties[i]?.kind ?? 'never',
      verdict,
      ...(computation && { computation: stepsToJson(program, computation) }),
    })),
    failedAssertions: model.failedAssertions.map(({ thread, transition, computation }) => ({
      thread: threadName(program, thread),
      ...refOf(program, thread, transition),
      computation: stepsToJson(program, computation),
    })),
  };
}

/** A comparison of SC and TSO as an entry of the document's results. */
export function reachToJson(
  file: string,
  program: Program,
  result: ReachResult,
  diagnostics: readonly Diagnostic[] = [],
): JsonReachResult {
  return {
    file,
    program: program.name,
    verdict: reachOutcome(result),
    sameFinalStates: result.sameFinalStates,
    sc: modelToJson(program, result.sc),
    tso: modelToJson(program, result.tso),
    milliseconds: roundMilliseconds(result.milliseconds),
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}
