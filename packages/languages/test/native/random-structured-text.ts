import { SeededRandom } from '@fencewright/ground/base/random.js';

/** Options for random texts; `tidy` changes the layout only. */
export interface RandomTextOptions {
  /** Whether every statement has a line and braces of its own, without comments. */
  readonly tidy?: boolean;
}

/** Writes random threads in the structured form, with all kinds of statements and odd layouts. */
class TextMaker {
  readonly #random: SeededRandom;
  readonly #tidy: boolean;
  /** Statements that only bodies of events and procedures may contain. */
  readonly #invocations: readonly string[];
  #labels = 0;
  #comments = 0;

  constructor(
    random: SeededRandom,
    { tidy = false }: RandomTextOptions,
    invocations: readonly string[] = [],
  ) {
    this.#random = random;
    this.#tidy = tidy;
    this.#invocations = invocations;
  }

  /** Returns a thread, or with another `head` an event or a procedure. */
  thread(name: string, head = `thread ${name}`, locals = 'r, s'): string {
    this.#labels = 0;
    const body = this.#statements(2, false, true);
    const text = `${head} {\n  local ${locals};\n${body}}\n`;
    const labels = this.#labels;
    return text.replaceAll(/goto \?/g, () =>
      labels === 0 ? 'skip' : `goto l${this.#random.below(labels)}`,
    );
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#random.below(choices.length)]!;
  }

  #chance(oneIn: number): boolean {
    return this.#random.below(oneIn) === 0;
  }

  /** Returns the text between two statements: a line end, blanks, or comments. */
  #gap(): string {
    if (this.#tidy) return '\n';
    this.#comments += 1;
    return this.#one([
      '\n',
      '\n',
      '\n',
      ' ',
      '',
      '\n\n',
      `  // c${this.#comments} {\n`,
      ` /* c${this.#comments}; */ `,
      `\n    /* c${this.#comments}\n */\n  `,
      '\r\n\t',
    ]);
  }

  #statements(depth: number, inLoop: boolean, mayJump: boolean): string {
    let text = '';
    for (let left = 1 + this.#random.below(3); left > 0; left--)
      text += `${this.#tidy ? '  ' : this.#one(['', '  '])}${this.#statement(depth, inLoop, mayJump)}${this.#gap()}`;
    return text;
  }

  #block(depth: number, inLoop: boolean, mayJump: boolean): string {
    if (!this.#tidy && this.#chance(5)) return this.#one(['{ }', '{}', '{ // c\n  }', '{ {} }']);
    const open = this.#tidy ? '{\n' : this.#one(['{', '{ ', '{\n', '{ // c }\n']);
    return `${open}${this.#statements(depth - 1, inLoop, mayJump)}}`;
  }

  /** Returns the statement that is the body of a loop or a branch. */
  #body(depth: number, inLoop: boolean, mayJump: boolean): string {
    if (this.#tidy || this.#chance(2)) return this.#block(depth, inLoop, mayJump);
    const gap = this.#one([' ', '\n    ', ' /* c */ ']);
    return gap + this.#statement(depth - 1, inLoop, mayJump);
  }

  #statement(depth: number, inLoop: boolean, mayJump: boolean): string {
    if (mayJump && this.#chance(8)) {
      const label = `l${this.#labels++}`;
      const gap = this.#one([' ', '\n  ']);
      return `${label}:${gap}${this.#statement(depth, inLoop, mayJump)}`;
    }
    if (this.#chance(12))
      return `@cost(${this.#one(['1', '2', '0.25'])}) ${this.#annotated(inLoop, mayJump)}`;
    return depth > 0 && this.#chance(2)
      ? this.#compound(depth, inLoop, mayJump)
      : this.#plain(inLoop, mayJump);
  }

  /**
   * Returns a statement that an annotation may precede: in event programs, a memory access or a
   * call.
   */
  #annotated(inLoop: boolean, mayJump: boolean): string {
    return this.#invocations.length > 0
      ? this.#one(['x = 1;', 'y = x;', 'r = cas(y, 0, 1);', ...(mayJump ? ['call p();'] : [])])
      : this.#plain(inLoop, mayJump);
  }

  #plain(inLoop: boolean, mayJump: boolean): string {
    const jumps = mayJump
      ? ['goto ?;', ...(inLoop ? ['break;', 'continue;', 'continue;'] : [])]
      : [];
    return this.#one([
      ...['x = 1;', 'y = 1;', 'x=r;', 'y = x;', 'a[r] = 1;', 'a[x]  =  s;', 'mem[&y] = 1;'],
      ...['x = 1;', 'y = 1;', 'r = x;', 'r = y;', 's = a[0];', 's = x && y;', 'r = 1 - x;'],
      ...['fence;', 'mfence;', 'skip;', 'xchg(x, 1);', 'xchg(a[y],r);', 'r = cas(y, 0, 1);'],
      ...['r = weak_cas(y, 0, x);', 's = weak_xchg(a[y], 1);', 'weak_cas(x, 1, 0);'],
      ...(this.#tidy ? [] : [';', '{ }']),
      ...jumps,
      ...(mayJump ? this.#invocations : []),
    ]);
  }

  #condition(): string {
    return this.#one(['x', 'y == 0', 'r == 0', 'x && y', '*', 'true', '!(x || r)', 'false || y']);
  }

  #compound(depth: number, inLoop: boolean, mayJump: boolean): string {
    const body = (loop: boolean): string => this.#body(depth, loop, mayJump);
    switch (this.#random.below(8)) {
      case 0:
        return `if (${this.#condition()}) ${body(inLoop)}`;
      case 1:
        return `if (${this.#condition()}) ${this.#block(depth, inLoop, mayJump)} else ${body(inLoop)}`;
      case 2:
      case 3:
        return `while (${this.#condition()}) ${body(true)}`;
      case 4:
        return `do ${body(true)} while (${this.#condition()});`;
      case 5:
        return `loop ${this.#block(depth, true, mayJump)}`;
      case 6:
        return `choose ${this.#block(depth, inLoop, mayJump)} or ${this.#block(depth, inLoop, mayJump)}`;
      default:
        return `atomic ${this.#block(depth - 1, false, false)}`;
    }
  }
}

/** A random program of two structured threads. */
export function randomStructuredText(seed: number, options: RandomTextOptions = {}): string {
  const maker = new TextMaker(new SeededRandom(seed), options);
  const threads = [maker.thread('t0'), maker.thread('t1')];
  return `program P\nvar x, y, a[2]\n\n${threads.join('\n')}`;
}

/**
 * Returns a random program of two events and two procedures, with the statements of threads and
 * calls and postings.
 */
export function randomEventText(seed: number, options: RandomTextOptions = {}): string {
  const random = new SeededRandom(seed);
  const maker = new TextMaker(random, options, [
    ...['call p();', 'call q(r, y);', 'call q(x + 1, a[s]);', 'call  q ( s , 1 ) ;'],
    ...['async[any] p();', 'async[main] q(r, x);', 'async[main] p();', 'return;', 'return;'],
  ]);
  const bodies = [
    maker.thread('e', 'event e()'),
    maker.thread('f', 'event f(r)', 's, u'),
    maker.thread('p', 'procedure p()'),
    maker.thread('q', 'procedure q(r, s)', 'u'),
  ];
  const instances = ['e()', 'f(1)', 'e() * 3', 'f(-2) *'].filter(() => random.below(2) === 0);
  const events = `events ${['f(0)', ...instances].join(', ')}`;
  const property = 'property safe: never (x == 2 && a[1] > 0)';
  return `program P\nvar x = 1, y, a[2] = {0, 1}\n\n${[...bodies, events].join('\n')}\n${property}\n`;
}
