// Edits that break the sequential construction of programs of events; see tools/mutation-check.mjs.

const body = 'packages/engines/src/events/sequential/sequential-body.ts';
const places = 'packages/engines/src/events/sequential/posting-places.ts';

const tests = ['packages/engines/test/events/sequential/construct.test.ts'];

export const eventSequentialMutations = [
  {
    name: 'seq(P): tasks do not stop',
    file: body,
    from: 'if (isEnd && this.#late.length === 0) continue;',
    to: 'if (!isEnd || this.#late.length === 0) continue;',
    tests,
  },
  {
    name: 'seq(P): tasks stop in lock blocks',
    file: body,
    from: 'if (lockBlockAt(location).length > 0) continue;',
    to: '',
    tests,
  },
  {
    name: 'seq(P): the callers of a procedure that stops go on',
    file: body,
    from: 'const tells = !this.#isTask && !isEnd;',
    to: 'const tells = false;',
    tests,
  },
  {
    name: 'seq(P): the task behind a task that stopped stops, too',
    file: body,
    from: 'this.#tell(this.#flag.runs), origin',
    to: 'this.#tell(this.#flag.runs + 1), origin',
    tests,
  },
  {
    name: 'seq(P): arguments are evaluated when the task is called',
    file: body,
    from: 'const given = saved.map(({ into }) => registerValue(into));',
    to: 'const given = instruction.arguments;',
    tests,
  },
  {
    name: 'seq(P): tasks are called that were not posted',
    file: body,
    from: "condition: condition('!=') }",
    to: 'condition: constant(1) }',
    tests,
  },
  {
    name: 'seq(P): the tasks at the end of a body are called in the opposite order',
    file: places,
    from: 'placeOf(a) - placeOf(b)',
    to: 'placeOf(b) - placeOf(a)',
    tests,
  },
  {
    name: 'seq(P): accesses of called procedures behind a posting are overlooked',
    file: places,
    from: "(instruction.kind === 'call' && this.#accessing.has(instruction.body))",
    to: 'false',
    tests,
  },
  {
    name: 'seq(P): only direct calls of a procedure that posts count',
    file: places,
    from: 'inside.add(caller);',
    to: '',
    tests,
  },
  {
    name: 'seq(P): postings in loops are called once',
    file: places,
    from: 'return reachableAvoiding(body, to, () => false).has(from);',
    to: 'return from === to && reachableAvoiding(body, to, () => false).has(from);',
    tests,
  },
];
