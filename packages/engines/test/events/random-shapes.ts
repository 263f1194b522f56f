import type { SeededRandom } from '@fencewright/ground/base/random.js';

/** The feature that occurs often in a random program. */
export const shapes = [
  'arrays',
  'domain',
  'atomic blocks',
  'equal instances',
  'loops that post',
  'to main and to any',
  'fences at ends',
  'failing cas',
  'rmws at ends',
  'stores at ends',
  'nested calls',
  'blocking',
  'different parameters',
  'values at the edge',
] as const;

export type Shape = (typeof shapes)[number];

/** The text of a body of an event program: its head and its statements. */
interface Text {
  readonly head: string;
  readonly statements: readonly string[];
}

/**
 * Writes random programs of one shape: tasks on a ring of cells, so that cycles are frequent, and
 * statements of the shape in between. All bodies have a parameter `k`, and registers `r`, `s`, `i`.
 */
class ShapeWriter {
  readonly cells: number;
  readonly procedures: number;
  /**
   * Whether the statements of the shape post many tasks. Then all other parts of the program must
   * be short.
   */
  readonly isWide: boolean;

  constructor(
    readonly random: SeededRandom,
    readonly shape: Shape,
  ) {
    this.cells = shape === 'arrays' || this.percent(70) ? 2 : 3;
    this.isWide = ['loops that post', 'to main and to any', 'different parameters'].includes(shape);
    this.procedures = this.isWide ? 1 : 1 + this.below(shape === 'nested calls' ? 3 : 2);
  }

  below(bound: number): number {
    return this.random.below(bound);
  }

  percent(n: number): boolean {
    return this.below(100) < n;
  }

  one<T>(...choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  cell(number = this.below(this.cells)): string {
    if (this.shape !== 'arrays') return ['x', 'y', 'z'][number]!;
    if (this.percent(4)) return 'a[k + 1]';
    return this.percent(50) ? `a[${number}]` : this.one('a[k % 2]', 'a[r % 2]', 'a[1 - k % 2]');
  }

  value(): string {
    if (this.shape === 'values at the edge')
      return this.one('2147483647', '-2147483648', '0 - 1', 'r', '0');
    if (this.shape === 'domain') return this.one('1', '2', 'k', 'r', 'r + 1', '0');
    return this.percent(70) ? this.one('1', '2') : this.one('r', 'k', 's');
  }

  access(): string {
    return this.percent(50)
      ? `${this.cell()} = ${this.value()};`
      : `${this.one('r', 's')} = ${this.cell()};`;
  }

  posting(first: number): string {
    if (first >= this.procedures) return this.access();
    const where = this.percent(this.shape === 'to main and to any' ? 45 : 25) ? 'main' : 'any';
    return `async[${where}] p${first + this.below(this.procedures - first)}(${this.one('0', '1', 'k', 'r')});`;
  }

  rmw(): string {
    const into = this.percent(60) ? `${this.one('r', 's')} = ` : '';
    return `${into}${this.one(`xchg(${this.cell()}, 1)`, `cas(${this.cell()}, 0, 1)`, `fetch_add(${this.cell()}, 1)`)};`;
  }

  /**
   * Returns random statements of the kind for which the shape is named. `first` is the first
   * procedure that the statements may post.
   */
  special(first: number): string {
    switch (this.shape) {
      case 'atomic blocks': {
        const inside = [this.access(), ...(this.percent(60) ? [this.access()] : [])];
        if (this.percent(25))
          return `atomic { if (r == ${this.below(2)}) { ${inside.join(' ')} } ${this.access()} }`;
        return `atomic { ${inside.join(' ')} }`;
      }
      case 'loops that post':
        return `i = 0; while (i < 2) { ${this.percent(40) ? this.access() : ''} ${this.posting(first)} i = i + 1; }`;
      case 'to main and to any':
        return first < this.procedures
          ? `async[main] p${first}(0); async[any] p${first}(${this.one('0', '1')});`
          : this.access();
      case 'failing cas':
        return `${this.one('r = ', '')}cas(${this.cell()}, ${this.one('5', '1', '2')}, ${this.one('1', '3')});`;
      case 'nested calls':
        return first < this.procedures
          ? `call p${first + this.below(this.procedures - first)}(${this.one('1', 'k', 'r', 'k + 1', this.cell())});`
          : this.access();
      case 'blocking':
        return `r = ${this.cell()}; assume(r ${this.one('==', '!=')} ${this.below(2)});`;
      case 'different parameters':
        return `if (k == ${this.below(2)}) { ${this.access()} } else { ${this.percent(50) ? this.access() : this.posting(first)} }`;
      case 'domain':
        return `r = ${this.cell()}; ${this.cell()} = ${this.one('r', 'r', 'r + 1')};`;
      case 'values at the edge':
        return this.one(
          `r = ${this.cell()}; if (r ${this.one('<', '>', '==')} ${this.one('0', '2147483647')}) { ${this.access()} }`,
          this.rmw(),
        );
      default:
        return this.access();
    }
  }

  /** Returns the statements with which a body begins or ends, if the shape has such statements. */
  edge(): readonly string[] {
    if (this.percent(35)) return [];
    switch (this.shape) {
      case 'fences at ends':
        return ['fence;'];
      case 'rmws at ends':
        return [this.rmw()];
      case 'stores at ends':
        return [`${this.cell()} = ${this.value()};`];
      default:
        return [];
    }
  }

  body(head: string, number: number, first: number): Text {
    const statements: string[] = [];
    const stored = `${this.cell(number % this.cells)} = ${this.one('1', '1', '2')};`;
    const loaded = `r = ${this.cell((number + 1) % this.cells)};`;
    if (this.percent(40)) statements.push(...this.edge());
    const between = this.percent(15)
      ? ['fence;']
      : this.percent(30) && !this.isWide
        ? [this.special(first)]
        : [];
    if (this.percent(65)) {
      const isSplit = first < this.procedures && this.percent(40);
      statements.push(stored, ...between, isSplit ? this.posting(first) : loaded);
    } else statements.push(this.access());
    if (this.percent(50))
      statements.splice(this.below(statements.length + 1), 0, this.special(first));
    if (first < this.procedures && this.percent(this.isWide ? 15 : 45)) {
      const at = this.percent(60) ? statements.length : this.below(statements.length + 1);
      statements.splice(at, 0, this.posting(first));
    }
    statements.push(...this.edge());
    return { head, statements };
  }

  program(): string {
    const isEqual = this.shape === 'equal instances';
    const procedures = Array.from({ length: this.procedures }, (_, p) =>
      this.body(`procedure p${p}(k)`, p + 1, p + 1),
    );
    const count = isEqual ? 1 : 1 + this.below(this.isWide ? 2 : 3);
    const events = Array.from({ length: count }, (_, e) => this.body(`event e${e}(k)`, e, 0));
    const instances = events.flatMap((_, e) => {
      if (isEqual) return [`e${e}(1) * ${2 + this.below(3)}`];
      if (this.shape === 'different parameters' || this.shape === 'arrays')
        return this.percent(60) && count < 3
          ? [`e${e}(0)`, `e${e}(1)`]
          : [`e${e}(${this.below(2)})`];
      return [`e${e}(${this.below(2)})${this.percent(15) ? ' * 2' : ''}`];
    });
    const edge = this.shape === 'values at the edge';
    const variables =
      this.shape === 'arrays'
        ? 'a[2]'
        : ['x', 'y', 'z']
            .slice(0, this.cells)
            .map((name) =>
              edge && this.percent(40)
                ? `${name} = ${this.one('2147483647', '-2147483648')}`
                : name,
            )
            .join(', ');
    const text = [...procedures, ...events].map(
      ({ head, statements }) => `${head} { local r, s, i; ${statements.join(' ')} }`,
    );
    return [
      'program Shape',
      `var ${variables}`,
      ...(this.shape === 'domain' ? ['domain 0..2'] : []),
      ...text,
      `events ${instances.join(', ')}`,
    ].join('\n');
  }
}

/** Returns a random program of a shape; equal random numbers give equal texts. */
export function randomShape(random: SeededRandom, shape: Shape): string {
  return new ShapeWriter(random, shape).program();
}
