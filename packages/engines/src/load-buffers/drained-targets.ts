import { at } from '@fencewright/ground/base/at.js';
import { any, type Minor } from './minor.js';
import type { DrainedState } from './store-buffers.js';
import { maxTargets, nodesOf, unknown, type TargetContext } from './target-context.js';

/**
 * A set of drained states as a prefix tree: first come the nodes of the threads, one level each,
 * and then the values of the cells.
 */
interface PrefixTree {
  readonly next: Map<number, PrefixTree>;
}

/**
 * Returns minors that contain all drained states except the states in `known`: one minor for each
 * missing branch of the prefix tree of the known states. `undefined` if there are too many minors.
 */
export function drainedStatesBeyond(
  context: TargetContext,
  known: Iterable<DrainedState>,
): readonly Minor[] | undefined {
  const { graphs } = context;
  const root: PrefixTree = { next: new Map() };
  for (const { nodes, memory } of known) {
    let here = root;
    for (const part of [...nodes, ...memory]) {
      let next = here.next.get(part);
      if (!next) here.next.set(part, (next = { next: new Map() }));
      here = next;
    }
  }
  const choices = [
    ...graphs.threads.map(({ states }, thread) =>
      nodesOf(context, thread).filter((node) => !at(states, node).holdsLock),
    ),
    ...graphs.values.map((count) => Array.from({ length: count }, (_, value) => value)),
  ];
  const threads = graphs.threads.length;
  const targets: Minor[] = [];
  const collect = (here: PrefixTree, chosen: readonly number[]): boolean => {
    if (chosen.length === choices.length) return true;
    for (const part of at(choices, chosen.length)) {
      const parts = [...chosen, part];
      const next = here.next.get(part);
      if (next) {
        if (!collect(next, parts)) return false;
        continue;
      }
      if (targets.length >= maxTargets) return false;
      const whole = unknown(context);
      targets.push({
        ...whole,
        nodes: whole.nodes.map((_, t) => parts[t] ?? any),
        memory: whole.memory.map((_, cell) => parts[threads + cell] ?? any),
      });
    }
    return true;
  };
  return collect(root, []) ? targets : undefined;
}
