// Edits that break explorations on the packed product, which answer `reach` and `trf`; see
// tools/mutation-check.mjs. Most edits would lose or invent final states, failed assertions or
// violations.

const exploration = 'packages/engines/src/exploration';
const automaton = `${exploration}/machine-automaton.ts`;
const closure = `${exploration}/machine-closure.ts`;
const thread = `${exploration}/machine-thread.ts`;
const packed = `${exploration}/packed-exploration.ts`;
const issuesAhead = `${exploration}/issues-ahead.ts`;
const observation = `${exploration}/observation.ts`;
const ownership = `${exploration}/observed-ownership.ts`;
const watch = `${exploration}/watch-property.ts`;
const reachUnder = 'packages/core/src/api/reach-under.ts';
const tests = [
  'packages/engines/test/exploration/packed-exploration.test.ts',
  'packages/engines/test/exploration/agreement.test.ts',
];

const ahead = ['packages/engines/test/exploration/issues-ahead.test.ts'];

/** Mutations of explorations. */
export const explorationMutations = [
  {
    name: 'exploration: the newest store leaves the buffer first',
    file: automaton,
    from: 'const { address, value } = at(state.buffer, place);',
    to: 'const { address, value } = state.buffer.at(-1)!;',
    tests,
  },
  {
    name: 'exploration: the newest store is dropped when the oldest leaves',
    file: automaton,
    from: 'buffer: state.buffer.toSpliced(place, 1) };',
    to: 'buffer: state.buffer.slice(0, -1) };',
    tests,
  },
  {
    name: 'exploration: a fence does not wait for the buffer',
    file: thread,
    from: "if (instruction.kind === 'lock' || !isEmpty) return waiting;",
    to: "if (instruction.kind === 'lock' || (instruction.kind !== 'fence' && !isEmpty)) return waiting;",
    tests,
  },
  {
    name: 'exploration: an rmw does not wait for the buffer',
    file: automaton,
    from: "if (instruction.kind === 'rmw' && buffer.length > 0 && !isHandOver(instruction))",
    to: "if (instruction.kind === 'rmw' && isHandOver(instruction))",
    tests,
  },
  {
    name: 'exploration: a lock block begins with stores in the buffer',
    file: automaton,
    from: 'return buffer.length > 0\n        ? undefined\n        : {',
    to: 'return buffer.length > 9\n        ? undefined\n        : {',
    tests,
  },
  {
    name: 'exploration: states with stores in buffers are final',
    file: packed,
    from: 'if (this.#endAt(state, thread).hasStores) return false;',
    to: '',
    tests,
  },
  {
    name: 'exploration: final states that differ by locations alone answer as one',
    file: packed,
    from: 'locals: `${state.location},${state.registers.join()}`,',
    to: 'locals: state.registers.join(),',
    tests: ['packages/core/test/api/reach.test.ts'],
  },
  {
    name: 'exploration: final states that differ by registers alone answer as one',
    file: packed,
    from: 'locals: `${state.location},${state.registers.join()}`,',
    to: 'locals: `${state.location}`,',
    tests: ['packages/core/test/api/reach.test.ts'],
  },
  {
    name: 'exploration: final states that differ by memory alone answer as one',
    file: packed,
    from: 'key += `${value} `;',
    to: "key += '';",
    tests: ['packages/core/test/api/reach.test.ts'],
  },
  {
    name: 'exploration: a thread that has not been created counts as running at the end',
    file: packed,
    from: 'if (isEnd || !waitsForCreation) return isEnd;',
    to: 'if (isEnd || waitsForCreation) return isEnd;',
    tests: ['packages/core/test/api/reach.test.ts'],
  },
  {
    name: 'exploration: a thread that has ended keeps its stores',
    file: automaton,
    from: "if (kind !== 'waiting') return flushes;",
    to: "if (kind !== 'waiting') return [];",
    tests,
  },
  {
    name: 'exploration: a load takes the oldest of its own stores',
    file: thread,
    from: 'buffer.findLast(',
    to: 'buffer.find(',
    tests,
  },
  {
    name: 'exploration: a load never waits for its own store to leave the buffer',
    file: thread,
    from: '          waits: true,\n        };',
    to: '          waits: false,\n        };',
    tests,
  },
  {
    name: 'exploration: a load passes by its own store',
    file: thread,
    from: 'if (own)\n',
    to: 'if (own && buffer.length > 1)\n',
    tests,
  },
  {
    name: 'exploration: lock blocks do not keep others out',
    file: automaton,
    from: 'return this.node(node).state.holdsLock;',
    to: 'return this.node(node).state.holdsLock && node < 0;',
    tests,
  },
  {
    name: 'exploration: the inside of lock blocks is never seen',
    file: observation,
    from: "blocks: stuck || properties.some(({ kind }) => kind === 'never'),",
    to: 'blocks: false,',
    tests,
  },
  {
    name: 'exploration: conditions on memory are looked at where somebody else sees it',
    file: ownership,
    from: 'filter((address) => !seen.has(address))',
    to: 'filter((address) => seen.size >= 0 || address > 0)',
    tests,
  },
  {
    name: 'exploration: steps that change what is seen are done at once',
    file: closure,
    from: 'this.viewOf(result) !== view ||',
    to: '',
    tests,
  },
  {
    name: 'exploration: that a buffer is empty is not seen',
    file: closure,
    from: "${drained && buffer.length === 0 ? 'd' : ''}",
    to: '',
    tests,
  },
  {
    name: 'exploration: threads that cannot go on are left out',
    file: closure,
    from: "kinds.set(reached, 'still');",
    to: '',
    tests,
  },
  {
    name: 'exploration: a property is looked at only where everything has ended',
    file: watch,
    from: 'never: once(),',
    to: 'never: atEnds(),',
    tests,
  },
  {
    name: 'exploration: values in memory do not tell states apart for a property',
    file: watch,
    from: 'for (const cell of memory) key += `${search.value(state, cell)} `;',
    to: '',
    tests,
  },
  {
    name: 'exploration: registers that final states show are forgotten',
    file: observation,
    from: 'if (!hidden) known.add(register);',
    to: 'if (!hidden && register > 0) known.add(register);',
    tests,
  },
  {
    name: 'exploration: a store that finds no room leaves the answer complete',
    file: thread,
    from: 'return { ...waiting, isCut: true };',
    to: 'return waiting;',
    tests,
  },
  {
    name: 'exploration: a buffer takes one store more than it may',
    file: thread,
    from: 'buffer.length >= this.execution.capacity',
    to: 'buffer.length > this.execution.capacity',
    tests,
  },
  {
    name: 'exploration: what a limit cut off counts as explored',
    file: reachUnder,
    from: "incomplete: end === 'complete' || end === 'done' ? undefined : end,",
    to: 'incomplete: undefined,',
    tests,
  },
  {
    name: 'exploration: a limit on states is spent on the first attempt',
    file: `${exploration}/explore-in-two.ts`,
    from: 'budget.room(0) >= 2 * firstStates',
    to: 'budget.room(0) >= 0',
    tests,
  },
  {
    name: 'exploration: assertions after waiting are not looked at',
    file: closure,
    from: 'if (failsAssertion)\n',
    to: 'if (failsAssertion && before.length === 0)\n',
    tests,
  },
  {
    name: 'exploration: of very many stores issued ahead, the last are lost',
    file: automaton,
    from: "if (ahead.isCut) return [{ kind: 'issue', cell: -1, ahead }];",
    to: 'if (ahead.isCut) return [];',
    tests: ahead,
  },
  {
    name: 'exploration: only one store is issued ahead of an access',
    file: issuesAhead,
    from: 'issue(ahead);',
    to: '',
    tests: ahead,
  },
  {
    name: 'exploration: no local step lies between stores issued ahead',
    file: issuesAhead,
    from: 'add(next, [...ahead.path, at(steps, i)]);',
    to: '',
    tests: ahead,
  },
  {
    name: 'exploration: a store that nobody notices is issued ahead',
    file: issuesAhead,
    from: 'if (code.isUnnoticed(state.registers, step)) continue;',
    to: '',
    tests: ahead,
  },
  {
    name: 'exploration: stores are issued ahead of fences',
    file: issuesAhead,
    from: 'if (!this.#leadsToAccess.has(state.location)) return;',
    to: '',
    tests: ahead,
  },
];
