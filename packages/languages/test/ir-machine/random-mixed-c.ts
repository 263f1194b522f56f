import { Dice, lookLine, type RandomText } from './random-text.js';

/** A part of the union that is accessed with several sizes. */
interface Member {
  readonly place: string;
  readonly size: number;
  readonly type: string;
}

const types: ReadonlyMap<number, string> = new Map([
  [1, 'uint8_t'],
  [2, 'uint16_t'],
  [4, 'uint32_t'],
  [8, 'uint64_t'],
]);

const fields: ReadonlyMap<number, string> = new Map([
  [1, 'b'],
  [2, 'h'],
  [4, 'w'],
  [8, 'all'],
]);

/**
 * The accesses to the union by which the program stores: to parts, to the whole, to both, or locked
 * accesses only.
 */
type Stores = 'to parts' | 'to the whole' | 'to both' | 'locked only';

const registers = ['r', 's', 'q'] as const;

/** The kinds of statements that must occur often enough. */
export const mixedKinds = [
  'store: part',
  'store: whole',
  'store: locked part',
  'load: part',
  'load: whole',
  'locked: part',
  'locked: whole',
  'cas: part',
  'cas: whole',
  'fence',
  'plain',
  'volatile',
  'atomic',
  'computed: part',
  'computed: whole',
  'copy',
  'word of a thread',
  'byte of another thread',
  'under a condition',
  'after the joins',
] as const;

class MixedWriter {
  readonly #size: number;
  readonly #members: readonly Member[];
  readonly #stores: Stores;
  /** Whether some addresses of accesses to the union depend on loaded values. */
  readonly #isComputed: boolean;
  #thread = 0;

  constructor(readonly dice: Dice) {
    this.#size = dice.chance(0.75) ? 4 : 8;
    this.#stores = dice.weighed<Stores>([
      [4, 'to parts'],
      [2, 'to the whole'],
      [0.7, 'to both'],
      [2, 'locked only'],
    ]);
    this.#isComputed = dice.chance(0.5);
    this.#members = this.#choose();
  }

  /** Chooses the whole union, and two or three parts that may overlap. */
  #choose(): readonly Member[] {
    const { dice } = this;
    const whole = this.#member(this.#size, 0);
    const sizes = [1, 2, 4].filter((size) => size < this.#size);
    const parts = Array.from({ length: 2 + dice.below(2) }, () => {
      const size = dice.pick(sizes);
      // Few bytes, so that accesses meet.
      const most = Math.min(2, this.#size / size);
      return this.#member(size, dice.below(most));
    });
    return [whole, ...parts];
  }

  #member(size: number, index: number): Member {
    const { dice } = this;
    const [field, type] = [fields.get(size)!, types.get(size)!];
    if (!this.#isComputed || dice.chance(0.4)) return { place: `u.${field}[${index}]`, size, type };
    if (size < this.#size) {
      dice.note('computed: part');
      return { place: `u.${field}[${dice.chance(0.7) ? 'k' : '1 - k'}]`, size, type };
    }
    dice.note('computed: whole');
    return { place: `(*(k ? &u.${field}[0] : &spare.${field}[0]))`, size, type };
  }

  program(): RandomText {
    const { dice } = this;
    dice.note(`stores ${this.#stores}`);
    dice.note(`size ${this.#size}`);
    const threads = [0, 1].map((t) => this.#linesOf(t));
    const words = Array.from({ length: this.#size / 4 }, (_, i) => `u.w[${i}]`);
    const results = [0, 1].flatMap((t) => registers.map((register) => `${register}${t}`));
    const whole = this.#size === 4 ? ['u.w[0]'] : ['(u.all[0] >> 32)', 'u.all[0]'];
    const observed = [...results, 'x', ...(dice.chance(0.5) ? whole : words)];
    const members = [...types].filter(([size]) => size <= this.#size);
    const last = dice.chance(0.4) ? this.#atEnd() : [];
    const text = [
      ...['assert', 'pthread', 'stdint', 'stdio'].map((header) => `#include <${header}.h>`),
      'union {',
      ...members.map(([size, type]) => `${type} ${fields.get(size)!}[${this.#size / size}];`),
      '} u, spare;',
      'int x;',
      'uint32_t own0, own1;',
      `uint64_t ${results.join(', ')};`,
      ...threads.flat(),
      'int main(void) {',
      'pthread_t handle[2];',
      ...[0, 1].map((t) => `pthread_create(&handle[${t}], 0, thread${t}, 0);`),
      ...[0, 1].map((t) => `pthread_join(handle[${t}], 0);`),
      ...last,
      '#ifdef ASK',
      'assert(!(ASK));',
      '#endif',
      '#ifdef LOOK',
      lookLine(observed),
      '#endif',
      'return 0;',
      '}',
    ].join('\n');
    return { text, language: 'c', kinds: dice.kinds, observed, argumentCounts: [1] };
  }

  #linesOf(t: number): readonly string[] {
    this.#thread = t;
    const used = registers.map((register, i) => {
      const statement = this.#statement(register, i);
      if (i === 0 || !this.dice.chance(0.25)) return statement;
      this.dice.note('under a condition');
      return `if (${this.dice.chance(0.5) ? 'r' : '!r'}) { ${statement} }`;
    });
    return [
      `void *thread${t}(void *unused) {`,
      'uint64_t r = 0, s = 0, q = 0;',
      ...(this.#isComputed ? ['int k = __atomic_load_n(&x, __ATOMIC_RELAXED) & 1;'] : []),
      ...used,
      ...registers.map((register) => `${register}${t} = ${register};`),
      'return 0;',
      '}',
    ];
  }

  /** Returns accesses of `main` after the threads' end. */
  #atEnd(): readonly string[] {
    this.dice.note('after the joins');
    const { dice } = this;
    const first = dice.chance(0.7) ? this.#store() : dice.chance(0.5) ? this.#locked('s0') : '';
    const then = dice.chance(0.6) ? this.#load('r0') : this.#exchangeIf('r0');
    return [
      ...(this.#isComputed ? ['int k = x & 1;'] : []),
      ...[first, then, dice.chance(0.2) ? this.#copy('r0') : ''],
    ];
  }

  /** Returns a statement: mostly stores first and loads last, as in store buffering. */
  #statement(register: string, index: number): string {
    const { dice } = this;
    const [isFirst, isLast] = [index === 0, index === 2];
    const make = dice.weighed<() => string>([
      [isFirst ? 6 : 2, () => this.#store()],
      [isFirst ? 1 : isLast ? 6 : 3, () => this.#load(register)],
      [2, () => this.#locked(register)],
      [1.2, () => this.#exchangeIf(register)],
      [isFirst ? 3 : 1, () => this.#wordStore()],
      [isFirst ? 0.5 : 2, () => this.#wordLoad(register)],
      [0.6, () => this.#fence()],
      [this.#isComputed ? 1.5 : 0, () => this.#copy(register)],
      [this.#isComputed ? 1.5 : 0, () => this.#ownWord(register)],
      [this.#isComputed ? 0.7 : 0, () => this.#byteOfOther()],
    ]);
    return make();
  }

  /** Returns stores to bytes of a word of the thread, and a load of the word. */
  #ownWord(register: string): string {
    this.dice.note('word of a thread');
    const own = `own${this.#thread}`;
    const [one, other] = ['k', '1 - k'].map((at) => `((uint8_t *)&${own})[${at}]`);
    const last = this.dice.chance(0.5) ? `${other} = ${1 + this.dice.below(2)};` : '';
    return `{ ${one} = ${3 + this.dice.below(2)}; ${last} ${register} = ${own}; }`;
  }

  /** Returns a store to a byte of the other thread's word. */
  #byteOfOther(): string {
    this.dice.note('byte of another thread');
    return `((volatile uint8_t *)&own${1 - this.#thread})[${this.dice.below(2)}] = 9;`;
  }

  #fence(): string {
    this.dice.note('fence');
    return '__atomic_thread_fence(__ATOMIC_SEQ_CST);';
  }

  /** Returns a copy to or from a local, which is one access of the union. */
  #copy(register: string): string {
    const { dice } = this;
    dice.note('copy');
    const { place, size } = dice.pick(this.#members);
    if (dice.chance(0.5)) return `__builtin_memcpy(&${register}, &${place}, ${size});`;
    return `{ uint64_t l = 0x0201000102; __builtin_memcpy(&${place}, &l, ${size}); }`;
  }

  /** Returns a store to a cell other than the mixed-size one. */
  #wordStore(): string {
    return `__atomic_store_n(&x, ${1 + this.dice.below(2)}, __ATOMIC_RELAXED);`;
  }

  #wordLoad(register: string): string {
    return `${register} = __atomic_load_n(&x, __ATOMIC_RELAXED);`;
  }

  #any(what: string): Member {
    const { dice } = this;
    const member = dice.chance(0.25) ? this.#members[0]! : dice.pick(this.#members.slice(1));
    dice.note(`${what}: ${this.#partOrWhole(member)}`);
    return member;
  }

  #partOrWhole({ size }: Member): string {
    return size === this.#size ? 'whole' : 'part';
  }

  /** Returns one of few numbers, with different bytes. */
  #number({ size }: Member): string {
    const bytes = Array.from({ length: size }, () => this.dice.below(3));
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return `0x${hex}`;
  }

  #store(): string {
    const { dice } = this;
    const [whole, ...parts] = this.#members;
    const isWhole =
      this.#stores === 'to the whole' || (this.#stores === 'to both' && dice.chance(0.5));
    if (this.#stores === 'locked only') {
      const member = dice.pick(this.#members);
      dice.note(`store: locked ${this.#partOrWhole(member)}`);
      return `__atomic_store_n(&${member.place}, ${this.#number(member)}, __ATOMIC_SEQ_CST);`;
    }
    const member = isWhole ? whole! : dice.pick(parts);
    dice.note(`store: ${this.#partOrWhole(member)}`);
    const value = this.#number(member);
    return this.#qualified(
      () => `__atomic_store_n(&${member.place}, ${value}, __ATOMIC_RELAXED);`,
      (place) => `${place} = ${value};`,
      member,
    );
  }

  #load(register: string): string {
    const member = this.#any('load');
    return this.#qualified(
      () => `${register} = __atomic_load_n(&${member.place}, __ATOMIC_RELAXED);`,
      (place) => `${register} = ${place};`,
      member,
    );
  }

  #qualified(
    atomic: () => string,
    access: (place: string) => string,
    { place, type }: Member,
  ): string {
    const { dice } = this;
    const kind = dice.weighed([
      [3, 'atomic'],
      [1, 'volatile'],
      [1, 'plain'],
    ] as const);
    dice.note(kind);
    if (kind === 'atomic') return atomic();
    return access(kind === 'plain' ? place : `*(volatile ${type} *)&${place}`);
  }

  #locked(register: string): string {
    const { dice } = this;
    const member = this.#any('locked');
    const name = dice.pick([
      ...['exchange_n', 'fetch_add', 'fetch_sub', 'fetch_or', 'fetch_and', 'fetch_xor'],
      'fetch_nand',
    ]);
    dice.note(name);
    const result = dice.chance(0.6) ? `${register} = ` : '';
    const operands = `&${member.place}, ${this.#number(member)}, __ATOMIC_SEQ_CST`;
    return `${result}__atomic_${name}(${operands});`;
  }

  #exchangeIf(register: string): string {
    const { dice } = this;
    const member = this.#any('cas');
    const expected = dice.chance(0.6) ? '0' : this.#number(member);
    const orders = '0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST';
    return [
      `{ ${member.type} e = ${expected};`,
      `${register} = __atomic_compare_exchange_n(&${member.place}, &e, ${this.#number(member)}, ${orders});`,
      dice.chance(0.3) ? `${register} += 2 * e; }` : '}',
    ].join(' ');
  }
}

/**
 * Returns a random program of two threads with three statements each that access a union in several
 * sizes, at constant or computed addresses; a store and a load of `main` may follow.
 */
export function randomMixedC(seed: number): RandomText {
  return new MixedWriter(new Dice(seed ^ 0x517e)).program();
}
