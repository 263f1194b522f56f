import { bitsOf } from './constants.js';
import { innermost, type OwnCell } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import { wholeValue } from './integer-pieces.js';
import { type EndOfThread, type Output, printing } from './outputs.js';
import { checkComputedText, requireConstantText } from './printed-texts.js';
import { type PrintfConversion, conversionsIn } from './printf-format.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { Origin } from '@fencewright/model/program/program.js';
import type { StepGraph } from './step.js';
import type { Typed } from './syntax.js';
import type { Refuse } from './thread-entry.js';
import { Unsupported } from './unsupported.js';
import { nothing, numberValue, type LoweredValue } from './value.js';
import { wrappedInteger } from './arithmetic.js';

/** The number of print calls counted per thread; further calls are distinguished by place only. */
const mostCounted = 256;
/** The size in bytes of the cell for an output. */
const outputSize = 8;

/**
 * The outputs of a thread: printed values and results. Outputs are kept like memory that the thread
 * alone accesses, so each is known at the thread's end on every path.
 */
export class OutputLowering implements EndOfThread {
  /** Printed texts with computed addresses. */
  readonly #texts: { readonly address: Expression; readonly origin: Origin }[] = [];

  constructor(readonly lowering: Lowering) {}

  get #world() {
    return this.lowering.round.world;
  }

  /** Prepares for a new thread, without any output so far. */
  begin(): void {
    this.#set(this.#counter, numberValue(0));
  }

  /** Records the operands of a printing function; calls of other functions have no effect. */
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
    const conversions = format === undefined ? undefined : this.#conversions(operands[format]);
    operands.slice(0, last).forEach((operand, i) => {
      if (i < first && i !== format) return;
      const index = i === format ? 'format' : i - first;
      const known = i === format ? undefined : conversions?.[i - first];
      const shows =
        operand.type.kind === 'pointer' ? (known?.shows ?? printed.shows) : ('number' as const);
      const isUnsigned = known?.isUnsigned ?? printed.isUnsigned === true;
      const output: Output = {
        ...{ kind: 'print', call, index, of: last - first, shows },
        ...(isUnsigned && operand.type.kind === 'int' && { unsignedBits: operand.type.bits }),
      };
      const address = this.#world.outputCell(thread, `${place} ${index} ${last - first}`, output);
      const value = printedValue(operand, this.lowering.value(operand));
      if (shows === 'text') this.#noteText(value);
      this.#set(address, value);
    });
    if (isCounted) this.#set(this.#counter, numberValue(number + 1));
  }

  /** The conversions of a format string; `undefined` if the format is unknown. */
  #conversions(format: Typed | undefined): readonly PrintfConversion[] | undefined {
    const address = format && this.lowering.value(format);
    if (address?.kind !== 'number') return undefined;
    const { memory } = this.#world.image;
    return memory.objectAt(Number(address.number), 1)?.isConstant
      ? conversionsIn(memory.text(Number(address.number)))
      : undefined;
  }

  #noteText(value: LoweredValue): void {
    const { origin, round } = this.lowering;
    if (value.kind === 'number') requireConstantText(round, Number(value.number));
    else if (value.kind === 'expression') this.#texts.push({ address: value.expression, origin });
  }

  /**
   * The graph, unchanged. Refuses printed texts with computed addresses unless each is a text that
   * no thread stores to.
   */
  withTextsJudged(graph: StepGraph, refuse: Refuse): StepGraph {
    for (const { address, origin } of this.#texts)
      try {
        checkComputedText(this.lowering.round, graph, address);
      } catch (problem) {
        if (!(problem instanceof Unsupported)) throw problem;
        refuse(origin, problem.message, problem.hint);
      }
    return graph;
  }

  /** Records the result of the thread, or the exit status of the process. */
  ended(kind: 'return' | 'exit', value: LoweredValue): void {
    const { thread } = this.lowering;
    this.#set(this.#world.outputCell(thread, kind, { kind }), givenValue(value));
  }

  /** Emits the values of the cells that final states show and that the thread alone accesses. */
  observe(): void {
    const { round, state, thread } = this.lowering;
    const { blocks, facts, image } = round.world;
    const cells = new Map<number, OwnCell>();
    for (const [address, cell] of state.cells) {
      const isOutput = round.world.outputs.has(address);
      const object = isOutput ? undefined : image.memory.objectAt(address, 1);
      const isKept =
        object?.lifetime === 'static' ||
        // The main thread may read its locals after the end of other threads.
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

  #set(address: number, value: LoweredValue): void {
    this.lowering.state.cells.set(address, { size: outputSize, value });
  }
}

/** The printed value; an integer has the sign of its type. */
function printedValue({ type, value: operand }: Typed, printed: LoweredValue): LoweredValue {
  if (type.kind === 'other' && operand.kind !== 'other')
    throw new Unsupported(
      'a computed floating-point number is printed: floating-point arithmetic has no model',
      'print integers',
    );
  if (type.kind === 'other') return nothing;
  const value = givenValue(printed);
  if (value.kind !== 'number' || type.kind !== 'int') return value;
  return numberValue(wrappedInteger(value.number, bitsOf(type)));
}

/** An output as a single value. Throws `Unsupported` for structures. */
function givenValue(value: LoweredValue): LoweredValue {
  const whole = wholeValue(value);
  if (whole.kind !== 'parts') return whole;
  throw new Unsupported(
    'a structure is printed or returned here: an output has to be a single value',
    'output the fields one by one',
  );
}
