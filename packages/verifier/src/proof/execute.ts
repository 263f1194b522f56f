import type { Arc, Act } from './acts.js';
import { codeCondition, codeInteger, type View } from './code-terms.js';
import { fetchTerms } from './fetch-terms.js';
import type { Cell } from './memory.js';
import type { IntArray, Question } from './question.js';
import type { TermLocal, Model, Role, TermState } from './symbolic-state.js';
import { and, type Bool, int, type Int, less, not, same } from './terms.js';

/** An access to one cell on a path that is executed symbolically. */
export interface PathAccess {
  readonly cell: Cell;
  readonly read?: Int;
  readonly written?: Int;
  /**
   * Returns the condition under which the path could be taken, with the same result, if the access
   * had read `value`.
   */
  readonly permits?: (value: Int) => Bool;
}

/**
 * A path of a thread executed symbolically from a state; `guard` is the condition for taking the
 * path.
 */
export interface Taken {
  readonly guard: Bool;
  readonly after: TermState;
  readonly accesses: readonly PathAccess[];
}

/** Executes a path of arcs symbolically, for a thread (`role`) from a state. */
export function take(
  model: Model,
  path: readonly Arc[],
  role: Role,
  before: TermState,
  question: Question,
): Taken {
  const start = before.locals.get(role)!;
  const walk = new Walk(model, before, start, question);
  for (const { act } of path) walk.do(act);
  const local: TermLocal = { ...start, registers: walk.registers, place: int(path.at(-1)!.to) };
  return {
    guard: and([same(start.place, int(path[0]!.from)), ...walk.guards]),
    after: { memory: walk.memory, locals: new Map([...before.locals, [role, local]]) },
    accesses: walk.accesses,
  };
}

class Walk {
  readonly guards: Bool[] = [];
  readonly accesses: PathAccess[] = [];
  memory: readonly (Int | IntArray)[];
  registers: readonly Int[];
  readonly #model: Model;
  readonly #self: Int;
  readonly #question: Question;

  constructor(
    model: Model,
    { memory }: TermState,
    { self, registers }: TermLocal,
    question: Question,
  ) {
    this.#model = model;
    this.#self = self;
    this.#question = question;
    this.memory = memory;
    this.registers = registers;
  }

  do(act: Act): void {
    switch (act.kind) {
      case 'load': {
        this.#load(act);
        return;
      }
      case 'store': {
        const written = codeInteger(act.value, this.#view());
        const cell = this.#cell(act.address);
        this.#write(cell, written);
        this.accesses.push({ cell, written });
        return;
      }
      case 'rmw': {
        this.#rmw(act);
        return;
      }
      case 'assign': {
        this.#set(act.into, codeInteger(act.value, this.#view()));
        return;
      }
      case 'test':
        this.guards.push(codeCondition(act.condition, this.#view()));
        return;
      case 'choose': {
        const chosen = this.#question.integer();
        this.#set(act.into, chosen);
        if (act.range) this.#within(chosen, act.range);
        if (act.where) this.guards.push(codeCondition(act.where, this.#view()));
        return;
      }
      case 'give-up':
        if (act.into !== undefined) this.#set(act.into, codeInteger(act.value, this.#view()));
        return;
      case 'fence':
      case 'lock':
      case 'unlock':
      case 'skip':
        return;
    }
  }

  #view(registers: readonly Int[] = this.registers): View {
    return { symbols: this.#model.automata.symbols, self: this.#self, registers };
  }

  #set(register: number, value: Int): void {
    this.registers = this.registers.with(register, this.#question.short(value));
  }

  #within(value: Int, { low, high }: { readonly low: number; readonly high: number }): void {
    this.guards.push(not(less(value, int(low))), not(less(int(high), value)));
  }

  /**
   * Returns the cell at an address. An address outside the array is a fault, and the execution ends
   * before the access.
   */
  #cell(address: Parameters<typeof codeInteger>[0]): Cell {
    const view = this.#view();
    const cell = this.#model.memory.cellAt(address, (inner) => codeInteger(inner, view));
    this.guards.push(cell.inside);
    return { ...cell, ...(cell.index && { index: this.#question.short(cell.index) }) };
  }

  #read({ slot, index }: Cell): Int {
    const { text } = this.memory[slot]!;
    return index ? { text: `(select ${text} ${index.text})` } : this.memory[slot]!;
  }

  #write({ slot, index }: Cell, value: Int): void {
    const { domain } = this.#model.automata;
    // A value outside the domain is a fault, and the execution ends before.
    if (domain) this.#within(value, domain);
    const { text } = this.memory[slot]!;
    const stored = this.#question.short(value);
    this.memory = this.memory.with(
      slot,
      index ? { text: `(store ${text} ${index.text} ${stored.text})` } : stored,
    );
  }

  #load({ into, address, guess }: Act & { readonly kind: 'load' }): void {
    const cell = this.#cell(address);
    const read = this.#read(cell);
    if (!guess) {
      this.accesses.push({ cell, read, permits: (value) => same(read, value) });
      this.#set(into, read);
      return;
    }
    const chosen = this.#question.integer();
    this.#set(into, chosen);
    if (guess.range) this.#within(chosen, guess.range);
    const { registers } = this;
    const permits = (value: Int): Bool => {
      const seen = [...registers];
      seen[guess.cell] = value;
      return codeCondition(guess.condition, this.#view(seen));
    };
    this.guards.push(permits(read));
    this.accesses.push({ cell, read, permits });
  }

  #rmw({ into, address, operation, outcome }: Act & { readonly kind: 'rmw' }): void {
    const view = this.#view();
    const cell = this.#cell(address);
    const read = this.#read(cell);
    if (operation.kind === 'cas') {
      const expected = codeInteger(operation.expected, view);
      const permits = (value: Int): Bool =>
        outcome === 'fails' ? not(same(value, expected)) : same(value, expected);
      this.guards.push(permits(read));
      const written = codeInteger(operation.desired, view);
      if (outcome === 'succeeds') this.#write(cell, written);
      this.accesses.push({ cell, read, permits, ...(outcome === 'succeeds' && { written }) });
      if (into !== undefined) this.#set(into, int(outcome === 'succeeds' ? 1 : 0));
      return;
    }
    const written =
      operation.kind === 'xchg'
        ? codeInteger(operation.value, view)
        : fetchTerms[operation.operator](read, codeInteger(operation.operand, view));
    if (outcome === 'changes') this.guards.push(not(same(read, written)));
    this.#write(cell, written);
    this.accesses.push({ cell, read, written, permits: (value) => same(read, value) });
    if (into !== undefined) this.#set(into, read);
  }
}
