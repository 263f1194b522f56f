import type { EventAction, TaskId } from '@fencewright/model/trace/event-run.js';

/** A memory access that an action makes under SC. */
export interface ScAccess {
  readonly task: TaskId;
  readonly cell: number;
  readonly isStore: boolean;
}

/**
 * Returns the memory access of an action under SC, `undefined` without a memory access. A failing
 * rmw is a load.
 */
export function scAccessOf(action: EventAction): ScAccess | undefined {
  const { kind, task } = action;
  switch (kind) {
    case 'load':
      return { task, cell: action.address, isStore: false };
    case 'store':
      return { task, cell: action.address, isStore: true };
    case 'rmw':
      return { task, cell: action.address, isStore: action.written !== undefined };
    default:
      return undefined;
  }
}
