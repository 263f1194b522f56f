import { type Spelling, spelt, UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { Program } from '@fencewright/model/program/program.js';
import { keywords } from './keywords.js';

/**
 * The names to print for the parts of a program: identifiers of the language, changed where needed
 * to be unique.
 */
export interface PrintedNames {
  readonly program: string;
  /** The printed names of the shared variables, indexed by `SymbolId`. */
  readonly symbols: readonly string[];
  /** The names to print for each thread and its parts, indexed by `ThreadId`. */
  readonly threads: readonly PrintedThreadNames[];
  /** The printed names of the properties, in the order of `Program.properties`. */
  readonly properties: readonly string[];
  /**
   * The labels of milestones, which tasks have to pass before events start, in the order of
   * `EventProgram.milestones`.
   */
  readonly milestones: readonly string[];
}

/** The names to print for a thread, for the thread's registers and locations. */
export interface PrintedThreadNames {
  readonly name: string;
  /** The printed names of the thread's registers, indexed by `RegisterId`. */
  readonly registers: readonly string[];
  /** The printed labels of the thread's locations, indexed by `LocationId`. */
  readonly locations: readonly string[];
}

/** Words not used as printed names: words forbidden by the language, and confusing keywords. */
const reserved: ReadonlySet<string> = new Set([...keywords.keys(), 'self']);

/**
 * Returns readable names for all parts of a program; names that the language allows are unchanged.
 */
export function namesForPrinting(program: Program): PrintedNames {
  const symbols = identifiers(program.symbols, 'x');
  const threads = identifiers(program.threads, 't');
  return {
    program: identifiers([program], 'P')[0]!,
    symbols,
    threads: program.threads.map(({ registers, locations }, id) => ({
      name: threads[id]!,
      registers: identifiers(registers, 'r', symbols),
      locations: identifiers(locations, 'l'),
    })),
    properties: identifiers(program.properties, 'p'),
    milestones: [],
  };
}

/**
 * Returns readable names for a program of events; `threads` holds the names of its events and
 * procedures.
 */
export function eventNamesForPrinting(program: EventProgram): PrintedNames {
  const symbols = identifiers(program.symbols, 'x');
  const bodies = identifiers(program.bodies, 'p', symbols);
  const shared = [...symbols, ...bodies];
  const threads = program.bodies.map(({ registers, locations }, id) => ({
    name: bodies[id]!,
    registers: identifiers(registers, 'r', shared),
    locations: identifiers(locations, 'l'),
  }));
  return {
    program: identifiers([program], 'P')[0]!,
    symbols,
    threads,
    properties: identifiers(program.properties, 'p'),
    milestones: milestoneLabels(program, threads),
  };
}

/**
 * Returns the labels to print for the milestones, which tasks have to pass before events start. If
 * a single transition passes the milestone, and is the only one to leave its location, the label is
 * the name of the location; otherwise a name that no location of the body has.
 */
function milestoneLabels(
  { bodies, milestones = [] }: EventProgram,
  threads: readonly PrintedThreadNames[],
): readonly string[] {
  const taken = threads.map(({ locations }) => [...locations]);
  return milestones.map(({ body, label }, milestone) => {
    const { transitions, locations } = bodies[body]!;
    const passes = transitions.filter(
      ({ instruction }) => instruction.kind === 'pass' && instruction.milestone === milestone,
    );
    const [first] = passes;
    const isAlone =
      passes.length === 1 && transitions.every((one) => one === first || one.from !== first!.from);
    if (first && isAlone && !locations[first.from]!.hidden)
      return threads[body]!.locations[first.from]!;
    const [own = label] = identifiers([{ name: label }], 'l', taken[body]);
    taken[body]!.push(own);
    return own;
  });
}

/**
 * Returns a distinct identifier for each of `parts`, none of them in `taken`; `prefix` starts the
 * identifier of a name whose first character is unusable.
 */
function identifiers(
  parts: readonly { readonly name: string }[],
  prefix: string,
  taken: readonly string[] = [],
): readonly string[] {
  const spelling: Spelling = {
    strange: /[^_a-zA-Z0-9']/g,
    prefix,
    isReserved: (word) => reserved.has(word),
  };
  const repair = (name: string): string => spelt(name, spelling);
  const names = parts.map(({ name }) => name);
  return new UniqueNames(names, { repair, taken }).names;
}
