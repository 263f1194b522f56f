import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import { mapParts, type Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Location, Luck, Thread, Transition } from '@fencewright/model/program/program.js';
import { mapInstruction } from '@fencewright/model/program/rewrite.js';
import type { StepEdge, StepNode, LoweredStep } from './step.js';

/** An instruction between nodes of a graph; registers are numbered as in the graph. */
export type WrittenStep = Pick<StepEdge, 'origin' | 'nofence'> & {
  readonly luck?: Luck;
  readonly from: StepNode;
  readonly to: StepNode;
  readonly instruction: Instruction;
  /** The index in the graph of the edge from which the instruction was made. */
  readonly edge: number;
};

/** The data of the graph about the nodes, registers and addresses that occur in written steps. */
export interface WrittenNumbers {
  /** By step that ends the thread, the node of the graph at which the thread has ended. */
  readonly ends: ReadonlyMap<LoweredStep, StepNode>;
  /** By register, its name in the graph. */
  readonly registers: readonly string[];
  /** By register shown in final states, the address of the represented cell or output. */
  readonly outcomes?: ReadonlyMap<RegisterId, number>;
  /** Returns the index of the shared symbol at an address; `undefined` if there is none. */
  readonly symbolAt: (address: number) => number | undefined;
}

/** A thread made from a graph, with maps from parts of the graph to parts of the thread. */
export interface WrittenThread {
  readonly thread: Thread;
  /**
   * By index of the edge of an access, the first transition of the thread that uses the address of
   * the access.
   */
  readonly accesses: ReadonlyMap<number, TransitionId>;
  /** By index of an edge, the first assignment of the thread made from the edge. */
  readonly assignments: ReadonlyMap<number, TransitionId>;
  /** By register shown in final states, the address of the represented cell or output. */
  readonly outcomes: ReadonlyMap<RegisterId, number>;
  /** By step that ends the thread, the location of the ended thread. */
  readonly ends: ReadonlyMap<LoweredStep, LocationId>;
}

/** The thread of instructions, with locations and registers numbered in the order of use. */
export function numberThread(
  name: string,
  initial: StepNode,
  written: readonly WrittenStep[],
  { registers: registerNames, outcomes: observed, symbolAt, ends: endNodes }: WrittenNumbers,
): WrittenThread {
  const locationIds = new Numbers<StepNode>();
  const registerIds = new Numbers<RegisterId>();
  locationIds.of(initial);
  const ordered = inOrder(initial, written);
  const accesses = new Map<number, TransitionId>();
  const assignments = new Map<number, TransitionId>();
  ordered.forEach(({ edge, instruction }, transition) => {
    if ('address' in instruction && !accesses.has(edge)) accesses.set(edge, transition);
    if (instruction.kind === 'assign' && !assignments.has(edge)) assignments.set(edge, transition);
  });
  const transitions = ordered.map(
    ({ from, to, instruction, origin, nofence, luck }): Transition => ({
      from: locationIds.of(from),
      to: locationIds.of(to),
      instruction: renumbered(instruction, registerIds, symbolAt),
      origin,
      ...(nofence && { nofence }),
      ...(luck && { luck }),
    }),
  );
  const names = new UniqueNames([]);
  const registers = registerIds.known.map((register) => ({
    name: names.fresh(spelled(registerNames[register]!)),
    hidden: true,
  }));
  const outcomes = new Map(
    registerIds.known.flatMap((register, id): (readonly [RegisterId, number])[] => {
      const address = observed?.get(register);
      return address === undefined ? [] : [[id, address]];
    }),
  );
  const locations = locationsOf(locationIds.known.length, transitions);
  const thread = { name, registers, locations, initial: locationIds.of(initial), transitions };
  const ends = new Map(
    [...endNodes].flatMap(([step, node]): (readonly [LoweredStep, LocationId])[] => {
      const id = locationIds.ids.get(node);
      return id === undefined ? [] : [[step, id]];
    }),
  );
  return { thread, accesses, assignments, outcomes, ends };
}

/** Assigns numbers from 0 on, in the order of requests. */
class Numbers<T> {
  readonly ids = new Map<T, number>();

  get known(): readonly T[] {
    return [...this.ids.keys()];
  }

  of(what: T): number {
    let id = this.ids.get(what);
    if (id === undefined) this.ids.set(what, (id = this.ids.size));
    return id;
  }
}

/** Locations, named after the line of an outgoing transition, or else of an incoming one. */
function locationsOf(count: number, transitions: readonly Transition[]): readonly Location[] {
  const spans = new Map<LocationId, Location['span']>();
  for (const { from, to, origin } of transitions)
    if (origin.span) {
      spans.set(from, spans.get(from) ?? origin.span);
      if (!spans.has(to)) spans.set(to, origin.span);
    }
  const names = new UniqueNames([]);
  return Array.from({ length: count }, (_, id): Location => {
    const span = spans.get(id);
    const name = names.fresh(`L${(span?.start.line ?? 0) + 1}`);
    return { name, hidden: true, ...(span && { span }) };
  });
}

/** The steps in breadth-first order, so that equal code gets equal numbers. */
function inOrder(initial: StepNode, written: readonly WrittenStep[]): readonly WrittenStep[] {
  const table = new Map<StepNode, WrittenStep[]>();
  for (const each of written) {
    const known = table.get(each.from);
    if (known) known.push(each);
    else table.set(each.from, [each]);
  }
  const reached = new Set<StepNode>([initial]);
  const ordered: WrittenStep[] = [];
  for (const node of reached)
    for (const each of table.get(node) ?? []) {
      ordered.push(each);
      reached.add(each.to);
    }
  return ordered;
}

function renumbered(
  instruction: Instruction,
  registers: Numbers<RegisterId>,
  symbolAt: WrittenNumbers['symbolAt'],
): Instruction {
  const value = (expression: Expression): Expression =>
    expression.kind === 'register'
      ? { kind: 'register', register: registers.of(expression.register) }
      : mapParts(expression, value);
  const address = (expression: Expression): Expression => {
    const symbol = expression.kind === 'constant' ? symbolAt(expression.value) : undefined;
    return symbol === undefined ? value(expression) : { kind: 'address', symbol };
  };
  const mapped = mapInstruction(instruction, value, address);
  return 'into' in mapped && mapped.into !== undefined
    ? { ...mapped, into: registers.of(mapped.into) }
    : mapped;
}

/** Returns the name, changed to a spelling allowed by all text formats. */
function spelled(name: string): string {
  const word = name.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return /^[A-Za-z_]/.test(word) ? word : `r${word}`;
}
