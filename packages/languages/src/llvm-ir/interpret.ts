import { at } from '@fencewright/ground/base/at.js';
import { compare, compute, converted, modified, unsigned, wrappedInteger } from './arithmetic.js';
import {
  checkCut,
  checkPiece,
  checkPlaces,
  type PlacesCheck,
  pointerBits,
} from './address-numbers.js';
import { choiceOfCode, choiceOfCodes, codesOfChoice } from './choice-needed.js';
import { notKnown, type Computed } from './computed.js';
import { bitsOf, constantOf, elementOffset } from './constants.js';
import { shownName, type Image } from './image.js';
import { computeFloat } from './float-arithmetic.js';
import type { IrFunction, IrInstruction, IrType, IrValue, Typed, IrOperationOf } from './syntax.js';
import { InterpretedExceptions } from './interpret-exceptions.js';
import { assemblyRefused } from './lift-assembly.js';
import type { MemoryObject } from './memory.js';
import { chosenPhis } from './phis.js';
import { isOnlyAccessed } from './pointer-origins.js';
import { unknownInstruction, Unsupported, withoutBody } from './unsupported.js';

/**
 * The effect of a function without a body: it returns a value, or the run stops before the call.
 */
export type HostAnswer =
  { readonly kind: 'value'; readonly value?: Computed } | { readonly kind: 'stop' };

/** Answers calls of functions without a body; returns `undefined` for unknown functions. */
export type HostCall = (name: string, operands: readonly Computed[]) => HostAnswer | undefined;

/** The reason for the end of a run, with the result of a completed run. */
type RunOutcome =
  | { readonly kind: 'returned'; readonly value: Computed }
  /** The run stopped at this call, as the answer to the call demanded. */
  | { readonly kind: 'stopped'; readonly at: IrInstruction }
  /** The run exceeded its maximum number of steps. */
  | { readonly kind: 'limit'; readonly at: IrInstruction }
  | {
      readonly kind: 'refused';
      readonly at: IrInstruction;
      readonly message: string;
      readonly hint?: string;
    };

/** A call of a function that is in progress in the interpreter. */
export interface Activation {
  readonly of: IrFunction;
  readonly locals: ReadonlyMap<string, Computed>;
  /** The index, in the called function, of the block that is being executed. */
  readonly block: number;
  /** The label of the block from which control came to the current block of the call. */
  readonly previous: string;
  /**
   * The index in the block of the next instruction of the call, or of the instruction whose call is
   * in progress.
   */
  readonly next: number;
}

interface InterpreterFrame extends Activation {
  readonly locals: Map<string, Computed>;
  /**
   * The unreferenced locals of the call (no pointer to the local exists), with the instructions
   * that made the locals.
   */
  readonly hidden: [IrInstruction, MemoryObject][];
  /** By label, the index of the block in the called function. */
  readonly labels: ReadonlyMap<string, number>;
  block: number;
  previous: string;
  next: number;
}

function instructionAt({ of, block, next }: Activation): IrInstruction {
  return at(at(of.blocks, block).instructions, next);
}

/** The number of copied or set bytes counted as one step of a run. */
const bytesOfStep = 16;
/** The maximum depth of nested calls. */
const deepest = 1000;

/**
 * Runs a function as a single thread, with the integers of C on x86-64, exactly. The run changes
 * the memory of the image.
 */
export class IrInterpreter {
  readonly #frames: InterpreterFrame[] = [];
  readonly exceptions: InterpretedExceptions;
  /**
   * By instruction that makes locals, the locals of ended calls to which no pointer exists any
   * more.
   */
  readonly #free = new Map<IrInstruction, MemoryObject[]>();
  /** By instruction that makes a local, whether the local's address is used for accesses only. */
  readonly #isHidden = new Map<IrInstruction, boolean>();
  #result: { readonly value: Computed } | undefined;

  constructor(
    readonly image: Image,
    readonly host: HostCall,
    /**
     * Called for each executed call, with the called function, the calling function and the
     * instruction.
     */
    readonly watch: (of: IrFunction, by: IrFunction, call: IrInstruction) => void = () => undefined,
    /** Called for each executed instruction, with the function around the instruction. */
    readonly onStep: (of: IrFunction, instruction: IrInstruction) => void = () => undefined,
    /** Refuses operations on addresses whose results depend on the memory layout. */
    readonly placesCheck: PlacesCheck = checkPlaces,
  ) {
    this.exceptions = new InterpretedExceptions(this.#asRun());
  }

  #asRun(): InterpretedExceptions['run'] {
    const frames = this.#frames;
    return {
      image: this.image,
      get instructions() {
        return frames.map((frame) => [frame.of, instructionAt(frame)] as const);
      },
      number: (typed) => this.#number(typed),
      leave: () => this.#frames.pop(),
      jump: (to) => {
        this.#jump(frames.at(-1)!, to);
      },
      enter: (of, operands) => {
        this.#enter(of, operands);
      },
      finish: (value) => {
        this.#finish(value);
      },
    };
  }

  /** The calls that the interpreter is executing, the outermost first. */
  get activations(): readonly Activation[] {
    return this.#frames;
  }

  /**
   * Runs `start` with the arguments for at most `steps` instructions. An instruction that copies or
   * sets many bytes counts as several.
   */
  run(start: IrFunction, operands: readonly Computed[], steps: number): RunOutcome {
    const { memory } = this.image;
    const before = memory.moved;
    this.#enter(start, operands);
    for (let taken = 0; ; taken++) {
      const frame = this.#frames.at(-1)!;
      const instruction = instructionAt(frame);
      if (taken + (memory.moved - before) / bytesOfStep >= steps)
        return { kind: 'limit', at: instruction };
      this.onStep(frame.of, instruction);
      try {
        if (this.#step(frame, instruction) === 'stop') return { kind: 'stopped', at: instruction };
      } catch (problem) {
        if (!(problem instanceof Unsupported)) throw problem;
        const { message, hint } = problem;
        return { kind: 'refused', at: instruction, message, ...(hint !== undefined && { hint }) };
      }
      if (this.#result) return { kind: 'returned', value: this.#result.value };
    }
  }

  #enter(of: IrFunction, operands: readonly Computed[]): void {
    if (this.#frames.length >= deepest)
      throw new Unsupported(`calls are nested too deeply in '${of.name}'`);
    const locals = new Map(
      of.parameters.map(({ name, byValue }, i) => {
        const operand = operands[i];
        return [name, byValue ? this.#copied(byValue, operand, name) : operand];
      }),
    );
    const labels = new Map(of.blocks.map(({ label }, i) => [label, i]));
    this.#frames.push({ of, locals, hidden: [], labels, block: 0, previous: '', next: 0 });
  }

  /** The address of a copy of the memory at `from`, for a parameter passed by value. */
  #copied(type: IrType, from: Computed, name: string): Computed {
    if (typeof from !== 'bigint') throw notKnown(from);
    const { layout, memory } = this.image;
    const size = layout.sizeOf(type);
    const { address } = memory.allocate(name, size, layout.alignmentOf(type), { type });
    memory.copy(address, Number(from), size);
    return BigInt(address);
  }

  #step(frame: InterpreterFrame, instruction: IrInstruction): 'stop' | undefined {
    const { operation } = instruction;
    switch (operation.kind) {
      case 'jump':
        this.#jump(frame, operation.to);
        return;
      case 'branch': {
        const condition = this.#number({
          type: { kind: 'int', bits: 1 },
          value: operation.condition,
        });
        this.#jump(frame, condition === 0n ? operation.otherwise : operation.then);
        return;
      }
      case 'switch': {
        const { on, cases, otherwise } = operation;
        const number = this.#number(on);
        const chosen = cases.find(({ value }) => this.#number({ type: on.type, value }) === number);
        this.#jump(frame, chosen?.to ?? otherwise);
        return;
      }
      case 'return':
        this.#return(operation.value && this.#value(operation.value));
        return;
      case 'call':
        return this.#call(frame, operation, instruction);
      case 'landing':
        this.#finish(this.exceptions.landed);
        return;
      case 'resume': {
        const exception = this.#value(operation.exception);
        const [address] = Array.isArray(exception) ? (exception as readonly Computed[]) : [];
        if (typeof address !== 'bigint') throw notKnown(address);
        this.exceptions.resume(Number(address));
        return;
      }
      case 'unreachable':
        throw new Unsupported('control reaches code that must never run');
      default: {
        this.#finish(this.#compute(instruction, frame.of.name));
      }
    }
  }

  /** Sets the result of the current instruction and moves on to the next instruction. */
  #finish(value: Computed): void {
    const frame = this.#frames.at(-1)!;
    const { result } = instructionAt(frame);
    if (result !== undefined) frame.locals.set(result, value);
    frame.next += 1;
  }

  #jump(frame: InterpreterFrame, to: string): void {
    const block = frame.labels.get(to);
    if (block === undefined) throw new Unsupported(`there is no label '${to}'`);
    frame.previous = at(frame.of.blocks, frame.block).label;
    frame.block = block;
    frame.next = 0;
    const { instructions } = at(frame.of.blocks, block);
    const phis = chosenPhis(instructions, frame.previous, (typed) => this.#value(typed));
    for (const { result, value } of phis) if (result !== undefined) frame.locals.set(result, value);
    frame.next = phis.length;
  }

  #return(value: Computed): void {
    for (const [made, object] of this.#frames.pop()!.hidden)
      this.#free.set(made, [...(this.#free.get(made) ?? []), object]);
    const caller = this.#frames.at(-1);
    if (!caller) {
      this.#result = { value };
      return;
    }
    this.#finish(value);
  }

  #call(
    frame: InterpreterFrame,
    operation: IrOperationOf<'call'>,
    instruction: IrInstruction,
  ): 'stop' | undefined {
    const { callee, operands } = operation;
    if (callee.kind === 'assembly') throw assemblyRefused(callee);
    const of = this.#callee(callee);
    this.watch(of, frame.of, instruction);
    if (this.exceptions.call(of.name, operation)) return;
    const values = operands.map((operand) => this.#value(operand));
    if (of.blocks.length > 0) {
      this.#enter(of, values);
      return;
    }
    const answer = this.host(of.name, values);
    if (!answer) throw withoutBody(of.name, 'link the file that defines the function');
    if (answer.kind === 'stop') return 'stop';
    this.#finish(answer.value);
  }

  #callee(callee: IrValue): IrFunction {
    const { module, functionAt } = this.image;
    const found =
      callee.kind === 'global'
        ? module.functions.get(callee.name)
        : functionAt(this.#address(callee));
    if (!found) throw new Unsupported('the called address is not a function of the program');
    return found;
  }

  #compute(instruction: IrInstruction, within: string): Computed {
    const { operation, result, variable } = instruction;
    const { memory, module } = this.image;
    switch (operation.kind) {
      case 'binary': {
        const { type, left, right } = operation;
        const [a, b] = [this.#number({ type, value: left }), this.#number({ type, value: right })];
        this.placesCheck(memory, operation.operation, bitsOf(type), a, b);
        return compute(operation.operation, bitsOf(type), a, b, operation.isSignedOnly);
      }
      case 'compare': {
        const { type, left, right, relation } = operation;
        const [a, b] = [this.#number({ type, value: left }), this.#number({ type, value: right })];
        this.placesCheck(memory, relation, bitsOf(type), a, b);
        return compare(relation, bitsOf(type), a, b) ? 1n : 0n;
      }
      case 'cast': {
        const { from, to } = operation;
        const number = this.#number(from);
        checkCut(memory, number, bitsOf(from.type), bitsOf(to));
        return converted(operation.operation, number, bitsOf(from.type), bitsOf(to));
      }
      case 'float':
        return computeFloat(memory, operation, this.#numbers(operation.operands));
      case 'alloca':
        return this.#local(instruction, operation, shownName(module, result ?? within, variable));
      case 'load':
        return this.#load(operation.type, this.#address(operation.address));
      case 'store':
        this.#store(
          operation.from.type,
          this.#address(operation.address),
          this.#value(operation.from),
        );
        return undefined;
      case 'exchange-if': {
        const { type } = operation.expected;
        const address = this.#address(operation.address);
        const old = this.#loadNumber(type, address);
        const isSame = old === this.#number(operation.expected);
        if (isSame) this.#store(type, address, this.#number({ type, value: operation.desired }));
        return [old, isSame ? 1n : 0n];
      }
      case 'modify': {
        const { type } = operation.operand;
        const address = this.#address(operation.address);
        const old = this.#loadNumber(type, address);
        const operand = this.#number(operation.operand);
        if (operation.operation !== 'xchg')
          this.placesCheck(memory, operation.operation, bitsOf(type), old, operand);
        this.#store(type, address, modified(operation.operation, bitsOf(type), old, operand));
        return old;
      }
      case 'fence':
        return undefined;
      case 'element':
        return this.#element(operation);
      case 'select':
        return this.#selected(operation);
      case 'extract': {
        const pair = this.#value(operation.from);
        if (!Array.isArray(pair)) throw new Unsupported('a value is no pair');
        return (pair as readonly Computed[])[operation.index];
      }
      case 'insert':
        return this.#inserted(operation);
      case 'join':
        return this.#joined(operation);
      case 'unknown':
        throw unknownInstruction(operation.name);
      default:
        throw new Unsupported('an instruction stands in a wrong place');
    }
  }

  #element({ source, operands }: IrOperationOf<'element'>): Computed {
    const { memory, layout } = this.image;
    const [pointer, ...indices] = operands;
    if (!pointer) throw new Unsupported('an instruction is not well-formed');
    const start = this.#number(pointer);
    if (source.kind === 'named')
      memory.noteStructure(Number(start), { name: source.name, size: layout.sizeOf(source) });
    const distance = elementOffset(memory, layout, source, this.#numbers(indices));
    this.placesCheck(memory, 'add', pointerBits, start, distance);
    return start + distance;
  }

  #selected({ type, condition, then, otherwise }: IrOperationOf<'select'>): Computed {
    const test = this.#number({ type: { kind: 'int', bits: 1 }, value: condition });
    return this.#value({ type, value: test === 0n ? otherwise : then });
  }

  #joined({ low, high }: IrOperationOf<'join'>): bigint {
    const bits = bitsOf(low.type);
    const upper = this.#number(high) << BigInt(bits);
    return wrappedInteger(upper | unsigned(this.#number(low), bits), 2 * bits);
  }

  /** Returns the address of a new local, created by an `alloca`. */
  #local(
    instruction: IrInstruction,
    { type, count, alignment }: IrOperationOf<'alloca'>,
    name: string,
  ): bigint {
    const { image } = this;
    const { layout, memory } = image;
    const { result, variable } = instruction;
    const { of, hidden } = this.#frames.at(-1)!;
    const size = layout.sizeOf(type) * (count ? Number(this.#number(count)) : 1);
    const what = {
      ...{ type, variable, lifetime: 'main' as const },
      ...(of.name !== 'main' && { owner: 0 }),
    };
    const isHidden =
      this.#isHidden.get(instruction) ??
      (!count && result !== undefined && isOnlyAccessed(of, result));
    this.#isHidden.set(instruction, isHidden);
    // No pointer to a hidden local outlives its call, so the next call may use its addresses.
    const object =
      this.#free.get(instruction)?.pop() ??
      memory.allocate(name, size, alignment ?? layout.alignmentOf(type), what);
    if (isHidden) hidden.push([instruction, object]);
    if (!count) image.makeAgain(object);
    return BigInt(object.address);
  }

  #inserted({ into, element, index }: IrOperationOf<'insert'>): Computed {
    const whole = this.#value(into);
    const parts = Array.isArray(whole) ? [...(whole as readonly Computed[])] : [];
    parts[index] = this.#value(element);
    return parts;
  }

  #load(type: IrType, address: number): Computed {
    const { layout, memory } = this.image;
    const parts = layout.partsOf(type);
    if (parts) return parts.map((part) => this.#load(part.type, address + part.offset));
    bitsOf(type);
    const bytes = memory.bytes(address, layout.accessSizeOf(type));
    const chosen = choiceOfCodes(bytes);
    if (chosen !== undefined) return { chosen };
    if (bytes.some((byte) => choiceOfCode(byte) !== undefined)) return { bytes };
    if (bytes.includes(undefined) && bytes.some((byte) => byte !== undefined)) return { bytes };
    return this.#loadNumber(type, address);
  }

  #loadNumber(type: IrType, address: number): bigint {
    const { layout, memory } = this.image;
    const size = layout.accessSizeOf(type);
    checkPiece(memory, address, size);
    return wrappedInteger(memory.load(address, size), bitsOf(type));
  }

  #store(type: IrType, address: number, value: Computed): void {
    const parts = this.image.layout.partsOf(type);
    if (parts) {
      const values = Array.isArray(value) ? (value as readonly Computed[]) : [];
      for (const [i, part] of parts.entries())
        this.#store(part.type, address + part.offset, values[i]);
      return;
    }
    if (typeof value === 'object' && 'bytes' in value) {
      this.image.memory.setBytes(address, value.bytes);
      return;
    }
    const size = this.image.layout.accessSizeOf(type);
    if (typeof value === 'object' && 'chosen' in value) {
      this.image.memory.setBytes(address, codesOfChoice(value.chosen, size));
      return;
    }
    if (value === undefined) {
      // `undef`: an argument, for example, that a call of a variadic function leaves out.
      this.image.memory.setBytes(address, Array<undefined>(size).fill(undefined));
      return;
    }
    if (typeof value !== 'bigint') throw new Unsupported('an uninitialised value is stored');
    this.image.memory.store(address, size, value);
  }

  #address(value: IrValue): number {
    return Number(this.#number({ type: { kind: 'pointer' }, value }));
  }

  #numbers(operands: readonly Typed[]): readonly bigint[] {
    return operands.map((operand) => this.#number(operand));
  }

  #number(typed: Typed): bigint {
    const value = this.#value(typed);
    if (typeof value !== 'bigint') throw notKnown(value);
    return value;
  }

  #value(typed: Typed): Computed {
    const { type, value } = typed;
    if (value.kind === 'undefined') return undefined;
    if (value.kind === 'aggregate') return value.elements.map((element) => this.#value(element));
    if (value.kind === 'zero') {
      const parts = this.image.layout.partsOf(type);
      if (parts) return parts.map((part) => this.#value({ type: part.type, value }));
    }
    if (value.kind !== 'local') {
      const { memory, layout, addressOf } = this.image;
      return constantOf(memory, layout, addressOf, typed);
    }
    const { locals } = this.#frames.at(-1)!;
    if (!locals.has(value.name)) throw new Unsupported(`'%${value.name}' has no value here`);
    return locals.get(value.name);
  }
}
