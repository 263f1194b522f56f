import { PlaceSet } from './place-set.js';
import type { SourcePlaces } from './places.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { OrderAside, Program } from '@fencewright/model/program/program.js';
import type { IrInstruction, IrOperationOf } from './syntax.js';
import type { Round } from './world.js';

/** Whether the instruction is an access or a fence with a memory order beyond `relaxed`. */
export function isOrdered({ operation }: IrInstruction): boolean {
  switch (operation.kind) {
    case 'load':
    case 'store':
    case 'modify':
    case 'exchange-if':
    case 'fence':
      return operation.order !== undefined && operation.order !== 'relaxed';
    case 'call':
      return isOrderedCall(operation);
    default:
      return false;
  }
}

/**
 * Whether the call is of an atomic operation in the headers of C++, with a memory order beyond
 * `relaxed`. The order is the last operand of the call, if the function takes an order.
 */
function isOrderedCall({ callee, operands }: IrOperationOf<'call'>): boolean {
  if (callee.kind !== 'global' || !/^_Z.*(atomic_|6atomicI)/.test(callee.name)) return false;
  // Constructors set the first value, which is no atomic access.
  if (/C[12]E/.test(callee.name)) return false;
  const order = operands.at(-1)?.value;
  const takesOrder = callee.name.endsWith('St12memory_order');
  return !(
    takesOrder &&
    (order?.kind === 'zero' || (order?.kind === 'integer' && order.value === 0n))
  );
}

/** Whether the instruction may be an access or a fence. */
function mayHaveOrder(instruction: Instruction): boolean {
  switch (instruction.kind) {
    case 'assign':
    case 'assume':
    case 'assert':
    case 'havoc':
      return false;
    case 'skip':
      return instruction.fence !== undefined;
    default:
      return true;
  }
}

/**
 * Returns the places of the user's text with memory orders beyond `relaxed` that are no transitions
 * of the program.
 */
export function ordersAside(
  { world, ownOrdered }: Round,
  places: SourcePlaces,
  { threads }: Program,
): readonly OrderAside[] {
  const told = new PlaceSet();
  for (const { transitions } of threads)
    for (const { instruction, origin } of transitions)
      if (mayHaveOrder(instruction)) told.add(origin.span);
  const found: OrderAside[] = [];
  for (const of of world.linked.functions.values())
    for (const instruction of of.blocks.flatMap(({ instructions }) => instructions)) {
      const span = isOrdered(instruction) ? places.spanOf(of, instruction) : undefined;
      if (!span || told.has(span)) continue;
      told.add(span);
      const isOwn = ownOrdered.has(span);
      const why = world.ran.has(instruction) ? 'alone' : isOwn ? 'own-cell' : 'not-executed';
      found.push({ span, why });
    }
  return found;
}
