// Edits that break the search for threads that wait for ever; see tools/mutation-check.mjs. Each
// edit would miss waiting threads, or invent some.

const closure = 'packages/engines/src/exploration/machine-closure.ts';
const graph = 'packages/engines/src/exploration/drained-graph.ts';
const components = 'packages/engines/src/progress/bottom-components.ts';
const rests = 'packages/engines/src/progress/states-at-rest.ts';
const hangs = 'packages/engines/src/progress/find-hangs.ts';
const tests = ['packages/engines/test/progress/hangs.test.ts'];
const inReports = ['packages/cli/test/hangs.test.ts'];
const inC = ['packages/engines/test/progress/hangs-c.test.ts'];

/** Mutations of the search for threads that wait for ever. */
export const hangMutations = [
  {
    name: 'hangs: a step by itself is not offered later to a thread that may wait',
    file: closure,
    from: 'if (progress && results.length > 0 && this.#isChosen(state)) return true;',
    to: '',
    tests,
  },
  {
    name: 'hangs: who waits stands for who goes round by itself',
    file: closure,
    from: 'const others = progress ? [] : [...kinds.keys()];',
    to: 'const others = [...kinds.keys()];',
    tests,
  },
  {
    name: 'hangs: a place on the way to a dead end is taken for a loop',
    file: closure,
    from: 'else if (progress && reached.next.length === 0 && !isHidden(reached))',
    to: 'else if (progress && reached.next.length < 0 && !isHidden(reached))',
    tests,
  },
  {
    name: 'hangs: threads go on while their stores wait',
    file: graph,
    from: 'if (waits && !isBlind) continue;',
    to: '',
    gap: 'no other thread acts within the step: in which order it is done is of no matter',
    tests,
  },
  {
    name: 'hangs: a block that cannot be taken to its end is entered',
    file: graph,
    from: 'if (buffer.length > 0 || isInside) {',
    to: 'if (buffer.length > 0) {',
    tests,
  },
  {
    name: 'hangs: memory that a thread alone accesses counts for servers',
    file: graph,
    from: 'value !== search.value(from, cell) && counts(cells.address(cell)),',
    to: 'value !== search.value(from, cell),',
    tests,
  },
  {
    name: 'hangs: a server that stores for nobody never gets on',
    file: graph,
    from: "if (stored !== 'all' && ![...stored].some(isShared)) return () => true;",
    to: '',
    tests,
  },
  {
    name: 'hangs: components that are left are taken for the last',
    file: components,
    from: 'if (!leaves) bottoms.push(',
    to: 'bottoms.push(',
    tests,
  },
  {
    name: 'hangs: a component that only an inner state leaves is taken for the last',
    file: components,
    from: 'if (before && (isRoot || leaves)) before.leaves = true;',
    to: 'if (before && isRoot) before.leaves = true;',
    tests,
  },
  {
    name: 'hangs: all states are those of SC',
    file: components,
    from: 'sequential ? sequential[state] === 1 : root === 0;',
    to: 'sequential ? sequential[state] === 1 : root >= 0;',
    tests,
  },
  {
    name: 'hangs: threads count on luck',
    file: components,
    from: 'graph.next(state, false), taken',
    to: 'graph.next(state, true), taken',
    tests,
  },
  {
    name: 'hangs: SC has no luck',
    file: components,
    from: 'for (const to of graph.next(state, true)) {',
    to: 'for (const to of graph.next(state, false)) {',
    tests,
  },
  {
    name: 'hangs: steps by luck are done at once',
    file: closure,
    from: "if (step.transition.luck === 'chance') return true;",
    to: '',
    tests,
  },
  {
    name: 'hangs: a block is no luck where a step in it is',
    file: graph,
    from: 'const isLuck = way.isLuck || automaton.isLuck(node, action);',
    to: 'const isLuck = automaton.isLuck(node, action);',
    tests,
  },
  {
    name: 'hangs: threads wait when the process has ended',
    file: rests,
    from: 'states.every((state) => graph.hasEnded(state));',
    to: 'states.length === 0;',
    tests,
  },
  {
    name: 'hangs: who ends the process is never there',
    file: graph,
    from: 'const isInside = holdsLock && !this.#endsProcess(thread, location);',
    to: 'const isInside = holdsLock;',
    tests,
  },
  {
    name: 'hangs: the process ends before those that main joins',
    file: 'packages/languages/src/llvm-ir/process-ends.ts',
    from: 'const awaits = isExit ? [] : [...joins[from]!.values()];',
    to: 'const awaits: Await[] = [];',
    tests: inC,
  },
  {
    name: 'hangs: a signal wakes nobody',
    file: 'packages/languages/c/library.c',
    from: '*sleepers = all & ~(rest & -rest);',
    to: '*sleepers = all;',
    tests: inC,
  },
  {
    name: 'hangs: a signal to nobody is a fence',
    file: 'packages/languages/c/library.c',
    from: 'if (__atomic_load_n(sleepers, __ATOMIC_RELAXED) == 0)\n    return;\n  __fencewright_update_begin(__ATOMIC_RELAXED);',
    to: '__fencewright_update_begin(__ATOMIC_RELAXED);',
    tests: inC,
  },
  {
    name: 'hangs: whoever changes memory gets on',
    file: rests,
    from: "const lost = ways.filter(({ kind, thread }) => kind !== 'endless' || !at(isServer, thread));",
    to: "const lost = ways.filter(({ kind }) => kind !== 'endless');",
    tests,
  },
  {
    name: 'hangs: servers never get on',
    file: rests,
    from: "const lost = ways.filter(({ kind, thread }) => kind !== 'endless' || !at(isServer, thread));",
    to: 'const lost = ways;',
    tests,
  },
  {
    name: 'hangs: who waits under SC, too, is said to hang',
    file: hangs,
    from: '.filter((one) => !underSc.has(one));',
    to: '.filter((one) => one >= 0 || underSc.has(one));',
    tests,
  },
  {
    name: 'hangs: threads that wait together are looked for one by one',
    file: hangs,
    from: 'return keys.every((key) => known.has(key));',
    to: 'return keys.some((key) => known.has(key));',
    tests,
  },
  {
    name: 'hangs: fences for progress leave threads that wait together',
    file: 'packages/core/src/api/find-at-rest.ts',
    from: 'return restsOfTsoAlone(rests)[0]?.rest;',
    to: 'return restsOfTsoAlone(rests).find(({ threads }) => threads.length > 0)?.rest;',
    tests: ['packages/engines/test/progress/progress-fences.test.ts'],
  },
  {
    name: 'hangs: fences for final states forbid states in which threads wait',
    file: 'packages/core/src/api/find-at-rest.ts',
    from: 'rests.filter(({ ways }) => ways.length === 0),',
    to: 'rests,',
    tests: ['packages/engines/test/progress/state-fences.test.ts'],
  },
  {
    name: 'hangs: the library function of a wait is not named',
    file: 'packages/languages/src/llvm-ir/places.ts',
    from: 'all.findIndex(isShown) - 1',
    to: 'all.findIndex(isShown)',
    tests: inReports,
  },
  {
    name: 'hangs: SARIF names no late store',
    file: 'packages/reports/src/sarif/sarif-results.ts',
    from: "answer.kind === 'hangs' ? placedHang(about, answer.hangs[0]).lateStores : undefined;",
    to: 'undefined;',
    tests: inReports,
  },
  {
    name: 'hangs: reports for builds begin with the attack',
    file: 'packages/reports/src/sarif/junit.ts',
    from: "headline ? `${headlineText(headline)}; ` : ''",
    to: "''",
    tests: inReports,
  },
  {
    name: 'hangs: editors do not ask where nothing is claimed',
    file: 'packages/lsp/src/checker.ts',
    from: "(state === 'not-robust' && !hasEvents(document))",
    to: 'false',
    tests: inReports,
  },
  {
    name: 'hangs: editors mark the title',
    file: 'packages/lsp/src/diagnostics.ts',
    from: 'span && !span.source ? toRange(span) : titleRange(document);',
    to: 'titleRange(document);',
    tests: inReports,
  },
  {
    name: 'hangs: nobody looks where another search has settled the rest',
    file: 'packages/core/src/api/look-at-drained.ts',
    from: "const mayEnd = incomplete === 'states' && sc.incomplete === undefined;",
    to: 'const mayEnd = false;',
    tests: ['packages/core/test/api/settle-under-tso.test.ts'],
  },
];
