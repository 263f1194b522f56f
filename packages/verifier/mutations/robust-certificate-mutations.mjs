// Edits that break the verifier's check of invariants, thread by thread; see
// tools/mutation-check.mjs. Each edit would make the verifier accept invariants that do not hold,
// or attacks that an invariant does not refute.

const thread = 'packages/verifier/src/attack/thread.ts';
const invariant = 'packages/verifier/src/modular/invariant.ts';
const refuter = 'packages/verifier/src/attack/refute-attacks.ts';
const path = 'packages/verifier/src/attack/path-search.ts';
const paths = 'packages/verifier/src/static-path.ts';
const kind = 'packages/verifier/src/kinds/robust.ts';
const tests = ['modular/pitfalls.test.ts', 'modular/refutations.test.ts', 'modular/robust.test.ts'];

const mutations = [
  {
    name: 'robust: a thread may write what another is said to own',
    file: invariant,
    from: 'if (owner !== undefined && owner !== t)',
    to: 'if (owner !== undefined && owner === -1)',
  },
  {
    name: 'robust: values that are written need not be named',
    file: invariant,
    from: ': this.holds(state.address).some(({ value }) => value === state.value),',
    to: ': this.holds(state.address).length > 0,',
  },
  {
    name: 'robust: the start need not be in an invariant',
    file: invariant,
    from: 'one.starts().map((stand) => ({',
    to: 'one.starts().slice(9).map((stand) => ({',
  },
  {
    name: 'robust: a place away from a store may be at the store',
    file: invariant,
    from: 'stores.some((store) => thread.thread.mayAttack(stand.place!, transitions[store]!))',
    to: 'stores.length === 0',
  },
  {
    name: 'robust: a thread comes back from places away',
    file: invariant,
    from: 'contains: (at) => away.has(standName(at)) || wider.#isAway(t, at),',
    to: 'contains: () => true,',
  },
  {
    name: 'robust: an invariant of some executions is taken for one of all',
    file: invariant,
    from: 'return towards.thread === thread && stores.every((store) => towards.stores.includes(store));',
    to: 'return towards.thread === thread || stores.length > 0;',
  },
  {
    name: 'robust: a lock block joins by its last access only',
    file: thread,
    from: 'block.isBehind || isBehind(before, access, isOver),',
    to: 'isBehind(before, access, isOver),',
  },
  {
    name: 'robust: a lock block meets the delayed store by its last access only',
    file: thread,
    from: 'hasMet: block.hasMet || this.#meets(context, access),',
    to: 'hasMet: this.#meets(context, access),',
  },
  {
    name: 'robust: nobody on the path looks again',
    file: path,
    from: 'for (const reader of this.#readers.get(address) ?? []) this.#open.add(reader);',
    to: '',
  },
  {
    name: 'robust: nobody off the path joins behind another',
    file: path,
    from: 'if (!this.#marked.has(address)) this.#mark(address);',
    to: '',
  },
  {
    name: 'robust: lock blocks join only behind others',
    file: thread,
    from: 'return isNext || this.#isBeforeBlock(place);',
    to: 'return isNext;',
  },
  {
    name: 'robust: the attacker stops at its first load from memory',
    file: thread,
    from: 'return isFromMemory ? { next, loaded: address }',
    to: 'return isFromMemory ? { next: [], loaded: address }',
  },
  {
    name: 'robust: a first end stands for all of a load',
    file: refuter,
    from: '[attacker, situation.name, address, delayed.address, delayed.value].join',
    to: '[attacker, situation.name, delayed.value].join',
  },
  {
    name: 'robust: an end of one attacker stands for those of others',
    file: refuter,
    from: '[attacker, situation.name,',
    to: '[situation.name,',
  },
  {
    name: 'robust: attacks from a store of one thread stand for those of others',
    file: refuter,
    from: 'const from = `${attacker};${store}`;',
    to: 'const from = `${store}`;',
  },
  {
    name: 'robust: by addresses, a lock block is single accesses',
    file: paths,
    from: 'for (const start of step.blocks) goTo(its, start);',
    to: '',
  },
  {
    name: 'robust: by addresses, stores do not join behind loads',
    file: paths,
    from: 'const least = isStore ? level.load : level.store;',
    to: 'const least = level.store;',
  },
  {
    name: 'robust: an attack of one thread is refuted for all',
    file: kind,
    from: 'one === code ? [',
    to: 'one ? [',
  },
];

export const robustCertificateMutations = mutations.map((mutation) => ({
  ...mutation,
  tests,
  project: 'verifier',
}));
