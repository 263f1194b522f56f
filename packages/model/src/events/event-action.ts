import { refuseHeavyFence } from '../program/heavy-fences.js';
import type { Action } from '../trace/computation.js';
import type { EventAction, Site, TaskId } from '../trace/event-run.js';

/**
 * Converts an action of a thread into an `EventAction`: the same step, done by `task` at the
 * instruction `site` of an event program. Throws `InternalError` for a heavy fence.
 */
export function eventAction(action: Action, task: TaskId, site: Site): EventAction {
  switch (action.kind) {
    case 'issue':
    case 'store':
      return { kind: action.kind, task, site, address: action.address, value: action.value };
    case 'load': {
      const { address, value, early } = action;
      return { kind: 'load', task, site, address, value, fromBuffer: early };
    }
    case 'rmw': {
      const { address, value: read, written } = action;
      return { kind: 'rmw', task, site, address, read, ...(written !== undefined && { written }) };
    }
    case 'local':
      return {
        kind: 'silent',
        task,
        site,
        ...(action.choice !== undefined && { choice: action.choice }),
      };
    case 'heavy-fence':
      return refuseHeavyFence();
    case 'fence':
    case 'lock':
    case 'unlock':
      return { kind: action.kind, task, site };
  }
}
