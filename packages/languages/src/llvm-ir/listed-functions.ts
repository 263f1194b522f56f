import type { IrFunction, IrModule } from './syntax.js';

/**
 * The function of the library that runs the exit functions registered while threads run, and takes
 * the lock of their list even if there are none.
 */
export const runningLasts = 'fw_run_lasts';

/** The function of the library that destroys the thread-local objects of `main`. */
export const endingMain = 'fw_end_main';

/** The functions in a list of functions that run before or after `main`, sorted by priority. */
export function listedFunctions(
  { globals, functions }: Pick<IrModule, 'globals' | 'functions'>,
  list: 'llvm.global_ctors' | 'llvm.global_dtors',
): readonly IrFunction[] {
  const initial = globals.get(list)?.initial;
  if (initial?.kind !== 'aggregate') return [];
  const found = initial.elements.flatMap(({ value }) => {
    const [priority, start] = value.kind === 'aggregate' ? value.elements : [];
    if (priority?.value.kind !== 'integer' || start?.value.kind !== 'global') return [];
    const of = functions.get(start.value.name);
    return of ? [{ of, priority: Number(priority.value.value) }] : [];
  });
  return found.sort((one, other) => one.priority - other.priority).map(({ of }) => of);
}

/** Whether the contents of a section run before or after `main`. */
export function runsByItself(section: string): boolean {
  return /^\.(?:init|fini|(?:pre)?init_array|fini_array|[cd]tors)\b/.test(section);
}
