// Edits that break the two-thread construction, the conclusions from the construction, and the
// numbers of instances given for events; see tools/mutation-check.mjs.

const construct = 'packages/engines/src/events/two-threads/construct.ts';
const lift = 'packages/engines/src/events/two-threads/lift-run.ts';
const verdict = 'packages/core/src/api/check-two-threads.ts';
const instances = 'packages/languages/src/native/lower-events.ts';

const constructed = ['packages/engines/test/events/two-threads/construct.test.ts'];
const concluded = ['packages/engines/test/events/two-threads/counterexamples.test.ts'];
const counted = ['packages/languages/test/native/event-counts.test.ts'];

export const eventTwoThreadMutations = [
  {
    name: 'two threads: a robust construction is an answer',
    file: verdict,
    from: ": { kind: 'unknown', why: { kind: 'two-threads', said: printed.said } };",
    to: ": printed.said === 'robust' ? { kind: 'robust' } : { kind: 'unknown', why: { kind: 'two-threads', said: printed.said } };",
    tests: concluded,
  },
  {
    name: 'two threads: a run of the program is a violation, whatever the definition says',
    file: verdict,
    from: "const witness = run && eventWitnessOf(program, run, 'tso', postingFenced);",
    to: "const witness = run && ({ semantics: 'multi-tso', run, violation: { kind: 'happens-before', edges: [] } } as const);",
    tests: concluded,
  },
  {
    name: 'two threads: only the first run is tried',
    file: verdict,
    from: 'isInDoubt ? await ask',
    to: 'isInDoubt && !isInDoubt ? await ask',
    tests: constructed,
  },
  {
    name: 'two threads: any number of tasks may be forked',
    file: construct,
    from: "own(done, step.to, { kind: 'store', address, value: spent })",
    to: "own(done, step.to, { kind: 'skip' })",
    tests: constructed,
  },
  {
    name: 'two threads: what the other thread posts has a thread of its own',
    file: construct,
    from: "instruction: { ...instruction, to: 'main' }",
    to: 'instruction',
    tests: constructed,
  },
  {
    name: 'two threads: what the other thread posts is the version for that thread',
    file: construct,
    from: "instruction: { ...instruction, to: 'main' }",
    to: "instruction: { ...instruction, to: 'main', body: this.#forked.get(instruction.body) ?? instruction.body }",
    tests: constructed,
  },
  {
    name: 'two threads: main always forks where it may',
    file: construct,
    from: 'own(looked, step.to, {',
    to: 'own(done, step.to, {',
    tests: constructed,
  },
  {
    name: 'two threads: procedures that a forked task calls look at the flag',
    file: construct,
    from: 'instruction: { ...instruction, body: this.#forkedOf(instruction.body) }',
    to: 'instruction',
    tests: constructed,
  },
  {
    name: 'two threads: what was called stays in its caller',
    file: lift,
    from: "=== 'post' ? place : undefined",
    to: '=== undefined ? place : undefined',
    tests: constructed,
  },
  {
    name: 'instances: none is one',
    file: instances,
    from: 'return count > 0 && first.get',
    to: 'return first.get',
    tests: counted,
  },
  {
    name: 'instances: the number counts for each entry',
    file: instances,
    from: 'count > 0 && first.get(made.event) === made ?',
    to: 'count > 0 ?',
    tests: counted,
  },
  {
    name: 'instances: the first arguments are those of all',
    file: instances,
    from: 'if (other)',
    to: 'if (other && count > 64)',
    tests: counted,
  },
];
