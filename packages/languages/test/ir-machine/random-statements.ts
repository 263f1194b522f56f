import { assemblyStatement, hasAssembly } from './random-assembly-statements.js';
import type { Dice, TextCell } from './random-text.js';

const orders = ['relaxed', 'release', 'seq_cst'] as const;
const loadOrders = ['relaxed', 'acquire', 'seq_cst'] as const;

/** The variables that statements of a thread may use. */
export interface Scope {
  readonly cells: readonly TextCell[];
  /** The names of the local variables that hold numbers. */
  readonly locals: readonly string[];
  /** The statements that lock and unlock the program's lock; absent if the program has no lock. */
  readonly lock?: readonly [string, string];
  /** Statements of other kinds, each at most once in a thread. */
  readonly extras: readonly { readonly kind: string; readonly lines: readonly string[] }[];
}

/** Writes the statements of one thread. */
export class StatementWriter {
  readonly #used = new Set<string>();
  #accesses = 0;

  constructor(
    readonly dice: Dice,
    readonly scope: Scope,
  ) {}

  /** Returns the body of a thread with about `accesses` accesses of shared cells. */
  body(accesses: number): readonly string[] {
    // Store buffering: a store to one cell, then a load of another.
    const begins = this.dice.chance(0.5);
    const lines: string[] = begins ? [...this.#store(), ...this.#load()] : [];
    while (this.#accesses < accesses) lines.push(...this.#statement(2));
    return lines;
  }

  #statement(depth: number): readonly string[] {
    const { dice } = this;
    const make = dice.weighed<() => readonly string[]>([
      [6, () => this.#store()],
      [6, () => this.#load()],
      [1.5, () => this.#modify()],
      [1, () => this.#exchangeIf()],
      [1.5, () => this.#fence()],
      [2, () => this.#assembly()],
      [depth > 0 ? 1 : 0, () => this.#branch(depth)],
      [depth > 0 ? 0.5 : 0, () => this.#loop(depth)],
      [depth > 0 ? 0.4 : 0, () => this.#switch()],
      [depth > 0 && this.scope.lock ? 1 : 0, () => this.#locked(depth)],
      [this.scope.extras.length > 0 ? 2.5 : 0, () => this.#extra()],
      [0.3, () => this.#ternary()],
    ]);
    return make();
  }

  #number(): string {
    const { dice, scope } = this;
    return dice.weighed([
      [5, String(1 + dice.below(3))],
      [1, '0'],
      [1, dice.pick(scope.locals)],
      [0.5, `${dice.pick(scope.locals)} + 1`],
      [0.3, `(${dice.pick(scope.locals)} & 1) * 2`],
    ]);
  }

  #cell(): TextCell {
    this.#accesses += 1;
    return this.dice.pick(this.scope.cells);
  }

  #store(): readonly string[] {
    const { dice } = this;
    const cell = this.#cell();
    const value = this.#number();
    if (cell.isAtomic && dice.chance(0.7)) {
      const order = dice.pick(orders);
      dice.note(`store: atomic ${order}`);
      return [`atomic_store_explicit(&${cell.place}, ${value}, memory_order_${order});`];
    }
    if (!cell.isAtomic && cell.hasAddress && dice.chance(0.25)) {
      const order = dice.pick(orders);
      dice.note(`store: builtin ${order}`);
      return [`__atomic_store_n(&${cell.place}, ${value}, __ATOMIC_${order.toUpperCase()});`];
    }
    dice.note('store: statement');
    return [`${cell.place} = ${value};`];
  }

  #load(): readonly string[] {
    const { dice, scope } = this;
    const cell = this.#cell();
    const local = dice.pick(scope.locals);
    if (cell.isAtomic && dice.chance(0.7)) {
      const order = dice.pick(loadOrders);
      dice.note(`load: atomic ${order}`);
      return [`${local} = (int)atomic_load_explicit(&${cell.place}, memory_order_${order});`];
    }
    if (!cell.isAtomic && cell.hasAddress && dice.chance(0.25)) {
      const order = dice.pick(loadOrders);
      dice.note(`load: builtin ${order}`);
      return [`${local} = (int)__atomic_load_n(&${cell.place}, __ATOMIC_${order.toUpperCase()});`];
    }
    dice.note('load: statement');
    return [`${local} = (int)${cell.place};`];
  }

  #modify(): readonly string[] {
    const { dice, scope } = this;
    const cell = this.#cell();
    const [local, value] = [dice.pick(scope.locals), 1 + dice.below(2)];
    if (cell.isAtomic) {
      const call = dice.pick([
        'fetch_add',
        'fetch_or',
        'exchange',
        'fetch_and',
        'fetch_xor',
        'fetch_sub',
      ]);
      dice.note(`modify: atomic ${call}`);
      if (call === 'fetch_add' && dice.chance(0.3))
        return [`${local} = (int)(${cell.place} += ${value});`];
      if (call === 'fetch_add' && dice.chance(0.3)) return [`${cell.place}++;`];
      return [
        `${local} = (int)atomic_${call}_explicit(&${cell.place}, ${value}, memory_order_${dice.pick(orders)});`,
      ];
    }
    if (!cell.hasAddress || dice.chance(0.4)) {
      dice.note('modify: statement');
      return [`${cell.place} ${dice.pick(['|=', '^=', '&='])} ${value};`];
    }
    const call = dice.pick([
      '__sync_fetch_and_add',
      '__sync_fetch_and_or',
      '__sync_lock_test_and_set',
      '__sync_add_and_fetch',
    ]);
    dice.note(`modify: ${call}`);
    return [`${local} = (int)${call}(&${cell.place}, ${value});`];
  }

  #exchangeIf(): readonly string[] {
    const { dice, scope } = this;
    const cell = this.#cell();
    const [local, old, next] = [dice.pick(scope.locals), dice.below(2), 1 + dice.below(3)];
    if (!cell.hasAddress) return [];
    if (!cell.isAtomic) {
      dice.note('exchange-if: sync');
      return [`${local} = (int)__sync_val_compare_and_swap(&${cell.place}, ${old}, ${next});`];
    }
    const call = dice.pick(['strong', 'weak']);
    dice.note(`exchange-if: ${call}`);
    return [
      `{ ${cell.type} expected = ${old}; ${local} = atomic_compare_exchange_${call}_explicit(&${cell.place}, &expected, ${next}, memory_order_${dice.pick(orders)}, memory_order_relaxed); }`,
    ];
  }

  #fence(): readonly string[] {
    const { dice } = this;
    const [kind, line] = dice.weighed([
      [3, ['seq_cst', 'atomic_thread_fence(memory_order_seq_cst);']],
      [1, ['release', 'atomic_thread_fence(memory_order_release);']],
      [1, ['acquire', 'atomic_thread_fence(memory_order_acquire);']],
      [1, ['signal', 'atomic_signal_fence(memory_order_seq_cst);']],
      [1, ['__sync', '__sync_synchronize();']],
      [1, ['mfence', '__asm__ volatile("mfence" ::: "memory");']],
      [1, ['compiler', '__asm__ volatile("" ::: "memory");']],
      [0.5, ['pause', '__asm__ volatile("pause");']],
      [0.7, ['lock or', '__asm__ volatile("lock; orl $0,0(%%rsp)" ::: "memory", "cc");']],
    ] as const);
    dice.note(`fence: ${kind}`);
    return [line];
  }

  #assembly(): readonly string[] {
    const { dice, scope } = this;
    const cells = scope.cells.filter(hasAssembly);
    if (cells.length === 0) return this.#load();
    this.#accesses += 1;
    const cell = dice.pick(cells);
    return [assemblyStatement(dice, cell, scope.cells, dice.pick(scope.locals), this.#number())];
  }

  #branch(depth: number): readonly string[] {
    const { dice, scope } = this;
    dice.note('branch');
    const condition = `${dice.pick(scope.locals)} ${dice.pick(['==', '!=', '<', '>='])} ${dice.below(3)}`;
    const then = this.#statement(depth - 1);
    if (dice.chance(0.6)) return [`if (${condition}) {`, ...then, '}'];
    return [`if (${condition}) {`, ...then, '} else {', ...this.#statement(depth - 1), '}'];
  }

  #ternary(): readonly string[] {
    const { dice, scope } = this;
    dice.note('condition with loads');
    const [one, other] = [this.#cell(), this.#cell()];
    const operator = dice.pick(['&&', '||']);
    return [`${dice.pick(scope.locals)} = (${one.place} ${operator} ${other.place}) ? 1 : 2;`];
  }

  #loop(depth: number): readonly string[] {
    const { dice } = this;
    dice.note('loop');
    const inner = this.#statement(depth - 1);
    this.#accesses += 1;
    const counter = `i${depth}`;
    if (dice.chance(0.3)) {
      const first = dice.pick(['do', 'while']);
      if (first === 'do')
        return [`{ int ${counter} = 0; do {`, ...inner, `} while (++${counter} < 2); }`];
      return [`{ int ${counter} = 2; while (${counter}-- > 0) {`, ...inner, '} }'];
    }
    return [`for (int ${counter} = 0; ${counter} < 2; ${counter}++) {`, ...inner, '}'];
  }

  #switch(): readonly string[] {
    const { dice, scope } = this;
    dice.note('switch');
    return [
      `switch (${dice.pick(scope.locals)}) {`,
      'case 0:',
      ...this.#store(),
      'break;',
      'case 1:',
      ...this.#load(),
      dice.chance(0.5) ? 'break;' : '/* fall through */',
      'default:',
      ...this.#load(),
      '}',
    ];
  }

  #locked(depth: number): readonly string[] {
    const [take, give] = this.scope.lock!;
    this.dice.note('section under a lock');
    return [
      take,
      ...this.#statement(depth - 1),
      ...(this.dice.chance(0.5) ? this.#statement(0) : []),
      give,
    ];
  }

  #extra(): readonly string[] {
    const { dice, scope } = this;
    const left = scope.extras.filter(({ kind }) => !this.#used.has(kind));
    if (left.length === 0) return this.#store();
    const { kind, lines } = dice.pick(left);
    this.#used.add(kind);
    this.#accesses += 1;
    dice.note(kind);
    return lines;
  }
}
