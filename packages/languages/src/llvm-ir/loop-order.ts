import { InternalError } from '@fencewright/ground/base/unreachable.js';

/** An order of the nodes of a graph for visits. */
interface LoopOrder {
  /**
   * The position of each node: a node comes after its predecessors, except for jumps back, and all
   * nodes of a loop are adjacent, the loop's head first. This is a weak topological order
   * (Bourdoncle 1993). Nodes that node 0 does not lead to come last.
   */
  readonly positions: readonly number[];
  /** By node, the last position of the loop that the node heads; `undefined` if it heads none. */
  readonly loopEnds: readonly (number | undefined)[];
}

/** The order for visits of a graph, given the successors of each node. */
export function loopOrder(successors: readonly (readonly number[])[]): LoopOrder {
  const numbers = successors.map(() => 0);
  const stack: number[] = [];
  const sizes = new Map<number, number>();
  let last = 0;

  /**
   * Visits a node, and puts the nodes that it leads to in front of `order`, the last node first.
   * Returns the smallest number of a node on the stack that the node leads to.
   */
  const visit = (node: number, order: number[]): number => {
    stack.push(node);
    const own = (numbers[node] = ++last);
    let head = own;
    let isLoop = false;
    for (const next of successors[node] ?? []) {
      const reached = numbers[next] === 0 ? visit(next, order) : numbers[next]!;
      if (reached > head) continue;
      head = reached;
      isLoop = true;
    }
    if (head !== own) return head;
    numbers[node] = Infinity;
    for (let other = stack.pop(); other !== node; other = stack.pop()) {
      if (other === undefined) throw new InternalError('a node of a loop is not on the stack');
      numbers[other] = 0;
    }
    if (isLoop) {
      const body: number[] = [];
      for (const next of successors[node] ?? []) if (numbers[next] === 0) visit(next, body);
      order.push(...body);
      sizes.set(node, body.length + 1);
    }
    order.push(node);
    return head;
  };

  const reversed: number[] = [];
  if (successors.length > 0) visit(0, reversed);
  const positions = successors.map((_, node) => successors.length + node);
  reversed.reverse().forEach((node, position) => (positions[node] = position));
  const loopEnds = positions.map((position, node) => {
    const size = sizes.get(node);
    return size === undefined ? undefined : position + size - 1;
  });
  return { positions, loopEnds };
}
