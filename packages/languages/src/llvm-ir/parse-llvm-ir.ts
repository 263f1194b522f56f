import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { withArgumentLists } from './argument-lists.js';
import { withoutIdleResults } from './idle-results.js';
import { withoutIdleUnwinding } from './idle-unwinding.js';
import { withLabelledThreads } from './labelled-threads.js';
import { liftAssembly } from './lift-assembly.js';
import { type Linked, linkModules } from './link-modules.js';
import { lowerModules } from './lower-program.js';
import type { Narrowings } from './outside-choices.js';
import { type LlvmIrModule, SourcePlaces, type SourcePlaceOptions } from './places.js';
import { readModule } from './read-module.js';
import type { SpawnCounts } from './spawned-threads.js';
import type { Linkage } from './syntax.js';
import { withStatesApart } from './thread-states.js';
import { unreferencedParts } from './unreferenced-parts.js';

export interface LlvmIrOptions extends SourcePlaceOptions {
  /** The name of the program; if absent, it is made of the name of the first file. */
  readonly name?: string;
  /** The maximum number of blocks that a call of `malloc` allocates in a thread; 4 by default. */
  readonly pool?: number;
  /**
   * The number of threads for each function, by name, in place of the numbers in `main`. `main` may
   * then only start and join threads and use memory of its own. Code after the last join is left
   * out; all other code is refused.
   */
  readonly counts?: SpawnCounts;
  /**
   * Whether the machine's headers were found: the machine's libraries may define weak names that
   * the modules do not define.
   */
  readonly areOfMachine?: boolean;
  /** The user's bounds for input values, by name: see `outsideNames`. */
  readonly outside?: Narrowings;
}

/**
 * The program of LLVM IR modules, linked by name. The last of several modules is a library: its
 * definitions yield to all others, and its code is never shown. Never throws.
 */
export function parseLlvmIr(
  modules: readonly LlvmIrModule[],
  options: LlvmIrOptions = {},
): ParseResult {
  const errors = new ErrorList();
  const skipped = unreferencedParts(modules.map(({ text }) => text));
  const read = modules.map(({ text }, i) =>
    withLabelledThreads(liftAssembly(readModule(text, errors, skipped[i])), options, errors),
  );
  if (errors.hasErrors) return { diagnostics: errors.toDiagnostics() };
  const library = modules.length > 1 ? modules.length - 1 : -1;
  const files = modules.map(({ file }) => file);
  const joined = withoutIdleResults(linkModules(read, errors, files), library);
  const alone = withStatesApart(withArgumentLists(withoutIdleUnwinding(joined)), library);
  const linked = options.areOfMachine ? besideLibraries(alone) : alone;
  const own = library < 0 ? undefined : headersOf(modules[library]!);
  const headers = [...(options.headers ?? []), ...(own === undefined ? [] : [own])];
  const places = new SourcePlaces(linked, modules, library, { ...options, headers });
  const name = options.name ?? baseName(modules[0]?.file ?? 'program');
  const { pool = 4, counts = new Map(), outside = {} } = options;
  const model = lowerModules(name, linked, places, { pool, counts, outside }, errors);
  const diagnostics = errors.toDiagnostics();
  return { ...(model && !errors.hasErrors && { model }), diagnostics };
}

/**
 * The module, with weak names marked as possibly defined by the machine's libraries. Names with
 * `_ZTH` are left out: through them, the compiler asks whether a thread-local variable needs
 * initialisation.
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

/**
 * The folder of the headers, which lies beside the library; `undefined` if the module does not name
 * its source file.
 */
function headersOf({ text }: LlvmIrModule): string | undefined {
  const file = /^source_filename = "([^"]*)"/m.exec(text)?.[1];
  return file?.replace(/[^\\/]*$/, 'include/');
}

function baseName(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\..*$/, '');
}
