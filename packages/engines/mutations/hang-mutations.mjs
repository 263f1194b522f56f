// Edits that break the search for threads that wait for ever; see tools/mutation-check.mjs. Each
// edit would miss waiting threads, or invent some.

const closure = 'packages/engines/src/exploration/machine-closure.ts';
const graph = 'packages/engines/src/exploration/drained-graph.ts';
const components = 'packages/engines/src/progress/bottom-components.ts';
const rests = 'packages/engines/src/progress/states-at-rest.ts';
const hangs = 'packages/engines/src/progress/find-hangs.ts';
const tests = ['packages/engines/test/progress/hangs.test.ts'];

/** Mutations of the search for threads that wait for ever. */
export const hangMutations = [
  {
    name: 'hangs: a step by itself is not offered later to a thread that may wait',
    file: closure,
    from: 'if (progress && results.length > 0 && this.#mayWait(state)) return true;',
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
    from: 'if (buffer.length > 0 || holdsLock) {',
    to: 'if (buffer.length > 0) {',
    tests,
  },
  {
    name: 'hangs: memory that a thread alone accesses counts for servers',
    file: graph,
    from: 'value !== (before[cell] ?? 0) && counts(this.exploration.cells.address(cell)),',
    to: 'value !== (before[cell] ?? 0),',
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
    from: 'if (!leaves) bottoms.push({ states, isSequential });',
    to: 'bottoms.push({ states, isSequential });',
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
    from: 'close(frame, root === 0);',
    to: 'close(frame, true);',
    tests,
  },
  {
    name: 'hangs: whoever changes memory gets on',
    file: rests,
    from: "lost: ways.filter(({ kind, thread }) => kind !== 'endless' || !at(isServer, thread)),",
    to: "lost: ways.filter(({ kind }) => kind !== 'endless'),",
    tests,
  },
  {
    name: 'hangs: servers never get on',
    file: rests,
    from: "lost: ways.filter(({ kind, thread }) => kind !== 'endless' || !at(isServer, thread)),",
    to: 'lost: ways,',
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
    file: 'packages/core/src/api/find-hang.ts',
    from: 'if (!hang) return open(undefined);',
    to: 'if (!hang || hang.threads.length === 0) return open(undefined);',
    tests: ['packages/engines/test/progress/progress-fences.test.ts'],
  },
];
