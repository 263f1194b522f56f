import { at } from '@fencewright/ground/base/at.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import { valueToJson } from '@fencewright/model/program/wide-values.js';
import { targetOf } from '../words/pointer-values.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { JsonModelReach } from './json-schema.js';

/**
 * Returns the results that threads have at their ends, by name; `null` if a thread has no result.
 */
function outcomesToJson(
  program: Program,
  { registers }: MachineState,
  waiting: readonly ThreadId[],
): Pick<JsonModelReach['finalStates'][number], 'outcomes'> {
  const outcomes = program.threads.flatMap((thread, t) =>
    thread.registers.flatMap(({ shown, noValue, texts, unsignedBits }, r) => {
      const value = at(at(registers, t), r);
      if (shown === undefined || waiting.includes(t)) return [];
      const known =
        value === noValue
          ? null
          : (texts?.get(value) ??
            targetOf(program, t, r, value) ??
            valueToJson(value, unsignedBits));
      return [[shown, known] as const];
    }),
  );
  return outcomes.length > 0 ? { outcomes: Object.fromEntries(outcomes) } : {};
}

/**
 * Returns a state in which threads have ended or wait for ever, as JSON data; the results of the
 * `waiting` threads, which have not ended, are left out.
 */
export function finalStateToJson(
  program: Program,
  state: MachineState,
  waiting: readonly ThreadId[] = [],
): JsonModelReach['finalStates'][number] {
  const addresses = new Set(state.memory.keys());
  const unsigned = new Map<number, number | undefined>();
  for (const { base, length, unsignedBits } of program.symbols)
    for (let cell = 0; cell < length; cell++) {
      addresses.add(base + cell);
      unsigned.set(base + cell, unsignedBits);
    }
  const cells = [...addresses].sort((a, b) => a - b);
  return {
    memory: Object.fromEntries(
      cells.map((address) => [
        formatAddress(program, address),
        valueToJson(state.memory.get(address) ?? 0, unsigned.get(address)),
      ]),
    ),
    ...outcomesToJson(program, state, waiting),
    registers: Object.fromEntries(
      program.threads.flatMap((thread, t) => {
        if (waiting.includes(t)) return [];
        const known = thread.registers.flatMap(({ name, hidden, shown }, r) =>
          hidden || shown !== undefined
            ? []
            : [[name, valueToJson(at(at(state.registers, t), r))] as const],
        );
        return [[thread.name, Object.fromEntries(known)] as const];
      }),
    ),
  };
}
