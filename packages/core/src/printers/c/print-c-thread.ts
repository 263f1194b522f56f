import { at } from '../../base/at.js';
import { InternalError, unreachable } from '../../base/unreachable.js';
import { constantValue } from '../../program/evaluate.js';
import {
  areOpposite,
  type Expression,
  forEachRegister,
  isSame,
  type ThreadLeaf,
} from '../../program/expression.js';
import type { LocationId } from '../../program/ids.js';
import { type Instruction, refuseHandOver } from '../../program/instruction.js';
import { transitionsFrom } from '../../program/leaving.js';
import { computeLockStatus, type LockStatus } from '../../program/lock-status.js';
import type { Program, Thread, Transition } from '../../program/program.js';
import { operandsOf } from '../../program/read-before-written.js';
import type { RmwOperation } from '../../program/rmw.js';
import type { PrintReport } from '../../source/print-report.js';
import type { Span } from '../../source/span.js';
import { CExpressions } from './c-expression.js';
import { type CLayout, constantCell } from './c-memory.js';
import type { CNames, CThreadNames } from './c-names.js';
import type { Support } from './c-support.js';

/** What the threads of one file share while it is printed. */
export interface CFile {
  readonly program: Program;
  readonly layout: CLayout;
  readonly names: CNames;
  readonly report: PrintReport;
  readonly uses: (support: Support) => void;
  /** Whether an execution may fault. */
  readonly isChecked: boolean;
  /** Whether a thread takes the bus lock, so that others have to wait before their accesses. */
  readonly hasBlocks: boolean;
}

const atomicFunctions: Partial<Record<RmwOperation['name'], string>> = {
  xchg: 'atomic_exchange',
  fetch_add: 'atomic_fetch_add',
  fetch_sub: 'atomic_fetch_sub',
  fetch_and: 'atomic_fetch_and',
  fetch_or: 'atomic_fetch_or',
  fetch_xor: 'atomic_fetch_xor',
};

/** Whether C has no atomic operation that does the same, or none that looks at the domain. */
export function needsBlock({ domain }: Program, { name, operands }: RmwOperation): boolean {
  if (name === 'xchg') return false;
  if (name !== 'cas') return domain !== undefined || atomicFunctions[name] === undefined;
  const value = operands[1]!.kind === 'constant' ? operands[1]!.value : undefined;
  return (
    domain !== undefined && !(value !== undefined && value >= domain.low && value <= domain.high)
  );
}

class ThreadText {
  readonly #file: CFile;
  readonly #thread: Thread;
  readonly #own: CThreadNames;
  readonly #expressions: CExpressions<ThreadLeaf>;
  readonly #locks: readonly LockStatus[];
  readonly #jumps = new Set<LocationId>();
  #hasEnd = false;

  constructor(file: CFile, thread: Thread, own: CThreadNames) {
    this.#file = file;
    this.#thread = thread;
    this.#own = own;
    this.#locks = computeLockStatus(thread);
    this.#expressions = new CExpressions({
      leaf: (leaf) => {
        if (leaf.kind === 'register') return at(own.registers, leaf.register);
        const name = at(file.names.symbols, leaf.symbol);
        const offset = leaf.kind === 'address' ? '0' : this.#index(leaf, true);
        return offset === '0' ? name : `(${name} + ${offset})`;
      },
      uses: file.uses,
      isChecked: file.isChecked,
    });
  }

  print(): readonly string[] {
    const order = this.#order();
    // The first time is for finding out which labels are jumped to.
    this.#code(order);
    const code = this.#code(order);
    const written = this.#thread.registers.map((_, register) =>
      this.#thread.transitions.some(
        ({ instruction }) => 'into' in instruction && instruction.into === register,
      ),
    );
    const read = new Set<number>();
    for (const { instruction } of this.#thread.transitions)
      for (const operand of operandsOf(instruction)) collectRegisters(operand, read);
    const declarations = this.#thread.registers.flatMap(({ hidden }, register) => {
      if (!written[register] && !read.has(register)) return [];
      const name = at(this.#own.registers, register);
      const isLooked = read.has(register) || (!hidden && this.#hasEnd);
      return [`  int ${name} = 0;`, ...(isLooked ? [] : [`  (void)${name};`])];
    });
    const results = this.#thread.registers.flatMap(({ hidden }, register) =>
      hidden || !written[register]
        ? []
        : [`  ${at(this.#own.results, register)} = ${at(this.#own.registers, register)};`],
    );
    return [
      `static void *${this.#own.name}(void *argument) {`,
      ...declarations,
      '  (void)argument;',
      ...code,
      ...(this.#hasEnd ? results : []),
      '  return NULL;',
      '}',
    ];
  }

  /** The locations that something leaves, each if possible behind one that leads to it. */
  #order(): readonly LocationId[] {
    const seen = new Set<LocationId>();
    for (const stack = [this.#thread.initial]; stack.length > 0;) {
      const location = stack.pop()!;
      if (seen.has(location)) continue;
      seen.add(location);
      const targets = transitionsFrom(this.#thread, location).map(({ to }) => to);
      stack.push(...targets.toReversed());
    }
    return [...seen].filter((location) => !this.#isEnd(location));
  }

  #isEnd(location: LocationId): boolean {
    return transitionsFrom(this.#thread, location).length === 0;
  }

  #code(order: readonly LocationId[]): readonly string[] {
    const ends = this.#thread.locations.findIndex((_, location) => this.#isEnd(location));
    const lines = order.flatMap((location, i) => {
      const code = this.#at(location, order[i + 1] ?? ends);
      const label = this.#jumps.has(location) ? [`${at(this.#own.labels, location)}:`] : [];
      return [...label, ...code.map((line) => `  ${line}`)];
    });
    if (this.#isEnd(this.#thread.initial)) this.#hasEnd = true;
    const isJumpedTo = [...this.#jumps].some((location) => this.#isEnd(location));
    return isJumpedTo ? [...lines, 'end:'] : lines;
  }

  #goto(target: LocationId): string {
    this.#jumps.add(target);
    if (!this.#isEnd(target)) return `goto ${at(this.#own.labels, target)};`;
    this.#hasEnd = true;
    return 'goto end;';
  }

  /** A jump, unless the text goes on there anyway. */
  #onTo(target: LocationId, next: LocationId): readonly string[] {
    const isNext = target === next || (this.#isEnd(target) && next >= 0 && this.#isEnd(next));
    if (!isNext) return [this.#goto(target)];
    if (this.#isEnd(target)) this.#hasEnd = true;
    return [];
  }

  /** What stands at a location, `next` being the one that follows in the text. */
  #at(location: LocationId, next: LocationId): readonly string[] {
    const leaving = transitionsFrom(this.#thread, location);
    const [first, ...others] = leaving;
    if (!first) return [];
    if (others.length === 0) return [...this.#statement(first), ...this.#onTo(first.to, next)];
    return this.#tests(leaving, next) ?? this.#choice(leaving, next);
  }

  /** A row of tests of which one holds at most; absent if the transitions are none. */
  #tests(leaving: readonly Transition[], next: LocationId): readonly string[] | undefined {
    const tests = leaving.flatMap(({ instruction, to }) =>
      instruction.kind === 'assume' ? [{ condition: instruction.condition, to }] : [],
    );
    const isExclusive = tests.every((one, i) =>
      tests.slice(i + 1).every((other) => areExclusive(one.condition, other.condition)),
    );
    if (tests.length < leaving.length || !isExclusive) return undefined;
    const [one, other] = tests as [(typeof tests)[0], (typeof tests)[0]];
    if (tests.length === 2 && areOpposite(one.condition, other.condition)) {
      if (one.to === next) return [this.#jumpIf(other.condition, other.to)];
      return [this.#jumpIf(one.condition, one.to), ...this.#onTo(other.to, next)];
    }
    const last = tests.at(-1)!;
    return [
      ...tests.slice(0, -1).map(({ condition, to }) => this.#jumpIf(condition, to)),
      this.#assume(last.condition),
      ...this.#onTo(last.to, next),
    ];
  }

  #jumpIf(condition: Expression, target: LocationId): string {
    return `if (${this.#expressions.condition(condition)}) ${this.#goto(target)}`;
  }

  #choice(leaving: readonly Transition[], next: LocationId): readonly string[] {
    this.#file.uses('choose');
    return [
      `switch (choose(0, ${leaving.length - 1})) {`,
      ...leaving.flatMap((transition, i) => [
        i < leaving.length - 1 ? `case ${i}:` : 'default:',
        ...[...this.#statement(transition), ...this.#away(transition.to, next)].map(
          (line) => `  ${line}`,
        ),
      ]),
      '}',
    ];
  }

  #away(target: LocationId, next: LocationId): readonly string[] {
    return this.#onTo(target, next).length === 0 ? ['break;'] : [this.#goto(target)];
  }

  #assume(condition: Expression): string {
    this.#file.uses('assume');
    return `__VERIFIER_assume(${this.#expressions.condition(condition)});`;
  }

  #statement({ instruction, origin, from }: Transition): readonly string[] {
    const { registers } = this.#own;
    switch (instruction.kind) {
      case 'store':
        return this.#access(this.#store(instruction.address, this.#stored(instruction.value)));
      case 'load': {
        const into = at(registers, instruction.into);
        return this.#access(`${into} = ${this.#load(instruction.address)}`);
      }
      case 'rmw':
        refuseHandOver(instruction);
        return this.#rmw(instruction, from, origin.span);
      case 'fence':
        return ['atomic_thread_fence(memory_order_seq_cst);'];
      case 'lock':
        return [this.#begin()];
      case 'unlock':
        return [this.#end()];
      case 'assign':
        return [`${at(registers, instruction.into)} = ${this.#value(instruction.value)};`];
      case 'assume':
        return [this.#assume(instruction.condition)];
      case 'assert':
        this.#file.report.note(
          origin.span,
          'a failed assertion ends the program',
          'in this language the thread goes on behind it',
        );
        return [`assert(${this.#expressions.condition(instruction.condition)});`];
      case 'skip':
        return [];
      case 'havoc': {
        const { into, where } = instruction;
        const range = instruction.range ?? this.#file.program.domain;
        const { low, high } = range ?? { low: -(2 ** 31), high: 2 ** 31 - 1 };
        this.#file.uses('choose');
        const bounds = [low, high].map((value) => this.#value({ kind: 'constant', value }));
        const chosen = `${at(registers, into)} = choose(${bounds.join(', ')});`;
        return [chosen, ...(where ? [this.#assume(where)] : [])];
      }
      default:
        return unreachable(instruction);
    }
  }

  /** A statement with one access: as a whole it waits for whoever holds the bus lock. */
  #access(statement: string): readonly string[] {
    return [this.#file.hasBlocks ? `BUS(${statement});` : `${statement};`];
  }

  #begin(): string {
    this.#file.uses('blocks');
    return '__VERIFIER_atomic_begin();';
  }

  #end(): string {
    this.#file.uses('blocks');
    return '__VERIFIER_atomic_end();';
  }

  #value(expression: Expression): string {
    return this.#expressions.value(expression);
  }

  /** A value on its way to memory. */
  #stored(value: Expression): string {
    const { domain } = this.#file.program;
    const text = this.#value(value);
    const known = constantValue(value, this.#file.program.symbols);
    const isInside =
      !domain || (known !== undefined && known >= domain.low && known <= domain.high);
    return isInside || !this.#file.isChecked ? text : this.#inDomain(text);
  }

  #inDomain(text: string): string {
    this.#file.uses('in_domain');
    return `in_domain(${text})`;
  }

  #store(address: Expression, value: string): string {
    return `atomic_store_explicit(&${this.#cell(address)}, ${value}, memory_order_relaxed)`;
  }

  #load(address: Expression): string {
    return `atomic_load_explicit(&${this.#cell(address)}, memory_order_relaxed)`;
  }

  #rmw(
    { into, address, operation }: Extract<Instruction, { kind: 'rmw' }>,
    from: LocationId,
    span: Span | undefined,
  ): readonly string[] {
    if (needsBlock(this.#file.program, operation))
      return this.#rmwAsBlock(address, operation, into, from, span);
    const cell = `&${this.#cell(address)}`;
    const [one, other] = operation.operands;
    const call =
      operation.name === 'cas'
        ? `atomic_compare_exchange_strong(${cell}, &(int){${this.#value(one!)}}, ${this.#value(other!)})`
        : `${atomicFunctions[operation.name]!}(${cell}, ${operation.name === 'xchg' ? this.#stored(one!) : this.#value(one!)})`;
    return this.#access(into === undefined ? call : `${at(this.#own.registers, into)} = ${call}`);
  }

  #rmwAsBlock(
    address: Expression,
    operation: RmwOperation,
    into: number | undefined,
    from: LocationId,
    span: Span | undefined,
  ): readonly string[] {
    const lock = at(this.#locks, from);
    if (lock === 'unknown')
      this.#file.report.refuse(
        span,
        `whether the bus lock is held at this ${operation.name} depends on the path`,
        'C has no such operation, and a block is written for it: let it stand inside of one, or outside',
      );
    const { domain } = this.#file.program;
    const { name, operands } = operation;
    const operand = this.#expressions.operand(operands[0]!);
    const kept = domain && this.#file.isChecked;
    const store = (value: string): string =>
      `${this.#store(address, kept ? this.#inDomain(value) : value)};`;
    const load = `int old = ${this.#load(address)};`;
    const set = (value: string): readonly string[] =>
      into === undefined ? [] : [`${at(this.#own.registers, into)} = ${value};`];
    const body =
      name === 'cas'
        ? [
            `  int is_same = old == ${operand};`,
            `  if (is_same) ${store(this.#value(operands[1]!))}`,
            ...set('is_same').map((line) => `  ${line}`),
          ]
        : [`  ${store(updated(name, operand))}`, ...set('old').map((line) => `  ${line}`)];
    const isFree = lock !== 'held';
    return [
      ...(isFree ? [this.#begin()] : []),
      '{',
      `  ${load}`,
      ...body,
      '}',
      ...(isFree ? [this.#end()] : []),
    ];
  }

  /** The index of an element, looked at where it may leave the array. */
  #index({ symbol, index }: Extract<Expression, { kind: 'element' }>, isOperand: boolean): string {
    const { length } = at(this.#file.program.symbols, symbol);
    const known = constantValue(index, this.#file.program.symbols);
    const isInside = known === undefined ? !this.#file.isChecked : known >= 0 && known < length;
    if (isInside) return isOperand ? this.#expressions.operand(index) : this.#value(index);
    this.#file.uses('at_index');
    return `at_index(${this.#value(index)}, ${length})`;
  }

  #cell(address: Expression): string {
    const { program, layout, names } = this.#file;
    const known = constantValue(address, program.symbols);
    const cell =
      known === undefined ? undefined : constantCell(layout, program.symbols, names, known);
    if (cell !== undefined) return cell;
    if (layout.kind === 'variables') {
      if (address.kind === 'element')
        return `${at(names.symbols, address.symbol)}[${this.#index(address, false)}]`;
      throw new InternalError('an access names no cell, and memory is no array');
    }
    const text = this.#value(address);
    const isSafe = !layout.isOpen;
    if (!isSafe) this.#file.uses('at_address');
    const index = isSafe ? text : `at_address(${text})`;
    return `memory[${layout.low < 0 ? `${isSafe ? `(${index})` : index} + ${-layout.low}` : index}]`;
  }
}

/** What an rmw writes, where `old` is what it has read. */
function updated(name: RmwOperation['name'], operand: string): string {
  switch (name) {
    case 'fetch_max':
      return `old < ${operand} ? ${operand} : old`;
    case 'fetch_min':
      return `${operand} < old ? ${operand} : old`;
    case 'fetch_add':
      return `old + ${operand}`;
    case 'fetch_sub':
      return `old - ${operand}`;
    case 'fetch_and':
      return `old & ${operand}`;
    case 'fetch_or':
      return `old | ${operand}`;
    case 'fetch_xor':
      return `old ^ ${operand}`;
    case 'xchg':
    case 'cas':
      return operand;
  }
}

function collectRegisters(expression: Expression, into: Set<number>): void {
  forEachRegister(expression, (register) => into.add(register));
}

/** Whether two conditions cannot hold both, as can be seen from how they are written. */
function areExclusive(a: Expression, b: Expression): boolean {
  if (areOpposite(a, b)) return true;
  if (a.kind !== 'binary' || b.kind !== 'binary') return false;
  return (
    a.operator === '==' &&
    b.operator === '==' &&
    isSame(a.left, b.left) &&
    a.right.kind === 'constant' &&
    b.right.kind === 'constant' &&
    a.right.value !== b.right.value
  );
}

/** The thread as a function, with labels and jumps. */
export function printCThread(file: CFile, thread: Thread, names: CThreadNames): readonly string[] {
  return new ThreadText(file, thread, names).print();
}
