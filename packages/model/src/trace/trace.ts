import type { ThreadId } from '../program/ids.js';
import type { Action, Computation } from './computation.js';

/**
 * The relations whose union is happens-before ([BDM13] Sect. 3), and `lock`: between the accesses
 * of one lock block, which happen as one, like the read and the write of an rmw.
 */
export type Relation = 'po' | 'st' | 'src' | 'cf' | 'lock';

/**
 * The two notions of happens-before. `standard` ([BDM13] Sect. 3): store order relates all stores
 * to an address, conflict all stores behind the source of a load. `value` ([BEMT18] footnote 1):
 * only stores that write different values, and only stores of another value than the load read, or
 * of one that its read abstraction does not admit ([BEMT18] Sect. 5). What `value` relates,
 * `standard` relates too.
 */
export type HappensBefore = 'standard' | 'value';

/** The values that a read abstraction admits, ascending; any, as long as it has not chosen. */
export type Admitted = readonly number[] | 'any';

/**
 * A node of a trace: a memory access. `issuedAt` is its place in the computation (for a store, that
 * of its issue: issue and store are one node), `storedAt` the moment it wrote to memory. Local
 * steps and fences are left out: they lie on no cycle that does not also exist without them, as
 * program order is transitive.
 */
interface TraceNode {
  readonly thread: ThreadId;
  readonly address: number;
  readonly issuedAt: number;
  /** Absent for loads, failing cas, and stores that have not reached memory. */
  readonly storedAt?: number;
  /** The value that it writes; absent for loads and failing cas. */
  readonly written?: number;
  /** The value that it reads; absent for stores. */
  readonly read?: number;
  /**
   * For the load of a read abstraction: the values that it could have read as well, and go on as it
   * did ([BEMT18] Sect. 5).
   */
  readonly admits?: Admitted;
  /**
   * For a node that reads: the node it reads from, as an index into `nodes`; absent for the initial
   * value.
   */
  readonly source?: number;
  /** For an access inside a lock block: the place of its `lock` in the computation. */
  readonly block?: number;
}

/** The trace of a computation: its memory accesses in the order of `issuedAt`. */
export interface Trace {
  readonly nodes: readonly TraceNode[];
}

type MutableNode = { -readonly [K in keyof TraceNode]: TraceNode[K] };

/**
 * The trace of a computation. Source: [BDM13x] App. A; a load that reads early has the buffered
 * store as its source. `admitted` tells of the loads of read abstractions, by their places in the
 * computation; only the notion `value` looks at it.
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
        break;
    }
  });
  return { nodes };
}

/**
 * The relation of a notion that leads from node `from` to node `to`, if one does; `lock` is left to
 * those who look for paths. It depends on the two nodes and on the source of `from` only. Program
 * order, store order and conflict of `standard` are taken with their transitive closure, so that a
 * shortest cycle is short to read; those of `value` are not closed: two stores of one value are
 * unrelated although a store of another may lie between them.
 */
export function relationBetween(
  trace: Trace,
  from: number,
  to: number,
  happensBefore: HappensBefore,
): Relation | undefined {
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
