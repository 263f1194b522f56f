// Edits that break the verifier's refutation of attacks by addresses and by a relation between
// pairs; see tools/mutation-check.mjs. Each edit would make the verifier refute feasible attacks.

const thread = 'packages/verifier/src/attack/thread.ts';
const relation = 'packages/verifier/src/pairs/relation.ts';
const refuter = 'packages/verifier/src/attack/refute-attacks.ts';
const path = 'packages/verifier/src/attack/path-search.ts';
const paths = 'packages/verifier/src/static-path.ts';
const tests = [
  'pairs/pitfalls.test.ts',
  'pairs/refuter-pitfalls.test.ts',
  'pairs/relation.test.ts',
  'pairs/refutations.test.ts',
  'pairs/robust.test.ts',
];

const mutations = [
  {
    name: 'robust: a lock block takes place with the cells that it accesses first only',
    file: relation,
    from: 'if (stopped || missing === undefined) return stopped;',
    to: 'if (stopped || missing === undefined || participants.length > 1) return stopped;',
  },
  {
    name: 'robust: cells in a lock block need not go together',
    file: relation,
    from: 'if (!participants.every((one) => this.has(one, partner))) continue;',
    to: 'if (!this.has(participants.at(-1)!, partner)) continue;',
  },
  {
    name: 'robust: what goes with one participant goes with the others after the step',
    file: relation,
    from: 'for (const one of participants) {\n      const row',
    to: 'for (const one of participants.slice(0, 1)) {\n      const row',
  },
  {
    name: 'robust: steps are not taken with items that are found later',
    file: 'packages/verifier/src/pairs/components.ts',
    from: 'this.#accessors[component]!.add(number);',
    to: '',
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
    from: '[attacker, presence.place.name, address, delayed.address, delayed.value].join',
    to: '[attacker, presence.place.name, delayed.value].join',
  },
  {
    name: 'robust: an end of one attacker stands for those of others',
    file: refuter,
    from: '[attacker, presence.place.name,',
    to: '[presence.place.name,',
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
];

export const robustCertificateMutations = mutations.map((mutation) => ({
  tests,
  ...mutation,
  project: 'verifier',
}));
