// Edits that break the searches on a single thread; see tools/mutation-check.mjs.

const room = (file) => `packages/engines/src/events/serial/${file}.ts`;

const machine = room('serial-machine');
const action = room('late-action');
const commit = room('late-commit');
const locals = room('local-states');
const check = room('check-serial');

/** Tests of both searches. */
const shared = [
  {
    name: 'serial: a task of main stops anywhere, and main goes on',
    file: machine,
    from: 'if (!outcomes.some(({ isComplete }) => isComplete)) return true;',
    to: 'if (outcomes.length >= 0) return true;',
  },
  {
    name: 'serial: an endless loop on main never counts as stopped',
    file: machine,
    from: 'return !this.#canEnd(config);',
    to: 'return false;',
  },
  {
    name: 'serial: a silent loop never counts as stopped',
    file: locals,
    from: 'if (!arrives[i] && i < maxSilentStates)',
    to: 'if (arrives[i] === undefined)',
  },
  {
    name: 'serial: what a stopped task has posted vanishes',
    file: machine,
    from: "this.note(config, { kind: 'cut' });",
    to: "this.note(config, { kind: 'cut' });\n    config.children = 0;",
  },
  {
    name: 'serial: a cas that fails is a store',
    file: room('perform'),
    from: 'accesses: [{ cell: address, isStore }],',
    to: 'accesses: [{ cell: address, isStore: true }],',
  },
  {
    name: 'serial: equal instances that are written apart are one',
    file: room('instance-groups'),
    from: "count: isAny ? 'any' : before + count,",
    to: "count: isAny ? 'any' : Math.max(before, count),",
  },
  {
    name: 'serial: an instance that has started is still left',
    file: machine,
    from: 'counts.map((n, i) => (i === g ? n - 1 : n))',
    to: 'counts.map((n) => n)',
  },
  {
    name: 'serial: cut at a depth, and yet robust',
    file: check,
    from: "if (isCut || locals.isCut) return { kind: 'depth', depth };",
    to: '',
  },
  {
    name: 'serial: out of budget, and yet robust',
    file: check,
    from: 'const reason = exhausted\n',
    to: 'const reason = exhausted === null\n',
  },
  {
    name: 'serial: serialisability is asked of what is not robust against concurrency',
    file: 'packages/core/src/api/check-events.ts',
    from: "if (concurrency.kind === 'not-robust') criteria.tsoSerial = concurrency;\n    else if",
    to: 'if',
  },
  {
    name: 'serial: stores are forgotten that later events only read',
    file: machine,
    from: 'return may >= 2 || (level === 2 && may !== 0) ? level : 0;',
    to: 'return may >= 2 ? level : 0;',
  },
  {
    name: 'serial: no event needs what an earlier one has stored',
    file: machine,
    from: 'config.hasEffect ||= writes.some(',
    to: 'config.hasEffect &&= writes.some(',
  },
];

const lateAction = [
  {
    name: 'late action: no event needs what an earlier one leads to',
    file: machine,
    from: 'config.hasEffect ||= noticed(all) !== noticed(config.all);',
    to: '',
  },
  {
    name: 'late action: main serves tasks in the order of posting',
    file: action,
    from: "if (config.phase === 'attack') return this.attackRoles(config);",
    to: "if (config.phase === 'attack') return ['ordinary'];",
  },
  {
    name: 'late action: who ran on main before may have seen what came later',
    file: action,
    from: 'if (isBehind && config.isMain) return false;',
    to: '',
  },
  {
    name: 'late action: an event meets the target with the access that joins it, or later',
    file: action,
    from: 'if (maps.conflicts(config.target, accesses)) config.isTouched = true;',
    to: 'config.isTouched = maps.conflicts(config.target, accesses);',
  },
  {
    name: 'late action: what an event did before it was joined leads nowhere',
    file: action,
    from: 'this.setAll(config, maps.union(config.all, config.mine));',
    to: '',
  },
];

const lateCommit = [
  {
    name: 'late commit: an event meets a pending store with the access that joins it, or later',
    file: commit,
    from: 'if (accesses.some(({ cell }) => this.#holds(config, cell))) config.isTouched = true;',
    to: 'config.isTouched = accesses.some(({ cell }) => this.#holds(config, cell));',
  },
  {
    name: 'late commit: a pending store joins',
    file: commit,
    from: 'if (config.isMain) config.own = this.maps.add(config.own, accesses);',
    to: 'config.all = this.maps.add(config.all, accesses);\n    if (config.isMain) config.own = this.maps.add(config.own, accesses);',
  },
  {
    name: 'late commit: loads behind the first pending store join nobody',
    file: commit,
    from: '        next.all = this.maps.add(next.all, outcome.accesses);\n',
    to: '',
  },
  {
    name: 'late commit: loads before the first pending store join nobody',
    file: commit,
    from: "if (config.phase === 'attack') {\n      config.all = this.maps.add(config.all, accesses);",
    to: "if (config.phase === 'attack') {",
  },
  {
    name: 'late commit: a load that the own buffer answers is an access',
    file: commit,
    from: 'if (!isForwarded) {\n        next.all',
    to: 'if (next.node >= 0) {\n        next.all',
  },
  {
    name: 'late commit: a store behind to a pending cell does not join',
    file: commit,
    from: "let isJoining = isPending && (kind === 'store' || !isHeld);",
    to: "let isJoining = isPending && kind === 'load' && !isHeld;",
  },
  {
    name: 'late commit: main serves nobody behind the task that delays',
    file: commit,
    from: "...(config.mayRunBehind ? (['behind'] as const) : []),",
    to: '',
  },
  {
    name: 'late commit: every posting waits for the buffer',
    file: locals,
    from: 'if (fences && postingFenced && place',
    to: 'if (fences && place',
  },
];

const tests = ['packages/engines/test/events/serial/pitfalls.test.ts'];

const endOfEvent = 'packages/languages/src/native/end-of-event.ts';
const endTests = ['packages/engines/test/events/end-of-event.test.ts'];
const endErrors = ['packages/languages/test/native/event-errors.test.ts'];
const lookForFaults = 'packages/model/src/events/look-for-faults.ts';

const faults = [
  {
    name: 'events: a fault that main never comes to counts',
    file: machine,
    from: "config.phase === 'prefix' && !config.isCandidate;",
    to: 'config.left >= 0;',
  },
  {
    name: 'events: faults of what may be a run do not count',
    file: check,
    from: "if (look?.findings.kind === 'found') return",
    to: 'if (look && depth < 0) return',
  },
  {
    name: 'events: a fault is only met by who looks first',
    file: locals,
    from: 'if (known.fault) this.#note(known.fault);',
    to: '',
  },
  {
    name: 'events: faults were looked for, though bounds were hit',
    file: lookForFaults,
    from: 'const isComplete = incomplete === undefined && explored.bounds.length === 0;',
    to: 'const isComplete = incomplete === undefined;',
  },
  {
    name: 'events: an event has ended once its handler has',
    file: endOfEvent,
    from: 'ended.push(use.name);',
    to: 'if (all.length > 99) ended.push(use.name);',
    tests: endTests,
  },
  {
    name: 'events: a task posted under a condition counts as posted',
    file: endOfEvent,
    from: 'visit(inner, isAlways && inOrder)',
    to: 'visit(inner, isAlways)',
    tests: endErrors,
  },
  {
    name: 'events: of a task posted twice, one that has ended is enough',
    file: endOfEvent,
    from: 'runsOnce && all.filter((use) => use.name === name).length === 1',
    to: 'runsOnce',
    tests: endErrors,
  },
  {
    name: 'events: the handler of one instance and the task of another are an event that has ended',
    file: 'packages/languages/src/native/lower-milestones.ts',
    from: 'if (own.length <= 1 && own.every(({ count }) => count === 1)) continue;',
    to: 'if (own.length <= 9) continue;',
    tests: endErrors,
  },
  {
    name: 'events: faults were looked for, though states ran out',
    file: lookForFaults,
    from: 'const isComplete = incomplete === undefined && explored.bounds.length === 0;',
    to: 'const isComplete = explored.bounds.length === 0;',
  },
  {
    name: 'events: one thread has no faults',
    file: 'packages/engines/src/events/threads/check-event-tso.ts',
    from: "findings.kind === 'found'\n",
    to: "findings.kind === 'found' && shownBy === 'search'\n",
  },
  {
    name: 'events: arguments do not fault',
    file: 'packages/model/src/analysis/possible-faults.ts',
    from: 'instruction.arguments.some((argument) => faults(argument, values))',
    to: 'false',
  },
];

/** Events that wait for a place. */
const milestones = [
  {
    name: 'milestones: waiting orders no events',
    file: 'packages/model/src/events/judge-run.ts',
    from: 'if (choices.length === 0) return fixed;',
    to: 'if (choices.length >= 0) return fixed;',
  },
  {
    name: 'milestones: an event waited for the first task that came there',
    file: 'packages/model/src/events/run-causes.ts',
    from: 'at(passed, waited).map(',
    to: 'at(passed, waited).slice(0, 1).map(',
  },
  {
    name: 'milestones: an event that waited for the attack event is not behind it',
    file: machine,
    from: "next.isJoined = phase === 'attack' || isBehind;",
    to: "next.isJoined = phase === 'attack' || (isBehind && phase === 'prefix');",
  },
  {
    name: 'milestones: only the first store behind a milestone is held back',
    file: commit,
    from: "if (isHolding && kind !== 'load' && kind !== 'store' && kind !== 'pass') return;",
    to: "if (isHolding && kind !== 'load' && kind !== 'store') return;",
  },
  {
    name: 'milestones: handlers among the threads do not wait',
    file: 'packages/engines/src/events/threads/lower.ts',
    from: 'main.write(place, next, beginTask(mailbox));',
    to: "main.write(place, next, { kind: 'skip' });",
  },
];

const orders = (file) => `packages/engines/src/events/orders/${file}.ts`;

/** Tests of criteria (D) and (S), each alone. */
const halves = [
  {
    name: 'orders: a load conflicts with loads of later tasks',
    file: orders('dfs-watch'),
    from: 'isStore ? known?.accessing : known?.storing;',
    to: 'known?.accessing;',
  },
  {
    name: 'orders: the first task to access a cell stands for all',
    file: orders('dfs-watch'),
    from: 'return known && isBeforeInTree(path, known) ? known : path;',
    to: 'return known ?? path;',
  },
  {
    name: 'orders: milestones order no events',
    file: orders('event-order-watch'),
    from: "return by === undefined || by === 'first' ? [] : [by];",
    to: 'return [];',
  },
  {
    name: 'orders: an event that goes on is dropped',
    file: orders('event-order-watch'),
    from: '!trees.open.has(event) && before.size === 0',
    to: 'before.size === 0',
  },
  {
    name: 'orders: two instances are all',
    file: orders('check-order'),
    from: "if (bounds.includes('instances')) {",
    to: "if (bounds.includes('buffer')) {",
  },
  {
    name: 'orders: executions that fault do not matter',
    file: orders('check-order'),
    from: 'if (faults.length > 0) return',
    to: 'if (faults.length < 0) return',
  },
];

export const eventMutations = [
  ...halves.map((mutation) => ({
    ...mutation,
    tests: ['packages/engines/test/events/orders/apart.test.ts'],
  })),
  ...milestones.map((mutation) => ({
    ...mutation,
    tests: ['packages/engines/test/events/milestones.test.ts'],
  })),
  ...[...shared, ...lateAction, ...lateCommit].map((mutation) => ({ ...mutation, tests })),
  ...faults.map((mutation) => ({
    ...mutation,
    tests: ['packages/engines/test/events/faults.test.ts'],
  })),
];
