import { at } from '../base/at.js';
import type { ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import { initialState, type Successor } from '../semantics/machine.js';
import type { Action, Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';

interface History {
  readonly action: Action;
  readonly before: History | undefined;
}

/**
 * A state together with the trace that led to it, for the checkers that work by the definition. Two computations with the same
 * trace give the same `configurationKey`, so each trace is looked at once.
 */
export interface Configuration {
  readonly state: MachineState;
  /** Indexed by thread: what the thread did, with the sources of its loads. */
  readonly events: readonly (readonly string[])[];
  /** Indexed by thread: names of the buffered stores, oldest first. */
  readonly pending: readonly (readonly string[])[];
  /** Address to the names of its stores in store order. */
  readonly order: ReadonlyMap<number, readonly string[]>;
  readonly history: History | undefined;
}

/** The configuration in which nothing has happened. */
export function initialConfiguration(program: Program): Configuration {
  return {
    state: initialState(program),
    events: program.threads.map(() => []),
    pending: program.threads.map(() => []),
    order: new Map(),
    history: undefined,
  };
}

/** The actions that led to the configuration. */
export function computationOf(configuration: Configuration): Computation {
  const actions: Action[] = [];
  for (let h = configuration.history; h; h = h.before) actions.push(h.action);
  return actions.reverse();
}

/** A name of the configuration's trace. */
export function configurationKey(configuration: Configuration): string {
  const orders = [...configuration.order]
    .sort(([a], [b]) => a - b)
    .map(([address, names]) => `${address}:${names.join(' ')}`);
  return `${configuration.events.map((own) => own.join(' ')).join('|')}/${orders.join('|')}`;
}

function replaceAt<T>(list: readonly T[], index: number, value: T): T[] {
  return list.map((old, i) => (i === index ? value : old));
}

function lastStoreTo(configuration: Configuration, address: number): string {
  return configuration.order.get(address)?.at(-1) ?? 'initial';
}

function eventName(
  configuration: Configuration,
  action: Exclude<Action, { kind: 'store' }>,
): string {
  const { thread } = action;
  switch (action.kind) {
    case 'load': {
      const early = configuration.state.buffers[thread]?.findLastIndex(
        (store) => store.address === action.address,
      );
      const source = action.early
        ? at(at(configuration.pending, thread), early!)
        : lastStoreTo(configuration, action.address);
      return `${action.transition}<${action.address}<${source}`;
    }
    case 'rmw':
      return `${action.transition}<${action.address}<${lastStoreTo(configuration, action.address)}`;
    case 'issue':
      return `${action.transition}>${action.address}`;
    case 'local':
      return `${action.transition}=${action.choice}`;
    case 'fence':
    case 'lock':
    case 'unlock':
      return `${action.transition}`;
  }
}

function afterStore(
  configuration: Configuration,
  thread: ThreadId,
  address: number,
  name: string,
): Pick<Configuration, 'order' | 'pending'> {
  const order = new Map(configuration.order);
  order.set(address, [...(order.get(address) ?? []), name]);
  const own = configuration.pending[thread] ?? [];
  return {
    order,
    pending:
      own[0] === name
        ? replaceAt(configuration.pending, thread, own.slice(1))
        : configuration.pending,
  };
}

function afterAction(
  configuration: Configuration,
  action: Action,
  state: MachineState,
): Configuration {
  const { thread } = action;
  const history = { action, before: configuration.history };
  if (action.kind === 'store') {
    const name = at(at(configuration.pending, thread), 0);
    return {
      ...configuration,
      ...afterStore(configuration, thread, action.address, name),
      state,
      history,
    };
  }
  const own = configuration.events[thread] ?? [];
  const name = `${thread}.${own.length}`;
  const next: Configuration = {
    ...configuration,
    events: replaceAt(configuration.events, thread, [...own, eventName(configuration, action)]),
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

/** The configuration after a step of the machine. */
export function extendConfiguration(configuration: Configuration, step: Successor): Configuration {
  return step.actions.reduce(
    (current, action) => afterAction(current, action, step.state),
    configuration,
  );
}
