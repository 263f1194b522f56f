import type { Action, Computation } from '../../src/trace/computation.js';
import type { HappensBefore } from '../../src/trace/trace.js';

/**
 * A node of a trace: the position in the computation of the action that makes the access; for a
 * store, of its issue.
 */
type Node = number;

interface Access {
  readonly node: Node;
  readonly thread: number;
  readonly address: number;
  readonly value: number;
}

/**
 * Returns, for the load of a read abstraction (a load and a `havoc` on its value), the condition on
 * the loaded value with the values of the registers inserted ([BEMT18] Sect. 5); `undefined` for
 * other loads.
 */
export type Admits = (load: Node) => ((value: number) => boolean) | undefined;

function last<T>(list: readonly T[] | undefined): T | undefined {
  return list?.at(-1);
}

/**
 * Returns happens-before of a computation that ends with empty buffers, by the literal inductive
 * definition of [BDM13x] App. A, as strings `from po to`, `from st to`, ... with the positions of
 * the issues. Program order and store order are transitive. An rmw is a load and a store in one
 * node. For `value`, only the edges of `st` and `cf` of [BEMT18] footnote 1 and, for read
 * abstractions, of Sect. 5 are kept.
 */
export function relationsByDefinition(
  computation: Computation,
  happensBefore: HappensBefore,
  admits: Admits = () => undefined,
): ReadonlySet<string> {
  const programOrder = new Map<number, Node[]>();
  const storeOrder = new Map<number, Node[]>();
  const source = new Map<Node, Node | undefined>();
  const issued: Access[] = [];
  const loads: Access[] = [];
  const append = (lists: Map<number, Node[]>, key: number, node: Node): void =>
    void lists.set(key, [...(lists.get(key) ?? []), node]);
  const isAfter = (thread: number, n: Node, m: Node): boolean => {
    const order = programOrder.get(thread) ?? [];
    return order.indexOf(n) < order.indexOf(m);
  };
  const addLoad = (
    node: Node,
    { thread, address, value }: Action & { address: number; value: number },
  ) => {
    source.set(node, last(storeOrder.get(address)));
    loads.push({ node, thread, address, value });
  };
  computation.forEach((action, place) => {
    const { thread } = action;
    if (action.kind === 'store') {
      const { address, value } = action;
      const at = issued.findIndex((store) => store.thread === thread);
      const [first] = issued.splice(at, 1);
      if (!first) throw new Error('a store without its issue');
      append(storeOrder, address, first.node);
      for (const load of loads)
        if (
          load.thread === thread &&
          load.address === address &&
          load.value === value &&
          isAfter(thread, first.node, load.node)
        )
          source.set(load.node, first.node);
      return;
    }
    append(programOrder, thread, place);
    if (action.kind === 'issue') issued.push({ ...action, node: place });
    else if (action.kind === 'load') addLoad(place, action);
    else if (action.kind === 'rmw') {
      addLoad(place, action);
      if (action.written !== undefined) append(storeOrder, action.address, place);
    }
  });
  const isAccess = (node: Node): boolean =>
    ['issue', 'load', 'rmw'].includes(computation[node]?.kind ?? '');
  const relations = new Set<string>();
  const relate = (from: Node, relation: string, to: Node): void =>
    void relations.add(`${from} ${relation} ${to}`);
  for (const order of programOrder.values())
    order
      .filter(isAccess)
      .forEach((m, i, own) => own.slice(0, i).forEach((n) => relate(n, 'po', m)));
  const writtenBy = (node: Node): number | undefined => {
    const action = computation[node];
    return action?.kind === 'issue'
      ? action.value
      : action?.kind === 'rmw'
        ? action.written
        : undefined;
  };
  const differ = (value: number | undefined, store: Node): boolean =>
    happensBefore === 'standard' || value !== writtenBy(store);
  for (const order of storeOrder.values())
    order.forEach((m, i) =>
      order.slice(0, i).forEach((n) => {
        if (differ(writtenBy(n), m)) relate(n, 'st', m);
      }),
    );
  for (const { node, address, value } of loads) {
    const read = source.get(node);
    if (read !== undefined) relate(read, 'src', node);
    const order = storeOrder.get(address) ?? [];
    const overwriting = read === undefined ? order : order.slice(order.indexOf(read) + 1);
    const condition = happensBefore === 'value' ? admits(node) : undefined;
    for (const store of overwriting)
      if (store !== node && (condition ? !condition(writtenBy(store)!) : differ(value, store)))
        relate(node, 'cf', store);
  }
  return relations;
}
