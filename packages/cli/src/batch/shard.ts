import { InvalidArgumentError } from 'commander';

/** A part of the jobs of a batch: number `index`, from 1, of `count` parts. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Returns the value of an environment variable that is a whole number; otherwise `undefined`. */
function numberIn(environment: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = environment[name];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Reads the part of the batch from the environment variables of job schedulers; some do not give
 * the number of parts, so that the user has to.
 */
function shardOfEnvironment(
  environment: NodeJS.ProcessEnv,
  count: number | undefined,
): Partial<Shard> {
  const variable = (name: string): number | undefined => numberIn(environment, name);
  const task = variable('SLURM_ARRAY_TASK_ID');
  if (task !== undefined) {
    const step = variable('SLURM_ARRAY_TASK_STEP') ?? 1;
    const index = (task - (variable('SLURM_ARRAY_TASK_MIN') ?? 0)) / step + 1;
    const all = count ?? variable('SLURM_ARRAY_TASK_COUNT');
    return { index, ...(all !== undefined && { count: all }) };
  }
  const completion = variable('JOB_COMPLETION_INDEX');
  if (completion !== undefined)
    return { index: completion + 1, ...(count !== undefined && { count }) };
  const node = variable('CI_NODE_INDEX');
  const total = count ?? variable('CI_NODE_TOTAL');
  return {
    ...(node !== undefined && { index: node }),
    ...(total !== undefined && { count: total }),
  };
}

/** Parses the argument of `--shard`: `3/100`, `auto`, `auto/100`. */
export function shardFrom(text: string, environment = process.env): Shard {
  const match = /^(auto|\d+)(?:\/(\d+))?$/.exec(text.trim());
  const [, index = '', count] = match ?? [];
  if (!match || (index !== 'auto' && count === undefined))
    throw new InvalidArgumentError('write 3/100, auto, or auto/100.');
  const given = count === undefined ? undefined : Number(count);
  const told =
    index === 'auto'
      ? shardOfEnvironment(environment, given)
      : { index: Number(index), count: given };
  if (told.index === undefined)
    throw new InvalidArgumentError(
      'the environment does not name the part: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and CI_NODE_INDEX are not set.',
    );
  if (told.count === undefined)
    throw new InvalidArgumentError(
      'the environment does not tell the number of parts: write auto/100.',
    );
  const shard = { index: told.index, count: told.count };
  if (!Number.isInteger(shard.index) || shard.index < 1 || shard.index > shard.count)
    throw new InvalidArgumentError(
      `there is no part ${shard.index} of ${shard.count}; parts count from 1.`,
    );
  return shard;
}

/**
 * Whether a job belongs to a part of the batch. The key decides, so that machines need not
 * communicate.
 */
export function isInShard(key: string, { index, count }: Shard): boolean {
  return Number.parseInt(key.slice(0, 12), 16) % count === index - 1;
}
