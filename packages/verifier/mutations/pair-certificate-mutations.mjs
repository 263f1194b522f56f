// Edits that break the verifier's relation between pairs of components, or the conclusions from the
// relation; see tools/mutation-check.mjs. Each edit would make the verifier refute feasible
// attacks.

const inPairs = (name) => `packages/verifier/src/pairs/${name}.ts`;
const components = inPairs('components');
const relation = inPairs('relation');
const presence = inPairs('presence');
const refuter = 'packages/verifier/src/attack/refute-attacks.ts';
const path = 'packages/verifier/src/attack/path-search.ts';
const kind = 'packages/verifier/src/kinds/robust.ts';
const tests = ['pairs/pitfalls.test.ts', 'pairs/refutations.test.ts', 'pairs/certificates.test.ts'];

const mutations = [
  {
    name: 'robust by pairs: a thread that has come to its end takes its cells with it',
    file: components,
    from: 'return moves.map((',
    to: 'return moves.filter(({ stand }) => stand.place).map((',
  },
  {
    name: 'robust by pairs: a thread without accesses is nowhere, and its cells with it',
    file: components,
    from: 'stands.length > 0 ? stands : [{ place: undefined, own }]',
    to: 'stands',
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
    from: 'if (number === partner) return [after];',
    to: 'if (number === partner) return [this.#number(component, { ...stand, own })];',
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
    from: 'for (const result of results) this.#add(result, word, together);',
    to: 'for (const result of results.slice(0, 1)) this.#add(result, word, together);',
  },
  {
    name: 'robust by pairs: steps are not taken again with what is new',
    file: relation,
    from: 'this.#open.add(item);\n    eachBit(',
    to: 'eachBit(',
  },
  {
    name: 'robust by pairs: steps are taken again with what is new of threads only',
    file: relation,
    from: 'this.#take(partner, item);',
    to: '',
  },
  {
    name: 'robust by pairs: nobody hears that an item is related to more',
    file: relation,
    from: 'this.#open.add(other);',
    to: '',
  },
  {
    name: 'robust by pairs: accesses to cells that a thread keeps do not happen',
    file: relation,
    from: 'this.#take(item, item);',
    to: '',
  },
  {
    name: 'robust by pairs: of the threads at the start only the first two are related',
    file: relation,
    from: 'for (const others of starts.slice(t + 1))',
    to: 'for (const others of starts.slice(t + 1, 2))',
  },
  {
    name: 'robust by pairs: the attacker stands at the store in one way only',
    file: presence,
    from: 'for (const own of stands.values())',
    to: 'for (const own of [...stands.values()].slice(0, 1))',
  },
  {
    name: 'robust by pairs: of the items at one place the last stands for all',
    file: presence,
    from: 'stands.set(item.place, [...(stands.get(item.place) ?? []), item]);',
    to: 'stands.set(item.place, [item]);',
  },
  {
    name: 'robust by pairs: a first end stands for all of a load',
    file: refuter,
    from: '[attacker, situation.name, address, delayed.address, delayed.value].join',
    to: '[attacker, situation.name, delayed.value].join',
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
    from: 'situation.valuesOf(address).map(',
    to: 'situation.valuesOf(address).slice(0, 1).map(',
  },
  {
    name: 'robust by pairs: cells that nobody comes to under SC hold nothing',
    file: presence,
    from: 'return [this.#components.initial(address)];',
    to: 'return [];',
  },
  {
    name: 'robust by pairs: the cells that the attacker keeps are gone',
    file: presence,
    from: 'for (const item of own) this.#present[item.component]!.push(item);',
    to: '',
  },
  {
    name: 'robust by pairs: nobody on the path goes on',
    file: path,
    from: 'this.#open.add({ thread, stand, onPath: true });',
    to: '',
  },
  {
    name: 'robust by pairs: nobody joins behind another',
    file: path,
    from: 'if (!this.#marked.has(address)) this.#mark(address);',
    to: '',
  },
  {
    name: 'robust by pairs: those on the path do not look again',
    file: path,
    from: 'for (const reader of this.#readers.get(address) ?? []) this.#open.add(reader);',
    to: '',
  },
  {
    name: 'robust by pairs: those on the path find cells as they were',
    file: path,
    from: '(onPath || by !== thread) &&',
    to: "by === 'several' &&",
  },
  {
    name: 'robust by pairs: those on the path find cells with marks only',
    file: path,
    from: '(onPath || by !== thread) &&',
    to: '(onPath || by !== thread) && held.mark &&',
  },
  {
    name: 'robust by pairs: the last load leaves no mark',
    file: path,
    from: 'this.#held.set(address, this.#leftBefore(address, markOf));',
    to: '',
  },
  {
    name: 'robust by pairs: the last access of a path tells whether it met the store',
    file: path,
    from: 'if (move.hasMet) return true;',
    to: 'if (move.hasMet && this.#open.size === 0) return true;',
  },
  {
    name: 'robust by pairs: accesses leave no marks in cells that others keep',
    file: path,
    from: 'of move.cells) this.#add(',
    to: 'of move.cells) if (its.owned.includes(address)) this.#add(',
  },
  {
    name: 'robust by pairs: who has joined is not on the path',
    file: path,
    from: 'this.#open.add({ thread, stand, onPath: true });',
    to: 'this.#open.add({ thread, stand, onPath: false });',
  },
  {
    name: 'robust by pairs: a helper on the path does not find what it left',
    gap: 'what accesses on the path lead to is among what may be there without marks, so only several marks at one item could tell; no program is known where they do',
    file: path,
    from: '(onPath || by !== thread) &&',
    to: 'by !== thread &&',
  },
  {
    name: 'robust by pairs: marks of two threads count as those of the first',
    file: path,
    from: "if (before === 'several' || before === by) return;",
    to: 'if (before !== undefined) return;',
  },
  {
    name: 'robust by pairs: a thread finds in cells only what goes with one of its items',
    file: presence,
    from: 'return new Set(partners.map(({ own }) => own[slot]!));',
    to: 'return new Set(partners.slice(0, 1).map(({ own }) => own[slot]!));',
  },
  {
    name: 'robust by pairs: no helper goes on at an item that goes with one way of the attacker only',
    file: presence,
    from: 'return this.#own.some((own) => this.#relation.has(own.number, item.number)) ? item',
    to: 'return this.#own.every((own) => this.#relation.has(own.number, item.number)) ? item',
  },
  {
    name: 'robust by pairs: an attack that is left open is refuted',
    file: kind,
    from: "if (found.kind === 'refuted')",
    to: "if (found.kind !== 'refuted')",
  },
  {
    name: 'robust by pairs: an attack of one thread is refuted for all',
    file: kind,
    from: 'one === code ? [',
    to: 'one ? [',
  },
  {
    name: 'robust by pairs: an attack of a load is refuted for all loads behind the store',
    file: kind,
    from: 'for (const name of namesOf(attack, threads)) refuted',
    to: 'for (const each of open) if (each.store === store) for (const name of namesOf({ ...attack, load: each.load }, threads)) refuted',
  },
];

export const pairCertificateMutations = mutations.map((mutation) => ({
  ...mutation,
  tests,
  runs: 150,
  project: 'verifier',
}));
