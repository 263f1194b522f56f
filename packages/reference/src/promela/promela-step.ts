import { refuseHeavyFence } from '@fencewright/model/program/heavy-fences.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { FaultKind } from '@fencewright/model/program/evaluate.js';
import { isAccess, isIdle, refuseHandOver } from '@fencewright/model/program/instruction.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import {
  controlCell,
  type InstrumentedStep,
} from '@fencewright/model/instrumented/instrumented.js';
import type { Domain, SharedSymbol } from '@fencewright/model/program/program.js';
import {
  rmwMeaning,
  resultIf,
  type RmwExpression,
  type RmwOperation,
} from '@fencewright/model/program/rmw.js';
import { cellNumber, type CellMap } from './promela-cells.js';
import {
  nonZeroCondition,
  promelaNumber,
  promelaValue,
  toPromelaExpression,
  unless,
  type Check,
  type ExpressionScope,
  type PromelaExpression,
} from './promela-expression.js';

type RmwStep = Extract<InstrumentedStep, { kind: 'rmw' }>;
type Space = 'program' | Extract<InstrumentedStep, { kind: 'auxiliary-load' }>['space'];

/** The context for printing the transitions of a thread. */
export interface StepScope {
  readonly symbols: readonly SharedSymbol[];
  readonly domain: Domain | undefined;
  readonly cells: CellMap;
  readonly thread: ThreadId;
  /** Whether some thread of the program takes the bus lock. */
  readonly hasLocks: boolean;
  /** Whether the model checks the program's own assertions. */
  readonly keepsAssertions: boolean;
  /** Returns the name of the Promela variable for a register. */
  readonly variable: (register: RegisterId) => string;
}

/**
 * A transition as one atomic step of Promela: if `guard` holds, `body` is executed; if the
 * condition of a fault holds, the execution ends.
 */
export interface GuardedCommand {
  readonly guard: readonly string[];
  readonly body: readonly string[];
  readonly faults: readonly { readonly fault: FaultKind; readonly when: string }[];
}

const controlVariables = new Map<number, string>(
  Object.entries(controlCell).map(([name, cell]) => [cell, name]),
);

/** Returns the name of the Promela variable for a cell in the control space. */
export function controlVariable(cell: number): string {
  const name = controlVariables.get(cell);
  if (name === undefined) throw new InternalError('an unknown control cell');
  return name;
}

const arrays: Readonly<Record<Exclude<Space, 'control'>, string>> = {
  program: 'mem',
  pending: 'pending',
  buffer: 'buffered',
  level: 'level',
};

/** By memory space, the smallest and the largest value of its cells, if known. */
const boundsOf: Readonly<Record<Space, readonly [low: number, high: number] | readonly []>> = {
  program: [],
  pending: [0, 1],
  buffer: [],
  level: [0, 2],
  control: [],
};

/**
 * Builds a guarded command step by step. Promela requires to know before a sequence whether all of
 * it can run, so every condition is expressed in terms of the state before the sequence: `#before`
 * has the current values of registers in these terms. The body consists of the unchanged steps.
 */
class CommandBuilder {
  readonly #scope: StepScope;
  readonly #before = new Map<RegisterId, PromelaExpression>();
  readonly #written = new Set<Space>();
  readonly #guard: string[] = [];
  readonly #body: string[] = [];
  readonly #faults: { fault: FaultKind; when: string }[] = [];

  constructor(scope: StepScope, needsBus: boolean) {
    this.#scope = scope;
    if (needsBus && scope.hasLocks) this.assume(`(bus == 0 || bus == ${scope.thread + 1})`);
  }

  get command(): GuardedCommand {
    return { guard: this.#guard, body: this.#body, faults: this.#faults };
  }

  assume(condition: string): void {
    this.#guard.push(condition);
  }

  fail(fault: FaultKind): void {
    this.#check([{ fault, holds: 'false' }]);
  }

  #check(checks: readonly Check[]): void {
    for (const { fault, holds } of checks) {
      this.#faults.push({ fault, when: [...this.#guard, `!(${holds})`].join(' && ') });
      this.#guard.push(holds);
    }
  }

  get #earlyScope(): ExpressionScope {
    const { symbols, variable } = this.#scope;
    return { symbols, register: (id) => this.#before.get(id) ?? promelaValue(variable(id)) };
  }

  /**
   * Returns the expression in terms of the state before the sequence; its checks become part of the
   * guard.
   */
  #early(expression: Expression): PromelaExpression {
    const early = toPromelaExpression(expression, this.#earlyScope);
    this.#check(early.checks);
    return early;
  }

  get #lateScope(): ExpressionScope {
    const { symbols, variable } = this.#scope;
    return { symbols, register: (id) => promelaValue(variable(id)) };
  }

  /** Returns the expression in terms of the state in which its step is executed. */
  #late(expression: Expression): PromelaExpression {
    return toPromelaExpression(expression, this.#lateScope);
  }

  #cell(space: Space, address: Expression): { readonly early: string; readonly late: string } {
    if (space === 'control') {
      if (address.kind !== 'constant') throw new InternalError('a computed control cell');
      const name = controlVariable(address.value);
      return { early: name, late: name };
    }
    const { cells } = this.#scope;
    const early = cellNumber(cells, this.#early(address));
    this.#check(early.checks.slice(-1).filter(({ fault }) => fault === 'address'));
    const late = cellNumber(cells, this.#late(address));
    return { early: `${arrays[space]}[${early.text}]`, late: `${arrays[space]}[${late.text}]` };
  }

  #inDomain(space: Space, value: PromelaExpression, isStored?: string): void {
    const { domain } = this.#scope;
    if (!domain || (space !== 'program' && space !== 'buffer')) return;
    if (value.low >= domain.low && value.high <= domain.high) return;
    const [low, high] = [promelaNumber(domain.low), promelaNumber(domain.high)];
    const inside = `(${value.text} >= ${low} && ${value.text} <= ${high})`;
    const holds = isStored === undefined ? inside : `(!${isStored} || ${inside})`;
    this.#check([{ fault: 'domain', holds }]);
  }

  #read(space: Space, cell: string): string {
    if (this.#written.has(space)) throw new InternalError('a block that reads what it has written');
    return cell;
  }

  #set(register: RegisterId, early: PromelaExpression, late: string): void {
    this.#before.set(register, early);
    this.#body.push(`${this.#scope.variable(register)} = ${late}`);
  }

  #store(space: Space, address: Expression, value: Expression): void {
    const cell = this.#cell(space, address);
    this.#inDomain(space, this.#early(value));
    this.#body.push(`${cell.late} = ${this.#late(value).text}`);
    this.#written.add(space);
  }

  #rmw({ address, operation, into }: RmwStep): void {
    const cell = this.#cell('program', address);
    const early = this.#read('program', cell.early);
    const { statements, result } = this.#operation(operation, early, cell.late);
    this.#body.push(`old = ${cell.late}`, ...statements);
    this.#written.add('program');
    if (into !== undefined) this.#set(into, result, 'old');
    this.#body.push('old = 0');
  }

  /**
   * Returns the statements for a storing operation, and its result in terms of the state before the
   * sequence. Before the statements, the Promela variable `old` has the old value of the cell;
   * afterwards, the result.
   */
  #operation(
    operation: RmwOperation,
    early: string,
    cell: string,
  ): { readonly statements: readonly string[]; readonly result: PromelaExpression } {
    const meaning = rmwMeaning(operation);
    const before = { ...this.#earlyScope, old: promelaValue(early) };
    const inPlace = { ...this.#lateScope, old: promelaValue('old') };
    const late = (expression: RmwExpression): string =>
      toPromelaExpression(expression, inPlace).text;
    const condition = meaning.condition && toPromelaExpression(meaning.condition, before);
    this.#check(condition?.checks ?? []);
    const isStored = condition && nonZeroCondition(condition);
    const written = toPromelaExpression(meaning.written, before);
    this.#check(isStored === undefined ? written.checks : unless(`!${isStored}`, written.checks));
    this.#inDomain('program', written, isStored);
    const statement = (stored: boolean): string => {
      const result = resultIf(stored, meaning);
      const store = stored ? [`${cell} = ${late(meaning.written)}`] : [];
      return [...store, ...(result.kind === 'old' ? [] : [`old = ${late(result)}`])].join('; ');
    };
    const result = { ...toPromelaExpression(meaning.result, before), checks: [] };
    if (!meaning.condition) return { statements: [statement(true)], result };
    const test = nonZeroCondition(toPromelaExpression(meaning.condition, inPlace));
    const fails = statement(false) || 'skip';
    return { statements: [`if :: ${test} -> ${statement(true)} :: else -> ${fails} fi`], result };
  }

  add(step: InstrumentedStep): void {
    if (isIdle(step)) return;
    switch (step.kind) {
      case 'store':
        this.#store('program', step.address, step.value);
        return;
      case 'auxiliary-store':
        this.#store(step.space, step.address, step.value);
        return;
      case 'load':
      case 'auxiliary-load': {
        const space = step.kind === 'load' ? 'program' : step.space;
        const { early, late } = this.#cell(space, step.address);
        this.#set(step.into, promelaValue(this.#read(space, early), ...boundsOf[space]), late);
        return;
      }
      case 'rmw':
        refuseHandOver(step);
        this.#rmw(step);
        return;
      case 'assign':
        this.#set(step.into, this.#early(step.value), this.#late(step.value).text);
        return;
      case 'assume':
        this.assume(nonZeroCondition(this.#early(step.condition)));
        return;
      case 'lock':
        this.assume('bus == 0');
        this.#body.push(`bus = ${this.#scope.thread + 1}`);
        return;
      case 'unlock':
        this.assume(`bus == ${this.#scope.thread + 1}`);
        this.#body.push('bus = 0');
        return;
      case 'assert':
        if (!this.#scope.keepsAssertions) return;
        this.#early(step.condition);
        this.#body.push(`assert(${nonZeroCondition(this.#late(step.condition))})`);
        return;
      case 'havoc':
        throw new InternalError('a choice inside of a block');
      case 'heavy-fence':
        return refuseHeavyFence();
    }
  }

  /** Adds steps that set a register to a value, and then require the condition `where`. */
  choose(register: RegisterId, value: number, where: Expression | undefined): void {
    const text = promelaNumber(value);
    this.#set(register, promelaValue(text, value, value), text);
    if (where) this.assume(nonZeroCondition(this.#early(where)));
  }
}

/** Returns the steps as one guarded command. */
export function commandOf(scope: StepScope, steps: readonly InstrumentedStep[]): GuardedCommand {
  const builder = new CommandBuilder(scope, steps.some(isAccess));
  for (const step of steps) builder.add(step);
  return builder.command;
}

/** Returns the command by which a `havoc` chooses this value. */
export function havocChoice(
  scope: StepScope,
  { into, where }: Extract<InstrumentedStep, { kind: 'havoc' }>,
  value: number,
): GuardedCommand {
  const builder = new CommandBuilder(scope, false);
  builder.choose(into, value, where);
  return builder.command;
}

/** Returns a command that always faults. */
export function faultOf(scope: StepScope, fault: FaultKind): GuardedCommand {
  const builder = new CommandBuilder(scope, false);
  builder.fail(fault);
  return builder.command;
}
