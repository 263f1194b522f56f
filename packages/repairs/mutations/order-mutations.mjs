// Edits that break the search for the cheapest memory orders; see tools/mutation-check.mjs.

const weakest = 'packages/repairs/src/orders/weakest-orders.ts';
const check = 'packages/repairs/src/orders/check-orders.ts';
const tooWeak = 'packages/repairs/src/orders/strongest-too-weak.ts';
const open = 'packages/repairs/src/orders/open-graph.ts';
const passage = 'packages/repairs/src/orders/thread-passage.ts';
const apply = 'packages/repairs/src/orders/apply-orders.ts';
const sites = 'packages/repairs/src/orders/order-sites.ts';
const levels = 'packages/model/src/program/order-level.ts';
const write = 'packages/languages/src/native/write-orders.ts';
const decide = 'packages/core/src/api/decide-orders.ts';
const search = ['packages/repairs/test/orders/weakest-orders.test.ts'];
const assertions = ['packages/repairs/test/orders/orders-for-assertions.test.ts'];
const texts = ['packages/core/test/api/decide-orders.test.ts'];

const searches = [
  {
    name: 'orders: a data race is no reason for stronger orders',
    file: check,
    from: `return typeof race === 'object'
        ?`,
    to: 'return race === undefined\n        ?',
  },
  {
    name: 'orders: a clause names what is stronger than the orders, not than the counterexample',
    file: weakest,
    from: 'return !isAtMost(level, at(tooWeak, site));',
    to: 'return !isAtMost(level, at(levels, site));',
  },
  {
    name: 'orders: costs are those of one machine',
    file: weakest,
    from: 'const { target } = this.#options;',
    to: "const target = 'armv8';",
  },
  {
    name: 'orders: of several levels of a place the last one counts',
    file: weakest,
    from: 'joinedLevel(level, item.level)',
    to: 'item.level',
  },
  {
    name: 'orders: single places are lowered together with those before',
    file: weakest,
    from: 'const given = this.#sites.map((site) => site.given);\n    const changes',
    to: 'const given = this.#sites.map((site) => site.floor);\n    const changes',
  },
  {
    name: 'orders: known counterexamples refute more than they show',
    file: weakest,
    from: 'levels.every((level, site) => isAtMost(level, at(tooWeak, site)));',
    to: 'levels.some((level, site) => isAtMost(level, at(tooWeak, site)));',
  },
  {
    name: 'orders: an execution stays possible whatever the orders',
    file: tooWeak,
    from: 'return isConsistent(now, model) && !isSequentiallyConsistent(now);',
    to: 'return !isSequentiallyConsistent(now);',
  },
  {
    name: 'orders: a race stays a race whatever the orders',
    file: tooWeak,
    from: 'return findRaceIn(now, [first!, second!]) !== undefined;',
    to: 'return true;',
  },
  {
    name: 'orders: load buffering of any thread keeps a counterexample',
    file: 'packages/engines/src/c11/load-buffering-of-thread.ts',
    from: 'const mayPostpone = (one: ThreadId): boolean => symmetry.areAlike(one, thread);',
    to: 'const mayPostpone = (one: ThreadId): boolean => one >= 0;',
  },
  {
    name: 'orders: load buffering concerns other threads only',
    file: tooWeak,
    from: 'return [...steps, ...fences].some((part) => part.thread === thread);',
    to: 'return [...steps, ...fences].some((part) => part.thread !== thread);',
  },
  {
    name: 'orders: a cas that fails has the order of its success',
    file: open,
    from: "order: event.kind === 'read' ? failure : order",
    to: 'order',
  },
  {
    name: 'orders: fences that could stand in a counterexample are not looked for',
    file: passage,
    from: ": [{ kind: 'location', location: to }];",
    to: ': [];',
  },
  {
    name: 'orders: a fence stands inside of the loop that waits',
    file: apply,
    from: 'leadsBack(code, id, each) ? each :',
    to: 'id < 0 ? each :',
    tests: texts,
  },
  {
    name: 'orders: only the first thread of a text changes',
    file: apply,
    from: 'for (const step of site.steps) if (step.thread === id)',
    to: 'for (const step of site.steps.slice(0, 1)) if (step.thread === id)',
  },
  {
    name: 'orders: lowering may strengthen',
    file: sites,
    from: "change === 'raise' ? isAtMost(given, level) : isAtMost(level, given)) &&",
    to: "change === 'raise' ? isAtMost(given, level) : true) &&",
  },
  {
    name: 'orders: acquire is weaker than release',
    file: levels,
    from: '  acquire: 1,\n  release: 2,',
    to: '  acquire: 1,\n  release: 3,',
  },
  {
    name: 'orders: a doubt ends the search',
    file: check,
    from: 'return isDoubt(verdict)',
    to: "return isDoubt({ ...verdict, limit: 'cells' })",
  },
  {
    name: 'orders: a search that ends at a limit has proved nothing',
    file: weakest,
    from: '...(reasons.length > 0 && {',
    to: '...(reasons.length > reasons.length && {',
  },
  {
    name: 'orders: at a limit, doubts count for the bound of the cost',
    file: weakest,
    from: 'if (this.#clauses.every(({ isDoubtful }) => !isDoubtful))\n',
    to: 'if (this.#clauses.every(({ isDoubtful }) => !isDoubtful || isDoubtful))\n',
  },
];

const forAssertions = [
  {
    name: 'orders for assertions: an execution in doubt proves that orders are too weak',
    file: weakest,
    from: "isDoubtful: answer.kind === 'doubtful'",
    to: 'isDoubtful: false',
  },
  {
    name: 'orders for assertions: in doubt the orders are enough',
    file: check,
    from: "const kind = goal === 'assertions' ? 'doubtful' : 'too-weak';",
    to: "if (goal === 'assertions') return { kind: 'enough', assumptions };\n      const kind = 'too-weak';",
  },
  {
    name: 'orders for assertions: a data race does not count',
    file: check,
    from: "if (assertions === 'hold' && race === 'none')",
    to: "if (assertions !== 'fail')",
  },
  {
    name: 'orders for assertions: an assertion that fails under SC is one that may be prevented',
    file: check,
    from: "fault: { kind: 'assertion-under-sc', program }",
    to: "fault: { kind: 'violation', violation: verdict.violation, program }",
  },
  {
    name: 'orders for assertions: the failing execution stays possible whatever the orders',
    file: tooWeak,
    from: "if (found.kind === 'assertion') return isConsistent(now, model);",
    to: "if (found.kind === 'assertion') return true;",
  },
  {
    name: 'orders for assertions: the failing execution has to be none of SC, but need not be possible',
    file: tooWeak,
    from: "if (found.kind === 'assertion') return isConsistent(now, model);",
    to: "if (found.kind === 'assertion') return !isSequentiallyConsistent(now);",
  },
  {
    name: 'orders for assertions: places in doubt are weaker, each alone',
    file: weakest,
    from: 'if (clause.isDoubtful) this.#isAloneOpen = true;',
    to: '',
  },
];

const inTexts = [
  {
    name: 'orders: the changed text is not checked again',
    file: decide,
    from: "case 'too-weak':\n      return false;",
    to: "case 'too-weak':\n      return true;",
  },
  {
    name: 'orders: fences in the text stand at each place, also inside of loops that wait',
    file: decide,
    from: '? [0] : undefined);',
    to: '? undefined : undefined);',
  },
  {
    name: 'orders: the order of a failed cas is not written',
    file: write,
    from: 'const isUsual = failure === undefined || failure === failureOrderOf(order);',
    to: 'const isUsual = true;',
  },
  {
    name: 'orders: an order is written behind the first operand',
    file: write,
    from: '(commas[operands - 1] ?? close)',
    to: '(commas[0] ?? close)',
  },
];

const editC = 'packages/languages/src/c/edit-order.ts';

/** Mutations with tests of their own. */
const inC = [
  {
    name: 'orders in C: a use of freed memory does not count',
    file: decide,
    from: 'if (uses[0]) {',
    to: 'if (uses[0] && !uses[0]) {',
    tests: ['packages/cli/test/c11-freed-use.test.ts'],
  },
  {
    name: 'orders in C: orders that only the front end sees are not told',
    file: sites,
    from: '...(program.ordersAside ?? []),',
    to: '',
    tests: ['packages/cli/test/fence-orders-c.test.ts'],
  },
  {
    name: 'orders in C: orders where one thread runs alone become weaker',
    file: sites,
    from: 'const alone = all.filter((site) => isSiteAlone(program, site, isAlone));',
    to: 'const alone = all.filter(() => false);',
    tests: ['packages/cli/test/fence-orders-c.test.ts'],
  },
  {
    name: 'orders in C: a call without orders keeps its name',
    file: editC,
    from: "? [insertion(call.open, '_explicit'), ...edits]",
    to: '? edits',
    tests: ['packages/languages/test/c/edit-order.test.ts'],
  },
  {
    name: 'orders in C: any function with such operands has orders',
    file: editC,
    from: 'if (!texts.every((text) => orderWord.test(text))) return [];',
    to: '',
    tests: ['packages/languages/test/c/edit-order.test.ts'],
  },
  {
    name: 'orders in C: a failure may be stronger than its success',
    file: editC,
    from: 'if (!known || !isAllowed(level)) return [];',
    to: 'if (!known) return [];',
    tests: ['packages/languages/test/c/edit-order.test.ts'],
  },
  {
    name: 'orders in C: orders of library calls are advice',
    file: decide,
    from: "return standsInText(origin) && (kind === 'fence' || origin.access === 'atomic');",
    to: "return kind === 'fence' || origin.access === 'atomic';",
    tests: ['packages/cli/test/fence-orders-c.test.ts'],
  },
  {
    name: 'orders in C: places without text get orders',
    file: sites,
    from: '(!canWrite || isGiven(level) || canWrite({ kind, steps, fences: [] }, level));',
    to: 'true;',
    tests: ['packages/cli/test/fence-orders-c.test.ts'],
  },
];

export const orderMutations = [
  ...searches.map((one) => ({ tests: search, ...one })),
  ...forAssertions.map((one) => ({ tests: assertions, ...one })),
  ...inTexts.map((one) => ({ tests: texts, ...one })),
  ...inC,
  {
    name: 'orders: no call of the atomics of the C++ library stands in the text',
    file: 'packages/model/src/program/stands-in-text.ts',
    from: 'libraryCall === undefined || atomicCall.test(libraryCall)',
    to: 'libraryCall === undefined',
    tests: ['packages/model/test/program/stands-in-text.test.ts'],
  },
  {
    name: 'orders: all calls of the library stand in the text',
    file: 'packages/model/src/program/stands-in-text.ts',
    from: 'libraryCall === undefined || atomicCall.test(libraryCall)',
    to: 'true',
    tests: ['packages/model/test/program/stands-in-text.test.ts'],
  },
];
