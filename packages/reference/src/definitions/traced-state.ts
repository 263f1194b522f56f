import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { initialState, type Successor } from '@fencewright/model/semantics/machine.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

interface History {
  readonly action: Action;
  readonly before: History | undefined;
}

/**
 * A state together with the trace that leads to it, for the checkers that work by the definition.
 * Computations with equal traces have equal `tracedStateKey`s, so each trace is explored once.
 */
export interface TracedState {
  readonly state: MachineState;
  /**
   * By thread, the actions executed so far. Each load has the name of the store from which the load
   * reads.
   */
  readonly events: readonly (readonly string[])[];
  /** By thread, the names of the stores in its buffer, oldest first. */
  readonly pending: readonly (readonly string[])[];
  /** By address, the names of the stores to it, in store order. */
  readonly order: ReadonlyMap<number, readonly string[]>;
  readonly history: History | undefined;
}

/** Returns the state before any action. */
export function initialTracedState(program: Program): TracedState {
  return {
    state: initialState(program),
    events: program.threads.map(() => []),
    pending: program.threads.map(() => []),
    order: new Map(),
    history: undefined,
  };
}

/** Returns the actions that led to the state. */
export function computationOf(reached: TracedState): Computation {
  const actions: Action[] = [];
  for (let h = reached.history; h; h = h.before) actions.push(h.action);
  return actions.reverse();
}

/**
 * Returns a key: states with equal traces share the key if heavy fences still wait for equal
 * threads.
 */
export function tracedStateKey(reached: TracedState): string {
  const orders = [...reached.order]
    .sort(([a], [b]) => a - b)
    .map(([address, names]) => `${address}:${names.join(' ')}`);
  const events = reached.events.map((own) => own.join(' ')).join('|');
  return `${events}/${orders.join('|')}/${reached.state.asked?.join('|') ?? ''}`;
}

function replaceAt<T>(list: readonly T[], index: number, value: T): T[] {
  return list.map((old, i) => (i === index ? value : old));
}

function lastStoreTo(reached: TracedState, address: number): string {
  return reached.order.get(address)?.at(-1) ?? 'initial';
}

function eventName(reached: TracedState, action: Exclude<Action, { kind: 'store' }>): string {
  const { thread } = action;
  switch (action.kind) {
    case 'load': {
      const early = reached.state.buffers[thread]?.findLastIndex(
        (store) => store.address === action.address,
      );
      const source = action.early
        ? at(at(reached.pending, thread), early!)
        : lastStoreTo(reached, action.address);
      return `${action.transition}<${action.address}<${source}`;
    }
    case 'rmw':
      return `${action.transition}<${action.address}<${lastStoreTo(reached, action.address)}`;
    case 'issue':
      return `${action.transition}>${action.address}`;
    case 'local':
      return `${action.transition}=${action.choice}`;
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
      return `${action.transition}`;
  }
}

function afterStore(
  reached: TracedState,
  thread: ThreadId,
  address: number,
  name: string,
): Pick<TracedState, 'order' | 'pending'> {
  const order = new Map(reached.order);
  order.set(address, [...(order.get(address) ?? []), name]);
  const own = reached.pending[thread] ?? [];
  return {
    order,
    pending: own[0] === name ? replaceAt(reached.pending, thread, own.slice(1)) : reached.pending,
  };
}

function afterAction(reached: TracedState, action: Action, state: MachineState): TracedState {
  const { thread } = action;
  const history = { action, before: reached.history };
  if (action.kind === 'store') {
    const name = at(at(reached.pending, thread), 0);
    return {
      ...reached,
      ...afterStore(reached, thread, action.address, name),
      state,
      history,
    };
  }
  const own = reached.events[thread] ?? [];
  const name = `${thread}.${own.length}`;
  const next: TracedState = {
    ...reached,
    events: replaceAt(reached.events, thread, [...own, eventName(reached, action)]),
    state,
    history,
  };
  if (action.kind === 'issue')
    return {
      ...next,
      pending: replaceAt(next.pending, thread, [...(next.pending[thread] ?? []), name]),
    };
  if (action.kind === 'rmw' && action.written !== undefined)
    return { ...next, ...afterStore(next, thread, action.address, name) };
  return next;
}

/** Returns the traced state after a step of the machine. */
export function extendTracedState(reached: TracedState, step: Successor): TracedState {
  return step.actions.reduce(
    (current, action) => afterAction(current, action, step.state),
    reached,
  );
}
