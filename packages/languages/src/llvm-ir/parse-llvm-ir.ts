import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { withoutIdleUnwinding } from './idle-unwinding.js';
import { liftAssembly } from './lift-assembly.js';
import { type Linked, linkModules } from './link-modules.js';
import { lowerProgram } from './lower-program.js';
import type { Narrowings } from './outside-choices.js';
import { Places, type PlaceOptions } from './places.js';
import { readModule } from './read-module.js';
import type { SpawnCounts } from './spawned-threads.js';
import type { Linkage } from './syntax.js';

/** The IR of a file, and what the file is called. */
export interface LlvmIrModule {
  readonly file: string;
  readonly text: string;
}

export interface LlvmIrOptions extends PlaceOptions {
  /** Of the program; made of the name of the first file if absent. */
  readonly name?: string;
  /** How many blocks a call of `malloc` in a thread may give; 4 if absent. */
  readonly pool?: number;
  /**
   * How many threads run functions, by their names, whatever `main` says; `main` is taken to do
   * nothing else then, or refused.
   */
  readonly counts?: SpawnCounts;
  /** The headers of the machine were found: its libraries may define what is weak and not here. */
  readonly areOfMachine?: boolean;
  /** What values from outside are, by their names: see `outsideNames`. */
  readonly outside?: Narrowings;
}

/**
 * The program of modules of LLVM IR that are linked by name. Where there are several, the last is a
 * library: its definitions give way, and its code is never shown. Never throws.
 */
export function parseLlvmIr(
  modules: readonly LlvmIrModule[],
  options: LlvmIrOptions = {},
): ParseResult {
  const errors = new ErrorList();
  const read = modules.map(({ text }) => liftAssembly(readModule(text, errors)));
  if (errors.hasErrors) return { diagnostics: errors.toDiagnostics() };
  const alone = withoutIdleUnwinding(linkModules(read, errors));
  const linked = options.areOfMachine ? besideLibraries(alone) : alone;
  const library = modules.length > 1 ? modules.length - 1 : -1;
  const own = library < 0 ? undefined : headersOf(modules[library]!);
  const headers = [...(options.headers ?? []), ...(own === undefined ? [] : [own])];
  const places = new Places(linked, library, { ...options, headers });
  const name = options.name ?? baseName(modules[0]?.file ?? 'program');
  const { pool = 4, counts = new Map(), outside = {} } = options;
  const model = lowerProgram(name, linked, places, { pool, counts, outside }, errors);
  const diagnostics = errors.toDiagnostics();
  return { ...(model && !errors.hasErrors && { model }), diagnostics };
}

/**
 * The module where what is weak may be defined by libraries of the machine, which only its headers
 * know; but for what the compiler itself asks for: whether a variable is made when it is used.
 */
function besideLibraries(linked: Linked): Linked {
  const marked = <T extends Linkage & { readonly name: string }>(map: ReadonlyMap<string, T>) =>
    new Map(
      [...map].map(([name, each]): [string, T] => [
        name,
        each.isOptional && !name.startsWith('_ZTH') ? { ...each, mayBeElsewhere: true } : each,
      ]),
    );
  return { ...linked, globals: marked(linked.globals), functions: marked(linked.functions) };
}

/** The headers lie beside the library. */
function headersOf({ text }: LlvmIrModule): string | undefined {
  const file = /^source_filename = "([^"]*)"/m.exec(text)?.[1];
  return file?.replace(/[^\\/]*$/, 'include/');
}

function baseName(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\..*$/, '');
}
