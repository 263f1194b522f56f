import { at } from '@fencewright/ground/base/at.js';
import type { EventWatch } from '@fencewright/model/events/explore-events.js';
import { isBeforeInTree } from '@fencewright/model/events/judge-run.js';
import type { EventStep } from '@fencewright/model/events/machine.js';
import { CallTreeNames, noTrees, type CallTrees } from './call-trees.js';
import { scAccessOf, type ScAccess } from './sc-accesses.js';

type Path = readonly number[];

/**
 * Two tasks of one event among those that have accessed a cell so far: the last task with a store,
 * and the last task with any access. Last is meant in the DFS order of the event's call tree, not
 * in time. A task is given by its path in the tree.
 */
interface LastTasks {
  readonly storing?: Path;
  readonly accessing: Path;
}

interface DfsMemory {
  readonly trees: CallTrees;
  /**
   * By event, then by cell, the last tasks of the event with accesses to the cell. Ended events are
   * absent.
   */
  readonly last: ReadonlyMap<string, ReadonlyMap<number, LastTasks>>;
}

function laterOf(known: Path | undefined, path: Path): Path {
  return known && isBeforeInTree(path, known) ? known : path;
}

/**
 * Returns the memory of the watch after an access; `undefined` if the access violates (D), event
 * determinism.
 */
function afterAccess(memory: DfsMemory, { task, cell, isStore }: ScAccess) {
  const { event, path } = at(memory.trees.places, task);
  const cells = memory.last.get(event) ?? new Map<number, LastTasks>();
  const known = cells.get(cell);
  const conflicting = isStore ? known?.accessing : known?.storing;
  if (conflicting && isBeforeInTree(path, conflicting)) return undefined;
  const storing = isStore ? laterOf(known?.storing, path) : known?.storing;
  const next = { accessing: laterOf(known?.accessing, path), ...(storing && { storing }) };
  return {
    ...memory,
    last: new Map(memory.last).set(event, new Map(cells).set(cell, next)),
  };
}

/**
 * Returns a watch of SC runs that ends with the first access that violates (D), event determinism:
 * a task of the same event, later in DFS order, has made a conflicting access to the cell ([BEMR18]
 * Def. 1). Only the last task in DFS order is compared: some earlier access conflicts against DFS
 * order if and only if the access by the last task does.
 */
export function dfsWatch(): EventWatch<DfsMemory> {
  const names = new CallTreeNames();
  return {
    initial: { trees: noTrees, last: new Map() },
    after: ({ trees, last }: DfsMemory, step: EventStep) => {
      let memory: DfsMemory | undefined = { trees: names.after(trees, step), last };
      for (const action of step.actions) {
        const access = scAccessOf(action);
        if (access && memory) memory = afterAccess(memory, access);
      }
      if (!memory) return undefined;
      const { open } = memory.trees;
      const isOver = [...memory.last.keys()].some((event) => !open.has(event));
      if (!isOver) return memory;
      return { ...memory, last: new Map([...memory.last].filter(([event]) => open.has(event))) };
    },
    keyOf: ({ trees, last }) => {
      const events = [...last].map(([event, cells]) => {
        const tasks = [...cells].map(
          ([cell, { accessing, storing }]) =>
            `${cell}=${accessing.join('.')}/${storing?.join('.') ?? '-'}`,
        );
        return `${event}:${tasks.sort().join(' ')}`;
      });
      return `|${names.keyOf(trees)}|${events.sort().join('&')}`;
    },
    nameOf: (task) => names.nameOf(task),
  };
}
