// Edits that break the verifier's check of certificates that properties hold under TSO; see
// tools/mutation-check.mjs. Each edit would make the verifier accept a false property.

const inBuffers = (name) => `packages/verifier/src/load-buffers/${name}.ts`;
const before = inBuffers('before');
const bad = inBuffers('bad-states');
const cone = inBuffers('cone');
const kind = 'packages/verifier/src/kinds/states.ts';
const tests = ['load-buffers/forged.test.ts', 'load-buffers/certificates.test.ts'];

const mutations = [
  {
    name: 'states: steps may enter the cones',
    file: kind,
    from: 'before(cone, graphs).map((state) => ({',
    to: 'before(cone, graphs).filter(() => false).map((state) => ({',
  },
  {
    name: 'states: executions may begin in a cone',
    file: kind,
    from: 'if (cones.contain(startOf(automata, graphs, written)))',
    to: 'if (false)',
  },
  {
    name: 'states: violations may be outside',
    file: kind,
    from: 'if (bad.outside(goal) !== undefined)',
    to: 'if (goals.length < 0)',
  },
  {
    name: 'states: own stores are never read before they are in memory',
    file: before,
    from: '...[...put, ...made].filter(isNormal)]',
    to: ']',
  },
  {
    name: 'states: a store may leave letters on its address',
    file: before,
    from: 'return rest.some((letter) => letter.address === address) ? undefined : rest;',
    to: 'return isNew ? rest : undefined;',
  },
  {
    name: 'states: nothing is appended from memory',
    file: before,
    from: 'found.push(...beforeAppending(cone, thread));',
    to: '',
  },
  {
    name: 'states: memory never freezes',
    file: before,
    from: 'const found = beforeFreezing(cone).slice();',
    to: 'const found: Cone[] = [];',
  },
  {
    name: 'states: stores while memory stands still are not noted',
    file: before,
    from: 'stored: stored.with(thread, null)',
    to: 'stored',
  },
  {
    name: 'states: a place is its location',
    file: cone,
    from: 'place.registers.every((value, r) => value === null || value === other.registers[r])',
    to: 'true',
  },
  {
    name: 'states: memory does not matter',
    file: cone,
    from: '[...cone.memory].every(([address, value]) => other.memory.get(address) === value) &&',
    to: '',
  },
  {
    name: 'states: buffers do not matter',
    file: cone,
    from: 'cone.words.every((word, t) => isSubword(word, other.words[t]!))',
    to: 'true',
  },
  {
    name: 'states: who has stored does not matter',
    file: cone,
    from: 'cone.stored.every((stored, t) => stored === null || stored === other.stored[t]) &&',
    to: '',
  },
  {
    name: 'states: memory never stands still where a property looks at it',
    file: bad,
    from: 'const frozen = !isFinal && (seesStores || this.#hasLocks);',
    to: 'const frozen = false;',
  },
];

/** Every mutation, with the tests that have to notice the mutation. */
export const stateCertificateMutations = mutations.map((one) => ({
  ...one,
  project: 'verifier',
  tests,
}));
