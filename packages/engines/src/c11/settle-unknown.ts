import { at } from '@fencewright/ground/base/at.js';
import { compileExpression, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import { type Expression, isLazy, readsRegister } from '@fencewright/model/program/expression.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import { instructionAccess } from '@fencewright/model/analysis/liveness.js';
import type { LocationId, RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { type CodeTransition, maxHavocChoices } from '@fencewright/model/semantics/thread-code.js';
import type { C11Code } from './c11-steps.js';
import { type CasChoice, choiceAt, type Leaving } from './choices.js';

/**
 * A location and the registers of a thread, where the values of some registers are not known yet.
 */
export interface PartlyKnown {
  readonly location: LocationId;
  /** The values of the registers; dead registers and registers with unknown values are 0. */
  readonly registers: readonly number[];
  readonly unknown: ReadonlySet<RegisterId>;
}

/** Whether an operand of the instruction mentions a register without a known value. */
export function readsUnknown(instruction: Instruction, unknown: ReadonlySet<RegisterId>): boolean {
  let reads = false;
  instructionAccess.forEachUse(instruction, (register) => (reads ||= unknown.has(register)));
  return reads;
}

/**
 * Whether evaluating the expression reads a register without a known value: `&&` and `||` may leave
 * out the right side.
 */
export function needsUnknown(
  expression: Expression,
  { registers, unknown }: Pick<PartlyKnown, 'registers' | 'unknown'>,
  symbols: readonly SharedSymbol[],
): boolean {
  const needs = (part: Expression): boolean => needsUnknown(part, { registers, unknown }, symbols);
  if (expression.kind === 'unary') return needs(expression.operand);
  if (expression.kind === 'element') return needs(expression.index);
  if (expression.kind !== 'binary')
    return [...unknown].some((register) => readsRegister(expression, register));
  const { operator, left, right } = expression;
  if (needs(left)) return true;
  if (!isLazy(expression)) return needs(right);
  const isLeftTrue = compileExpression(left, symbols)(registers, 0) !== 0;
  return isLeftTrue === (operator === '&&') && needs(right);
}

/**
 * Returns the choice at a thread's location if some condition depends on an unknown value;
 * otherwise `undefined`.
 */
function choiceByUnknown(
  leaving: Leaving,
  place: PartlyKnown,
  symbols: readonly SharedSymbol[],
): CasChoice | undefined {
  const mayTest = ({ transition: { instruction } }: CodeTransition): boolean =>
    instruction.kind === 'assume' && needsUnknown(instruction.condition, place, symbols);
  return at(leaving, place.location).some(mayTest) ? choiceAt(leaving, place.location) : undefined;
}

/**
 * Returns the places of a thread before its next accesses and fences, or at its end, like
 * `settleThread`, for a start at which some registers have unknown values. The result of an
 * assignment that reads an unknown value is unknown. A condition on an unknown value stops the
 * thread, with two exceptions: a guard is passed, and the registers set by a `Choice` become
 * unknown. Stores in such a choice are left out; `onSkippedStore` is called then. Assertions are
 * ignored. Throws `ExecutionFault`.
 */
export function settleUnknown(
  { code, steps, live, guards, program: { domain, symbols } }: C11Code,
  thread: ThreadId,
  start: PartlyKnown,
  onSkippedStore: () => void,
): readonly PartlyKnown[] {
  const found: PartlyKnown[] = [];
  const seen = new Set<string>();
  const work: PartlyKnown[] = [start];
  const known = (unknown: ReadonlySet<RegisterId>, register: RegisterId): Set<RegisterId> =>
    new Set([...unknown].filter((one) => one !== register));
  while (work.length > 0) {
    const { location, registers: given, unknown: before } = work.pop()!;
    const isLive = at(at(live, thread), location);
    const unknown = new Set([...before].filter((register) => isLive[register]));
    const registers = given.map((value, register) =>
      isLive[register] && !unknown.has(register) ? value : 0,
    );
    const key = `${location} ${registers.join()} ${[...unknown].sort((a, b) => a - b).join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const leaving = at(at(code.threads, thread), location);
    if (leaving.length === 0 || at(at(steps, thread), location).length > 0)
      found.push({ location, registers, unknown });
    const place = { location, registers, unknown };
    const choice = choiceByUnknown(at(code.threads, thread), place, symbols);
    if (choice) {
      const { join, sets, hasStores } = choice;
      if (hasStores) onSkippedStore();
      work.push({ location: join, registers, unknown: new Set([...unknown, ...sets]) });
      continue;
    }
    for (const { transition, value } of leaving) {
      const { instruction, to } = transition;
      const isUnknown =
        readsUnknown(instruction, unknown) &&
        (instruction.kind === 'assume'
          ? needsUnknown(instruction.condition, { registers, unknown }, symbols)
          : instruction.kind !== 'assign' ||
            needsUnknown(instruction.value, { registers, unknown }, symbols));
      switch (instruction.kind) {
        case 'assign': {
          const { into } = instruction;
          const next = known(unknown, into);
          work.push({
            location: to,
            registers: registers.with(into, isUnknown ? 0 : value(registers, 0)),
            unknown: isUnknown ? next.add(into) : next,
          });
          break;
        }
        case 'assume':
          if (isUnknown ? guards.has(transition) : value(registers, 0) !== 0)
            work.push({ location: to, registers, unknown });
          break;
        case 'assert':
          work.push({ location: to, registers, unknown });
          break;
        case 'skip':
          if (!instruction.fence) work.push({ location: to, registers, unknown });
          break;
        case 'havoc': {
          if (isUnknown) break;
          const { into } = instruction;
          const { low, high } = instruction.range ??
            domain ?? { low: 0, high: Number.POSITIVE_INFINITY };
          if (high - low >= maxHavocChoices) throw new ExecutionFault('unbounded-choice');
          for (let choice = low; choice <= high; choice++) {
            const chosen = registers.with(into, choice);
            if (value(chosen, 0) !== 0)
              work.push({ location: to, registers: chosen, unknown: known(unknown, into) });
          }
          break;
        }
        default:
      }
    }
  }
  return found;
}
