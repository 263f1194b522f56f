/** One program of a scaled family. */
export interface Member {
  /**
   * The name of the member, unique over all families and fit for a file name: `peterson-4-fenced`.
   */
  readonly name: string;
  /** The text of the member, a `.fw` program. */
  readonly source: string;
  /** The verdict on the member in the literature. */
  readonly expected: 'robust' | 'not-robust';
  /** Whether the program is small enough for the reference engines. */
  readonly small: boolean;
  /** Present if the state space under SC is infinite, so that no exploration ends. */
  readonly infinite?: boolean;
}

/** Programs of one shape, in ascending order of size. */
export interface Family {
  readonly name: string;
  readonly members: readonly Member[];
}

/** Options that most families have. */
export interface Variant {
  /** Whether the program has the fences that make it robust. */
  readonly fences?: boolean;
  /** Whether every thread runs in an endless loop. */
  readonly loop?: boolean;
}

/** Returns the list `0, 1, ..., n - 1`. */
export function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

/** The lines of a program text from nested lists; `undefined` and `false` are left out. */
export type Lines = string | false | undefined | readonly Lines[];

function flatten(lines: Lines): string[] {
  if (lines === undefined || lines === false) return [];
  return typeof lines === 'string' ? [lines] : lines.flatMap(flatten);
}

/** Returns the lines, each indented by two more blanks. */
export function indent(lines: Lines): Lines {
  return flatten(lines).map((line) => (line === '' ? '' : `  ${line}`));
}

/** Returns the lines of `head { body }`. */
export function block(head: string, body: Lines): Lines {
  return [`${head} {`, indent(body), '}'];
}

/**
 * Returns the lines of a thread; `loop` puts an endless loop around the statements, but not around
 * the declarations.
 */
export function thread(
  name: string,
  locals: readonly string[],
  body: Lines,
  { loop = false }: Variant = {},
): Lines {
  return [
    '',
    block(`thread ${name}`, [
      locals.length > 0 && `local ${locals.join(', ')};`,
      loop ? block('loop', body) : body,
    ]),
  ];
}

/** Returns the text of a program: a comment with its subject, name, shared variables, threads. */
export function programText(
  name: string,
  about: readonly string[],
  declarations: Lines,
  threads: Lines,
): string {
  const lines = [about.map((line) => `// ${line}`), `program ${name}`, '', declarations, threads];
  return `${flatten(lines).join('\n')}\n`;
}

/** Returns the name of a member, such as `peterson-4-fenced-loop`. */
export function memberName(
  family: string,
  sizes: readonly number[],
  { fences = false, loop = false }: Variant,
): string {
  return [family, ...sizes, ...(fences ? ['fenced'] : []), ...(loop ? ['loop'] : [])].join('-');
}

/** Returns the line `fence;`, if the variant has fences. */
export function fenceIf({ fences = false }: Variant): Lines {
  return fences && 'fence;';
}
