import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { linkModules } from './link-modules.js';
import { lowerProgram } from './lower-program.js';
import type { Narrowings } from './outside-choices.js';
import { Places, type PlaceOptions } from './places.js';
import { readModule } from './read-module.js';
import type { SpawnCounts } from './spawned-threads.js';

/** The IR of a file, and what the file is called. */
export interface LlvmIrModule {
  readonly file: string;
  readonly text: string;
}

export interface LlvmIrOptions extends Omit<PlaceOptions, 'headers'> {
  /** Of the program; made of the name of the first file if absent. */
  readonly name?: string;
  /** How many blocks a call of `malloc` in a thread may give; 4 if absent. */
  readonly pool?: number;
  /**
   * How many threads run functions, by their names, whatever `main` says; `main` is taken to do
   * nothing else then, or refused.
   */
  readonly counts?: SpawnCounts;
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
  const read = modules.map(({ text }) => readModule(text, errors));
  if (errors.hasErrors) return { diagnostics: errors.toDiagnostics() };
  const linked = linkModules(read, errors);
  const library = modules.length > 1 ? modules.length - 1 : -1;
  const headers = library < 0 ? undefined : headersOf(modules[library]!);
  const places = new Places(linked, library, {
    ...options,
    ...(headers !== undefined && { headers }),
  });
  const name = options.name ?? baseName(modules[0]?.file ?? 'program');
  const { pool = 4, counts = new Map(), outside = {} } = options;
  const model = lowerProgram(name, linked, places, { pool, counts, outside }, errors);
  const diagnostics = errors.toDiagnostics();
  return { ...(model && !errors.hasErrors && { model }), diagnostics };
}

/** The headers lie beside the library. */
function headersOf({ text }: LlvmIrModule): string | undefined {
  const file = /^source_filename = "([^"]*)"/m.exec(text)?.[1];
  return file?.replace(/[^\\/]*$/, 'include/');
}

function baseName(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\..*$/, '');
}
