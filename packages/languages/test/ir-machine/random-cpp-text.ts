import { Dice, lookLine, type RandomText } from './random-text.js';

const orders = ['relaxed', 'release', 'seq_cst'] as const;

/** A random part of a C++ program: declarations, and statements of threads that use them. */
interface Extra {
  readonly kind: string;
  readonly declared: readonly string[];
  readonly statements: readonly string[];
}

const extras: readonly Extra[] = [
  {
    kind: 'guard of a lock',
    declared: ['std::mutex lock;', 'int kept;'],
    statements: [
      '{ std::lock_guard<std::mutex> held(lock); kept += 1; r = kept; }',
      '{ std::lock_guard<std::mutex> held(lock); s = kept; }',
      '{ std::unique_lock<std::mutex> held(lock); kept = 2; }',
    ],
  },
  {
    kind: 'destructor in a thread',
    declared: ['struct Mark { int by; ~Mark() { x.store(by, std::memory_order_release); } };'],
    statements: ['{ Mark mark{2}; r = y.load(); }', 'Mark last{3};'],
  },
  {
    kind: 'static of a function',
    declared: [
      'struct Once { int value; Once() : value(4) { y.store(1, std::memory_order_relaxed); } };',
      'static int first() { static Once made; return made.value; }',
    ],
    statements: ['r = first();', 's = first() + 1;'],
  },
  {
    kind: 'virtual call',
    declared: [
      'struct Job { virtual int run() = 0; };',
      'struct Load : Job { int run() override { return x.load(std::memory_order_acquire); } };',
      'struct Store : Job { int run() override { y.store(2, std::memory_order_relaxed); return 1; } };',
      'Load loads; Store stores; Job *jobs[2] = {&loads, &stores};',
    ],
    statements: ['r = jobs[0]->run();', 's = jobs[1]->run();'],
  },
  {
    kind: 'template',
    declared: [
      'template <typename T> int swap(std::atomic<T> &cell, T value) { return int(cell.exchange(value)); }',
    ],
    statements: ['r = swap(x, 2);', 's = swap(y, 3);'],
  },
  {
    kind: 'class with members',
    declared: [
      'class Counter { std::atomic<int> count{0}; int seen = 0; public:',
      'void add() { count.fetch_add(1, std::memory_order_relaxed); } int get() const { return count; }',
      'void note() { seen = count.load(std::memory_order_relaxed); } };',
      'Counter counter;',
    ],
    statements: ['counter.add();', 'r = counter.get();', 'counter.note();'],
  },
  {
    kind: 'flag',
    declared: ['std::atomic_flag flag = ATOMIC_FLAG_INIT;'],
    statements: [
      'r = flag.test_and_set(std::memory_order_acquire);',
      'flag.clear(std::memory_order_release);',
    ],
  },
];

/** Returns a random C++ program for a seed. */
export function randomCpp(seed: number): RandomText {
  return new CppWriter(new Dice(seed ^ 0xc0ffee)).program();
}

class CppWriter {
  readonly #extra: Extra | undefined;

  constructor(readonly dice: Dice) {
    this.#extra = dice.chance(0.6) ? dice.pick(extras) : undefined;
  }

  program(): RandomText {
    const { dice } = this;
    if (this.#extra) dice.note(this.#extra.kind);
    const plain = dice.pick(['int', 'volatile int']);
    // Store buffering in both directions: a store to one cell, then a load of the other.
    const isBuffered = dice.chance(0.35);
    if (isBuffered) dice.note('store buffering');
    const bodies = [0, 1].map((t) => [
      ...(isBuffered ? this.#storeAndLoad(t === 0 ? ['x', 'y'] : ['y', 'x']) : []),
      ...this.#body(),
    ]);
    const observed = ['r0', 's0', 'r1', 's1', 'x.load()', 'y.load()', 'z'];
    const text = [
      ...['atomic', 'cassert', 'cstdio', 'mutex', 'thread'].map((header) => `#include <${header}>`),
      'std::atomic<int> x{0}, y{0};',
      `${plain} z;`,
      'int r0, s0, r1, s1;',
      ...(this.#extra?.declared ?? []),
      ...this.#threads(bodies),
      '#ifdef ASK',
      'assert(!(ASK));',
      '#endif',
      '#ifdef LOOK',
      lookLine(observed),
      '#endif',
      `return ${dice.chance(0.3) ? 'r0 & 3' : '0'};`,
      '}',
    ].join('\n');
    return { text, language: 'cpp', kinds: dice.kinds, observed, argumentCounts: [1] };
  }

  #storeAndLoad([one, other]: readonly [string, string]): readonly string[] {
    const { dice } = this;
    return [
      `${one}.store(${1 + dice.below(2)}, std::memory_order_${dice.pick(['relaxed', 'release'])});`,
      `r = ${other}.load(std::memory_order_${dice.pick(['relaxed', 'acquire', 'seq_cst'])});`,
    ];
  }

  #body(): readonly string[] {
    const { dice } = this;
    const lines = dice.chance(0.4) ? [this.#store(), this.#load()] : [];
    for (let left = 2 + dice.below(2); left > 0; left--) lines.push(this.#statement());
    // A name is declared once.
    return lines.filter((line, i) => !line.startsWith('Mark ') || lines.indexOf(line) === i);
  }

  #statement(): string {
    const { dice } = this;
    return dice.weighed<() => string>([
      [3, () => this.#store()],
      [3, () => this.#load()],
      [1, () => this.#modify()],
      [1, () => this.#fence()],
      [this.#extra ? 4 : 0, () => dice.pick(this.#extra!.statements)],
      [1, () => `if (${dice.pick(['r', 's'])} ${dice.pick(['==', '!='])} 1) { ${this.#load()} }`],
    ])();
  }

  #cell(): string {
    return this.dice.pick(['x', 'y']);
  }

  #store(): string {
    const { dice } = this;
    const value = 1 + dice.below(3);
    if (dice.chance(0.2)) return `z = ${value};`;
    if (dice.chance(0.2)) return `${this.#cell()} = ${value};`;
    const order = dice.pick(orders);
    dice.note(`store: ${order}`);
    return `${this.#cell()}.store(${value}, std::memory_order_${order});`;
  }

  #load(): string {
    const { dice } = this;
    const local = dice.pick(['r', 's']);
    if (dice.chance(0.2)) return `${local} = z;`;
    const order = dice.pick(['relaxed', 'acquire', 'seq_cst']);
    dice.note(`load: ${order}`);
    return `${local} = ${this.#cell()}.load(std::memory_order_${order});`;
  }

  #modify(): string {
    const { dice } = this;
    const [local, cell] = [dice.pick(['r', 's']), this.#cell()];
    const call = dice.pick(['fetch_add', 'exchange', 'fetch_or', 'compare_exchange_strong']);
    dice.note(`modify: ${call}`);
    if (call !== 'compare_exchange_strong')
      return `${local} = ${cell}.${call}(${1 + dice.below(2)});`;
    return `{ int expected = ${dice.below(2)}; ${local} = ${cell}.${call}(expected, 3); }`;
  }

  #fence(): string {
    const order = this.dice.pick(['seq_cst', 'acquire', 'release']);
    this.dice.note(`fence: ${order}`);
    return `std::atomic_thread_fence(std::memory_order_${order});`;
  }

  /** Returns the functions of the threads, and `main` up to the end of all threads. */
  #threads(bodies: readonly (readonly string[])[]): readonly string[] {
    const { dice } = this;
    const inner = (t: number): readonly string[] => [
      'int r = 0, s = 0;',
      ...bodies[t]!,
      `r${t} = r; s${t} = s;`,
    ];
    const join = ['one.join();', 'other.join();'];
    const way = dice.pick(['lambda', 'function', 'argument', 'functor', 'capture']);
    dice.note(`thread: ${way}`);
    switch (way) {
      case 'lambda':
        return [
          'int main() {',
          'std::thread one([] {',
          ...inner(0),
          '});',
          'std::thread other([] {',
          ...inner(1),
          '});',
          ...join,
        ];
      case 'capture':
        return [
          'int main() {',
          'int base = 0; int left = 1;',
          'std::thread one([&, base] {',
          ...inner(0),
          'r0 = r + base; });',
          'std::thread other([=] {',
          ...inner(1),
          's1 = s + left - 1; });',
          ...join,
        ];
      case 'argument':
        return [
          'static void run0(int k, int *to) {',
          ...inner(0),
          '*to = r + k; }',
          'static void run1(int k) {',
          ...inner(1),
          's1 = s + k; }',
          'int main() {',
          'std::thread one(run0, 0, &r0);',
          'std::thread other(run1, 0);',
          ...join,
        ];
      case 'functor':
        return [
          'struct Zero { int k; void operator()() const {',
          ...inner(0),
          'r0 = r + k; } };',
          'struct One { void operator()(int k) {',
          ...inner(1),
          's1 = s + k; } };',
          'int main() {',
          'std::thread one(Zero{0});',
          'std::thread other(One(), 0);',
          ...join,
        ];
      default:
        return [
          'static void run0() {',
          ...inner(0),
          '}',
          'static void run1() {',
          ...inner(1),
          '}',
          'int main() {',
          'std::thread one(run0), other(run1);',
          ...join,
        ];
    }
  }
}
