// Edits that break repairs of several places, inserted or removed together, in the search for
// fences and in the verifier of its certificates; see tools/mutation-check.mjs.

const judge = (path) => `packages/verifier/src/${path}.ts`;

const problem = 'packages/repairs/src/fences/repair-problem.ts';
const apply = 'packages/repairs/src/fences/apply-repair.ts';
const tests = ['packages/repairs/test/fences/several-places.test.ts'];
const verifierTests = ['fences.test.ts'];

const checks = 'packages/repairs/src/fences/repair-by-checks.ts';
const checksTests = ['packages/core/test/api/fence-by-engine.test.ts'];

const survival = 'packages/repairs/src/fences/survival.ts';
const hitting = 'packages/repairs/src/fences/cheapest-hitting.ts';
const nearness = 'packages/repairs/src/fences/call-nearness.ts';
const hittingTests = ['packages/repairs/test/fences/cheapest-hitting.test.ts'];
const nearnessTests = ['packages/repairs/test/fences/call-nearness.test.ts'];

const awaitTests = ['packages/repairs/test/fences/await-fences.test.ts'];

/** Choices among fences of equal cost. */
const preferences = [
  {
    name: 'preferred fences: a choice by refined ranks is not tested',
    file: hitting,
    from: 'if (!refuted) return better;',
    to: 'return better;',
    tests: hittingTests,
  },
  {
    name: 'preferred fences: a preferred choice is not tested',
    file: hitting,
    from: 'return (await refute(choice)) === undefined ? choice : undefined;',
    to: 'return choice;',
    tests: hittingTests,
  },
  {
    name: 'preferred fences: a preferred choice may cost more',
    file: hitting,
    from: '!choice || exactSum(choice.map((item) => costs[item]!)) !== cost',
    to: '!choice',
    tests: hittingTests,
  },
  {
    name: 'preferred fences: calls that contain neither access count as near',
    file: nearness,
    from: 'around.some((access) => isPrefix(path, access)) ? path.length : -1',
    to: 'path.length',
    tests: nearnessTests,
  },
  {
    name: 'preferred fences: functions that wrap one access count',
    file: nearness,
    from: 'inner < 0 ? path : path.slice(0, inner)',
    to: 'path',
    tests: nearnessTests,
  },
];

const byEngine = [
  {
    name: 'fences by an engine: no answer counts as robust',
    file: checks,
    from: 'return verdict.reason;',
    to: 'return undefined;',
    tests: checksTests,
  },
  {
    name: 'fences by an engine: the engine is asked about the program without the choice',
    file: checks,
    from: 'applyRepair(program, repairs)',
    to: 'applyRepair(program, repairs.slice(1))',
    tests: checksTests,
  },
];

const finding = [
  {
    name: 'several places: the first is the repair',
    file: 'packages/model/src/program/repair.ts',
    from: '    return [first, ...also].map(({ thread, location, before }) => ({',
    to: '    return [first, ...also.slice(0, 0)].map(({ thread, location, before }) => ({',
    tests,
  },
  {
    name: 'several places: of what stays, the first does',
    file: 'packages/model/src/program/repair.ts',
    from: '  return [first, ...also].map(({ thread, transition }) => ({ kind, thread, transition }));',
    to: '  return [first].map(({ thread, transition }) => ({ kind, thread, transition }));',
    tests,
  },
  {
    name: 'several places: a repair costs what the first does',
    file: problem,
    from: 'costs.addsUp ? exactSum(all) : Math.max(...all)',
    to: 'costs.addsUp ? exactSum(all) : all[0]',
    tests,
  },
  {
    name: 'several places: costs that add up are those of the dearest',
    file: problem,
    from: 'costs.addsUp ? exactSum(all) : Math.max(...all)',
    to: 'Math.max(...all)',
    tests,
  },
  {
    name: 'several places: an attack is stopped at the first',
    file: problem,
    from: 'return singleRepairs(repair).some((part) => names.has(repairName(part)));',
    to: 'return names.has(repairName(repair));',
    tests,
  },
  {
    name: 'several places: steps are blocked at the first',
    file: problem,
    from: 'for (const item of items.flatMap((each) => singleRepairs(each))) {',
    to: 'for (const item of items) {',
    tests,
  },
  {
    name: 'several places: threads that share a repair are looked at apart',
    file: 'packages/repairs/src/fences/hit-attacks.ts',
    from: 'const own = singleRepairs(item).map(({ thread }) => thread);',
    to: 'const own = [item.thread];',
    tests,
  },
  {
    name: 'several places: the program gets the first fence',
    file: apply,
    from: "  return items\n    .flatMap((item) => singleRepairs(item))\n    .flatMap((part) => (part.kind === 'fence' &&",
    to: "  return items\n    .flatMap((part) => (part.kind === 'fence' &&",
    tests,
  },
  {
    name: 'several places: the program gets the first exchange',
    file: apply,
    from: '    items\n      .flatMap((item) => singleRepairs(item))\n      .flatMap((part) => (part.kind === kind',
    to: '    items\n      .flatMap((part) => (part.kind === kind',
    tests,
  },
  {
    name: 'several places: a property waits at the first',
    file: 'packages/repairs/src/fences/property-clause.ts',
    from: 'return singleRepairs(item).flatMap((part) =>',
    to: 'return [item].flatMap((part) =>',
    tests,
  },
];

const delayTests = ['packages/repairs/test/fences/fewest-delays.test.ts'];
const order = 'packages/repairs/src/fences/trace-order.ts';

const reordering = [
  {
    name: 'fewest delays: a store may come before a load of the earlier value',
    file: order,
    from: 'for (const read of cell.reads) if (read !== place) this.#add(read, place);',
    to: '',
    tests: delayTests,
  },
  {
    name: 'fewest delays: stores to a cell may change places',
    file: order,
    from: '    this.#add(cell.write, place);\n    for',
    to: '    for',
    tests: delayTests,
  },
  {
    name: 'fewest delays: loads from the buffer may read a later store',
    file: order,
    from: 'reads: [...early]',
    to: 'reads: []',
    tests: delayTests,
  },
  {
    name: 'fewest delays: other threads may act inside a lock block',
    file: order,
    from: 'const isOutside = first?.lock !== second?.lock;',
    to: 'const isOutside = false;',
    tests: delayTests,
  },
  {
    name: 'fewest delays: what was no obstacle before may be one',
    file: 'packages/repairs/src/fences/fewest-delays.ts',
    from: 'if (!require(items.filter((_, index) => !preventing.includes(index)))) return computation;',
    to: '',
    tests: delayTests,
  },
];

const judging = [
  {
    name: 'verifier: of several places the first is fenced',
    file: judge('repair'),
    from: 'return [first, ...also].map((place)',
    to: 'return [first, ...also.slice(0, 0)].map((place)',
    tests: verifierTests,
    project: 'verifier',
  },
  {
    name: 'verifier: several places cost what the first does',
    file: judge('optimum'),
    from: 'Math.max(...item.map(rules.sizeCost))',
    to: 'rules.sizeCost(item[0]!)',
    tests: verifierTests,
    project: 'verifier',
  },
  {
    name: 'verifier: a place may be one of two repairs',
    file: judge('optimum'),
    from: "if (listed.size < parts.length) return wrongly('an item is listed twice');",
    to: "if (names.size < items.length) return wrongly('an item is listed twice');",
    tests: verifierTests,
    project: 'verifier',
  },
  {
    name: 'verifier: the text need not say that places are one',
    file: judge('optimum'),
    from: 'if (!given && parts.length > items.length)',
    to: 'if (false)',
    tests: verifierTests,
    project: 'verifier',
  },
  {
    name: 'verifier: who waits at another place of a repair has passed it',
    file: judge('kinds/property-fences'),
    from: 'item.some(\n        (part) =>',
    to: 'item.slice(0, 1).some(\n        (part) =>',
    tests: ['property-fences.test.ts'],
    project: 'verifier',
  },
];

/** Heavy fences that are inserted or stay. */
const heavy = [
  {
    name: 'cheapest heavy fences: a clause has the items that stop its computation alone',
    file: 'packages/repairs/src/fences/heavy-repair.ts',
    from: 'if (remains([...outside, index])) outside',
    to: 'if (remains([index])) outside',
    tests: ['packages/repairs/test/fences/heavy-repair.test.ts'],
  },
  {
    name: 'cheapest heavy fences: a heavy fence begins with a full buffer',
    file: survival,
    from: 'const begin = drainedFrom(timed, thread, from);',
    to: 'const begin = from;',
    tests: ['packages/repairs/test/fences/survival.test.ts'],
  },
  {
    name: 'cheapest heavy fences: a heavy fence waits for its own thread only',
    file: survival,
    from: 'drainedFrom(timed, other, begin)));',
    to: 'drainedFrom(timed, other === thread ? other : thread, begin)));',
    tests: ['packages/repairs/test/fences/heavy-repair.test.ts'],
  },
  {
    name: 'cheapest heavy fences: heavy fences that stay are passed at once',
    file: survival,
    from: 'if (own.kept.has(action.transition)) ready = heavyFrom(timed, thread, ready);',
    to: '',
    tests: ['heavy-repairs.test.ts'],
    project: 'verifier',
  },
  {
    name: 'cheapest heavy fences: local actions end heavy fences',
    file: survival,
    from: 'if (isLocal) continue;',
    to: '',
    tests: ['heavy-repairs.test.ts'],
    project: 'verifier',
  },
].map((mutation) => ({ ...mutation, runs: 150 }));

/** Mutations of repairs of several places, and of heavy fences. */
export const repairMutations = [
  ...preferences,
  ...byEngine,
  ...finding,
  ...reordering,
  ...judging,
  ...heavy,
  {
    name: 'awaits: an await has no place for a fence in front',
    file: 'packages/languages/src/native/insertion-points.ts',
    from: '.filter((point) => !flow.awaits.includes(point));',
    to: ';',
    tests: awaitTests,
  },
  {
    name: 'awaits: a heavy fence in front counts in each iteration',
    file: 'packages/core/src/api/text-editor.ts',
    from: '...(editor.canBeHeavy && { canBeHeavy: editor.canBeHeavy }),',
    to: '',
    tests: awaitTests,
  },
  {
    name: 'awaits: texts take heavy fences in front',
    file: 'packages/languages/src/native/repair-native-structured.ts',
    from: 'item.heavy === undefined || !awaits.has(item.location)',
    to: 'item.heavy === undefined || awaits.size >= 0',
    tests: awaitTests,
  },
  {
    name: 'property fences: a search that is given up has seen everything',
    file: 'packages/repairs/src/fences/find-violation.ts',
    from: "(end === 'done' && !isGivenUp)",
    to: "end === 'done'",
    tests: ['packages/engines/test/progress/growing-buffers.test.ts'],
  },
];
