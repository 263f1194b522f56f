// Edits that break fences for event programs; see tools/mutation-check.mjs.

const passed = 'packages/repairs/src/events/passed-places.ts';
const repair = 'packages/repairs/src/events/event-repair.ts';
const insert = 'packages/repairs/src/fences/apply-repair.ts';
const decide = 'packages/core/src/api/decide-event-fence.ts';

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
].map((mutation) => ({
  ...mutation,
  tests: ['packages/repairs/test/events/event-fences.test.ts'],
}));

const texts = [
  {
    name: 'event fences: a fence in an empty body is passed by nobody',
    file: insert,
    from: 'initial: entry(thread.initial),',
    to: 'initial: thread.initial,',
    tests: ['packages/repairs/test/events/event-fences.test.ts'],
  },
  {
    name: 'event fences: prices in the text are not read',
    file: 'packages/core/src/api/event-places.ts',
    from: ": { kind: 'costs', costs: sizeCosts(threads) };",
    to: ": { kind: 'costs', costs: sizeCosts({ threads: [] }) };",
    tests: ['packages/core/test/api/decide-event-fence.test.ts'],
  },
];

export const eventFenceMutations = [...searches, ...texts];
