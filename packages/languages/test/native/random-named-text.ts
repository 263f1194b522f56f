import type { SeededRandom } from '@fencewright/ground/base/random.js';

/**
 * The names of all things, few so that they collide: words of the language that may be names, and
 * both kinds of prime.
 */
const pool = [
  'x',
  'y',
  'a',
  'lock',
  'end',
  'event',
  "x'",
  'x′',
  'r',
  't',
  'l',
  'cas',
  'never',
  'N',
];

/** Writes programs in which one name stands for many things. */
class NamedText {
  readonly #random: SeededRandom;
  readonly #isGood: boolean;
  readonly #shared: string[] = [];
  readonly #constants: string[] = [];
  /** The events and procedures declared so far; each has one parameter. */
  readonly #bodies: { name: string; isEvent: boolean }[] = [];
  readonly #threads: { name: string; registers: string[]; labels: string[] }[] = [];

  constructor(random: SeededRandom, isGood: boolean) {
    this.#random = random;
    this.#isGood = isGood;
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#random.below(list.length)]!;
  }

  /** Returns one of the `known` names, or sometimes any name. */
  #name(...known: readonly (readonly string[])[]): string {
    const list = known.flat();
    const isWild = !this.#isGood && this.#random.below(12) === 0;
    return list.length > 0 && !isWild ? this.#one(list) : this.#one(pool);
  }

  /** Returns names that are not in `taken`. */
  #fresh(count: number, ...taken: readonly (readonly string[])[]): string[] {
    const isTaken = (name: string): boolean =>
      taken.flat().some((other) => other.replaceAll('′', "'") === name.replaceAll('′', "'"));
    const names: string[] = [];
    for (let tries = 0; names.length < count && tries < 40; tries++) {
      const name = this.#one(pool);
      const isOld =
        isTaken(name) || names.some((n) => n.replaceAll('′', "'") === name.replaceAll('′', "'"));
      if (!isOld || (!this.#isGood && this.#random.below(30) === 0)) names.push(name);
    }
    return names;
  }

  text(): string {
    this.#constants.push(...this.#fresh(1 + this.#random.below(2)));
    this.#shared.push(...this.#fresh(2 + this.#random.below(2), this.#constants));
    const constants = this.#constants.map((name, i) => {
      const value = i === 0 ? '1' : this.#one(['1', `${this.#name([this.#constants[0]!])} + 1`]);
      return `${name} = ${value}`;
    });
    const variables = this.#shared.map((name, i) =>
      i === 0
        ? `${name}[${this.#name(this.#constants)} + 3]`
        : this.#one([name, `${name} = &${this.#name(this.#shared)}`]),
    );
    const isEvents = this.#random.below(3) === 0;
    const bodyNames = this.#fresh(1 + this.#random.below(3), this.#constants, this.#shared);
    bodyNames.forEach((name, i) => this.#bodies.push({ name, isEvent: isEvents && i === 0 }));
    const bodies = this.#bodies.map(({ name, isEvent }) =>
      this.#structured(name, isEvent ? 'event' : 'procedure'),
    );
    if (isEvents && bodies.length > 0)
      return [
        `program ${this.#one(pool)}`,
        `const ${constants.join(', ')}`,
        `var ${variables.join(', ')}`,
        ...bodies,
        `events ${this.#name([bodyNames[0]!])}(${this.#name(this.#constants)}) * ${this.#one(['', '2', '3'])}`,
        `property p: never (${this.#cell()} == 1)`,
      ].join('\n');
    const threadNames = this.#fresh(2);
    const threads = threadNames.map((name) =>
      this.#random.below(3) === 0 ? this.#automaton(name) : this.#structured(name),
    );
    return [
      `program ${this.#one(pool)}`,
      `const ${constants.join(', ')}`,
      `var ${variables.join(', ')}`,
      ...bodies,
      ...threads,
      ...this.#questions(),
    ].join('\n');
  }

  #cell(): string {
    const [array, ...others] = this.#shared;
    return this.#random.below(3) === 0 || others.length === 0 ? `${array!}[1]` : this.#name(others);
  }

  #value(registers: readonly string[]): string {
    switch (this.#random.below(4)) {
      case 0:
        return this.#cell();
      case 1:
        return `&${this.#name(this.#shared)}`;
      case 2:
        return this.#name(this.#constants);
      default:
        return registers.length > 0 ? this.#name(registers) : '1';
    }
  }

  /**
   * Returns a call such as `call p(1);`, mostly of an existing procedure; in event programs
   * sometimes a post.
   */
  #invocation(role: 'thread' | 'event' | 'procedure', registers: readonly string[]): string {
    const procedures = this.#bodies.flatMap((one) => (one.isEvent ? [] : [one.name]));
    // A good program of threads has no recursion.
    const isEventDriven = this.#bodies.some(({ isEvent }) => isEvent);
    if (procedures.length === 0 || (role === 'procedure' && !isEventDriven && this.#isGood))
      return 'skip;';
    const how = isEventDriven
      ? this.#one(['call', 'async[main]', `async[${this.#isGood ? 'any' : this.#name(['any'])}]`])
      : 'call';
    return `${how} ${this.#name(procedures)}(${this.#value(registers)});`;
  }

  #structured(name: string, role: 'thread' | 'event' | 'procedure' = 'thread'): string {
    const bodies = this.#bodies.map((one) => one.name);
    const registers = this.#fresh(2, this.#shared, this.#constants, bodies);
    const labels = this.#fresh(2);
    if (role === 'thread') this.#threads.push({ name, registers, labels });
    const statement = (): string => {
      const register = this.#name(registers);
      if (registers.length === 0) return 'skip;';
      switch (this.#random.below(8)) {
        case 7:
          return this.#invocation(role, registers);
        case 0:
          return `${this.#cell()} = ${this.#value(registers)};`;
        case 1:
          return `${register} = ${this.#value(registers)};`;
        case 2:
          return `goto ${this.#name(labels)};`;
        case 3:
          return `${register} = cas(${this.#cell()}, 0, ${this.#value(registers)});`;
        case 4:
          return `if (${this.#value(registers)} == 1) { ${register} = mem[${register}]; }`;
        case 5:
          return `@cost(${this.#name(this.#constants)}) xchg(${this.#cell()}, ${register});`;
        default:
          return `havoc ${register} in 0..${this.#name(this.#constants)};`;
      }
    };
    const body = labels.map((label) => `  ${label}: ${statement()}\n  ${statement()}`);
    if (role !== 'thread') {
      const [parameter = 'zz', ...rest] = registers;
      const own = rest.length > 0 ? `  local ${rest.join(', ')};\n` : '';
      return `${role} ${name}(${parameter}) {\n${own}${body.join('\n')}\n}`;
    }
    const locals = registers.length > 0 ? `  local ${registers.join(', ')};\n` : '';
    return `thread ${name} {\n${locals}${body.join('\n')}\n}`;
  }

  #automaton(name: string): string {
    const registers = this.#fresh(2, this.#shared, this.#constants);
    const labels = this.#fresh(2);
    this.#threads.push({ name, registers, labels });
    const instruction = (): string => {
      if (registers.length === 0) return 'skip';
      const register = this.#name(registers);
      switch (this.#random.below(5)) {
        case 0:
          return `mem[${this.#name(this.#shared.slice(1))}] <- ${register}`;
        case 1:
          return `${register} <- mem[${this.#name(this.#shared.slice(1))}]`;
        case 2:
          return `${register} <- &${this.#name(this.#shared)}`;
        case 3:
          return `xchg(mem[${this.#name(this.#shared.slice(1))}], ${register})`;
        default:
          return `assume ${register} == ${this.#name(this.#constants)}`;
      }
    };
    const lines = labels.map(
      (label) => `  ${label}: ${instruction()}; goto ${this.#name(labels)};`,
    );
    const regs = registers.length > 0 ? ` regs ${registers.join(', ')}` : '';
    return `thread ${name}${regs} init ${labels[0]!} begin\n${lines.join('\n')}\nend`;
  }

  #questions(): string[] {
    const about = (): string => {
      const thread = this.#one(this.#threads);
      switch (this.#random.below(4)) {
        case 0:
          return `${this.#name([thread.name])} @ ${this.#name(thread.labels)}`;
        case 1:
          return thread.registers.length > 0
            ? `${thread.name}.${this.#name(thread.registers)}`
            : '1';
        case 2:
          return `ended(${this.#name([thread.name])})`;
        default:
          return this.#cell();
      }
    };
    const names = this.#fresh(2);
    return [
      ...names.map((name) => `property ${name}: never (${about()} && ${about()})`),
      ...names.map((name) => `invariant ${name}: ${about()} ==> ${about()}`),
    ];
  }
}

/** A random program with few names; with `any` some names are unknown, or declared twice. */
export function randomNamedText(random: SeededRandom, kind: 'good' | 'any'): string {
  return new NamedText(random, kind === 'good').text();
}
