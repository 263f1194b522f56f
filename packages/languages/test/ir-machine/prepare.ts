import type {
  IrFunction,
  IrInstruction,
  IrOperation,
  IrType,
  IrValue,
  Typed,
} from '../../src/llvm-ir/syntax.js';
import type { Code, Edge, Op, Operand } from './code.js';
import { bitsOf, type Constants, stepInto } from './constant.js';
import { readAssembly } from './assembly.js';
import { liveRegisters } from './live.js';
import { stepsOf } from './assembly-op.js';
import { NotKnown } from './stop.js';
import { toSigned, type Value } from './value.js';

type Kind<K extends IrOperation['kind']> = Extract<IrOperation, { readonly kind: K }>;

/** Compiles a function to ops over registers. */
export function prepare(fn: IrFunction, id: number, constants: Constants): Code {
  return new Preparation(fn, constants).code(id);
}

/**
 * Returns the locals that are only loaded and stored as a whole: only their function accesses them,
 * so they become registers.
 */
function plainLocals(fn: IrFunction): ReadonlySet<string> {
  const shapes = new Map<string, string>();
  const all = fn.blocks.flatMap(({ instructions }) => instructions);
  for (const { operation, result } of all)
    if (operation.kind === 'alloca' && !operation.count && result !== undefined)
      shapes.set(result, JSON.stringify(operation.type));
  const isSame = (value: IrValue, type: IrType): boolean =>
    value.kind === 'local' && shapes.get(value.name) === JSON.stringify(type);
  for (const { operation } of all)
    for (const value of operandsOf(operation)) {
      if (value.kind !== 'local' || !shapes.has(value.name)) continue;
      const isWhole =
        (operation.kind === 'load' && isSame(value, operation.type)) ||
        (operation.kind === 'store' &&
          value === operation.address &&
          operation.from.value !== value &&
          isSame(value, operation.from.type));
      if (!isWhole) shapes.delete(value.name);
    }
  return new Set(shapes.keys());
}

/** Returns all values in an operation, nested ones included. */
function operandsOf(operation: IrOperation): readonly IrValue[] {
  const found: IrValue[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('kind' in part && part.kind === 'local') found.push(part as IrValue);
    else for (const inner of Object.values(part)) visit(inner);
  };
  visit(operation);
  return found;
}

/** Whether the statement behind a label is a thread, in CBMC's dialect. */
function startsThread(label: string): boolean {
  return label.startsWith('__CPROVER_ASYNC_');
}

function isCallOfProgram({ operation }: IrInstruction): boolean {
  if (operation.kind !== 'call') return false;
  return operation.callee.kind !== 'global' || !operation.callee.name.startsWith('llvm.');
}

class Preparation {
  readonly #registers = new Map<string, number>();
  readonly #constants: Value[] = [];
  readonly #plain: ReadonlySet<string>;
  readonly #starts = new Map<string, number>();

  constructor(
    readonly fn: IrFunction,
    readonly constants: Constants,
  ) {
    this.#plain = plainLocals(fn);
  }

  code(id: number): Code {
    const { fn } = this;
    const parameters = fn.parameters.map(({ name, byValue }) => ({
      register: this.#register(name),
      copied: byValue ? this.constants.types.layout(byValue).size : 0,
    }));
    // The first pass finds the starts of the blocks: an instruction may become several ops.
    let next = 0;
    for (const { label, instructions } of fn.blocks) {
      this.#starts.set(label, next);
      next += instructions.flatMap((each) => this.#opsOf(each, label)).length;
      if (startsThread(label)) next += 1;
    }
    const ops: Op[] = [];
    const threads: { readonly at: number; readonly behind: number }[] = [];
    for (const { label, instructions } of fn.blocks) {
      const at = ops.length;
      if (startsThread(label)) {
        const call = instructions.findIndex(isCallOfProgram);
        if (call < 0) throw new Error(`no call behind ${label}`);
        const statement = instructions.slice(0, call + 1);
        threads.push({
          at,
          behind: at + 1 + statement.flatMap((each) => this.#opsOf(each, label)).length,
        });
        ops.push({ kind: 'unreachable' });
      }
      ops.push(...instructions.flatMap((each) => this.#opsOf(each, label)));
    }
    const common = {
      ...{ name: fn.name, registers: this.#registers.size, constants: this.#constants },
    };
    for (const { at, behind } of threads) {
      const alone = ops.with(behind, { kind: 'return' });
      const code = { ...common, parameters: [], ops: alone, live: liveRegisters(alone) };
      const statement = { ...code, id: -(id * 1000 + at + 1) };
      ops[at] = { kind: 'thread', statement, first: at + 1, behind };
    }
    return { ...common, id, parameters, ops, live: liveRegisters(ops) };
  }

  #register(name: string): number {
    const known = this.#registers.get(name) ?? this.#registers.size;
    this.#registers.set(name, known);
    return known;
  }

  #operand(type: IrType, value: IrValue): Operand {
    if (value.kind === 'local') return this.#register(value.name);
    this.#constants.push(this.constants.value(type, value));
    return -this.#constants.length;
  }

  #typed({ type, value }: Typed): Operand {
    return this.#operand(type, value);
  }

  #pointer(value: IrValue): Operand {
    return this.#operand({ kind: 'pointer' }, value);
  }

  #opsOf({ operation, result }: IrInstruction, label: string): readonly Op[] {
    if (operation.kind === 'phi') return [];
    const out = result === undefined ? -1 : this.#register(result);
    try {
      if (operation.kind === 'call' && operation.callee.kind === 'assembly')
        return this.#assembly(operation, out);
      return [
        this.#computing(operation, out, result) ??
          this.#accessing(operation, out) ??
          this.#leaving(operation, label, out),
      ];
    } catch (failure) {
      if (failure instanceof NotKnown) return [{ kind: 'not-known', what: failure.message }];
      throw failure;
    }
  }

  #computing(operation: IrOperation, out: number, result: string | undefined): Op | undefined {
    const { types } = this.constants;
    switch (operation.kind) {
      case 'binary': {
        const { type, operation: name, isSignedOnly: noOverflow } = operation;
        const [left, right] = [
          this.#operand(type, operation.left),
          this.#operand(type, operation.right),
        ];
        return {
          kind: 'binary',
          name,
          bits: bitsOf(types.shape(type)),
          noOverflow,
          left,
          right,
          out,
        };
      }
      case 'compare': {
        const { type, relation } = operation;
        const [left, right] = [
          this.#operand(type, operation.left),
          this.#operand(type, operation.right),
        ];
        return { kind: 'compare', relation, bits: bitsOf(types.shape(type)), left, right, out };
      }
      case 'cast': {
        const [fromBits, toBits] = [operation.from.type, operation.to].map((type) =>
          bitsOf(types.shape(type)),
        );
        const from = this.#typed(operation.from);
        return {
          kind: 'cast',
          name: operation.operation,
          from,
          fromBits: fromBits!,
          toBits: toBits!,
          out,
        };
      }
      case 'alloca': {
        // A register without a value until something is stored.
        if (this.#plain.has(result ?? '')) return { kind: 'copy', from: this.#unset(), out };
        const { size, align } = types.layout(operation.type);
        const count = operation.count ? this.#typed(operation.count) : this.#one();
        return { kind: 'room', size, align, count, out };
      }
      case 'element':
        return this.#element(operation, out);
      case 'select': {
        const condition = this.#operand({ kind: 'int', bits: 1 }, operation.condition);
        const then = this.#operand(operation.type, operation.then);
        return {
          kind: 'select',
          condition,
          then,
          otherwise: this.#operand(operation.type, operation.otherwise),
          out,
        };
      }
      case 'extract':
        return { kind: 'extract', from: this.#typed(operation.from), index: operation.index, out };
      case 'insert': {
        const shape = types.shape(operation.into.type);
        const length = shape.kind === 'parts' ? shape.parts.length : 0;
        const [into, element] = [this.#typed(operation.into), this.#typed(operation.element)];
        return { kind: 'insert', into, element, index: operation.index, length, out };
      }
      default:
        return undefined;
    }
  }

  #unset(): Operand {
    this.#constants.push(undefined);
    return -this.#constants.length;
  }

  #one(): Operand {
    this.#constants.push(1);
    return -this.#constants.length;
  }

  #element(operation: Kind<'element'>, out: number): Op {
    const { types } = this.constants;
    const [base, first, ...rest] = operation.operands;
    const scaled: { index: Operand; bits: number; scale: number }[] = [];
    let offset = 0;
    const add = (typed: Typed, scale: number): void => {
      const bits = bitsOf(types.shape(typed.type));
      if (typed.value.kind === 'local') scaled.push({ index: this.#typed(typed), bits, scale });
      else offset += Number(toSigned(bits, this.constants.of(typed))) * scale;
    };
    if (first) add(first, types.layout(operation.source).size);
    let within = operation.source;
    for (const typed of rest) {
      const known = typed.value.kind === 'integer' ? typed.value.value : undefined;
      const step = stepInto(types, within, known);
      offset += step.offset;
      if (step.scale > 0) add(typed, step.scale);
      within = step.type;
    }
    return { kind: 'element', base: this.#typed(base!), offset, scaled, out };
  }

  #accessing(operation: IrOperation, out: number): Op | undefined {
    const { types } = this.constants;
    switch (operation.kind) {
      case 'load': {
        const pointer = this.#pointer(operation.address);
        if (operation.address.kind === 'local' && this.#plain.has(operation.address.name))
          return { kind: 'copy', from: pointer, out };
        return { kind: 'load', shape: types.shape(operation.type), pointer, out };
      }
      case 'store': {
        const [value, pointer] = [this.#typed(operation.from), this.#pointer(operation.address)];
        if (operation.address.kind === 'local' && this.#plain.has(operation.address.name))
          return { kind: 'copy', from: value, out: pointer };
        const isLocked = operation.order === 'seq_cst';
        return { kind: 'store', shape: types.shape(operation.from.type), value, pointer, isLocked };
      }
      case 'modify': {
        const shape = types.shape(operation.operand.type);
        const [pointer, operand] = [
          this.#pointer(operation.address),
          this.#typed(operation.operand),
        ];
        return {
          kind: 'modify',
          name: operation.operation,
          shape,
          bits: bitsOf(shape),
          pointer,
          operand,
          out,
        };
      }
      case 'exchange-if': {
        const { type } = operation.expected;
        const [expected, desired] = [
          this.#typed(operation.expected),
          this.#operand(type, operation.desired),
        ];
        const pointer = this.#pointer(operation.address);
        return { kind: 'exchange-if', shape: types.shape(type), pointer, expected, desired, out };
      }
      case 'fence':
        return operation.order === 'seq_cst'
          ? { kind: 'fence' }
          : { kind: 'copy', from: this.#unset(), out: -1 };
      default:
        return undefined;
    }
  }

  #leaving(operation: IrOperation, label: string, out: number): Op {
    switch (operation.kind) {
      case 'call':
        return this.#call(operation, label, out);
      case 'jump':
        return { kind: 'jump', edge: this.#edge(label, operation.to) };
      case 'branch': {
        const condition = this.#operand({ kind: 'int', bits: 1 }, operation.condition);
        const [then, otherwise] = [operation.then, operation.otherwise].map((to) =>
          this.#edge(label, to),
        );
        return { kind: 'branch', condition, then: then!, otherwise: otherwise! };
      }
      case 'switch': {
        const { type } = operation.on;
        const cases = operation.cases.map(({ value, to }) => ({
          value: this.constants.value(type, value),
          edge: this.#edge(label, to),
        }));
        return {
          kind: 'switch',
          on: this.#typed(operation.on),
          cases,
          otherwise: this.#edge(label, operation.otherwise),
        };
      }
      case 'landing': {
        const clauses = operation.clauses.map(({ kind, value }) =>
          kind === 'filter' ? kind : this.#pointer(value),
        );
        return { kind: 'landing', isCleanup: operation.isCleanup, clauses, out };
      }
      case 'resume':
        return { kind: 'resume', exception: this.#typed(operation.exception) };
      case 'return':
        if (!operation.value) return { kind: 'return' };
        return { kind: 'return', value: this.#typed(operation.value) };
      case 'unreachable':
        return { kind: 'unreachable' };
      default:
        throw new NotKnown(operation.kind === 'unknown' ? operation.name : operation.kind);
    }
  }

  #call(operation: Kind<'call'>, label: string, out: number): Op {
    const { types } = this.constants;
    if (operation.callee.kind === 'assembly') throw new NotKnown('asm');
    const callee = this.#pointer(operation.callee);
    const operands = operation.operands.map((typed) => this.#typed(typed));
    const returns = types.shape(operation.returns);
    const { unwind } = operation;
    const edge = unwind === undefined ? {} : { unwind: this.#edge(label, unwind) };
    return { kind: 'call', callee, operands, returns, out, ...edge };
  }

  /**
   * Returns the steps of inline assembly; unknown instructions become a step that ends the
   * judgement when reached.
   */
  #assembly(operation: Kind<'call'>, out: number): readonly Op[] {
    const state = this.#register('the processor');
    return stepsOf(
      readAssembly(operation, (typed) => this.#typed(typed)),
      state,
      out,
    );
  }

  #edge(from: string, to: string): Edge {
    const block = this.fn.blocks.find(({ label }) => label === to);
    const moves = (block?.instructions ?? []).flatMap(({ operation, result }) => {
      if (operation.kind !== 'phi' || result === undefined) return [];
      const choice = operation.choices.find((one) => one.from === from);
      if (!choice) return [];
      return [{ out: this.#register(result), from: this.#operand(operation.type, choice.value) }];
    });
    return { to: this.#starts.get(to)!, moves };
  }
}
