import type { ThreadId } from '../program/ids.js';
import type { Action, Computation } from './computation.js';

/**
 * The relations that make up happens-before ([BDM13] Sect. 3), and `lock`: between the accesses of
 * one lock block, which are atomic like the read and the write of an rmw.
 */
export type RelationName = 'po' | 'st' | 'src' | 'cf' | 'lock';

/**
 * The two notions of happens-before. `standard` ([BDM13] Sect. 3): store order relates all stores
 * to an address, conflict relates a load to all stores after its source. `value` ([BEMT18]
 * footnote 1): store order relates only stores of different values, conflict only stores of a value
 * different from the loaded value, or of a value not admitted by the load's read abstraction
 * ([BEMT18] Sect. 5). `standard` includes `value`.
 */
export type HappensBefore = 'standard' | 'value';

/**
 * The values that the load of a read abstraction (a load and a `havoc` on its value) could have
 * read, ascending; `any` before the `havoc` has made its choice.
 */
export type Admitted = readonly number[] | 'any';

/**
 * A node of a trace: a memory access. `issuedAt` is the position of the access in the computation
 * (for a store, of its issue: issue and store form one node), `storedAt` the position at which the
 * access writes to memory. Local steps and fences are left out: program order is transitive, so
 * every cycle through them also exists without them.
 */
interface TraceNode {
  readonly thread: ThreadId;
  readonly address: number;
  readonly issuedAt: number;
  /**
   * The position in the computation at which the access writes to memory; absent for loads, failing
   * cas, and stores that have not reached memory.
   */
  readonly storedAt?: number;
  /** The value that the access wrote; absent for loads and failing cas. */
  readonly written?: number;
  /** The value that the access read; absent for stores. */
  readonly read?: number;
  /**
   * For the load of a read abstraction (a load and a `havoc` on its value): all values that it
   * could have read without changing the thread's later behaviour ([BEMT18] Sect. 5).
   */
  readonly admits?: Admitted;
  /**
   * The node (store) whose value the access read, as an index into `nodes`; absent for stores, and
   * for reads of the initial value.
   */
  readonly source?: number;
  /** For an access inside a lock block: the position of the `lock` in the computation. */
  readonly block?: number;
}

/** The trace of a computation: its memory accesses in the order of `issuedAt`. */
export interface Trace {
  readonly nodes: readonly TraceNode[];
}

type MutableNode = { -readonly [K in keyof TraceNode]: TraceNode[K] };

/**
 * Builds the trace of a computation. Source: [BDM13x] App. A; an early load has the buffered store
 * as its source. `admitted` has, by position of a load in the computation, the values that the load
 * of a read abstraction could have read instead; only the notion `value` uses these values.
 */
export function buildTrace(
  computation: Computation,
  admitted: ReadonlyMap<number, Admitted> = new Map(),
): Trace {
  const nodes: MutableNode[] = [];
  const pending = new Map<ThreadId, number[]>();
  const lastStore = new Map<number, number>();
  const blocks = new Map<ThreadId, number>();
  const add = (node: MutableNode): void => {
    const block = blocks.get(node.thread);
    nodes.push(block === undefined ? node : { ...node, block });
  };
  const read = (
    at: number,
    { thread, address, value }: Extract<Action, { kind: 'load' | 'rmw' }>,
    source: number | undefined,
  ) => {
    const admits = admitted.get(at);
    add({
      thread,
      address,
      issuedAt: at,
      read: value,
      ...(source !== undefined && { source }),
      ...(admits !== undefined && { admits }),
    });
  };
  computation.forEach((action, at) => {
    const { thread } = action;
    switch (action.kind) {
      case 'issue': {
        const own = pending.get(thread) ?? [];
        pending.set(thread, [...own, nodes.length]);
        add({ thread, address: action.address, issuedAt: at, written: action.value });
        break;
      }
      case 'store': {
        const [oldest, ...rest] = pending.get(thread) ?? [];
        const node = oldest === undefined ? undefined : nodes[oldest];
        if (oldest === undefined || !node) break;
        pending.set(thread, rest);
        node.storedAt = at;
        lastStore.set(action.address, oldest);
        break;
      }
      case 'load': {
        const own = action.early
          ? pending.get(thread)?.findLast((n) => nodes[n]?.address === action.address)
          : lastStore.get(action.address);
        read(at, action, own);
        break;
      }
      case 'rmw': {
        read(at, action, lastStore.get(action.address));
        const node = nodes.at(-1);
        if (action.written !== undefined && node) {
          node.storedAt = at;
          node.written = action.written;
          lastStore.set(action.address, nodes.length - 1);
        }
        break;
      }
      case 'lock':
        blocks.set(thread, at);
        break;
      case 'unlock':
        blocks.delete(thread);
        break;
      case 'local':
      case 'fence':
      case 'heavy-fence':
        break;
    }
  });
  return { nodes };
}

/**
 * Returns the relation from node `from` to node `to` in a notion of happens-before; `undefined` if
 * there is none. Callers that search for paths must add the relation `lock`. The result depends
 * only on the two nodes and on the source of `from`. Program order, store order and conflict of
 * `standard` are transitively closed, so that shortest cycles are short to read. The relations of
 * `value` are not closed: two stores of equal value are unrelated even with a store of a different
 * value between them.
 */
export function relationBetween(
  trace: Trace,
  from: number,
  to: number,
  happensBefore: HappensBefore,
): RelationName | undefined {
  const a = trace.nodes[from];
  const b = trace.nodes[to];
  if (!a || !b || from === to) return undefined;
  if (a.thread === b.thread && from < to) return 'po';
  if (a.address !== b.address) return undefined;
  if (b.read !== undefined && b.source === from) return 'src';
  if (b.storedAt === undefined) return undefined;
  const differs = (value: number): boolean => happensBefore === 'standard' || value !== b.written;
  const isRefused = (read: number): boolean =>
    happensBefore === 'standard' || a.admits === undefined
      ? differs(read)
      : b.written !== undefined && a.admits !== 'any' && !a.admits.includes(b.written);
  const isStoredBefore = ({ storedAt }: TraceNode, later: number): boolean =>
    storedAt !== undefined && storedAt < later;
  if (a.written !== undefined && differs(a.written) && isStoredBefore(a, b.storedAt)) return 'st';
  if (a.read !== undefined && isRefused(a.read) && a.source !== to) {
    const source = a.source === undefined ? undefined : trace.nodes[a.source];
    if (!source || isStoredBefore(source, b.storedAt)) return 'cf';
  }
  return undefined;
}
