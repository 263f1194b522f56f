import { at } from '@fencewright/ground/base/at.js';
import type { EventRun, TaskId } from '../trace/event-run.js';
import type { RunAccess } from '../verdict/event-judgement.js';

type MutableAccess = { -readonly [K in keyof RunAccess]: RunAccess[K] };

/**
 * Returns the accesses of a run: each load with the store read, and each access with the action at
 * which the access reaches memory.
 */
export function runAccesses({ tasks, actions }: EventRun): readonly RunAccess[] {
  const accesses: MutableAccess[] = [];
  /** For each thread, its buffered stores, oldest first, as indices into `accesses`. */
  const pending = new Map<number, number[]>();
  /** By address, the last store that reached memory, as an index into `accesses`. */
  const lastStore = new Map<number, number>();
  let block: { readonly task: TaskId; readonly lock: number } | undefined;
  const add = (access: MutableAccess): void => {
    const isInBlock = block?.task === access.task;
    accesses.push({ ...access, ...(block && isInBlock && { block: block.lock }) });
  };
  actions.forEach((action, place) => {
    const { task } = action;
    const { thread } = at(tasks, task);
    const buffer = pending.get(thread) ?? [];
    const next = accesses.length;
    switch (action.kind) {
      case 'issue':
        add({ task, kind: 'store', address: action.address, action: place });
        pending.set(thread, [...buffer, next]);
        break;
      case 'store': {
        const [oldest, ...rest] = buffer;
        // Under SC there is no earlier issue.
        if (oldest === undefined)
          add({ task, kind: 'store', address: action.address, action: place, storedAt: place });
        else at(accesses, oldest).storedAt = place;
        pending.set(thread, rest);
        lastStore.set(action.address, oldest ?? next);
        break;
      }
      case 'load':
      case 'rmw': {
        const { address } = action;
        const isOwn = action.kind === 'load' && action.fromBuffer;
        const source = isOwn
          ? buffer.findLast((store) => at(accesses, store).address === address)
          : lastStore.get(address);
        const written = action.kind === 'rmw' ? action.written : undefined;
        add({
          task,
          kind: written === undefined ? 'load' : 'rmw',
          address,
          action: place,
          ...(source !== undefined && { source }),
          ...(written !== undefined && { storedAt: place }),
        });
        if (written !== undefined) lastStore.set(address, next);
        break;
      }
      case 'lock':
        block = { task, lock: place };
        break;
      case 'unlock':
        block = undefined;
        break;
      case 'start':
      case 'begin':
      case 'return':
      case 'post':
      case 'fence':
      case 'silent':
        break;
    }
  });
  return accesses;
}

/**
 * Returns, for each access, its position among the accesses of the same cell. Stores have even
 * numbers, in the order of reaching memory; a load has the next odd number after the store read.
 * `undefined` for stores never reaching memory, and for loads that read from such stores.
 */
export function placesInCells(accesses: readonly RunAccess[]): readonly (number | undefined)[] {
  const stored = accesses
    .flatMap(({ storedAt }, access) => (storedAt === undefined ? [] : [{ storedAt, access }]))
    .sort((a, b) => a.storedAt - b.storedAt);
  const ranks = new Map(stored.map(({ access }, rank) => [access, rank]));
  return accesses.map(({ kind, source }, access) => {
    if (kind !== 'load') return doubled(ranks.get(access));
    if (source === undefined) return -1;
    const read = doubled(ranks.get(source));
    return read === undefined ? undefined : read + 1;
  });
}

function doubled(rank: number | undefined): number | undefined {
  return rank === undefined ? undefined : 2 * rank;
}
