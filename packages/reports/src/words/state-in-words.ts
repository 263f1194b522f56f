import { enumerate } from '@fencewright/ground/base/number-words.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { isCreated } from '@fencewright/model/program/is-created.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { lineOf, threadName } from './action-words.js';
import { cellValueText, registerValueText } from './pointer-values.js';

const mostShown = 12;

/** Whether all threads that have been created have ended in a state. */
export function haveAllEnded(program: Program, { locations, memory }: MachineState): boolean {
  return program.threads.every((thread, t) => {
    const location = locations[t] ?? -1;
    return hasEnded(program, t, location) || !isCreated(thread, location, memory);
  });
}

function hasEnded({ threads }: Program, thread: ThreadId, location: LocationId): boolean {
  return threads[thread]?.transitions.every(({ from }) => from !== location) === true;
}

/**
 * Returns the values of memory and of the registers that users know, by name; for ended threads,
 * their results.
 */
export function valuesInWords(
  program: Program,
  { memory, registers, locations }: MachineState,
): string {
  const cells = program.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, offset) => {
      const address = base + offset;
      const value = cellValueText(program, address, memory.get(address) ?? 0);
      return `${formatAddress(program, address)} = ${value}`;
    }),
  );
  const own = program.threads.flatMap((thread, t) =>
    thread.registers.flatMap(({ name, hidden, shown }, r) =>
      hidden || (shown !== undefined && !hasEnded(program, t, locations[t] ?? -1))
        ? []
        : [
            `${shown ?? `${thread.name}.${name}`} = ${registerValueText(program, t, r, registers[t]?.[r] ?? 0)}`,
          ],
    ),
  );
  const all = [...cells, ...own];
  return all.length > mostShown ? `${all.slice(0, mostShown).join(', ')}, ...` : all.join(', ');
}

/** Returns the places of the threads in a state, in words: `a has ended, b is at line 7`. */
export function placesInWords(program: Program, { locations, memory }: MachineState): string {
  const ended: string[] = [];
  const places = program.threads.flatMap((thread, t) => {
    const at = locations[t] ?? -1;
    const name = threadName(program, t);
    if (hasEnded(program, t, at)) {
      ended.push(name);
      return [];
    }
    if (!isCreated(thread, at, memory)) return [`${name} has not been created`];
    const location = thread.locations[at];
    if (location && !location.hidden) return [`${name} is at ${location.name}`];
    const next = thread.transitions.findIndex(({ from }) => from === at);
    const line = lineOf(program, t, next);
    return [line === undefined ? `${name} goes on` : `${name} is at line ${line}`];
  });
  const have = ended.length === 1 ? 'has' : 'have';
  return [...(ended.length > 0 ? [`${enumerate(ended)} ${have} ended`] : []), ...places].join(', ');
}

/** Whether threads have hidden registers, by which states can differ unseen. */
export function hasHiddenRegisters({ threads }: Program): boolean {
  return threads.some(({ registers }) => registers.some(({ hidden }) => hidden));
}
