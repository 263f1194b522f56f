import type { CxxHeader, HeaderClass } from '@fencewright/core/node';
import path from 'node:path';
import { type Harness, type HarnessNames, headerHarness } from './header-harness.js';

/** Returns a name without signs and capitals: `spsc_queue.hpp` has the class `SpscQueue`. */
function flat(name: string): string {
  return name
    .replace(/^.*::|<.*$/g, '')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
}

/**
 * Returns the class that a harness of the header is about: the class with the name of the file, or
 * the class with most public functions.
 */
function classOf(classes: readonly HeaderClass[], file: string): HeaderClass | undefined {
  const usable = classes.filter(
    ({ making, methods }) => typeof making !== 'string' && methods.length > 0,
  );
  const own = flat(path.parse(file).name);
  const byMethods = usable.toSorted((a, b) => b.methods.length - a.methods.length);
  return usable.find(({ name }) => flat(name) === own) ?? byMethods[0];
}

/** Returns the arguments of a constructor that takes numbers, in brackets; empty without any. */
function argumentsOf(making: HeaderClass['making']): string {
  if (typeof making === 'string' || making.length === 0) return '';
  const given = making.map(({ type }) => (type.canonical === 'bool' ? 'true' : '2'));
  return `(${given.join(', ')})`;
}

/**
 * Returns a harness for a header in C++, which calls the member functions of one class, or the
 * functions if there is no class; a text that says what the user has to write where the types and
 * arguments cannot be known.
 */
export function cxxHarness(
  header: CxxHeader,
  { file, ...names }: HarnessNames & { readonly file: string },
): Harness | string {
  const { classes, functions, complete, namespaces } = header;
  const chosen = classOf(classes, file);
  const about = chosen ? chosen.methods : functions;
  const cxx = { namespaces, making: argumentsOf(chosen?.making ?? []) };
  const harness =
    about.length > 0 ? headerHarness({ functions: about, complete }, { ...names, cxx }) : undefined;
  return harness ?? whatToWrite(classes, names.include);
}

function whatToWrite(classes: readonly HeaderClass[], include: string): string {
  const [first] = classes.filter(({ methods }) => methods.length > 0);
  if (!first) return 'it declares no class and no function that a thread could call';
  const whys = classes.flatMap(({ name, making }) =>
    typeof making === 'string' ? [`${name}: ${making}`] : [],
  );
  const [call] = first.methods;
  return (
    `${whys.join('; ')}. Include "${include}" in a file of your own, declare one object outside of ` +
    `main, of ${first.name} with the types and arguments that you use, start two threads in main, ` +
    `such as std::thread a([] { object.${call!.name}(...); }), join them, and assert what has to hold`
  );
}
