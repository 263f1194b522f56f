import { InvalidArgumentError } from 'commander';
import { auditFrom } from '../batch/audit.js';
import { generatorNames, seedsFrom } from '../batch/random-subjects.js';
import { type Retried, retried } from '../batch/job-ledger.js';
import { shardFrom } from '../batch/shard.js';
import { type CiFiles, ciFormats } from './ci-formats.js';
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

/** The options of `batch` that name files for results. */
export const outputOptions = {
  jsonl: report('jsonl', 'the results, one line of JSON per file'),
  csv: report('csv', 'a table of the results'),
  expect: common(
    flag(
      '--expect',
      'compare each verdict with NAME.expected.json beside the file; the exit code tells whether all agree',
    ),
  ),
  expectFrom: conflicting(
    text(
      '--expect-from <file>',
      'compare each verdict with a table: in each line a file, a tab, a verdict; for reach also a log of herd, by the names of the tests',
    ),
    'expect',
  ),
  quiet: flag('--quiet', 'print only files that are not robust, unknown, in error, or unexpected'),
};

/** The option with the name of a queue; a store may hold several queues. */
export const queueNameOption = parsedOr(
  '--queue-name <name>',
  'name of the queue; batches with different names do not mix',
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
  'the store where jobs wait for workers (`fencewright worker`): redis://, rediss:// or postgres://HOST:PORT; FENCEWRIGHT_QUEUE holds an address with a password, and is used if url is omitted',
) as Declared<string | true | undefined>;

/** The options about how the jobs of a batch are done. */
export const batchOptions = {
  fromList: common(text('--from-list <file>', 'a file with one file name per line; - is stdin')),
  random: conflicting(
    parsed(
      '--random <seeds>',
      'generate random programs in place of reading files, with these seeds, 1..1000 for example; a hundred per job',
      (argument) => seedsFrom(argument),
    ),
    ...['fromList', 'from', 'copies', 'threads', 'instances', 'expect', 'expectFrom'],
    ...ciFormats,
  ),
  generator: choiceOr(
    '--generator <name>',
    'the feature that random programs have more of than usual',
    generatorNames,
    'threads',
  ),
  jobs: common(
    parsed(
      '--jobs <n>',
      'number of processes (default: the number of processors, or fewer if the memory does not suffice for --max-memory each)',
      wholeFrom(1),
    ),
  ),
  journal: common(
    text(
      '--journal <folder>',
      'folder of the journal; a batch with a journal is continued (default: .fencewright/batch/VERB)',
    ),
  ),
  fresh: common(flag('--fresh', 'ignore the journal and begin again')),
  retry: parsed(
    '--retry <list>',
    'repeat the jobs with these outcomes: unknown (a limit of time or memory), quarantined (the processes died), error (a fault of fencewright)',
    retriedList,
  ),
  cache: common(
    text(
      '--cache <folder>',
      'reuse results for the same text from earlier runs, and keep the results of this run',
    ),
  ),
  shard: common(
    parsed(
      '--shard <k/n>',
      'run only the k-th of n parts; auto takes the numbers from the environment (Slurm, Kubernetes with auto/n, CI_NODE_INDEX)',
      (argument) => shardFrom(argument),
    ),
  ),
  audit: parsed(
    '--audit <percent>',
    'run this share of the jobs twice, 1% for example; exit code 70 if two results differ',
    auditFrom,
  ),
  witnesses: conflicting(flag('--witnesses', 'keep the computations of witnesses'), 'queue'),
  queue: conflicting(queueOption, 'shard'),
  queueName: queueNameOption,
  window: parsed(
    '--window <n>',
    'with --queue: maximal number of waiting jobs (default: 10000)',
    wholeFrom(1),
  ),
};

export type OutputValues = ValuesOf<typeof outputOptions> & CiFiles;
export type BatchValues = ValuesOf<typeof batchOptions> & OutputValues;
