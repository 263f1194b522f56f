// Edits that break batches through queues: the data sent, the choice of workers, and the handling
// of results; see tools/mutation-check.mjs.

const schema = 'packages/fleet/src/job-schema.ts';
const worker = 'packages/fleet/src/job-worker.ts';
const queue = 'packages/fleet/src/job-queue.ts';
const unsafe = 'packages/cli/src/fleet/unsafe-jobs.ts';
const values = 'packages/cli/src/fleet/job-values.ts';
const run = 'packages/cli/src/fleet/run-queued.ts';
const journal = 'packages/cli/src/batch/journal.ts';
const jobTests = ['fleet-jobs.test.ts'];
const runTests = ['queued-runs.test.ts'];
const storeTests = ['fleet.test.ts'];

const mutations = [
  {
    name: 'batches: a result is known by its place in the journal',
    file: journal,
    from: 'digestOf(bytes) === place.digest || this.#isBelieved(line)',
    to: 'place.digest.length > 0 || this.#isBelieved(line)',
    tests: ['journal.test.ts'],
  },
  {
    name: 'queues: a job of another form is one',
    file: schema,
    from: 'form: z.literal(1)',
    to: 'form: z.number()',
    tests: jobTests,
  },
  {
    name: 'queues: a job may name a file of the machine',
    file: schema,
    from: '/^[A-Za-z0-9_][A-Za-z0-9_.:-]*$/',
    to: '/^[A-Za-z0-9_.:/-]+$/',
    tests: jobTests,
  },
  {
    name: 'queues: a job may ask for any number of random programs',
    file: schema,
    from: '.positive().max(10_000)',
    to: '.positive()',
    tests: jobTests,
  },
  {
    name: 'queues: a worker takes what is no job',
    file: worker,
    from: "if ('wrong' in read) throw new UnrecoverableError(`refused: not a job: ${read.wrong}`);\n    const end = await perform(read);",
    to: 'const end = await perform(job.data);',
    tests: storeTests,
  },
  {
    name: 'queues: a worker that is asked to stop ends its job',
    file: worker,
    from: 'await job.moveToWait(token);\n        throw new WaitingError();',
    to: "throw new UnrecoverableError('stopped');",
    tests: storeTests,
  },
  {
    name: 'queues: jobs of other versions are taken',
    file: queue,
    from: '`fencewright-${name}@${version}`',
    to: '`fencewright-${name}@`',
    tests: storeTests,
  },
  {
    name: 'queues: a worker is told any option',
    file: unsafe,
    from: 'if (strange !== undefined) return',
    to: 'if (strange !== undefined && allowed.length > 9) return',
    tests: jobTests,
  },
  {
    name: 'queues: options may have values that no command line gives',
    file: values,
    from: 'return !declared || !isValueOf(declared.make(), value);',
    to: 'return !declared;',
    tests: jobTests,
  },
  {
    name: 'queues: workers run programs without leave',
    file: unsafe,
    from: "if (values.solver === 'native' && !allowed.includes('z3'))",
    to: "if (values.solver === 'native' && allowed.includes('z3'))",
    tests: jobTests,
  },
  {
    name: 'queues: the window has no end',
    file: run,
    from: 'while (this.#pending.size >= window && !this.#isOver) {',
    to: 'while (this.#pending.size >= window * 1000 && !this.#isOver) {',
    tests: runTests,
  },
  {
    name: 'queues: a result stays in the queue when it has been collected',
    file: run,
    from: 'await queue.remove(ended.map(({ key }) => key));',
    to: '',
    tests: runTests,
  },
  {
    name: 'queues: a result is taken from the queue before it is written down',
    file: run,
    from: 'const again: PlannedJob[] = [];',
    to: 'const again: PlannedJob[] = [];\n    await queue.remove(ended.map(({ key }) => key));',
    tests: runTests,
  },
  {
    name: 'queues: what an earlier run has left there is handed over again',
    file: run,
    from: 'this.#bundle.filter(({ order }) => this.#pending.has(order.key))',
    to: 'this.#bundle',
    tests: runTests,
  },
  {
    name: 'queues: a job of which there are to be two results is done once',
    file: run,
    from: 'if (!this.#ledger.isDone(job)) again.push(job);',
    to: '',
    tests: runTests,
  },
  {
    name: 'queues: what the queue has lost is lost',
    file: run,
    from: 'await this.#handOver(lost);',
    to: '',
    tests: runTests,
  },
  {
    name: 'queues: what was not handed over yet is taken for lost',
    file: run,
    from: '!known.has(job.order.key) && !unsent.has(job)',
    to: '!known.has(job.order.key)',
    tests: runTests,
  },
  {
    name: 'queues: whatever a worker gives is a result',
    file: run,
    from: 'const result = soundResult(said);',
    to: 'const result = said;',
    tests: runTests,
  },
  {
    name: 'queues: a job forgets how many copies it is about',
    file: run,
    from: '...(copies && { copies })',
    to: '',
    tests: runTests,
  },
];

/** Mutations of queues, noticed by the tests of the command line. */
export const fleetMutations = mutations.map((one) => ({ ...one, project: 'cli' }));
