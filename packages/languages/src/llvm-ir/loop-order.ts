import { InternalError } from '@fencewright/ground/base/unreachable.js';

/**
 * The position of each node of a graph, given the successors of each node, in an order for visits:
 * behind the nodes before it, and all nodes of a loop side by side, the loop's head first. A node
 * behind a loop thus comes after the loop. This is a weak topological order (Bourdoncle 1993).
 * Nodes that node 0 does not lead to come last.
 */
export function loopOrder(successors: readonly (readonly number[])[]): readonly number[] {
  const numbers = successors.map(() => 0);
  const stack: number[] = [];
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
    }
    order.push(node);
    return head;
  };

  const reversed: number[] = [];
  if (successors.length > 0) visit(0, reversed);
  const positions = successors.map((_, node) => successors.length + node);
  reversed.reverse().forEach((node, position) => (positions[node] = position));
  return positions;
}
