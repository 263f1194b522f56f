import { enumerate, formatCount } from '@fencewright/ground/base/number-words.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { isCreated } from '@fencewright/model/program/is-created.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { VaryingParts } from '@fencewright/model/verdict/varying-parts.js';
import { atLine, threadName } from './action-words.js';
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

/** Returns the addresses of the cells that users know, in the order of the program. */
function cellsOf({ symbols }: Program): readonly number[] {
  return symbols.flatMap(({ base, length, isInternal }) =>
    isInternal ? [] : Array.from({ length }, (_, offset) => base + offset),
  );
}

/**
 * Returns the values of memory and of the registers that users know, `x = 1`, in the order of the
 * program; for ended threads, their results. With `only`, the values of these cells and registers
 * alone.
 */
function valueTexts(
  program: Program,
  { memory, registers, locations }: MachineState,
  only?: VaryingParts,
): readonly string[] {
  const wanted = new Set(only?.cells);
  const isWanted = (thread: number, register: number): boolean =>
    !only || only.registers.some(([t, r]) => t === thread && r === register);
  const cells = cellsOf(program).flatMap((address) => {
    if (only && !wanted.has(address)) return [];
    const value = cellValueText(program, address, memory.get(address) ?? 0);
    return [`${formatAddress(program, address)} = ${value}`];
  });
  const own = program.threads.flatMap((thread, t) =>
    thread.registers.flatMap(({ name, hidden, shown }, r) =>
      hidden ||
      !isWanted(t, r) ||
      (shown !== undefined && !hasEnded(program, t, locations[t] ?? -1))
        ? []
        : [
            `${shown ?? `${thread.name}.${name}`} = ${registerValueText(program, t, r, registers[t]?.[r] ?? 0)}`,
          ],
    ),
  );
  return [...cells, ...own];
}

/**
 * Returns the lines that distinguish a state from the states of SC: the values of `varying`, one a
 * line; all values if the varying values have no names.
 */
export function differenceLines(
  program: Program,
  state: MachineState,
  varying?: VaryingParts,
): readonly string[] {
  const some = varying ? valueTexts(program, state, varying) : [];
  const values = some.length > 0 ? some : valueTexts(program, state);
  const places = haveAllEnded(program, state) ? [] : placesOf(program, state);
  const rest = values.length - mostShown;
  const more = [
    ...(rest > 0 ? [`... and ${formatCount(rest)} more`] : []),
    ...(places.length > 0 && hasHiddenRegisters(program) ? [hiddenDifference(program)] : []),
  ];
  return [...places, ...values.slice(0, mostShown), ...more];
}

/** Returns the values of a state in one line; only the first values, if there are many. */
export function valuesInWords(program: Program, state: MachineState): string {
  const all = valueTexts(program, state);
  return all.length > mostShown ? `${all.slice(0, mostShown).join(', ')}, ...` : all.join(', ');
}

/** Returns the places of the threads in a state, in words: `a has ended, b is at line 7`. */
export function placesInWords(program: Program, state: MachineState): string {
  return placesOf(program, state).join(', ');
}

/** Returns the places of the threads in a state, a clause each; ended threads share a clause. */
function placesOf(program: Program, { locations, memory }: MachineState): readonly string[] {
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
    const place = atLine(program, { thread: t, transition: next });
    return [place === '' ? `${name} goes on` : `${name} is${place}`];
  });
  const have = ended.length === 1 ? 'has' : 'have';
  return [...(ended.length > 0 ? [`${enumerate(ended)} ${have} ended`] : []), ...places];
}

/** Whether threads have hidden registers, so that two states can look equal and differ. */
export function hasHiddenRegisters({ threads }: Program): boolean {
  return threads.some(({ registers }) => registers.some(({ hidden }) => hidden));
}

/** Returns the remark that states may also differ in values that the report does not show. */
export function hiddenDifference(program: Program): string {
  return isOfC(program)
    ? 'local variables and results of calls may differ, too, as far as they are still used'
    : 'values that a thread has loaded and still uses may differ, too';
}
