import type { ThreadId } from '../program/ids.js';
import type { Computation } from './computation.js';

/** The relations whose union is happens-before ([BDM13] Sect. 3). */
export type Relation = 'po' | 'st' | 'src' | 'cf';

/**
 * A node of a trace: a memory access. `issuedAt` is its place in the computation (for a store, that of its issue: issue and store
 * are one node), `storedAt` the moment it wrote to memory. Local steps and fences are left out: they lie on no cycle that does
 * not also exist without them, as program order is transitive.
 */
export interface TraceNode {
  readonly thread: ThreadId;
  readonly address: number;
  readonly issuedAt: number;
  /** Absent for loads, failing cas, and stores that have not reached memory. */
  readonly storedAt?: number;
  readonly reads: boolean;
  /** For a node that reads: the node it reads from, as an index into `nodes`; absent for the initial value. */
  readonly source?: number;
}

/** The trace of a computation: its memory accesses in the order of `issuedAt`. */
export interface Trace {
  readonly nodes: readonly TraceNode[];
}

type MutableNode = { -readonly [K in keyof TraceNode]: TraceNode[K] };

/** The trace of a computation. Source: [BDM13x] App. A; a load that reads early has the buffered store as its source. */
export function buildTrace(computation: Computation): Trace {
  const nodes: MutableNode[] = [];
  const pending = new Map<ThreadId, number[]>();
  const lastStore = new Map<number, number>();
  const read = (at: number, thread: ThreadId, address: number, source: number | undefined) => {
    nodes.push({
      thread,
      address,
      issuedAt: at,
      reads: true,
      ...(source !== undefined && { source }),
    });
  };
  computation.forEach((action, at) => {
    const { thread } = action;
    switch (action.kind) {
      case 'issue': {
        const own = pending.get(thread) ?? [];
        pending.set(thread, [...own, nodes.length]);
        nodes.push({ thread, address: action.address, issuedAt: at, reads: false });
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
        read(at, thread, action.address, own);
        break;
      }
      case 'rmw': {
        read(at, thread, action.address, lastStore.get(action.address));
        const node = nodes.at(-1);
        if (action.written !== undefined && node) {
          node.storedAt = at;
          lastStore.set(action.address, nodes.length - 1);
        }
        break;
      }
      case 'local':
      case 'fence':
      case 'lock':
      case 'unlock':
        break;
    }
  });
  return { nodes };
}

/**
 * The relation that leads from node `from` to node `to`, if one does. Program order, store order and conflict are taken with their
 * transitive closure, so that a shortest cycle is short to read.
 */
export function relationBetween(trace: Trace, from: number, to: number): Relation | undefined {
  const a = trace.nodes[from];
  const b = trace.nodes[to];
  if (!a || !b || from === to) return undefined;
  if (a.thread === b.thread && from < to) return 'po';
  if (a.address !== b.address) return undefined;
  if (b.reads && b.source === from) return 'src';
  if (a.storedAt !== undefined && b.storedAt !== undefined && a.storedAt < b.storedAt) return 'st';
  if (a.reads && b.storedAt !== undefined && a.source !== to) {
    const source = a.source === undefined ? undefined : trace.nodes[a.source];
    if (!source) return 'cf';
    if (source.storedAt !== undefined && source.storedAt < b.storedAt) return 'cf';
  }
  return undefined;
}
