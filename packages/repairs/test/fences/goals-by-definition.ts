import type { Repair } from '@fencewright/model/program/repair.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type {
  Program,
  Property,
  StateExpression,
  Transition,
} from '@fencewright/model/program/program.js';

/**
 * Judges whether a repaired program meets a goal under TSO, by the definitions alone. The explorer
 * is independent, and the automata stay without repairs: a fence at a place is a wait that the
 * thread has passed or not; an exchange is another way to execute a store.
 */

/**
 * The part of a state that belongs to a thread. `passed`: the thread has passed the fence at its
 * location.
 */
interface ThreadState {
  readonly at: number;
  readonly passed: boolean;
  readonly registers: readonly number[];
  readonly buffer: readonly (readonly [address: number, value: number])[];
}

interface State {
  readonly threads: readonly ThreadState[];
  readonly memory: Readonly<Record<number, number>>;
  readonly holder: number;
}

/** Returns a key of a state; equal states, and only these, have equal keys. */
function keyOf({ threads, memory, holder }: State): string {
  const own = threads.map(
    ({ at, passed, registers, buffer }) =>
      `${at}${passed ? 'p' : ''} ${registers.join()} ${buffer.join()}`,
  );
  return `${own.join(';')};${Object.values(memory).join()};${holder}`;
}

export interface Goal {
  readonly properties: readonly Property[];
  readonly assertions: boolean;
}

export const truth = (condition: boolean): number => (condition ? 1 : 0);

export function operate(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '&':
      return a & b;
    case '^':
      return a ^ b;
    case '==':
      return truth(a === b);
    case '!=':
      return truth(a !== b);
    case '<':
      return truth(a < b);
    case '&&':
      return truth(a !== 0 && b !== 0);
    case '||':
      return truth(a !== 0 || b !== 0);
    default:
      throw new Error(`not made here: ${operator}`);
  }
}

export function operateUnary(operator: string, a: number): number {
  if (operator === '!') return truth(a === 0);
  if (operator === '-') return -a;
  throw new Error(`not made here: ${operator}`);
}

export function valueOf(program: Program, registers: readonly number[], e: Expression): number {
  const value = (operand: Expression): number => valueOf(program, registers, operand);
  switch (e.kind) {
    case 'constant':
      return e.value;
    case 'register':
      return registers[e.register]!;
    case 'address':
      return program.symbols[e.symbol]!.base;
    case 'element': {
      const index = value(e.index);
      const { base, length } = program.symbols[e.symbol]!;
      if (index < 0 || index >= length) throw new Error('an index outside of its array');
      return base + index;
    }
    case 'unary':
      return operateUnary(e.operator, value(e.operand));
    case 'binary':
      return operate(e.operator, value(e.left), value(e.right));
  }
}

class Explorer {
  readonly #program: Program;
  readonly #goal: Goal;
  /**
   * The fences of the items as `thread location`, and the exchanges as `thread transition`, for
   * every copy.
   */
  readonly #fences = new Set<string>();
  /** The fences of the items that are placed before their location, as `thread location`. */
  readonly #before = new Set<string>();
  readonly #exchanges = new Set<string>();
  readonly #leaving: readonly (readonly (readonly (readonly [number, Transition])[])[])[];

  constructor(program: Program, items: readonly Repair[], goal: Goal) {
    this.#program = program;
    this.#goal = goal;
    for (const item of items)
      program.threads.forEach(({ copy }, thread) => {
        const first = program.threads[item.thread]!.copy;
        const isCopy = copy !== undefined && copy.template === first?.template;
        if (thread !== item.thread && !isCopy) return;
        if (item.kind === 'fence') {
          this.#fences.add(`${thread} ${item.location}`);
          if (item.before) this.#before.add(`${thread} ${item.location}`);
        } else this.#exchanges.add(`${thread} ${item.transition}`);
      });
    this.#leaving = program.threads.map(({ locations, transitions }) =>
      locations.map((_, at) =>
        transitions.flatMap((step, id) => (step.from === at ? [[id, step] as const] : [])),
      ),
    );
  }

  /**
   * Whether no reachable state violates the goal; `undefined` if there are more than `maxStates`.
   */
  run(maxStates: number): boolean | undefined {
    const initial: State = {
      threads: this.#program.threads.map(({ initial: at, registers }) => ({
        at,
        passed: false,
        registers: registers.map(() => 0),
        buffer: [],
      })),
      memory: Object.fromEntries(
        this.#program.symbols.flatMap(({ base, initial: cells }) =>
          cells.map((value, cell) => [base + cell, value]),
        ),
      ),
      holder: -1,
    };
    const seen = new Set([keyOf(initial)]);
    const open = [initial];
    for (let state = open.pop(); state; state = open.pop()) {
      if (this.#violates(state)) return false;
      for (const next of this.#successors(state)) {
        if (next === 'failed') return false;
        const key = keyOf(next);
        if (seen.has(key)) continue;
        if (seen.size >= maxStates) return undefined;
        seen.add(key);
        open.push(next);
      }
    }
    return true;
  }

  #isFenced(thread: number, at: number): boolean {
    return this.#fences.has(`${thread} ${at}`);
  }

  #isEnd(thread: number, at: number): boolean {
    return this.#leaving[thread]![at]!.length === 0;
  }

  /** Whether a thread has ended, after the fence at its end. */
  #hasEnded({ threads }: State, thread: number): boolean {
    const { at, passed } = threads[thread]!;
    return this.#isEnd(thread, at) && (passed || !this.#isFenced(thread, at));
  }

  /**
   * Whether the thread is at a label. The label precedes a fence at the same place, but at ends, or
   * if the fence is placed before its location, the label follows the fence.
   */
  #isAt(state: State, thread: number, location: number): boolean {
    const { at, passed } = state.threads[thread]!;
    if (at !== location) return false;
    if (this.#before.has(`${thread} ${at}`)) return passed;
    return this.#isEnd(thread, at) ? this.#hasEnded(state, thread) : !passed;
  }

  #violates(state: State): boolean {
    const isFinal = state.threads.every(
      ({ buffer }, thread) => buffer.length === 0 && this.#hasEnded(state, thread),
    );
    return this.#goal.properties.some(({ kind, condition }) => {
      const holds = this.#holds(state, condition) !== 0;
      return kind === 'never' ? holds : isFinal && !holds;
    });
  }

  #holds(state: State, e: StateExpression): number {
    switch (e.kind) {
      case 'constant':
        return e.value;
      case 'at':
        return truth(this.#isAt(state, e.thread, e.location));
      case 'ended':
        return truth(this.#hasEnded(state, e.thread));
      case 'drained':
        return truth(state.threads[e.thread]!.buffer.length === 0);
      case 'register':
        return state.threads[e.thread]!.registers[e.register]!;
      case 'memory':
        return state.memory[e.address] ?? 0;
      case 'unary':
        return operateUnary(e.operator, this.#holds(state, e.operand));
      case 'binary':
        return operate(e.operator, this.#holds(state, e.left), this.#holds(state, e.right));
    }
  }

  *#successors(state: State): Generator<State | 'failed'> {
    for (let t = 0; t < state.threads.length; t++) {
      const thread = state.threads[t]!;
      const isFree = state.holder === -1 || state.holder === t;
      const [oldest, ...rest] = thread.buffer;
      if (oldest && isFree) {
        const memory = { ...state.memory, [oldest[0]]: oldest[1] };
        yield this.#moved({ ...state, memory }, t, { buffer: rest });
      }
      if (this.#isFenced(t, thread.at) && !thread.passed) {
        if (!oldest) yield this.#moved(state, t, { passed: true });
        continue;
      }
      for (const [id, step] of this.#leaving[t]![thread.at]!)
        yield* this.#execute(state, t, id, step, isFree);
    }
  }

  #moved(state: State, t: number, change: Partial<ThreadState>): State {
    const threads = state.threads.map((old, i) => (i === t ? { ...old, ...change } : old));
    return { ...state, threads };
  }

  *#execute(
    state: State,
    t: number,
    id: number,
    { instruction, to }: Transition,
    isFree: boolean,
  ): Generator<State | 'failed'> {
    const { registers, buffer } = state.threads[t]!;
    const value = (e: Expression): number => valueOf(this.#program, registers, e);
    const there = { at: to, passed: false };
    const withRegister = (into: number | undefined, result: number): readonly number[] =>
      registers.map((old, r) => (r === into ? result : old));
    const isEmpty = buffer.length === 0;
    switch (instruction.kind) {
      case 'store': {
        const [address, stored] = [value(instruction.address), value(instruction.value)];
        if (!this.#exchanges.has(`${t} ${id}`))
          yield this.#moved(state, t, { ...there, buffer: [...buffer, [address, stored]] });
        else if (isEmpty && isFree) {
          const memory = { ...state.memory, [address]: stored };
          yield this.#moved({ ...state, memory }, t, there);
        }
        return;
      }
      case 'load': {
        const address = value(instruction.address);
        const own = buffer.filter((entry) => entry[0] === address).at(-1);
        if (!own && !isFree) return;
        const loaded = own ? own[1] : (state.memory[address] ?? 0);
        yield this.#moved(state, t, {
          ...there,
          registers: withRegister(instruction.into, loaded),
        });
        return;
      }
      case 'rmw': {
        if (!isEmpty || !isFree) return;
        const address = value(instruction.address);
        const old = state.memory[address] ?? 0;
        const { operation } = instruction;
        let written: number | undefined;
        const [first, second] = operation.operands;
        if (operation.name === 'xchg') written = value(first!);
        else if (operation.name === 'cas')
          written = old === value(first!) ? value(second!) : undefined;
        else if (operation.name === 'fetch_add') written = operate('+', old, value(first!));
        else throw new Error('not made here');
        const result = operation.name === 'cas' ? truth(written !== undefined) : old;
        const memory =
          written === undefined ? state.memory : { ...state.memory, [address]: written };
        const after = { ...there, registers: withRegister(instruction.into, result) };
        yield this.#moved({ ...state, memory }, t, after);
        return;
      }
      case 'fence':
        if (isEmpty) yield this.#moved(state, t, there);
        return;
      case 'lock':
        if (isEmpty && state.holder === -1) yield this.#moved({ ...state, holder: t }, t, there);
        return;
      case 'unlock':
        if (isEmpty && state.holder === t) yield this.#moved({ ...state, holder: -1 }, t, there);
        return;
      case 'assign':
        yield this.#moved(state, t, {
          ...there,
          registers: withRegister(instruction.into, value(instruction.value)),
        });
        return;
      case 'assume':
        if (value(instruction.condition) !== 0) yield this.#moved(state, t, there);
        return;
      case 'assert':
        if (this.#goal.assertions && value(instruction.condition) === 0) yield 'failed';
        yield this.#moved(state, t, there);
        return;
      case 'skip':
        yield this.#moved(state, t, there);
        return;
      case 'heavy-fence':
      case 'havoc':
        throw new Error('not made here');
    }
  }
}

/**
 * Whether the program meets the goal under TSO with the items: fences, and exchanges in place of
 * stores. `undefined` if the answer takes more than `maxStates` states.
 */
export function meetsGoal(
  program: Program,
  items: readonly Repair[],
  goal: Goal,
  maxStates = 20_000,
): boolean | undefined {
  return new Explorer(program, items, goal).run(maxStates);
}
