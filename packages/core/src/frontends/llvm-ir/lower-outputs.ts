import { bitsOf } from './constants.js';
import { innermost, type OwnCell } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import { type EndOfThread, type Output, printing } from './outputs.js';
import type { Typed } from './syntax.js';
import { numberValue, type Value } from './value.js';
import { wrapped } from './arithmetic.js';

/** Calls beyond these are told apart by their places only. */
const mostCounted = 256;
const outputSize = 8;

/**
 * What a thread gives to the outside, kept as if it were memory that the thread alone has: so it is
 * known at its end, whichever way control took.
 */
export class OutputLowering implements EndOfThread {
  constructor(readonly lowering: Lowering) {}

  get #world() {
    return this.lowering.round.world;
  }

  /** The thread begins: it has printed nothing. */
  begin(): void {
    this.#set(this.#counter, numberValue(0));
  }

  /** A function of the library is called. */
  called(name: string, operands: readonly Typed[]): void {
    const printed = printing.get(name);
    if (!printed) return;
    const { thread, state, origin } = this.lowering;
    const count = state.cells.get(this.#counter)?.value;
    const number = count?.kind === 'number' ? Number(count.number) : mostCounted;
    const isCounted = number < mostCounted;
    const { path, block, next } = innermost(state);
    const call = isCounted ? number : { line: origin.span?.start.line };
    const place = isCounted ? `${number}` : `${path}:${block}.${next}`;
    const { format, first } = printed;
    const last = name.startsWith('fputs') ? first + 1 : operands.length;
    operands.slice(0, last).forEach((operand, i) => {
      if (i < first && i !== format) return;
      const index = i === format ? 'format' : i - first;
      const isText = operand.type.kind === 'pointer';
      const output: Output = { kind: 'print', call, index, of: last - first, isText };
      const address = this.#world.outputCell(thread, `${place} ${index} ${last - first}`, output);
      this.#set(address, asWord(operand, this.lowering.value(operand)));
    });
    if (isCounted) this.#set(this.#counter, numberValue(number + 1));
  }

  /** The thread, or `main`, returns a value, or ends the process with it. */
  ended(kind: 'return' | 'exit', value: Value): void {
    const { thread } = this.lowering;
    this.#set(this.#world.outputCell(thread, kind, { kind }), value);
  }

  /** What the thread alone has, and is looked at in final states. */
  observe(): void {
    const { round, state, thread } = this.lowering;
    const { blocks, facts, image } = round.world;
    const cells = new Map<number, OwnCell>();
    for (const [address, cell] of state.cells) {
      const isOutput = round.world.outputs.has(address);
      const object = isOutput ? undefined : image.memory.objectAt(address, 1);
      const isKept =
        object?.lifetime === 'static' ||
        // The main thread may still look at what it has given to others.
        (object?.lifetime === 'main' && thread !== 0) ||
        (object?.lifetime === 'allocated' && !blocks.isGivenBack(object.address));
      const isStored = facts.storesAlone(thread, address, cell.size);
      if (isOutput || (isKept && isStored)) cells.set(address, cell);
    }
    if (cells.size > 0) this.lowering.emit({ kind: 'observe', cells });
  }

  get #counter(): number {
    const { thread } = this.lowering;
    const { address } = this.#world.object(`printed ${thread}`, 'printed', outputSize);
    this.#world.counters.add(address);
    return address;
  }

  #set(address: number, value: Value): void {
    this.lowering.state.cells.set(address, { size: outputSize, value });
  }
}

/** A number with the sign that its type gives it. */
function asWord({ type }: Typed, value: Value): Value {
  if (value.kind !== 'number' || type.kind !== 'int') return value;
  return numberValue(wrapped(value.number, bitsOf(type)));
}
