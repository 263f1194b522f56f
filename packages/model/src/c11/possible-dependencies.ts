import { type Expression, hasPart } from '../program/expression.js';
import type { Instruction } from '../program/instruction.js';
import type { Program } from '../program/program.js';
import { operandsOf } from '../program/rewrite.js';
import type { ExecutionGraph, GraphEvent } from './execution-graph.js';

/** The ways in which an access may depend on earlier loads of the same thread. */
export interface Dependent {
  /** Whether the address is computed from registers. */
  readonly byAddress: boolean;
  /** Whether the stored value, or a condition before the access, is computed from registers. */
  readonly byValue: boolean;
}

const mentionsRegisters = (value: Expression): boolean =>
  hasPart(value, (part) => part.kind === 'register');

function readsRegisters(instruction: Instruction): boolean {
  return operandsOf(instruction).some(mentionsRegisters);
}

/**
 * Returns for each event of an execution graph whether it may depend on earlier loads, by the text
 * of the program. In doubt, an event counts as dependent on all earlier loads.
 */
export function possibleDependencies(
  { threads }: Program,
  { events }: ExecutionGraph,
): readonly Dependent[] {
  const hasConditions = threads.map(({ transitions }) =>
    transitions.some(({ instruction }) => {
      return instruction.kind === 'assume' && readsRegisters(instruction);
    }),
  );
  return events.map(({ thread, transition, kind }: GraphEvent) => {
    if (thread === undefined || kind === 'fence') return { byAddress: false, byValue: false };
    const { instruction } = threads[thread]!.transitions[transition!]!;
    // The accesses of a section stand behind its first instruction.
    if (instruction.kind === 'lock') return { byAddress: true, byValue: true };
    const byAddress = 'address' in instruction && mentionsRegisters(instruction.address);
    const byValue = kind !== 'read' && (hasConditions[thread]! || readsRegisters(instruction));
    return { byAddress, byValue };
  });
}
