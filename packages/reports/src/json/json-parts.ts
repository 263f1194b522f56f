import { at } from '@fencewright/ground/base/at.js';
import type { Assumption } from '@fencewright/model/program/assumption.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { formatAddress, symbolAt } from '@fencewright/model/program/format.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { valueToJson } from '@fencewright/model/program/wide-values.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { countDelays } from '@fencewright/model/trace/count-delays.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { FaultFindings, Witness } from '@fencewright/model/verdict/verdict.js';
import type { RaceFindings } from '@fencewright/model/verdict/data-race.js';
import {
  callPlaces,
  findTransition,
  lineOf,
  otherFileOf,
  threadName,
} from '../words/action-words.js';
import { instructionTexts } from '../words/instruction-texts.js';
import { notLookedAt } from '../words/not-looked-at.js';
import type {
  JsonCheckResult,
  JsonDiagnostic,
  JsonMachineState,
  JsonStep,
  JsonWitness,
} from './json-schema.js';

// Parts that the documents of all verbs share.

type InstructionRef = NonNullable<JsonCheckResult['attacks']>[number]['store'];

/** Returns the name of a result's program, and the result's assumptions about the program. */
export function aboutToJson({
  name,
  assumptions,
}: {
  readonly name: string;
  readonly assumptions?: readonly Assumption[];
}): Pick<JsonCheckResult, 'program' | 'assumptions'> {
  return {
    program: name,
    ...(assumptions && {
      assumptions: assumptions.map(({ name: of, text }) => ({ name: of, text })),
    }),
  };
}

/** Returns the time rounded to microseconds, the precision of the measurement. */
export function roundMilliseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/**
 * Returns an instruction as JSON data, by label and line. Unlike in output for people, labels that
 * a front end made are named, too: they are unique, and scripts want every field.
 */
export function refOf(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): InstructionRef {
  const found = findTransition(program, thread, transition);
  const line = lineOf(program, thread, transition);
  const file = otherFileOf(program, thread, transition);
  return {
    label: found?.owner.locations[found.transition.from]?.name ?? '',
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...callsOf(program, thread, transition),
  };
}

/** Returns a diagnostic as JSON data, with lines and columns counted from 1. */
export function diagnosticToJson({
  code,
  severity,
  span,
  message,
  hint,
  related,
}: Diagnostic): JsonDiagnostic {
  return {
    code,
    severity,
    ...(span?.source && { file: span.source.name }),
    ...(span && {
      line: span.start.line + 1,
      column: span.start.column + 1,
      endLine: span.end.line + 1,
      endColumn: span.end.column + 1,
    }),
    message,
    ...(hint !== undefined && { hint }),
    ...(related && {
      related: {
        ...(related.span.source && { file: related.span.source.name }),
        line: related.span.start.line + 1,
        column: related.span.start.column + 1,
        message: related.message,
      },
    }),
  };
}

/**
 * Returns the data races and uses of freed memory found in a program in C as JSON data, and whether
 * the searches were complete.
 */
export function racesToJson(
  program: Program,
  { races, incomplete, freedUses, freedIncomplete }: RaceFindings,
): NonNullable<JsonCheckResult['races']> {
  return {
    complete: incomplete === undefined,
    ...(incomplete && { reason: incomplete }),
    found: races.map(({ address, accesses }) => ({
      cell: formatAddress(program, address),
      accesses: accesses.map(({ thread, transition }) => {
        const found = findTransition(program, thread, transition)?.transition;
        const kind = found?.instruction.kind;
        const how = found?.origin.access;
        return {
          thread: threadName(program, thread),
          ...refOf(program, thread, transition),
          access: kind === 'store' || kind === 'rmw' ? kind : 'load',
          // Accesses of the program cannot race with the internal accesses of the model of
          // `malloc`.
          ...(how && how !== 'allocation' && { kind: how }),
        };
      }),
    })),
    freedUses: freedUses.map(({ cell, use, free, model }) => ({
      cell,
      thread: threadName(program, use.thread),
      ...refOf(program, use.thread, use.transition),
      freedBy: {
        thread: threadName(program, free.thread),
        ...refOf(program, free.thread, free.transition),
      },
      model,
    })),
    freedUsesComplete: freedIncomplete === undefined,
    ...(freedIncomplete && { freedUsesReason: freedIncomplete }),
  };
}

/** Returns the findings on faulting executions as JSON data, with the method used. */
export function faultsToJson(faults: FaultFindings): NonNullable<JsonCheckResult['faults']> {
  return {
    answer: faults.kind,
    ...(faults.kind === 'none' && { shownBy: faults.shownBy }),
  };
}

/** Returns the claims of a program that a check does not examine, as JSON data. */
export function notLookedAtToJson(
  program: Program | EventProgram,
): NonNullable<JsonCheckResult['notLookedAt']> {
  const { properties, assertions } = notLookedAt(program);
  return { properties: [...properties], assertions };
}

function callsOf(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): Pick<InstructionRef, 'calls'> {
  const calls = callPlaces(program, thread, transition);
  if (calls.length === 0) return {};
  return {
    calls: calls.map(({ function: called, span }) => ({
      function: called,
      ...(span?.source && { file: span.source.name }),
      ...(span && { line: span.start.line + 1 }),
    })),
  };
}

/**
 * Returns a value of the memory cell at the address for JSON, as an unsigned number if the type of
 * the cell is unsigned.
 */
function cellToJson(program: Program, address: number, value: number): number | string {
  const symbol = symbolAt(program, address);
  return valueToJson(
    value,
    symbol === undefined ? undefined : program.symbols[symbol]?.unsignedBits,
  );
}

function valuesOf(program: Program, action: Action): Partial<JsonStep> {
  switch (action.kind) {
    case 'issue':
    case 'store':
      return {
        address: formatAddress(program, action.address),
        value: cellToJson(program, action.address, action.value),
      };
    case 'load': {
      const { address, value, early } = action;
      return {
        address: formatAddress(program, address),
        value: cellToJson(program, address, value),
        early,
      };
    }
    case 'rmw': {
      const { address, value, written } = action;
      return {
        address: formatAddress(program, address),
        value: cellToJson(program, address, value),
        ...(written !== undefined && { written: cellToJson(program, address, written) }),
      };
    }
    case 'local':
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
      return {};
  }
}

/** Returns the actions of a computation as JSON data, with everything that users can see. */
export function stepsToJson(program: Program, computation: Computation): JsonStep[] {
  const texts = instructionTexts(program, computation);
  return computation.map((action, i) => ({
    thread: threadName(program, action.thread),
    action: action.kind,
    ...refOf(program, action.thread, action.transition),
    ...valuesOf(program, action),
    instruction: at(texts, i),
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
        stores.map(({ address, value }) => ({
          address: formatAddress(program, address),
          value: cellToJson(program, address, value),
        })),
      ]),
    ),
    memory: Object.fromEntries(
      cells.map((address) => [
        formatAddress(program, address),
        cellToJson(program, address, state.memory.get(address) ?? 0),
      ]),
    ),
  };
}

/** Returns a witness as JSON data; with `replay`, each step has the state of the machine. */
export function witnessToJson(program: Program, witness: Witness, replay?: Replay): JsonWitness {
  const { attack, others = [], computation, cycle, isMinimal } = witness;
  const named = ({ thread, store, load }: Attack): JsonWitness['attack'] => ({
    thread: threadName(program, thread),
    store: refOf(program, thread, store).label,
    load: refOf(program, thread, load).label,
  });
  return {
    attack: named(attack),
    ...(others.length > 0 && { others: others.map(named) }),
    computation: stepsToJson(program, computation),
    cycle: cycle.map(({ from, to, relation }) => ({ from, to, relation })),
    delays: countDelays(computation),
    ...(isMinimal !== undefined && { fewestDelays: isMinimal }),
    ...(replay && {
      states: replay.states.map((state) => stateToJson(program, computation, state)),
    }),
  };
}
