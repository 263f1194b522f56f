import type { AddressSet } from '@fencewright/model/analysis/address-sets.js';
import { binary, constant, type Expression } from '@fencewright/model/program/expression.js';
import { integerOfValue } from '@fencewright/model/program/wide-values.js';
import { innermost } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import { severalSizesAnywhere, unknownAddress, Unsupported } from './unsupported.js';
import { type LoweredValue, numberValue, toExpression } from './value.js';

/** The maximum number of values of an operand for which an instruction is lowered separately. */
const mostValues = 40;

/**
 * A text that identifies the instruction in progress; `part` distinguishes several questions about
 * the operands.
 */
export function questionSite({ state, thread }: Lowering, part = ''): string {
  const { path, block, next } = innermost(state);
  return `${thread}:${path}:${block}.${next}${part}`;
}

/**
 * Requests the possible values of an operand of the current instruction. Returns the operand, and
 * the values found in the last round of lowering; a new value causes another round. Ends the path
 * if no value is known yet.
 */
export function askValues(
  lowering: Lowering,
  operand: LoweredValue,
  part = '',
): { readonly asked: Expression; readonly known: AddressSet } {
  const { round } = lowering;
  const into = lowering.resultRegister(`.asked${part}`);
  const asked = toExpression(operand);
  const question = { kind: 'assign', into, value: asked, isAsked: true } as const;
  const site = questionSite(lowering, part);
  round.sites.set(question, site);
  lowering.emit(question);
  const known = round.world.facts.valuesAt(site);
  if (known === undefined) {
    round.hasOpenQuestion = true;
    return lowering.end();
  }
  lowering.state.isTrunk = false;
  // A condition on the operand itself also bounds what is computed from it later.
  return { asked, known };
}

function assume(lowering: Lowering, test: '==' | '!=', asked: Expression, value: number): void {
  lowering.emit({ kind: 'assume', condition: binary(test, asked, constant(value)) });
}

/**
 * Performs the current instruction with a computed operand: `run` is called for each possible
 * value. Throws `refusal` if the values are unknown or too many.
 */
export function atEachValue(
  lowering: Lowering,
  operand: LoweredValue,
  part: string,
  refusal: Unsupported,
  run: (value: LoweredValue) => LoweredValue,
): LoweredValue {
  const { asked, known } = askValues(lowering, operand, part);
  if (known === 'any' || known.length > mostValues) throw refusal;
  return lowering.inEachWay(
    known.map((each) => (): LoweredValue => {
      assume(lowering, '==', asked, each);
      return run(numberValue(integerOfValue(each)));
    }),
  );
}

/**
 * Performs the current instruction at a computed address: `run` is called for each possible address
 * within an object. Other addresses are a fault. Throws `refusal` if the addresses are unknown, and
 * `Unsupported` if they are too many.
 */
export function atEachAddress(
  lowering: Lowering,
  address: LoweredValue,
  size: number,
  part: string,
  run: (address: LoweredValue) => LoweredValue,
  refusal = unknownAddress,
): LoweredValue {
  if (address.kind === 'number') return run(address);
  const { asked, known } = askValues(lowering, address, part);
  if (known === 'any') throw refusal();
  const { memory } = lowering.round.world.image;
  const right = known.filter((each) => memory.objectAt(each, size) !== undefined);
  if (right.length > mostValues)
    throw new Unsupported(
      `this access has ${right.length} possible addresses, and its meaning depends on the address`,
      `use at most ${mostValues} elements, or elements of a single size`,
    );
  const ways = right.map((each) => (): LoweredValue => {
    assume(lowering, '==', asked, each);
    return run(numberValue(integerOfValue(each)));
  });
  const outside = (): LoweredValue => {
    for (const each of right) assume(lowering, '!=', asked, each);
    return lowering.end({ kind: 'fault', reason: 'no-object' });
  };
  return lowering.inEachWay(right.length < known.length ? [...ways, outside] : ways);
}

/**
 * Ends executions in which the current access has a misaligned address, if some round of lowering
 * has found a misaligned address.
 */
function guardAlignment(lowering: Lowering, pointer: LoweredValue, alignment: number): void {
  if (pointer.kind === 'number' || alignment === 1) return;
  const site = questionSite(lowering);
  const { alignments, world } = lowering.round;
  alignments.set(site, alignment);
  if (!world.facts.isMisaligned(site)) return;
  const lowBits = binary('&', toExpression(pointer), constant(alignment - 1));
  lowering.guard(binary('==', lowBits, constant(0)), 'misaligned');
}

/**
 * Performs an access at a pointer; separately for each possible address if that was requested
 * (`Facts.ask`). The `alignment` is in bytes.
 */
export function atPointer(
  lowering: Lowering,
  pointer: LoweredValue,
  alignment = 1,
  access: (address: LoweredValue) => LoweredValue,
): LoweredValue {
  guardAlignment(lowering, pointer, alignment);
  const isAsked =
    pointer.kind !== 'number' && lowering.round.world.facts.isAsked(questionSite(lowering));
  return isAsked
    ? atEachAddress(lowering, pointer, 1, '', access, severalSizesAnywhere)
    : access(pointer);
}
