import type { CppShape } from './cpp-shape.js';
import { cppShapes } from './cpp-shapes.js';
import { Dice, lookLine, type RandomText } from './random-text.js';
import { placesFor } from './shape-table.js';

/** The number of parts from `cppShapes` in one program. */
const perProgram = 2;

/**
 * Returns a random C++ program for a seed, with parts from `cppShapes`. Programs of successive
 * seeds use all parts equally often.
 */
export function randomShapedCpp(seed: number): RandomText {
  const places = placesFor(seed, perProgram, cppShapes.length);
  return shapedCpp(
    seed,
    places.map((place) => cppShapes[place]!),
  );
}

/** Returns a C++ program with these parts. */
export function shapedCpp(seed: number, shapes: readonly CppShape[]): RandomText {
  return new ShapedCppWriter(new Dice(seed ^ 0xcafe), shapes).program();
}

const functionWays = ['function', 'pointer', 'table'] as const;
type Way = (typeof functionWays)[number] | 'lambda';

class ShapedCppWriter {
  readonly #way: Way;

  constructor(
    readonly dice: Dice,
    readonly shapes: readonly CppShape[],
  ) {
    const hasCaptures = shapes.some(({ captures }) => captures);
    this.#way = hasCaptures || dice.chance(0.4) ? 'lambda' : dice.pick(functionWays);
  }

  program(): RandomText {
    const { dice, shapes } = this;
    for (const { kind } of shapes) dice.note(kind);
    dice.note(this.#way === 'lambda' ? 'd: lambda as a thread' : 'b: std::thread of a function');
    const all = <K extends 'headers' | 'declared' | 'starts' | 'ends' | 'observed'>(
      key: K,
    ): readonly string[] => [...new Set(shapes.flatMap((shape) => shape[key] ?? []))];
    const headers = new Set(['atomic', 'cassert', 'cstdio', 'thread', ...all('headers')]);
    const status = shapes.flatMap((shape) => shape.status ?? [])[0];
    const observed = [
      ...['r0', 's0', 'r1', 's1', 'x.load()', 'y.load()', 'z'],
      ...all('observed'),
      ...(status === undefined ? [] : [status]),
    ];
    const text = [
      ...[...headers].map((header) => `#include <${header}>`),
      'std::atomic<int> x{0}, y{0};',
      'int z, r0, s0, r1, s1;',
      ...all('declared'),
      ...this.#threads(all('starts')),
      ...all('ends'),
      '#ifdef ASK',
      'assert(!(ASK));',
      '#endif',
      '#ifdef LOOK',
      lookLine(observed),
      '#endif',
      `return ${status ?? '0'};`,
      '}',
    ].join('\n');
    const named = {
      ...(status !== undefined && { 'return of main': status }),
      ...this.#printed(),
    };
    const given = Object.assign({}, ...shapes.map((shape) => shape.given ?? {})) as NonNullable<
      RandomText['given']
    >;
    const isAsked = !shapes.some(({ kind }) => kind.startsWith('h')) || dice.chance(0.4);
    const { kinds } = dice;
    return { text, language: 'cpp', kinds, observed, argumentCounts: [1], given, named, isAsked };
  }

  /**
   * Returns the names that the tool gives to values printed by threads; each thread prints once.
   */
  #printed(): Readonly<Record<string, string>> {
    const prints = this.shapes.some(({ kind }) => kind === 'h: printed by threads');
    if (!prints || this.#way === 'lambda') return {};
    return { 'printed by run0 #1': 'seen0', 'printed by run1 #1': 'seen1' };
  }

  #body(t: number): readonly string[] {
    const { dice } = this;
    const [one, other] = t === 0 ? ['x', 'y'] : ['y', 'x'];
    const buffered = dice.chance(0.8);
    const lines: string[] = buffered
      ? [
          `${one}.store(${1 + dice.below(2)}, std::memory_order_${dice.pick(['relaxed', 'release'])});`,
          `r = ${other}.load(std::memory_order_${dice.pick(['relaxed', 'acquire'])});`,
        ]
      : [this.#plain()];
    if (dice.chance(0.4)) lines.push(this.#plain());
    if (dice.chance(0.12))
      lines.splice(1, 0, 'std::atomic_thread_fence(std::memory_order_seq_cst);');
    for (const { statements, of } of this.shapes) {
      const own = of?.[t] ?? [];
      const chosen = [
        ...(own.length > 0 ? [dice.pick(own)] : []),
        ...(statements.length > 0 && (t === 0 || dice.chance(0.6)) ? [dice.pick(statements)] : []),
      ];
      for (const line of chosen) lines.splice(dice.below(lines.length + 1), 0, line);
    }
    return [...lines, ...this.shapes.flatMap(({ last }) => last?.(t) ?? [])];
  }

  #plain(): string {
    const { dice } = this;
    return dice.pick([
      'x.store(2, std::memory_order_release);',
      's = y.load(std::memory_order_acquire);',
      'z = 1;',
      's = z;',
      's = x.fetch_add(1);',
      'if (r == 1) y.store(3, std::memory_order_relaxed);',
      'y = 2;',
    ]);
  }

  /** Returns the functions of the threads, and `main` up to the end of both. */
  #threads(starts: readonly string[]): readonly string[] {
    const inner = (t: number): readonly string[] => [
      'int r = 0, s = 0;',
      ...this.#body(t),
      `r${t} = r; s${t} = s;`,
    ];
    if (this.#way === 'lambda') {
      const captures = [0, 1].map((t) =>
        this.shapes.flatMap((shape) => (shape.captures?.[t] ? [shape.captures[t]] : [])).join(', '),
      );
      return [
        'int main() {',
        ...starts,
        `std::thread one([${captures[0]!}]() mutable {`,
        ...inner(0),
        '});',
        `std::thread other([${captures[1]!}]() mutable {`,
        ...inner(1),
        '});',
        'one.join(); other.join();',
      ];
    }
    const functions = [0, 1].flatMap((t) => [`static void run${t}() {`, ...inner(t), '}']);
    const made = {
      function: ['std::thread one(run0), other(run1);'],
      pointer: [
        'void (*work)() = run0;',
        'std::thread one(work);',
        'work = run1;',
        'std::thread other(work);',
      ],
      table: ['std::thread one(works[0]), other(works[1]);'],
    }[this.#way];
    return [
      ...functions,
      ...(this.#way === 'table' ? ['static void (*works[2])() = {run0, run1};'] : []),
      'int main() {',
      ...starts,
      ...made,
      'one.join(); other.join();',
    ];
  }
}
