import type { Program, Thread } from '../../program/program.js';
import { keywords } from './keywords.js';

/** The names under which the parts of a program are printed: identifiers, unique where they have to be. */
export interface PrintedNames {
  readonly program: string;
  /** Indexed by `SymbolId`. */
  readonly symbols: readonly string[];
  /** Indexed by `ThreadId`. */
  readonly threads: readonly PrintedThreadNames[];
  /** In the order of `Program.properties`. */
  readonly properties: readonly string[];
}

/** The names inside of one thread. */
export interface PrintedThreadNames {
  readonly name: string;
  /** Indexed by `RegisterId`. */
  readonly registers: readonly string[];
  /** Indexed by `LocationId`. */
  readonly locations: readonly string[];
}

/** Words of the language that cannot be names, and the keywords that could, which are better not. */
const reserved: ReadonlySet<string> = new Set([...keywords.keys(), 'self']);

/** Finds names for all parts of the program that the parser reads back; names that can stay do. */
export function namesForPrinting(program: Program): PrintedNames {
  const shared = new Set<string>();
  const symbols = uniqueNames(
    program.symbols.map(({ name }) => name),
    'x',
    shared,
  );
  return {
    program: uniqueNames([program.name], 'P', new Set())[0]!,
    symbols,
    threads: nameThreads(program.threads, shared),
    properties: uniqueNames(
      program.properties.map(({ name }) => name),
      'p',
      new Set(),
    ),
  };
}

function nameThreads(
  threads: readonly Thread[],
  shared: ReadonlySet<string>,
): readonly PrintedThreadNames[] {
  const names = uniqueNames(
    threads.map(({ name }) => name),
    't',
    new Set(),
  );
  return threads.map((thread, id) => ({
    name: names[id]!,
    registers: uniqueNames(
      thread.registers.map(({ name }) => name),
      'r',
      new Set(shared),
    ),
    locations: uniqueNames(
      thread.locations.map(({ name }) => name),
      'l',
      new Set(),
    ),
  }));
}

/** A distinct identifier for each of `names`, none of them in `taken`, to which they are added; names that fit go first. */
function uniqueNames(
  names: readonly string[],
  prefix: string,
  taken: Set<string>,
): readonly string[] {
  const result = names.map((name) => {
    if (toIdentifier(name, prefix) !== name || taken.has(name)) return undefined;
    taken.add(name);
    return name;
  });
  return names.map((name, i) => {
    const kept = result[i];
    if (kept !== undefined) return kept;
    const stem = toIdentifier(name, prefix);
    let candidate = stem;
    for (let number = 2; taken.has(candidate); number++) candidate = `${stem}_${number}`;
    taken.add(candidate);
    return candidate;
  });
}

/** The name with what is no part of identifiers replaced. */
function toIdentifier(name: string, prefix: string): string {
  const letters = name.replace(/[^_a-zA-Z0-9']/g, '_');
  const started = /^[_a-zA-Z]/.test(letters) ? letters : `${prefix}${letters}`;
  return reserved.has(started) ? `${started}_` : started;
}
