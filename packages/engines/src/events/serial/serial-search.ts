import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { StateTable } from '@fencewright/ground/product/state-table.js';
import { TableFull } from '@fencewright/ground/product/state-storage.js';
import { Config, configWords, type LogItem } from './config.js';
import type { SerialMachine } from './serial-machine.js';

/** The outcome of a sequential search. */
export interface SearchEnd<Witness> {
  /** The witness of the first confirmed violation; `undefined` if there is none. */
  readonly found: Witness | undefined;
  /** The number of violations for which no witness could be made. */
  readonly unconfirmed: number;
  readonly exhausted: Exhaustion | undefined;
  readonly states: number;
}

/**
 * The maximum number of violations without a witness; after that no more violations are examined.
 */
const maxUnconfirmed = 200;

/**
 * Explores all configurations, breadth first. `confirm` receives the parts of the run to a
 * violation and makes a witness, or returns `undefined`; the search ends with the first witness.
 */
export async function searchSerially<Witness>(
  machine: SerialMachine,
  budget: Budget,
  confirm: (items: readonly LogItem[], end: Config) => Witness | undefined,
): Promise<SearchEnd<Witness>> {
  const table = new StateTable(configWords);
  const words = new Int32Array(configWords);
  const bytes = (): number => table.bytes + machine.bytes;
  let found: Witness | undefined;
  let unconfirmed = 0;
  let exhausted: Exhaustion | undefined;
  const add = (config: Config, parent: number): void => {
    config.pack(words);
    table.add(words, parent);
  };
  add(machine.initial(), -1);
  try {
    for (let state = 0; state < table.count && !found; state++) {
      if ((state & 1023) === 0)
        exhausted = await budget.checkpoint(table.count, bytes(), table.growthFor(1024));
      else if (budget.isDue()) exhausted = await budget.checkTime(table.count, bytes());
      exhausted ??= budget.exceededBy(table.count, 0);
      if (exhausted) break;
      const violations: number[] = [];
      let nth = 0;
      table.copyWords(state, words);
      machine.successors(Config.unpack(words), {
        reach: (next) => add(next, state),
        violate: () => violations.push(nth++),
      });
      for (const n of violations) {
        if (found || unconfirmed >= maxUnconfirmed) break;
        const { items, end } = wayTo(machine, table, state, n);
        found = confirm(items, end);
        if (!found) unconfirmed++;
      }
    }
  } catch (error) {
    if (!(error instanceof TableFull)) throw error;
    exhausted = 'memory';
  }
  budget.finishSearch(table.count, bytes());
  return { found, unconfirmed, exhausted, states: table.count };
}

/**
 * Returns the parts of the run to a violation: the `n`-th of the violations that one step from
 * `state` completes.
 */
function wayTo(
  machine: SerialMachine,
  table: StateTable,
  state: number,
  n: number,
): { readonly items: readonly LogItem[]; readonly end: Config } {
  const configOf = (number: number): Config => {
    const words = new Int32Array(configWords);
    table.copyWords(number, words);
    return Config.unpack(words);
  };
  const path = [state];
  for (let parent = table.parent(state); parent >= 0; parent = table.parent(parent))
    path.push(parent);
  path.reverse();
  machine.isRecording = true;
  const items: LogItem[] = [];
  const goTo = (from: number, pick: (config: Config, isViolation: boolean) => boolean): Config => {
    let step: Config | undefined;
    const offer = (config: Config, isViolation: boolean): void => {
      if (!step && pick(config, isViolation)) step = config;
    };
    machine.successors(configOf(from), {
      reach: (config) => offer(config, false),
      violate: (config) => offer(config, true),
    });
    if (!step) throw new InternalError('a step of a search cannot be repeated');
    items.push(...itemsOf(step));
    return step;
  };
  const packed = new Int32Array(configWords);
  const wanted = new Int32Array(configWords);
  for (let i = 1; i < path.length; i++) {
    table.copyWords(at(path, i), wanted);
    goTo(at(path, i - 1), (config, isViolation) => {
      config.pack(packed);
      return !isViolation && packed.every((word, w) => word === wanted[w]);
    });
  }
  let left = n;
  const end = goTo(state, (_, isViolation) => isViolation && left-- === 0);
  machine.isRecording = false;
  return { items, end };
}

function itemsOf({ log }: Config): readonly LogItem[] {
  const items: LogItem[] = [];
  for (let entry = log; entry; entry = entry.earlier) items.push(entry.item);
  return items.reverse();
}
