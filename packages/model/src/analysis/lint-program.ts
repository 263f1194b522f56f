import { writesCell } from '../program/instruction.js';
import { at } from '@fencewright/ground/base/at.js';
import type { LocationId, RegisterId, TransitionId } from '../program/ids.js';
import type { Program, Thread } from '../program/program.js';
import { mentionsOf } from '../program/property.js';
import {
  type Diagnostic,
  labelWithoutWayOut,
  looksBesideBuffers,
  readNeverWritten,
  unknownStoreAddress,
  unreachableLabel,
} from '@fencewright/ground/source/diagnostic.js';
import { type AddressSet, computeAddressSets } from './address-sets.js';
import { type ControlFlow, computeControlFlow, computeReachableLocations } from './control-flow.js';
import { definedRegister, forEachUse } from './liveness.js';

/**
 * Warnings about likely slips: unreachable labels, labels that end a thread early, registers that
 * are never written, stores to unknown addresses. The warnings are sorted by thread, then by
 * position in the text; code added by a front end (`hidden`) is skipped.
 */
export function lintProgram(program: Program): readonly Diagnostic[] {
  const addresses = computeAddressSets(program);
  const threads = program.threads.flatMap((thread, id) => {
    // All copies of a thread share one text, so their mistakes are reported once.
    if (thread.copy && thread.copy.index > 0) return [];
    const named = thread.copy ? { ...thread, name: thread.copy.template } : thread;
    return [
      ...lintLabels(named),
      ...lintRegisters(named),
      ...lintStores(named, addresses[id] ?? []),
    ].sort(byPlace);
  });
  return [...threads, ...lintProperties(program)];
}

/**
 * Warns of `never` properties that are probably stronger than the user intended: a `never` property
 * covers all states, including states in which earlier stores of a thread are still buffered.
 */
function lintProperties({ properties }: Program): Diagnostic[] {
  return properties.flatMap(({ name, kind, condition, span }) => {
    const { memory, threads, buffers } = mentionsOf(condition);
    return kind === 'never' && memory && threads && !buffers
      ? [looksBesideBuffers(span, name)]
      : [];
  });
}

/** Compares two messages by their places in the text. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  const p = a.span?.start ?? { line: 0, column: 0 };
  const q = b.span?.start ?? { line: 0, column: 0 };
  return p.line - q.line || p.column - q.column;
}

function lintLabels(thread: Thread): Diagnostic[] {
  const flow = computeControlFlow(thread);
  const reachable = computeReachableLocations(thread);
  const losesCode = thread.transitions.some(({ from }) => !reachable[from]);
  return thread.locations.flatMap(({ name, hidden, span }, location) => {
    if (hidden) return [];
    if (!reachable[location]) return [unreachableLabel(span, thread.name, name)];
    return isEarlyEnd(thread, flow, location, losesCode)
      ? [labelWithoutWayOut(span, thread.name, name)]
      : [];
  });
}

/**
 * Whether the reachable location ends the thread although the text suggests that the thread goes
 * on. A thread may have several ends (`success` and `failure`). So an end is reported only if the
 * location is not the target of the last transition of the text, and one of these holds.
 *
 * - Other code of the thread is unreachable: a missing transition may have cut this code off.
 * - The location's name is a step in a row that goes on in the text, see `isSkippedStep`.
 */
function isEarlyEnd(
  thread: Thread,
  flow: ControlFlow,
  location: LocationId,
  losesCode: boolean,
): boolean {
  const entries = flow.incoming[location] ?? [];
  if (entries.length === 0 || (flow.outgoing[location] ?? []).length > 0) return false;
  if (entries.includes(thread.transitions.length - 1)) return false;
  return losesCode || (entries.length === 1 && isSkippedStep(thread, location, at(entries, 0)));
}

/**
 * Whether the text goes on after `entry`, the only transition to the location, with a transition
 * from a label that no earlier transition leaves, and later leaves a label of the same name as the
 * location with a larger number: `q3` to `q4`, then `q5` to `q6`. If instead the text goes back to
 * another branch of a choice, the end is intended.
 */
function isSkippedStep(thread: Thread, location: LocationId, entry: TransitionId): boolean {
  const next = thread.transitions[entry + 1]?.from;
  if (thread.transitions.slice(0, entry + 1).some(({ from }) => from === next)) return false;
  const here = stepOf(thread, location);
  if (!here) return false;
  return thread.transitions.slice(entry + 1).some(({ from }) => {
    const other = stepOf(thread, from);
    return other?.row === here.row && other.number > here.number;
  });
}

/**
 * The parts of a location's name: `pop12` is number 12 of the sequence `pop`; `undefined` if the
 * name does not end in a number.
 */
function stepOf(
  thread: Thread,
  location: LocationId,
): { readonly row: string; readonly number: number } | undefined {
  const name = at(thread.locations, location).name;
  const digits = /[0-9]+$/.exec(name)?.[0];
  if (digits === undefined) return undefined;
  return { row: name.slice(0, name.length - digits.length), number: Number(digits) };
}

function lintRegisters(thread: Thread): Diagnostic[] {
  const written = new Set<RegisterId | undefined>(
    thread.transitions.map(({ instruction }) => definedRegister(instruction)),
  );
  const warnings: Diagnostic[] = [];
  for (const { instruction, origin } of thread.transitions)
    forEachUse(instruction, (register) => {
      if (written.has(register)) return;
      // One warning for each register, at its first use.
      written.add(register);
      const { name, hidden } = thread.registers[register] ?? { name: '', hidden: true };
      if (!hidden) warnings.push(readNeverWritten(origin.span, thread.name, name));
    });
  return warnings;
}

function lintStores(thread: Thread, addresses: readonly (AddressSet | undefined)[]): Diagnostic[] {
  return thread.transitions.flatMap(({ instruction, origin }, id) =>
    addresses[id] === 'any' && writesCell(instruction)
      ? [unknownStoreAddress(origin.span, thread.name)]
      : [],
  );
}
