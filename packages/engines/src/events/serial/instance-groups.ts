import type {
  BodyId,
  EventProgram,
  MilestoneId,
} from '@fencewright/model/program/event-program.js';

/**
 * Instances of one event with equal arguments that wait for the same milestones: before the start,
 * the instances are indistinguishable.
 */
export interface InstanceGroup {
  readonly event: BodyId;
  readonly arguments: readonly number[];
  readonly count: number | 'any';
  /** The milestones that have to be passed before an instance of the group starts. */
  readonly after: readonly MilestoneId[];
  /**
   * The entries of `EventProgram.instances` that belong to the group, as indices. Entries with a
   * finite count come first.
   */
  readonly entries: readonly number[];
}

/**
 * Groups the instances of a program by event, arguments and awaited milestones, in the order of the
 * text.
 */
export function groupInstances({ instances }: EventProgram): readonly InstanceGroup[] {
  const groups = new Map<string, InstanceGroup>();
  instances.forEach(({ event, arguments: values, count, after = [] }, entry) => {
    const key = `${[event, ...values].join()};${after.join()}`;
    const known = groups.get(key);
    const isAny = count === 'any' || known?.count === 'any';
    const before = typeof known?.count === 'number' ? known.count : 0;
    groups.set(key, {
      event,
      arguments: values,
      after,
      count: isAny ? 'any' : before + count,
      entries:
        count === 'any' ? [...(known?.entries ?? []), entry] : [entry, ...(known?.entries ?? [])],
    });
  });
  return [...groups.values()];
}
