// The points at which fences for event programs go wrong; see mutation-check.mjs.

const core = (path) => `packages/core/src/${path}.ts`;

const passed = core('events/fences/passed-places');
const repair = core('events/fences/event-repair');
const insert = core('fences/apply-repair');
const decide = core('api/decide-event-fence');

const searches = [
  {
    name: 'event fences: places that a run leaves with an empty buffer count, too',
    file: passed,
    from: '!thread?.running || thread.buffer.length === 0',
    to: '!thread?.running',
  },
  {
    name: 'event fences: what main left behind before a task began does not count',
    file: passed,
    from: 'thread.buffer.length === 0)',
    to: 'thread.buffer.every(({ task }) => task !== action.task))',
  },
  {
    name: 'event fences: nobody can wait at the end of an invocation',
    file: passed,
    from: "['start', 'begin', 'store'].includes",
    to: "['start', 'begin', 'return', 'store'].includes",
  },
  {
    name: 'event fences: what a called procedure passes counts for its caller',
    file: passed,
    from: 'topFrame(thread.running)',
    to: 'thread.running.frames[0]!',
  },
  {
    name: 'event fences: what breaks without store buffers is one more clause',
    file: repair,
    from: "verdict.kind === 'not-robust' && decisive(this.asIs) === 'concurrency'",
    to: 'false',
  },
  {
    name: 'event fences: what was not found out is fine',
    file: repair,
    from: "return verdict.why.kind === 'limit' ? verdict.why.reason : 'undecided';",
    to: 'return undefined;',
  },
].map((mutation) => ({ ...mutation, tests: ['events/fences/event-fences.test.ts'] }));

const texts = [
  {
    name: 'event fences: a fence in an empty body is passed by nobody',
    file: insert,
    from: 'initial: entry(thread.initial),',
    to: 'initial: thread.initial,',
    tests: ['events/fences/event-fences.test.ts'],
  },
  {
    name: 'event fences: prices in the text are not read',
    file: core('api/event-places'),
    from: ": { kind: 'costs', costs: sizeCosts(threads) };",
    to: ": { kind: 'costs', costs: sizeCosts({ threads: [] }) };",
    tests: ['api/decide-event-fence.test.ts'],
  },
];

export const eventFenceMutations = [...searches, ...texts];
