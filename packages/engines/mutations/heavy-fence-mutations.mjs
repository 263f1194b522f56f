// Edits that break the machine and the search for heavy fences; see tools/mutation-check.mjs.

const machine = 'packages/model/src/semantics/machine.ts';
const count = 'packages/engines/src/robustness/several-delays.ts';
const tests = [
  'packages/core/test/api/heavy-fences.test.ts',
  'packages/engines/test/robustness/heavy-fences.test.ts',
];
const countTests = ['packages/engines/test/robustness/several-delays.test.ts'];
const machineTests = ['packages/model/test/semantics/heavy-fences.test.ts'];

export const heavyFenceMutations = [
  {
    name: 'heavy fences: copies end one while the attacker delays',
    file: 'packages/engines/src/parameterized/attack-system.ts',
    from: '{ before: sequential, delaying: delayed, path }[control.phase]',
    to: '{ before: sequential, delaying: sequential, path }[control.phase]',
    tests,
    gap: 'where such a fence matters, its thread is on a walk back to the attacker: the count leaves room, and the net is not asked',
  },
  {
    name: 'heavy fences: several copies never delay',
    file: 'packages/engines/src/parameterized/decide-parameterized.ts',
    from: 'hasHeavyFences(program.templates) && maySeveralDelayInAll(templates.pairs.program)',
    to: 'hasHeavyFences(program.templates) && options.cover === false',
    tests: ['packages/engines/test/robustness/heavy-fences.test.ts'],
    gap: 'in random programs small instances show the violation',
  },
  {
    name: 'heavy fences: all buffers have to be empty at once',
    file: machine,
    from: 'threads.filter((thread) => at(state.buffers, thread).length > 0),',
    to: 'threads.filter(() => state.buffers.some(({ length }) => length > 0)),',
    tests: machineTests,
  },
  {
    name: 'heavy fences: the own buffer may be full',
    file: machine,
    from: "return buffer.length > 0 ? [] : move('heavy-fence',",
    to: "return buffer.length > 99 ? [] : move('heavy-fence',",
    tests: machineTests,
  },
  {
    name: 'heavy fences: a helper ends one while the attacker delays',
    file: 'packages/engines/src/automata/program-automata.ts',
    from: "sequential.actions(node)[action]?.effect.kind === 'heavy-fence'",
    to: "sequential.actions(node)[action]?.effect.kind === 'lock'",
    tests,
  },
  {
    name: 'heavy fences: a helper ends one on the path',
    file: 'packages/engines/src/automata/path-automaton.ts',
    from: "if (effect.kind === 'heavy-fence') return [];",
    to: '',
    tests,
  },
  {
    name: 'heavy fences: one window is always enough',
    file: 'packages/engines/src/search/attack-search.ts',
    from: 'hasHeavyFences(program) && maySeveralDelay(program)',
    to: 'hasHeavyFences(program) && program.threads.length > 99',
    tests,
  },
  {
    name: 'heavy fences: a colour does not spread by loads of its stores',
    file: 'packages/engines/src/robustness/window-colours.ts',
    from: 'const joins = (reads && level === 2) || (writes && level >= 1);',
    to: 'const joins = writes && level >= 1;',
    tests,
  },
  {
    name: 'heavy fences: no colour meets a delayed store',
    file: 'packages/engines/src/robustness/window-colours.ts',
    from: 'isMet ||= levels.has(address) && !wasOn;',
    to: '',
    tests,
  },
  {
    name: 'heavy fences: only one thread delays',
    file: 'packages/engines/src/robustness/window-search.ts',
    from: 'delays < this.#count);',
    to: 'delays < 1);',
    tests,
  },
  {
    name: 'heavy fences: a delay that passes no store counts for nothing',
    file: count,
    from: "const isPair = first.kind === 'store' && last.kind === 'load';",
    to: "const isPair = first.kind === 'rmw' && last.kind === 'load';",
    tests: countTests,
  },
  {
    name: 'heavy fences: threads that are left delay nothing',
    file: count,
    from: 'if (most + left <= 0 ||',
    to: 'if (most <= 0 ||',
    tests: countTests,
  },
  {
    name: 'heavy fences: one heavy fence counts for all on the way',
    file: count,
    from: 'least[location] = count;',
    to: 'least[location] = 2 * count - 1;',
    tests: countTests,
  },
  {
    name: 'heavy fences: a cycle without them counts',
    file: count,
    from: 'from[start]!.filter(({ heavy }) => heavy > 0)',
    to: 'from[start]!',
    tests: countTests,
  },
];
