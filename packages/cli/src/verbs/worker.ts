import { InvalidArgumentError } from 'commander';
import { countOf, startTimer } from '@fencewright/core';
import { jobScript } from '../batch/job-script.js';
import { keyVariable, sharedSealer, WeakKey } from '../batch/secrets.js';
import { poolSize } from '../batch/pool-size.js';
import { exitCodes } from '../exit-codes.js';
import { type Allowed, allowable } from '../fleet/unsafe-jobs.js';
import { loadFleet, NoFleet } from '../fleet/load-fleet.js';
import { queueAddress } from '../fleet/queue-address.js';
import { queueNameOption, queueOption } from '../options/batch.js';
import { leaveSoon, outliveTerminal, stopSignals } from '../interrupt.js';
import { colourOptions } from '../options/common.js';
import { mandatory, parsed, parsedOr, type ValuesOf } from '../options/declare.js';
import { defaultMegabytes, mebibyte, positive, wholeFrom } from '../options/values.js';
import { type Verb, verb } from '../verb.js';
import { buildName } from '../build-name.js';

function allowedList(list: string): readonly Allowed[] {
  return list.split(',').map((part) => {
    const name = allowable.find((known) => known === part.trim());
    if (!name) throw new InvalidArgumentError(`there is ${allowable.join(', ')}.`);
    return name;
  });
}

const options = {
  queue: mandatory(queueOption),
  queueName: queueNameOption,
  jobs: parsed(
    '--jobs <n>',
    'number of jobs at the same time (default: the number of processors)',
    wholeFrom(1),
  ),
  allow: parsedOr(
    '--allow <list>',
    'programs of this machine that jobs may start: spin, z3',
    allowedList,
    [],
  ),
  grace: parsedOr(
    '--grace <seconds>',
    'time for running jobs to end after Ctrl-C or SIGTERM; other workers get the rest',
    positive,
    20,
  ),
  lock: parsedOr(
    '--lock <seconds>',
    'time without a sign of life after which other workers get the jobs of a worker',
    positive,
    30,
  ),
  metrics: parsed(
    '--metrics <port>',
    'the port for /metrics (Prometheus) and /healthz; 0 takes any free port',
    wholeFrom(0),
  ),
  metricsHost: parsedOr(
    '--metrics-host <address>',
    'the address for /metrics and /healthz',
    (address) => address,
    '127.0.0.1',
  ),
  ...colourOptions,
};

type WorkerValues = ValuesOf<typeof options>;

/**
 * The number of seconds that jobs returned by the worker have to reach the queue, before the worker
 * ends.
 */
const graceAfterGrace = 2;

const say = (line: string): unknown => process.stderr.write(`${line}\n`);

/**
 * Returns a promise that resolves when the user, or the system, asks the worker to stop. A second
 * request ends the process.
 */
function asked(): Promise<void> {
  return new Promise((resolve) => {
    let isAsked = false;
    const stop = (): void => {
      if (isAsked) process.exit(exitCodes.interrupted);
      isAsked = true;
      resolve();
    };
    outliveTerminal();
    for (const name of stopSignals) process.on(name, stop);
  });
}

async function serve(values: WorkerValues): Promise<void> {
  const { openQueue, countsText, serveMetrics, startWorker } = await loadFleet();
  const { JobLanes } = await import('../fleet/do-queued.js');
  const address = await queueAddress(values.queue);
  const { queueName: name, grace, lock, metrics, metricsHost: host } = values;
  const processes = poolSize(values.jobs, defaultMegabytes * mebibyte);
  const sealer = sharedSealer();
  if (!sealer) say(`results have no seal: ${keyVariable} is not set`);
  const counts = { jobs: 0, states: 0, seconds: 0, deaths: 0 };
  const back = new AbortController();
  const { signal } = back;
  const lanes = new JobLanes({
    ...{ script: jobScript, processes, allowed: values.allow, signal, counts },
    ...(sealer && { sealer }),
  });
  const stopped = asked();
  const wishes = { version: buildName(), name, concurrency: processes, lock };
  const perform = lanes.perform.bind(lanes);
  const onStore = (is: 'away' | 'there'): unknown =>
    say(`${address.shown} ${is === 'away' ? 'does not answer' : 'answers again'}`);
  const worker = await startWorker(address, { ...wishes, perform, onStore });
  const queue = metrics === undefined ? undefined : await openQueue(address, buildName(), name);
  const server =
    queue &&
    (await serveMetrics(
      { host, port: metrics! },
      async () => `${await queue.metrics()}\n${countsText(counts)}`,
    ));
  const port = (server?.address() as { readonly port: number } | undefined)?.port;
  const shown = port === undefined ? '' : `; metrics at http://${host}:${port}/metrics`;
  say(
    `worker of ${buildName()} at ${address.shown}, queue ${name}, ${processes} at a time${shown}`,
  );
  await stopped;
  say(`stopping; jobs have ${grace} s to end`);
  const callOff = startTimer(() => back.abort(), grace * 1000);
  await worker.close(grace + graceAfterGrace);
  callOff();
  lanes.close();
  server?.close();
  server?.closeAllConnections();
  await queue?.close();
  say(`${countOf(counts.jobs, 'job')} done`);
}

/** The verb `worker`: does jobs that batches put into a queue, until asked to stop. */
export const workerVerb: Verb = verb({ name: 'worker', options }, async (values) => {
  try {
    await serve(values);
    leaveSoon();
    return exitCodes.robust;
  } catch (error) {
    const isKnown =
      error instanceof NoFleet || error instanceof WeakKey || (error as Error).name === 'NoStore';
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (!isKnown && syscall !== 'listen') throw error;
    say(`fencewright: ${isKnown ? (error as Error).message : `no metrics: ${code}`}`);
    return exitCodes.usage;
  }
});
