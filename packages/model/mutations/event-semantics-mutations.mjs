// Edits that break the semantics of event programs and the judgement of runs, or the enumeration
// that judges both; see tools/mutation-check.mjs.

const machine = 'packages/model/src/events/machine.ts';
const quiet = 'packages/model/src/events/quiet-steps.ts';
const judge = 'packages/model/src/events/judge-run.ts';
const accesses = 'packages/model/src/events/run-accesses.ts';
const reach = 'packages/model/src/events/reach-events.ts';
const replay = 'packages/model/src/events/replay-event-run.ts';
const enumerate = 'packages/reference/src/definitions/enumerate-event-traces.ts';
const traced = 'packages/reference/src/definitions/event-trace-state.ts';
const byDefinition = 'packages/reference/src/definitions/judge-event-trace.ts';
const tracedSteps = 'packages/reference/src/definitions/event-trace-steps.ts';

const machineTests = [
  'packages/engines/test/events/reach-events.test.ts',
  'packages/engines/test/events/replay-event-run.test.ts',
];
const judgeTests = ['packages/engines/test/events/judge-run.test.ts'];
const definitionTests = ['packages/engines/test/events/enumerate-event-traces.test.ts'];

/** Mutations of the machines for programs of events, and of the reports on final states. */
const machines = [
  {
    name: 'events: on a single thread, what a task posted waits behind its siblings',
    file: machine,
    from: '[...running.children, ...configuration.waiting]',
    to: '[...configuration.waiting, ...running.children]',
  },
  {
    name: 'events: on a single thread, a task that is posted goes before the rest of its caller',
    file: machine,
    from: "semantics === 'single'\n        ? withThread(counted, {",
    to: "semantics !== 'multi-tso'\n        ? withThread(counted, {",
  },
  {
    name: 'events: every posting empties the buffer',
    file: machine,
    from: 'options.postingFenced === true && thread.buffer.length > 0',
    to: 'thread.buffer.length > 0',
  },
  {
    name: 'events: a fenced posting waits for nothing',
    file: machine,
    from: 'options.postingFenced === true && thread.buffer.length > 0',
    to: 'options.postingFenced === true && thread.buffer.length > 99',
  },
  {
    name: 'events: main begins a task only when its buffer is empty',
    file: machine,
    from: 'new Set(threads.filter(isBusy).map(',
    to: 'new Set(threads.filter((thread) => isBusy(thread) || thread.buffer.length > 0).map(',
  },
  {
    name: 'events: a task on main begins with a buffer of its own',
    file: machine,
    from: 'buffer: known?.buffer ?? []',
    to: 'buffer: []',
  },
  {
    name: 'events: the waiting tasks of main are a queue',
    file: machine,
    from: '(isSingle && place > 0)',
    to: 'place > 0',
  },
  {
    name: 'events: of equal instances one is started',
    file: machine,
    from: "count === 'any' || so < count",
    to: "count === 'any' || so < 1",
  },
  {
    name: 'events: others act inside a block',
    file: machine,
    from: 'return lockHolder === undefined ? threads',
    to: 'return lockHolder !== -1 ? threads',
  },
  {
    name: 'events: a cut call is not told',
    file: machine,
    from: "if (running.frames.length >= depth) {\n      found.cuts.push('depth');",
    to: 'if (running.frames.length >= depth) {',
  },
  {
    name: 'events: a cut posting is not told',
    file: machine,
    from: "if (postedAndAlive(configuration) >= depth) {\n    found.cuts.push('depth');",
    to: 'if (postedAndAlive(configuration) >= depth) {',
  },
  {
    name: 'events: that there may be more instances is not told',
    file: machine,
    from: "found.cuts.push('instances')",
    to: 'found.cuts.push()',
  },
  {
    name: 'events: what stands for any number has to be used up before a state is final',
    file: machine,
    from: "count === 'any' || at(started, i) === count",
    to: 'at(started, i) === count',
  },
  {
    name: 'events: loads happen unseen',
    file: quiet,
    from: 'return isLocal(instruction) ||',
    to: "return isLocal(instruction) || instruction.kind === 'load' ||",
  },
  {
    name: 'events: stores to memory happen unseen',
    file: quiet,
    from: "semantics === 'multi-tso' && buffer.length < longBuffer",
    to: 'buffer.length < longBuffer',
  },
  {
    name: 'events: a bounded exploration answers for all runs',
    file: reach,
    from: 'const isComplete = incomplete === undefined && bounds.length === 0;',
    to: 'const isComplete = incomplete === undefined;',
  },
  {
    name: 'events: replay does not look at the tasks',
    file: replay,
    from: 'made === undefined || isSame(run.tasks[made], step.made[0])',
    to: 'made === undefined || run.tasks[made] !== undefined',
  },
].map((mutation) => ({ ...mutation, tests: machineTests }));

/** Mutations of the judgement of a single run. */
const judgements = [
  {
    name: 'events: no edge from a posting to the begin of its task',
    file: judge,
    from: 'a.posts !== undefined && a.posts === b.begins',
    to: 'a.posts !== undefined && a.posts === -1',
  },
  {
    name: 'events: program order ends with the task',
    file: judge,
    edits: [
      ['a.thread === b.thread && a.action < b.action', 'a.task === b.task && a.action < b.action'],
      ['  readonly thread: number;\n', '  readonly thread: number;\n  readonly task: TaskId;\n'],
      [
        'const node = { action: place, thread };',
        'const node = { action: place, thread, task: action.task };',
      ],
    ],
  },
  {
    name: 'events: siblings may conflict in either order',
    file: judge,
    from: 'right !== undefined && left < right',
    to: 'right !== undefined',
  },
  {
    name: 'events: a failing cas is a store',
    file: accesses,
    edits: [
      [
        "kind: written === undefined ? 'load' : 'rmw'",
        "kind: action.kind === 'load' ? 'load' : 'rmw'",
      ],
      [
        '...(written !== undefined && { storedAt: place })',
        "...(action.kind === 'rmw' && { storedAt: place })",
      ],
    ],
  },
  {
    name: 'events: a load from the buffer reads from memory',
    file: accesses,
    from: "action.kind === 'load' && action.fromBuffer",
    to: "action.kind === 'load' && !action.fromBuffer && action.value < 0",
  },
].map((mutation) => ({ ...mutation, tests: judgeTests }));

/** Mutations of the enumeration that judges machines and runs in tests. */
const definitions = [
  {
    name: 'enumerated events: only runs to the end are judged',
    file: enumerate,
    from: 'if (steps.length === 0) judge(state);',
    to: 'if (steps.length === 0 && isFinal(program, state)) judge(state);',
  },
  {
    name: 'enumerated events: traces with the same memory are one',
    file: traced,
    edits: [
      ['`${name}:${status}${history}`', '`${name}:${status}${history.length}`'],
      [
        "node.source === undefined ? '' : at(state.nodes, node.source).name",
        "node.source === undefined ? '' : ''",
      ],
      ['nodes.map((node) => at(state.nodes, node).name).join()', 'nodes.length'],
    ],
  },
  {
    name: 'enumerated events: postings make no edge',
    file: byDefinition,
    from: 'add(postings.get(node.task), id);',
    to: 'add(postings.get(-1), id);',
  },
  {
    name: 'enumerated events: program order ends with the task',
    file: byDefinition,
    from: 'const { thread } = at(tasks, node.task).task;',
    to: 'const thread = node.task;',
  },
  {
    name: 'enumerated events: conflicts between threads only',
    file: byDefinition,
    from: 'a.node.task !== b.node.task &&',
    to: 'state.tasks[a.node.task]?.task.thread !== state.tasks[b.node.task]?.task.thread &&',
  },
  {
    name: 'enumerated events: a failing cas is a store',
    file: tracedSteps,
    from: 'const stored = isStore ? withStored(noded, place, cell, written) : noded;',
    to: 'const stored = withStored(noded, place, cell, written ?? read);',
  },
].map((mutation) => ({ ...mutation, tests: definitionTests }));

export const eventSemanticsMutations = [...machines, ...judgements, ...definitions];
