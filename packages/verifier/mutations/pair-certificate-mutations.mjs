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
const tests = [
  'pairs/pitfalls.test.ts',
  'pairs/relation.test.ts',
  'pairs/refutations.test.ts',
  'pairs/certificates.test.ts',
];

const mutations = [
  {
    name: 'robust by pairs: a thread that has come to its end takes its cells with it',
    file: components,
    from: 'const results = moves.map((move) => [',
    to: 'const results = moves.filter((move) => move.place).map((move) => [',
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
    from: 'if (new Set(kept.flat()).size < kept.flat().length)',
    to: 'if (false)',
  },
  {
    name: 'robust by pairs: what a cell holds stays in the one that keeps it',
    file: components,
    from: 'this.#number(thread, move.place, this.#after(mover!, move)),',
    to: 'this.#number(thread, move.place, mover!.own),',
  },
  {
    name: 'robust by pairs: a cell that is met late goes with nothing',
    file: relation,
    from: 'if (other !== item) this.#relate(item, other);',
    to: '{}',
  },
  {
    name: 'robust by pairs: what comes of two items is not related to each other',
    file: relation,
    from: 'for (const other of items.slice(i + 1)) this.#relate(item, other);',
    to: '',
  },
  {
    name: 'robust by pairs: only the thread goes on with what went with both',
    file: relation,
    from: 'this.#addAll(item, together);',
    to: 'if (i === 0) this.#addAll(item, together);',
  },
  {
    name: 'robust by pairs: steps are not taken again with what is new',
    file: relation,
    from: 'this.#put(item, word, added);',
    to: 'this.#rows[item]![word]! |= added;',
  },
  {
    name: 'robust by pairs: steps are taken again with what is new of threads only',
    file: relation,
    from: 'const unfinished = this.#take([other, item]);',
    to: 'const unfinished = undefined;',
  },
  {
    name: 'robust by pairs: nobody hears that an item is related to more',
    file: relation,
    from: 'this.#put(other, item >>> 5, 1 << (item & 31))',
    to: '(this.#rows[other]![item >>> 5]! |= 1 << (item & 31))',
  },
  {
    name: 'robust by pairs: participants that are related since the last visit go on with new items only',
    file: relation,
    from: 'const isNew = participants.some((one) => contains(this.#fresh, one));',
    to: 'const isNew = false;',
  },
  {
    name: 'robust by pairs: items related to a thread that moves count as new to its partner only',
    file: relation,
    gap: 'a partner of two participants is visited for the pair as well; no program that was drawn relates two partners of a lock block last',
    from: 'const isNew = participants.some((one) => contains(this.#fresh, one));',
    to: 'const isNew = contains(this.#fresh, participants[0]!);',
  },
  {
    name: 'robust by pairs: what a visit relates to the visited item is lost',
    file: relation,
    from: 'this.#isOpen[item] = false;\n        const unclosed = this.#stopped() ?? this.#visit(item);',
    to: 'const unclosed = this.#stopped() ?? this.#visit(item);\n        this.#isOpen[item] = false;',
  },
  {
    name: 'robust by pairs: what a visit relates to the visited item is not new at the next visit',
    file: relation,
    from: 'seen.set(row);\n    const unclosed = this.#take([item]);',
    to: 'const unclosed = this.#take([item]);\n    seen.set(row);',
  },
  {
    name: 'robust by pairs: one sweep over the items is enough',
    file: relation,
    from: 'isClosed = false;\n        this.#isOpen',
    to: 'this.#isOpen',
  },
  {
    name: 'robust by pairs: accesses to cells that a thread keeps do not happen',
    file: components,
    from: 'if (component === thread) return [',
    to: 'if (component === thread) return []; if (component < 0) return [',
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
    from: 'for (const own of items.values())',
    to: 'for (const own of [...items.values()].slice(0, 1))',
  },
  {
    name: 'robust by pairs: of the items at one place the last stands for all',
    file: presence,
    from: 'items.set(item.place, [...(items.get(item.place) ?? []), item]);',
    to: 'items.set(item.place, [item]);',
  },
  {
    name: 'robust by pairs: a first end stands for all of a load',
    file: refuter,
    from: '[attacker, presence.place.name, address, delayed.address, delayed.value].join',
    to: '[attacker, presence.place.name, delayed.value].join',
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
    file: presence,
    from: 'return [this.#components.initial(address)];',
    to: 'return [];',
  },
  {
    name: 'robust by pairs: the cells that the attacker keeps are gone',
    file: presence,
    from: 'of [...this.#own, ...others.map(',
    to: 'of [...others.map(',
  },
  {
    name: 'robust by pairs: nobody on the path goes on',
    file: path,
    from: 'this.#open.add({ item, onPath: true });',
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
    from: '(onPath || by !== item.component) &&',
    to: "by === 'several' &&",
  },
  {
    name: 'robust by pairs: those on the path find cells with marks only',
    file: path,
    from: '(onPath || by !== item.component) &&',
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
    to: 'of move.cells) if (held.value === 0) this.#add(',
  },
  {
    name: 'robust by pairs: who has joined is not on the path',
    file: path,
    from: 'this.#open.add({ item, onPath: true });',
    to: 'this.#open.add({ item, onPath: false });',
  },
  {
    name: 'robust by pairs: a helper on the path does not find what it left',
    gap: 'what accesses on the path lead to is among what may be there without marks, so only several marks at one item could tell; no program is known where they do',
    file: path,
    from: '(onPath || by !== item.component) &&',
    to: 'by !== item.component &&',
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
    from: 'return item && this.#own.some(',
    to: 'return item && this.#own.every(',
  },
  {
    name: 'robust by pairs: an attack that is left open is refuted',
    file: kind,
    from: "known.set(name, found.kind === 'refuted');",
    to: "known.set(name, found.kind !== 'refuted');",
  },
  {
    name: 'robust by pairs: an attack of one thread is refuted for all',
    file: kind,
    from: 'const name = `${first} ${store} ${load}`;',
    to: 'const name = `${store} ${load}`;',
  },
  {
    name: 'robust by pairs: an attack of a load is refuted for all loads behind the store',
    file: kind,
    from: 'const name = `${first} ${store} ${load}`;',
    to: 'const name = `${first} ${store}`;',
  },
];

export const pairCertificateMutations = mutations.map((mutation) => ({
  ...mutation,
  tests,
  runs: 150,
  project: 'verifier',
}));
