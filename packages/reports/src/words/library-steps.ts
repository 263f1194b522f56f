import type { Program } from '@fencewright/model/program/program.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';

/**
 * The kinds of library calls on locks and condition variables. Reports show such a call as one
 * step.
 */
type LibraryUse = 'lock' | 'try' | 'unlock' | 'wait' | 'wake' | 'free';

const guards = String.raw`std::(?:lock_guard|unique_lock|scoped_lock|shared_lock)`;

/** The names of library functions, by use. */
const functions: readonly (readonly [LibraryUse, RegExp])[] = [
  [
    'lock',
    new RegExp(
      String.raw`^(?:pthread_mutex_lock|mtx_lock|pthread_spin_lock|pthread_rwlock_(?:rd|wr)lock|std::\w*mutex::lock(?:_shared)?|${guards}::(?:lock|\w+_lock|lock_guard))$`,
    ),
  ],
  [
    'try',
    /^(?:pthread_\w+_(?:try|timed|clock)\w*lock|mtx_(?:try|timed)lock|std::\w*mutex::try_lock\w*)$/,
  ],
  [
    'unlock',
    new RegExp(
      String.raw`^(?:pthread_(?:mutex|spin|rwlock)_unlock|mtx_unlock|std::\w*mutex::unlock(?:_shared)?|${guards}::(?:unlock|~\w+))$`,
    ),
  ],
  ['free', /^(?:free|operator delete(?:\[\])?)$/],
  [
    'wait',
    /^(?:pthread_cond_\w*wait|cnd_\w*wait|condition_wait|std::condition_variable(?:_any)?::wait(?:_for|_until)?)$/,
  ],
  [
    'wake',
    /^(?:pthread_cond_(?:signal|broadcast)|cnd_(?:signal|broadcast)|condition_(?:one|all)|std::condition_variable(?:_any)?::notify_(?:one|all))$/,
  ],
];

/** A step of a library function on a lock or a condition variable. */
export interface LibraryStep {
  readonly verb:
    | 'locks'
    | 'unlocks'
    | 'issues its unlock of'
    | 'waits for'
    | 'wakes up from'
    | 'wakes a waiting thread of'
    | 'wakes nobody at';
  readonly address: number;
}

/** Returns the use of a lock or condition variable that an action is part of, if any. */
function useOf({ threads }: Program, { thread, transition }: Action): LibraryUse | undefined {
  const name = threads[thread]?.transitions[transition]?.origin.libraryCall;
  return name === undefined ? undefined : functions.find(([, names]) => names.test(name))?.[0];
}

const nouns: Readonly<Record<Exclude<LibraryUse, 'free'>, string>> = {
  lock: 'lock of',
  try: 'attempt to lock',
  unlock: 'unlock of',
  wait: 'wait on',
  wake: 'wake-up by',
};

/**
 * Returns the noun for an access by a library function to a lock or a condition variable, before
 * the name of the variable: `unlock of`; `undefined` for other actions.
 */
export function libraryNoun(program: Program, action: Action): string | undefined {
  const use = useOf(program, action);
  return use === undefined || use === 'free' ? undefined : nouns[use];
}

/**
 * Returns the step that reports tell for an action of a library function on a lock or condition
 * variable; `untold` for further actions of the function, and `undefined` for all other actions.
 * `conditions` are the addresses of condition variables.
 */
export function libraryStep(
  program: Program,
  action: Action,
  conditions: ReadonlySet<number>,
): LibraryStep | 'untold' | undefined {
  const use = useOf(program, action);
  if (use === undefined) return undefined;
  // Reports tell a free as a step on the block of memory (`blockSteps`).
  if (use === 'free') return action.kind === 'local' ? 'untold' : undefined;
  const written =
    action.kind === 'store' || (action.kind === 'rmw' && action.written !== undefined)
      ? action.address
      : undefined;
  // The unlock of a spin lock is a store, which waits in the buffer.
  if (use === 'unlock' && action.kind === 'issue')
    return { verb: 'issues its unlock of', address: action.address };
  const told = (verb: LibraryStep['verb'], address: number): LibraryStep => ({ verb, address });
  if (written === undefined) {
    if (use === 'wake' && action.kind === 'load' && action.value === 0)
      return told('wakes nobody at', action.address);
    return use === 'try' ? undefined : 'untold';
  }
  switch (use) {
    case 'lock':
    case 'try':
      return told('locks', written);
    case 'unlock':
      return told('unlocks', written);
    case 'wake':
      return told('wakes a waiting thread of', written);
    case 'wait': {
      const isAtomic = action.kind === 'rmw';
      if (conditions.has(written)) return told(isAtomic ? 'waits for' : 'wakes up from', written);
      return told(isAtomic ? 'unlocks' : 'locks', written);
    }
  }
}

/** Returns the addresses of the condition variables for which threads wait in a computation. */
export function conditionCells(program: Program, computation: Computation): ReadonlySet<number> {
  return new Set(
    computation.flatMap((action) => {
      if (action.kind !== 'rmw') return [];
      const found = program.threads[action.thread]?.transitions[action.transition];
      const isWait = found?.origin.libraryCall?.includes('wait') === true;
      const { instruction } = found ?? {};
      const isBit =
        instruction?.kind === 'rmw' && instruction.operation.name.startsWith('fetch_or');
      return isWait && isBit ? [action.address] : [];
    }),
  );
}
