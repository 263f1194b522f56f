import type { Moment } from './machine.js';

/** The two notions of happens-before in docs/value-happens-before.md. */
export type HappensBefore = 'standard' | 'value';

/** A memory access of a computation. A store and its flush are one node. */
interface AccessNode {
  readonly thread: number;
  readonly address: number;
  readonly read?: number;
  readonly written?: number;
  /**
   * For an access that reads, the node of the store whose value is read; absent if the value is the
   * initial one.
   */
  readonly source?: AccessNode;
  /**
   * An object shared by all accesses of a lock block; an access outside lock blocks has an object
   * to itself (docs/adr/0007).
   */
  readonly group: object;
  /** For a store, the position in the order of all stores reaching memory; absent for loads. */
  rank?: number;
}

/** Returns the accesses of a computation, in the order of execution. */
function nodesOf(moments: readonly Moment[]): readonly AccessNode[] {
  const nodes: AccessNode[] = [];
  const newest = new Map<number, AccessNode>();
  const waiting = new Map<number, AccessNode[]>();
  const blocks = new Map<number, object>();
  let rank = 0;
  const arrive = (node: AccessNode): void => {
    node.rank = rank++;
    newest.set(node.address, node);
  };
  for (const { action, access } of moments) {
    const { thread, kind } = action;
    const own = waiting.get(thread) ?? [];
    if (kind === 'lock') blocks.set(thread, {});
    if (kind === 'unlock') blocks.delete(thread);
    if (kind === 'store') arrive(own.shift()!);
    if (!access) continue;
    const { address, read, written, early } = access;
    const source = early ? own.findLast((node) => node.address === address) : newest.get(address);
    const node: AccessNode = {
      thread,
      address,
      ...(read !== undefined && { read }),
      ...(written !== undefined && { written }),
      ...(read !== undefined && source && { source }),
      group: blocks.get(thread) ?? {},
    };
    nodes.push(node);
    if (kind === 'issue') waiting.set(thread, [...own, node]);
    else if (written !== undefined) arrive(node);
  }
  return nodes;
}

/**
 * Whether a relation of happens-before leads from `a` directly to `b`; `isEarlier`: `a` was
 * executed before `b`.
 */
function leads(
  a: AccessNode,
  b: AccessNode,
  isEarlier: boolean,
  happensBefore: HappensBefore,
): boolean {
  if (a.thread === b.thread && isEarlier) return true;
  if (b.source === a) return true;
  const last = b.rank;
  if (a.address !== b.address || last === undefined) return false;
  const isBefore = (rank = Number.POSITIVE_INFINITY): boolean => rank < last;
  const differs = (value: number | undefined): boolean =>
    value !== undefined && (happensBefore === 'standard' || value !== b.written);
  const storeOrder = differs(a.written) && isBefore(a.rank);
  const conflict =
    a !== b &&
    differs(a.read) &&
    a.source !== b &&
    (a.source === undefined || isBefore(a.source.rank));
  return storeOrder || conflict;
}

/**
 * Whether the happens-before relation of a computation that ends with empty buffers has a cycle
 * ([BDM13] Sect. 3; for values [BEMT18] footnote 1).
 */
export function hasCycle(moments: readonly Moment[], happensBefore: HappensBefore): boolean {
  const nodes = nodesOf(moments);
  const groups = [...new Set(nodes.map(({ group }) => group))];
  const number = new Map(groups.map((group, i) => [group, i]));
  const next = groups.map(() => new Set<number>());
  nodes.forEach((a, i) =>
    nodes.forEach((b, j) => {
      const from = number.get(a.group)!;
      const to = number.get(b.group)!;
      if (from !== to && leads(a, b, i < j, happensBefore)) next[from]!.add(to);
    }),
  );
  // Groups without predecessor are removed repeatedly; a nonempty rest has a cycle.
  const before = groups.map(() => 0);
  for (const successors of next) for (const to of successors) before[to]! += 1;
  const free = [...before.keys()].filter((i) => before[i] === 0);
  for (const i of free)
    for (const to of next[i]!) {
      before[to]! -= 1;
      if (before[to] === 0) free.push(to);
    }
  return free.length < groups.length;
}
