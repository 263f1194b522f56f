import { InvalidArgumentError } from 'commander';
import { auditFrom } from '../batch/audit.js';
import { generatorNames, seedsFrom } from '../batch/random-subjects.js';
import { type Retried, retried } from '../batch/job-ledger.js';
import { shardFrom } from '../batch/shard.js';
import {
  choiceOr,
  common,
  conflicting,
  type Declared,
  flag,
  parsed,
  parsedOr,
  report,
  text,
  type ValuesOf,
} from './declare.js';
import { wholeFrom } from './values.js';

function retriedList(list: string, before: readonly Retried[] = []): readonly Retried[] {
  const asked = list.split(',').map((part) => {
    const name = retried.find((known) => known === part.trim());
    if (!name) throw new InvalidArgumentError(`there is ${retried.join(', ')}.`);
    return name;
  });
  return [...new Set([...before, ...asked])];
}

/** Options of `batch` that name files for results. */
export const outputOptions = {
  jsonl: report('jsonl', 'the results, one line of JSON each'),
  csv: report('csv', 'a table of the results'),
  expect: common(
    flag(
      '--expect',
      'compare verdicts with NAME.expected.json beside the files; the exit code then tells whether they are as expected',
    ),
  ),
  expectFrom: conflicting(
    text(
      '--expect-from <file>',
      'the same with a table: a file, a tab, its verdict in each line; of reach also with a log of herd, by the names of the tests',
    ),
    'expect',
  ),
  quiet: flag('--quiet', 'print only files that are not robust, unknown, in error, or unexpected'),
};

/** Options of `batch check` that name files for reports to continuous integration. */
export const ciOutputOptions = {
  sarif: report('sarif', 'the findings as SARIF 2.1.0'),
  junit: report('junit', 'the verdicts as a JUnit report'),
};

/** The option with the name of a queue; a store may hold several queues. */
export const queueNameOption = parsedOr(
  '--queue-name <name>',
  'name of the queue, to keep several batches apart',
  (name) => {
    // Name and version form the name of a connection, which PostgreSQL cuts after 63 characters.
    if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(name)) return name;
    throw new InvalidArgumentError('It has to be of up to 32 letters, digits, - and _.');
  },
  'default',
);

/** The option with the address of a queue's store; `true` if the environment has the address. */
export const queueOption = text(
  '--queue [url]',
  'the jobs wait for workers there (`fencewright worker`): redis://, rediss:// or postgres://HOST:PORT; without an address, or with a password, FENCEWRIGHT_QUEUE says where',
) as Declared<string | true | undefined>;

/** Options about how the jobs of a batch are done. */
export const batchOptions = {
  fromList: common(text('--from-list <file>', 'a file with a name in each line; - is stdin')),
  random: conflicting(
    parsed(
      '--random <seeds>',
      'look at random programs in place of files: those of the seeds 1..1000, say, a hundred to a job',
      (argument) => seedsFrom(argument),
    ),
    ...[
      'fromList',
      'from',
      'copies',
      'threads',
      'instances',
      'expect',
      'expectFrom',
      'sarif',
      'junit',
    ],
  ),
  generator: choiceOr(
    '--generator <name>',
    'features that random programs have more of than usual',
    generatorNames,
    'threads',
  ),
  jobs: common(
    parsed(
      '--jobs <n>',
      'processes to have at the same time (as many as processors; fewer where --max-memory for each is more than there is)',
      wholeFrom(1),
    ),
  ),
  journal: common(
    text(
      '--journal <folder>',
      'folder of the journal, to write and to go on from (.fencewright/batch/VERB)',
    ),
  ),
  fresh: common(flag('--fresh', 'begin anew, whatever the journal has')),
  retry: parsed(
    '--retry <list>',
    'do once more what came out so: unknown (for want of time or memory), quarantined (its processes died), error (a fault of fencewright)',
    retriedList,
  ),
  cache: common(
    text(
      '--cache <folder>',
      'use results of other runs for the same text, and keep the results of this run',
    ),
  ),
  shard: common(
    parsed(
      '--shard <k/n>',
      'do only the k-th of n parts; auto asks the environment (Slurm, Kubernetes with auto/n, CI_NODE_INDEX)',
      (argument) => shardFrom(argument),
    ),
  ),
  audit: parsed(
    '--audit <percent>',
    'do so many of the jobs twice, 1% say; results that differ are a fault of fencewright (70)',
    auditFrom,
  ),
  witnesses: conflicting(flag('--witnesses', 'keep the computations of witnesses'), 'queue'),
  queue: conflicting(queueOption, 'shard'),
  queueName: queueNameOption,
  window: parsed(
    '--window <n>',
    'with --queue: jobs that wait there at most (10000)',
    wholeFrom(1),
  ),
};

export type OutputValues = ValuesOf<typeof outputOptions> &
  Partial<ValuesOf<typeof ciOutputOptions>>;
export type BatchValues = ValuesOf<typeof batchOptions> & OutputValues;
