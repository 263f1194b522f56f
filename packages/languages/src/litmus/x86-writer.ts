import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  type BinaryOperator,
  type Expression,
  type UnaryOperator,
  forEachRegister,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { PrintReport } from '@fencewright/ground/source/print-report.js';
import type { Span } from '@fencewright/ground/source/span.js';

/** The registers of X86 that can hold any value. */
const all = ['EAX', 'EBX', 'ECX', 'EDX', 'ESI', 'EDI', 'EBP'];

const instructions: Partial<Record<BinaryOperator, string>> = {
  '+': 'ADD',
  '-': 'SUB',
  '&': 'AND',
  '|': 'OR',
  '^': 'XOR',
};

/** The instructions for unary operators in place. Litmus tests have no sign extension. */
const unaryInstructions: Partial<Record<UnaryOperator, (target: string) => string>> = {
  '-': (target) => `NEG ${target}`,
  '~': (target) => `NOT ${target}`,
  u8: (target) => `AND ${target},$255`,
  u16: (target) => `AND ${target},$65535`,
};

/** The jumps for each comparison: taken if the comparison holds, and taken if not. */
const jumps: Partial<Record<BinaryOperator, readonly [yes: string, no: string]>> = {
  '==': ['JE', 'JNE'],
  '!=': ['JNE', 'JE'],
  '<': ['JL', 'JGE'],
  '<=': ['JLE', 'JG'],
  '>': ['JG', 'JLE'],
  '>=': ['JGE', 'JL'],
};

/** Writes the instructions of one thread, and finds registers of X86 for its values. */
export class X86Writer {
  readonly lines: string[] = [];
  readonly #report: PrintReport;
  readonly #freshLabel: () => string;
  /** By register of the program, the register of X86 that holds its value. */
  readonly #names = new Map<RegisterId, string>();
  readonly #free: string[];
  readonly #scratch: string[] = [];
  #inUse = 0;
  #labels = '';
  span: Span | undefined;

  /** `keepsEax`: whether EAX must stay unused, for CMPXCHG. */
  constructor(
    wanted: readonly { readonly register: RegisterId; readonly name: string }[],
    keepsEax: boolean,
    report: PrintReport,
    freshLabel: () => string,
  ) {
    this.#report = report;
    this.#freshLabel = freshLabel;
    const free = new Set(keepsEax ? all.slice(1) : all);
    for (const { register, name } of wanted) if (free.delete(name)) this.#names.set(register, name);
    this.#free = [...free];
    for (const { register } of wanted)
      if (!this.#names.has(register)) this.#names.set(register, this.#take());
  }

  nameOf(register: RegisterId): string {
    return this.#names.get(register) ?? 'EAX';
  }

  emit(instruction: string): void {
    this.lines.push(this.#labels + instruction);
    this.#labels = '';
    this.#inUse = 0;
  }

  label(name: string): void {
    this.#labels += `${name}: `;
  }

  /** Writes a `NOP` after the last instruction, if a label there needs an instruction. */
  finish(): void {
    if (this.#labels !== '') this.emit('NOP');
  }

  /** Returns a temporary register, valid until `emit` writes the next instruction. */
  scratch(): string {
    const index = this.#inUse;
    this.#inUse += 1;
    const known = this.#scratch[index];
    if (known !== undefined) return known;
    const name = this.#take();
    this.#scratch.push(name);
    return name;
  }

  #take(): string {
    const name = this.#free.shift();
    if (name !== undefined) return name;
    this.refuse('a thread needs more registers than X86 has', 'use fewer registers');
    return 'EAX';
  }

  refuse(message: string, hint: string): void {
    this.#report.refuse(this.span, message, hint);
  }

  /** Releases the temporary registers. */
  release(): void {
    this.#inUse = 0;
  }

  /** Writes an instruction that does not end the use of the temporary registers. */
  #step(instruction: string): void {
    const inUse = this.#inUse;
    this.emit(instruction);
    this.#inUse = inUse;
  }

  /**
   * Returns a value as an operand, a number or a register; writes the instructions to compute it if
   * necessary.
   */
  operand(value: Expression): string {
    switch (value.kind) {
      case 'constant':
        return `$${value.value}`;
      case 'register':
        return this.nameOf(value.register);
      case 'address':
      case 'element':
        this.refuse(
          'X86 litmus tests have no notation for an address as a value',
          'name the location instead of keeping its address',
        );
        return '$0';
      case 'unary':
      case 'binary': {
        const name = this.scratch();
        this.compute(value, name);
        return name;
      }
      default:
        return unreachable(value);
    }
  }

  /**
   * Returns a register that holds the value; writes the instructions to compute it if necessary.
   */
  inRegister(value: Expression): string {
    const operand = this.operand(value);
    if (!operand.startsWith('$')) return operand;
    const name = this.scratch();
    this.#step(`MOV ${name},${operand}`);
    return name;
  }

  /**
   * Writes the instructions that put a value into a register; the value may be computed from this
   * register.
   */
  compute(value: Expression, target: string): void {
    if (value.kind === 'unary' && value.operator !== '!') {
      this.compute(value.operand, target);
      const instruction = unaryInstructions[value.operator];
      if (instruction) this.#step(instruction(target));
      else this.#refuseOperator(value.operator);
      return;
    }
    const instruction = value.kind === 'binary' ? instructions[value.operator] : undefined;
    if (value.kind === 'binary' && instruction !== undefined) {
      const right = this.operand(value.right);
      if (right === target || this.#mentions(value.right, target)) {
        const name = this.scratch();
        this.#step(`MOV ${name},${right}`);
        this.compute(value.left, target);
        this.#step(`${instruction} ${target},${name}`);
        return;
      }
      this.compute(value.left, target);
      this.#step(`${instruction} ${target},${right}`);
      return;
    }
    if (value.kind === 'unary' || value.kind === 'binary') {
      this.#computeTruth(value, target);
      return;
    }
    const operand = this.operand(value);
    if (operand !== target) this.#step(`MOV ${target},${operand}`);
  }

  #mentions(value: Expression, name: string): boolean {
    let found = false;
    forEachRegister(value, (register) => {
      found ||= this.nameOf(register) === name;
    });
    return found;
  }

  #computeTruth(condition: Expression, target: string): void {
    const [no, end] = [this.#freshLabel(), this.#freshLabel()];
    this.jumpUnless(condition, no);
    this.#step(`MOV ${target},$1`);
    this.#step(`JMP ${end}`);
    this.label(no);
    this.#step(`MOV ${target},$0`);
    this.label(end);
  }

  jumpIf(condition: Expression, label: string): void {
    this.#jump(condition, label, true);
  }

  jumpUnless(condition: Expression, label: string): void {
    this.#jump(condition, label, false);
  }

  /** Writes a jump to `label`, taken if the condition's truth is `wanted`. */
  #jump(condition: Expression, label: string, wanted: boolean): void {
    if (condition.kind === 'constant') {
      if ((condition.value !== 0) === wanted) this.#step(`JMP ${label}`);
      return;
    }
    if (condition.kind === 'unary' && condition.operator === '!') {
      this.#jump(condition.operand, label, !wanted);
      return;
    }
    if (condition.kind !== 'binary') {
      this.#compare(condition, { kind: 'constant', value: 0 }, wanted ? 'JNE' : 'JE', label);
      return;
    }
    const { operator, left, right } = condition;
    if (operator === '&&' || operator === '||') {
      if ((operator === '||') === wanted) {
        this.#jump(left, label, wanted);
        this.#jump(right, label, wanted);
        return;
      }
      const past = this.#freshLabel();
      this.#jump(left, past, !wanted);
      this.#jump(right, label, wanted);
      this.label(past);
      return;
    }
    const pair = jumps[operator];
    if (pair) this.#compare(left, right, pair[wanted ? 0 : 1], label);
    else if (instructions[operator] === undefined) this.#refuseOperator(operator);
    else this.#compare(condition, { kind: 'constant', value: 0 }, wanted ? 'JNE' : 'JE', label);
  }

  #refuseOperator(operator: string): void {
    this.refuse(
      `'${operator}' has no instruction in litmus tests`,
      'litmus tests have instructions for sums, differences and the bitwise operators',
    );
  }

  #compare(left: Expression, right: Expression, jump: string, label: string): void {
    const first = this.inRegister(left);
    const second = this.operand(right);
    this.#step(`CMP ${first},${second}`);
    this.emit(`${jump} ${label}`);
  }
}
