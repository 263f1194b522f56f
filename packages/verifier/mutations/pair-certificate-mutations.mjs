// Edits that break the verifier's relation between pairs of components, or the conclusions from the
// relation; see tools/mutation-check.mjs. Each edit would make the verifier refute feasible
// attacks.

const inPairs = (name) => `packages/verifier/src/pairs/${name}.ts`;
const components = inPairs('components');
const relation = inPairs('relation');
const refuter = inPairs('refute-by-pairs');
const path = inPairs('path-search');
const kind = 'packages/verifier/src/kinds/robust.ts';
const tests = ['pairs/pitfalls.test.ts', 'pairs/refutations.test.ts', 'pairs/certificates.test.ts'];

const mutations = [
  {
    name: 'robust by pairs: a thread that has come to its end takes its cells with it',
    file: components,
    from: 'return moves.map((move) => ({',
    to: 'return moves.filter((move) => move.place).map((move) => ({',
  },
  {
    name: 'robust by pairs: a thread without accesses is nowhere, and its cells with it',
    file: components,
    from: 'places.length > 0 ? places : [undefined]',
    to: 'places',
  },
  {
    name: 'robust by pairs: two threads may keep a cell',
    file: components,
    from: 'if (this.#holders.has(address)) wrong(',
    to: 'if (address < 0) wrong(',
  },
  {
    name: 'robust by pairs: what a cell holds stays in the one that keeps it',
    file: components,
    from: 'if (number === partner) return [this.#number({ ...item, place, values: after })];',
    to: 'if (number === partner) return [this.#number({ ...item, place })];',
  },
  {
    name: 'robust by pairs: a cell that is met late goes with nothing',
    file: relation,
    from: 'for (let other = 0; other < cell; other++) this.#relate(cell, other);',
    to: '',
  },
  {
    name: 'robust by pairs: what comes of two items is not related to each other',
    file: relation,
    from: 'if (first !== undefined && second !== undefined) this.#relate(first, second);',
    to: '',
  },
  {
    name: 'robust by pairs: only the thread goes on with what went with both',
    file: relation,
    from: 'if (together !== 0) for (const result of results) this.#add(result, word, together);\n    }\n  }',
    to: 'if (together !== 0) for (const result of results.slice(0, 1)) this.#add(result, word, together);\n    }\n  }',
  },
  {
    name: 'robust by pairs: steps are not taken again with what is new',
    file: relation,
    from: 'return this.#repeatSteps(item, words, added) ?? this.#findSteps',
    to: 'return this.#findSteps',
  },
  {
    name: 'robust by pairs: steps are taken again with what is new of threads only',
    file: relation,
    from: 'if (other !== undefined) this.#steps[other]!.push({ other: item, results });',
    to: '',
  },
  {
    name: 'robust by pairs: nobody hears that an item is related to more',
    file: relation,
    from: 'this.#fresh[other]![item >>> 5]! |= bit;',
    to: '',
  },
  {
    name: 'robust by pairs: accesses to cells that a thread keeps do not happen',
    file: relation,
    from: 'this.#perform(item, undefined, results);',
    to: 'this.#perform(item, undefined, results.slice(1));',
  },
  {
    name: 'robust by pairs: of the threads at the start only the first two are related',
    file: relation,
    from: 'for (const others of starts.slice(t + 1))',
    to: 'for (const others of starts.slice(t + 1, 2))',
  },
  {
    name: 'robust by pairs: the attacker stands at the store in one way only',
    file: refuter,
    from: 'for (const stand of this.#standsAt(transitions[store]!.from)) {',
    to: 'for (const stand of [...this.#standsAt(transitions[store]!.from)].slice(0, 1)) {',
  },
  {
    name: 'robust by pairs: of the items at one place the last stands for all',
    file: refuter,
    from: 'stands.set(name, [...(stands.get(name) ?? []), number]);',
    to: 'stands.set(name, [number]);',
  },
  {
    name: 'robust by pairs: a first end stands for all of a load',
    file: refuter,
    from: 'if (its !== load || known.has(address)) continue;',
    to: 'if (its !== load || known.size > 0) continue;',
  },
  {
    name: 'robust by pairs: the attacker stops at its first load from memory',
    file: 'packages/verifier/src/attack/thread.ts',
    from: 'onLoad(state, transition, loaded);\n        return next;',
    to: 'onLoad(state, transition, loaded);\n        return loaded === undefined ? next : [];',
  },
  {
    name: 'robust by pairs: the attacker finds in a cell what it found there first',
    file: refuter,
    from: 'presence.valuesOf(address).map(',
    to: 'presence.valuesOf(address).slice(0, 1).map(',
  },
  {
    name: 'robust by pairs: cells that nobody comes to under SC hold nothing',
    file: path,
    from: 'return [this.components.initial(address)];',
    to: 'return [];',
  },
  {
    name: 'robust by pairs: the cells that the attacker keeps are gone',
    file: path,
    from: 'this.#isPresent = new Set([...stand, ...others]);',
    to: 'this.#isPresent = new Set(others);',
  },
  {
    name: 'robust by pairs: nobody on the path goes on',
    file: path,
    from: 'this.#accesses(item, () => true);',
    to: '',
  },
  {
    name: 'robust by pairs: nobody joins behind another',
    file: path,
    from: 'this.#accessesTo(item);',
    to: '',
  },
  {
    name: 'robust by pairs: those on the path do not look again',
    gap: 'what accesses on the path lead to is among what may be there without marks, so only several marks at one item could tell; no program is known where they do',
    file: path,
    from: 'const actors = [this.#asItWas(number), ...its.filter((one) => one.number === number)];',
    to: 'const actors = its.length < 0 ? [] : [this.#asItWas(number)];',
  },
  {
    name: 'robust by pairs: those on the path find cells as they were',
    gap: 'what accesses on the path lead to is among what may be there without marks, so only several marks at one item could tell; no program is known where they do',
    file: path,
    from: '...(this.#changed.get(component) ?? []),\n',
    to: '',
  },
  {
    name: 'robust by pairs: those on the path find cells with marks only',
    file: path,
    from: '...this.#presence.of(component).map((item) => this.#asItWas(item)),\n',
    to: '...this.#presence.of(component).map((item) => this.#asItWas(item)).filter(({ marks }) => marks.some(Boolean)),\n',
  },
  {
    name: 'robust by pairs: the last load leaves no mark',
    file: path,
    from: 'if (holder?.component !== component || holder.slot !== slot) return undefined;',
    to: 'if (holder?.component !== component || holder.slot >= slot) return undefined;',
  },
  {
    name: 'robust by pairs: the last access of a path tells whether it met the store',
    file: path,
    from: 'this.#hasMet ||= move.hasMet;',
    to: 'this.#hasMet = move.hasMet;',
  },
  {
    name: 'robust by pairs: accesses leave no marks in cells that others keep',
    file: path,
    from: 'partner.onPath, marks);',
    to: 'partner.onPath, partner.marks);',
  },
  {
    name: 'robust by pairs: who has joined is not on the path',
    file: path,
    from: 'this.#add({ ...item, place }, true, actor.marks);',
    to: 'this.#add({ ...item, place }, onPath, actor.marks);',
  },
  {
    name: 'robust by pairs: an attack that is left open is refuted',
    file: kind,
    from: "if (found.kind === 'refuted')\n          for",
    to: "if (found.kind !== 'refuted')\n          for",
  },
  {
    name: 'robust by pairs: an attack of one thread is refuted for all',
    file: kind,
    from: 'for (const other of same) open',
    to: 'for (const other of automata.threads.keys()) open',
  },
  {
    name: 'robust by pairs: an attack of a load is refuted for all loads behind the store',
    file: kind,
    from: 'less(open, other, store, [load])',
    to: 'less(open, other, store, [...loads])',
  },
];

export const pairCertificateMutations = mutations.map((mutation) => ({
  ...mutation,
  tests,
  runs: 150,
  project: 'verifier',
}));
