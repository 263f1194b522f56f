import { Dice } from '../ir-machine/random-text.js';

/** The inputs with which a program is run. */
export const choices = [0, 1, 2, 3] as const;

/** Thrown expressions; handlers and destructors record the thrown values. */
const thrown = [
  ...['3', '4u', '&number', '"ab"', 'E0(5)', 'E1(6)', 'E2(7)', 'E3(8)', 'E4(9)'],
  ...['std::runtime_error("r")', 'std::out_of_range("o")', 'std::logic_error("l")', 'F(2)'],
];

/** Exception declarations of handlers, with the value that the handler records. */
const taken: readonly (readonly [declared: string, recorded: string])[] = [
  ['int i', 'i'],
  ['int &i', 'i++'],
  ['const int &i', 'i + 1'],
  ['unsigned u', 'int(u)'],
  ['int *p', '*p'],
  ['const int *p', '*p + 1'],
  ['const void *p', 'p != 0'],
  ['const char *t', 't[1]'],
  ['const char *&t', 't[0]'],
  ['E0 e', 'e.id()'],
  ['E0 &e', 'e.id() + e.k++'],
  ['const E1 &e', 'e.id() + e.k'],
  ['E2 e', 'e.id() + e.pad'],
  ['P &p', 'p.pad'],
  ['E3 &e', 'e.id()'],
  ['E4 &e', 'e.own()'],
  ['F f', 'f.k'],
  ['std::exception &e', 'e.what()[0]'],
  ['const std::runtime_error &e', 'e.what()[0] + 1'],
  ['std::logic_error e', 'e.what()[0] + 2'],
];

const classes = `
static int h, choice, number = 11, made;
static void rec(int k) { h = (h * 7 + k) % 9973; }
struct D {
  int k;
  D(int k) : k(k) { rec(k); }
  ~D() { rec(k + 20 + 40 * std::uncaught_exceptions()); }
};
struct P { int pad = 7; ~P() { rec(pad); } };
struct E0 {
  int k;
  E0(int k) : k(k) { rec(k); }
  E0(const E0 &other) : k(other.k + 1) { rec(2); }
  virtual ~E0() { rec(k + 30); }
  virtual int id() const { return 1; }
};
struct E1 : E0 { using E0::E0; int id() const override { return 2; } };
struct E2 : P, E1 { using E1::E1; int id() const override { return pad + k; } };
struct A0 : E0 { using E0::E0; };
struct E3 : E1, A0 { E3(int k) : E1(k), A0(k + 1) {} int id() const override { return 4; } };
struct E4 : private E1 { using E1::E1; int own() const { return k; } };
struct F { int k; F(int k) : k(k) { if (k + choice == 4) throw k; } };
struct M { M() { if (++made % 5 == 0) throw E0(made); rec(made); } ~M() { rec(3); } };
struct W { D first; M middle; D last; W(int k) : first(k), last(k + 1) {} };
struct Q { ~Q() { try { throw 9; } catch (int i) { rec(i); } } };
`;

/**
 * Returns a program whose function `run` throws and catches at random, depending on the number
 * `choice`, and records the order of events.
 */
export function randomExceptions(seed: number): string {
  return new ExceptionWriter(new Dice(seed ^ 0xe4c)).program();
}

const functionCount = 4;

class ExceptionWriter {
  #left = 34;
  #names = 0;

  constructor(readonly dice: Dice) {}

  program(): string {
    const { dice } = this;
    const functions = Array.from({ length: functionCount }, (_, i) => functionCount - 1 - i).map(
      (index) => this.#function(index),
    );
    const hasAll = dice.chance(0.7);
    const last = hasAll ? ' catch (...) { rec(2); }' : ' catch (E0 &e) { rec(e.id()); }';
    return [
      '#include <exception>',
      '#include <stdexcept>',
      classes,
      ...functions,
      `static void run() { try { f0(0); rec(1); }${last} }`,
    ].join('\n');
  }

  #function(index: number): string {
    const { dice } = this;
    const limit = dice.chance(0.07) ? ' noexcept' : '';
    this.#left = Math.max(this.#left, 6);
    if (index === 0) this.#left = 20;
    const body =
      index > 0
        ? this.#statements(index, 2, false)
        : [this.#try(0, 3, false), this.#statement(0, 3, false), this.#try(0, 3, false)].join('\n');
    if (dice.chance(0.1))
      return `static void f${index}(int a)${limit} try {\n${body}\n} ${this.#handler(index, 1, false)}`;
    return `static void f${index}(int a)${limit} {\n${body}\n}`;
  }

  #statements(index: number, depth: number, isInLoop: boolean): string {
    const count = 1 + this.dice.below(4);
    return Array.from({ length: count }, () => this.#statement(index, depth, isInLoop)).join('\n');
  }

  #name(): string {
    this.#names += 1;
    return `v${this.#names}`;
  }

  #statement(index: number, depth: number, isInLoop: boolean): string {
    const { dice } = this;
    this.#left -= 1;
    const k = dice.below(9);
    if (this.#left < 0 || depth < 0) return `rec(${k});`;
    const condition = dice.weighed([
      [3, `choice == ${dice.below(4)}`],
      [1, `choice > ${dice.below(3)}`],
      [1, 'a == 1'],
      [1, `h % 3 == ${dice.below(3)}`],
    ]);
    const inner = (): string => this.#statements(index, depth - 1, isInLoop);
    const kinds: [number, () => string][] = [
      [2, () => `rec(${k} + a);`],
      [3, () => `D ${this.#name()}(${k});`],
      [3, () => `if (${condition}) throw ${dice.pick(thrown)};`],
      [1, () => `if (${condition}) { ${inner()} } else rec(${k});`],
      [5, () => this.#try(index, depth, isInLoop)],
      [1, () => `for (int i = 0; i < 2; i++) { ${this.#statements(index, depth - 1, true)} }`],
      [1, () => `W ${this.#name()}(${k});`],
      [1, () => `M ${this.#name()}[2];`],
      [1, () => `Q ${this.#name()};`],
      [1, () => `delete new W(${k});`],
      [1, () => `{ static F once(${k % 5}); rec(once.k); }`],
      [1, () => (isInLoop ? `if (${condition}) ${dice.pick(['break', 'continue'])};` : 'rec(1);')],
      [1, () => `if (${condition}) return;`],
    ];
    if (index + 1 < functionCount)
      kinds.push([4, () => `f${index + 1 + dice.below(functionCount - index - 1)}(${k % 2});`]);
    return dice.weighed(kinds)();
  }

  #try(index: number, depth: number, isInLoop: boolean): string {
    const count = 1 + this.dice.below(3);
    const handlers = Array.from({ length: count }, () => this.#handler(index, depth, isInLoop));
    const all = this.dice.chance(0.3) ? [`catch (...) ${this.#handled(index, depth, '5')}`] : [];
    const body = this.#statements(index, depth - 1, isInLoop);
    const thrower = this.dice.chance(0.5) ? `throw ${this.dice.pick(thrown)};` : '';
    return `try {\n${body}\n${thrower}\n} ${[...handlers, ...all].join(' ')}`;
  }

  #handler(index: number, depth: number, _isInLoop: boolean): string {
    const [declared, recorded] = this.dice.pick(taken);
    return `catch (${declared}) ${this.#handled(index, depth, recorded)}`;
  }

  #handled(index: number, depth: number, recorded: string): string {
    const { dice } = this;
    const end = dice.weighed([
      [4, ''],
      [2, 'throw;'],
      [1, `if (choice == ${dice.below(4)}) throw;`],
      [1, `throw ${dice.pick(thrown)};`],
      [1, 'return;'],
      [1, `try { throw; } catch (...) { rec(8); ${dice.pick(['', 'throw;'])} }`],
    ]);
    const middle = dice.chance(0.4) ? this.#statement(index, depth - 1, false) : '';
    return `{ rec(${recorded}); ${middle} ${end} }`;
  }
}

/** A native `main` that runs `run` for the number in its argument, and prints the record. */
export const nativeMain = `
#include <cstdio>
#include <cstdlib>
int main(int, char **words) {
  choice = std::atoi(words[1]);
  std::set_terminate([] { std::printf("ended %d", h); std::fflush(stdout); std::_Exit(0); });
  run();
  std::printf("%d", h);
}
`;

/** A function that records the outcome for one input. */
export const probe = `
extern "C" int probe(int number) { choice = number; run(); return h; }
int main() {}
`;

/**
 * Returns a program in which a thread chooses among the numbers with a known record. `main` asserts
 * that the record is right, and then asserts the contrary, which must fail.
 */
export function threadMain(records: ReadonlyMap<number, number>): string {
  const numbers = [...records];
  const others = choices.filter((number) => !records.has(number));
  return `
#include <pthread.h>
#include <assert.h>
extern "C" int __VERIFIER_nondet_int(void);
extern "C" void __VERIFIER_assume(int);
static void *body(void *) {
  int chosen = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= chosen && chosen <= 3);
  ${others.map((number) => `__VERIFIER_assume(chosen != ${number});`).join(' ')}
  choice = chosen;
  run();
  return 0;
}
int main() {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  ${numbers.map(([number, record]) => `if (choice == ${number}) assert(h == ${record});`).join('\n  ')}
  ${numbers.map(([number, record]) => `if (choice == ${number}) assert(h != ${record});`).join('\n  ')}
}
`;
}
