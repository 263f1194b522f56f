import type { KnownContext } from './known-function.js';
import type { Lowering } from './lowering.js';
import type { PrintedValue } from './outputs.js';
import { conversionsIn, type PrintfConversion } from './printf-format.js';
import { Unsupported } from './unsupported.js';
import { nothing, numberValue, type LoweredValue } from './value.js';

/** The distance of the pointer to the arguments in memory from the start of a `va_list`. */
const areaOffset = 8;
/** The number of bytes in memory of an argument other than a structure. */
const argumentSize = 8;

const hint = 'call printf or snprintf itself';

/** Returns the conversions of a format whose address is given. Throws `Unsupported`. */
function conversionsAt({ round }: Lowering, format: LoweredValue): readonly PrintfConversion[] {
  const { memory } = round.world.image;
  const address = format.kind === 'number' ? Number(format.number) : undefined;
  const isKnown = address !== undefined && memory.objectAt(address, 1)?.isConstant === true;
  const conversions = isKnown ? conversionsIn(memory.text(address)) : undefined;
  if (conversions) return conversions;
  throw new Unsupported('the format of a call with a list of arguments is not known here', hint);
}

/**
 * Returns the values that a function of C's library formats: the arguments of a `va_list` from its
 * present position on. Throws `Unsupported` if format or list is unknown.
 */
function formattedValues(
  { lowering, memory }: KnownContext,
  format: LoweredValue,
  list: LoweredValue,
): readonly PrintedValue[] {
  const conversions = conversionsAt(lowering, format);
  const plain = { access: 'plain' } as const;
  const unknown = (): Unsupported =>
    new Unsupported('the position in a list of arguments is not known here', hint);
  if (list.kind !== 'number') throw unknown();
  const at = numberValue(Number(list.number) + areaOffset);
  const area = memory.load({ kind: 'pointer' }, at, plain, '.area');
  return conversions.map(({ shows, isUnsigned, type }, index) => {
    if (area.kind !== 'number') throw unknown();
    const address = numberValue(Number(area.number) + argumentSize * index);
    const loaded = memory.load(type, address, plain, `.argument${index}`);
    // A number of floating point that is no constant may be rounded differently.
    if (type.kind === 'other' && loaded.kind !== 'number')
      throw new Unsupported(
        'a computed floating-point number is printed: floating-point arithmetic has no model',
        'print integers',
      );
    return {
      ...{ index, shows, value: type.kind === 'other' ? nothing : loaded },
      ...(isUnsigned && type.kind === 'int' && { unsignedBits: type.bits }),
    };
  });
}

/** Records what `vprintf` and its like print. */
export function printList(context: KnownContext, format: LoweredValue, list: LoweredValue): void {
  const values = formattedValues(context, format, list);
  const { outputs } = context.lowering;
  outputs.print([{ index: 'format', shows: 'text', value: format }, ...values], values.length);
}

/** Judges the texts read by `vsnprintf`. The text written by `vsnprintf` is unknown. */
export function readList(context: KnownContext, format: LoweredValue, list: LoweredValue): void {
  for (const { shows, value } of formattedValues(context, format, list))
    if (shows === 'text') context.lowering.outputs.readText(value);
}
