import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type {
  ProductSearch,
  ProductState,
  RunResult,
} from '@fencewright/ground/product/product-search.js';
import type { Mark } from '../automata/access-levels.js';
import type { Allowance } from './allowance.js';
import type { DelayTarget } from '../automata/attacker-automaton.js';
import type { SearchSession } from './search-session.js';

/** A state in which the attacker is about to execute the last load. */
export interface LastPhaseStart {
  readonly source: ProductSearch;
  readonly state: number;
  /** The attacker's position among the threads in states of `source`. */
  readonly place: number;
  readonly target: DelayTarget;
  readonly loadCell: number;
  /** The mark of the attack's last load on the loaded cell. */
  readonly loadMark: Mark;
  /** The id of the value that the cell of the last load holds. */
  readonly loadHeld: number;
}

const statesPerCheckpoint = 4096;
/**
 * The number of third-phase states that may be stored, as a multiple of the states of the stage. If
 * more are needed, the search of the third phase is continued in a later stage.
 */
const lastPhaseFactor = 50;

/** The third phase of the search for all attacks of one thread. */
export class LastPhase {
  readonly search: ProductSearch;
  /** The number of states stored by all searches of the third phase. */
  states = 0;
  readonly #session: SearchSession;
  readonly #thread: ThreadId;
  /** The number of the first state that the current search has stored. */
  #first = 0;
  readonly #seed: { readonly nodes: number[]; readonly values: number[] } = {
    nodes: [],
    values: [],
  };

  constructor(session: SearchSession, thread: ThreadId) {
    this.#session = session;
    this.#thread = thread;
    this.search = session.lastPhase(thread);
  }

  /** Returns the first state of a third phase; valid until the next call. */
  seed(from: LastPhaseStart): ProductState {
    const { threads, marks, markTables } = this.#session.automata;
    const { source, state, place } = from;
    const { nodes, values } = this.#seed;
    let helper = 0;
    for (let t = 0; t < threads.length; t++) {
      if (t === this.#thread) continue;
      const node = source.node(state, t === place ? this.#thread : t);
      nodes[helper++] = at(threads, t).path.offPath(node);
    }
    const cells = Math.max(markTables.cells, from.target.cell + 1, from.loadCell + 1);
    const length = Math.max(cells, source.layout.cells.length);
    while (values.length < length) values.push(0);
    for (let c = 0; c < values.length; c++) {
      const held = c === from.loadCell ? from.loadHeld : source.value(state, c);
      values[c] = marks.id(c, held, this.#markOf(c, from));
    }
    return this.#seed;
  }

  #markOf(cell: number, { target, loadCell, loadMark }: LastPhaseStart): Mark {
    if (cell === target.cell) return target.mark;
    return cell === loadCell ? loadMark : 0;
  }

  /**
   * Searches for a happens-before path from the last load to the first delayed store. Returns
   * `goal`, `done`, or the reason for giving up. The stored states can be read until the caller
   * calls `leave`, as it must.
   */
  run(seed: ProductState, { budget, stage, usage }: Allowance): RunResult {
    const { search } = this;
    const first = search.table.count;
    this.#first = first;
    if (search.add(seed, -1) < 0) return 'done';
    search.cursor = first;
    const end = first + lastPhaseFactor * stage;
    let result: RunResult;
    do {
      const before = search.table.count;
      const more = Math.min(statesPerCheckpoint, budget.room(usage.states));
      result = search.run(Math.min(end, before + more));
      this.states += search.table.count - before;
    } while (
      result === 'limit' &&
      search.table.count < end &&
      !budget.exceededBy(usage.states, usage.bytes, search.table.growthFor(statesPerCheckpoint))
    );
    return result;
  }

  /**
   * Ends a search of the third phase. If the search was complete without reaching the goal, its
   * states are kept: no path can be completed from them, so later searches skip them. All other
   * states are dropped.
   */
  leave(result: RunResult): void {
    const { search } = this;
    if (result !== 'done') search.table.truncate(this.#first);
    else if (!this.#session.reductions.shareDeadStates) search.table.truncate(0);
    search.cursor = search.table.count;
  }
}
