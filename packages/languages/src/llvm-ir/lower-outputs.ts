import { libraryAssumptions } from './assumed.js';
import { bitsOf } from './constants.js';
import { innermost, type OwnCell } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import { wholeValue } from './integer-pieces.js';
import { type Output, type PrintedValue, printing, type ThreadOutputs } from './outputs.js';
import { checkComputedText, isOwnText, requireConstantText } from './printed-texts.js';
import { type PrintfConversion, conversionsIn } from './printf-format.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { Origin } from '@fencewright/model/program/program.js';
import type { StepGraph } from './step.js';
import type { Typed } from './syntax.js';
import type { Refuse } from './thread-entry.js';
import { Unsupported } from './unsupported.js';
import { nothing, numberValue, type LoweredValue } from './value.js';
import { wrappedInteger } from './arithmetic.js';

/**
 * The maximum number of print calls that are counted per thread; further calls are distinguished by
 * place only.
 */
const mostCounted = 256;
/** The size in bytes of the cell for an output. */
const outputSize = 8;

/**
 * The outputs of a thread: printed values and results. Outputs are kept like memory that only this
 * thread accesses, so each is known at the thread's end on every path.
 */
export class OutputLowering implements ThreadOutputs {
  /**
   * The printed texts with addresses computed at run time, each with the place of the printing
   * call.
   */
  readonly #texts: { readonly address: Expression; readonly origin: Origin }[] = [];

  constructor(readonly lowering: Lowering) {}

  get #world() {
    return this.lowering.round.world;
  }

  mark(): () => void {
    const { length } = this.#texts;
    return () => {
      this.#texts.length = length;
    };
  }

  /** Prepares for a new thread, without any output so far. */
  begin(): void {
    this.#set(this.#counter, numberValue(0));
  }

  /** Records the operands of a printing function; calls of other functions have no effect. */
  called(name: string, operands: readonly Typed[]): void {
    const printed = printing.get(name);
    if (!printed) return;
    const { format, first, count } = printed;
    const last = count === undefined ? operands.length : first + count;
    const conversions = format === undefined ? undefined : this.#conversions(operands[format]);
    const values = operands.slice(0, last).flatMap((operand, i): readonly PrintedValue[] => {
      if (i < first && i !== format) return [];
      const { type } = operand;
      const known = i === format ? undefined : conversions?.[i - first];
      const isUnsigned = known?.isUnsigned ?? printed.isUnsigned === true;
      return [
        {
          index: i === format ? 'format' : i - first,
          shows: type.kind === 'pointer' ? (known?.shows ?? printed.shows) : 'number',
          ...(isUnsigned && type.kind === 'int' && { unsignedBits: type.bits }),
          value: printedValue(operand, this.lowering.value(operand)),
        },
      ];
    });
    this.print(values, last - first);
  }

  /** Records the values printed by one call; `of` is the number of values without the format. */
  print(values: readonly PrintedValue[], of: number): void {
    const { thread, state, origin } = this.lowering;
    const count = state.cells.get(this.#counter)?.value;
    const number = count?.kind === 'number' ? Number(count.number) : mostCounted;
    const isCounted = number < mostCounted;
    const { path, block, next } = innermost(state);
    const call = isCounted ? number : { line: origin.span?.start.line };
    const place = isCounted ? `${number}` : `${path}:${block}.${next}`;
    for (const { index, shows, unsignedBits, value } of values) {
      const output: Output = {
        ...{ kind: 'print', call, index, of, shows },
        ...(unsignedBits !== undefined && { unsignedBits }),
      };
      const address = this.#world.outputCell(thread, `${place} ${index} ${of}`, output);
      const isOwn = shows === 'text' && this.readText(value);
      this.#set(address, isOwn ? nothing : value);
    }
    if (isCounted) this.#set(this.#counter, numberValue(number + 1));
  }

  /**
   * Judges a text read by a function of C's library: no other thread may store to the text. Returns
   * whether this thread made the text; the letters of such a text are unknown.
   */
  readText(text: LoweredValue): boolean {
    const { round, thread } = this.lowering;
    if (text.kind === 'number' && isOwnText(round, thread, Number(text.number))) {
      this.#world.assumed.note(libraryAssumptions.ownTexts);
      return true;
    }
    this.#noteText(text);
    return false;
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

  /** Emits the values of cells accessed by this thread only and shown by final states. */
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
        (object?.lifetime === 'allocated' && !blocks.mayBeFreed(object.address));
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

/** An output, which has to be a single value. Throws `Unsupported` for structures. */
function givenValue(value: LoweredValue): LoweredValue {
  const whole = wholeValue(value);
  if (whole.kind !== 'parts') return whole;
  throw new Unsupported(
    'a structure is printed or returned here: an output has to be a single value',
    'output the fields one by one',
  );
}
