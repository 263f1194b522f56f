// Edits that call threads alike that are not, or carry over what was not shown; see
// tools/mutation-check.mjs.

const symmetry = 'packages/engines/src/closures/thread-symmetry.ts';
const like = 'packages/engines/src/search/like-threads.ts';

const tests = ['packages/engines/test/closures/thread-symmetry.test.ts'];

const mutations = [
  {
    name: 'symmetry: a second partner is passed over',
    file: symmetry,
    from: 'demand(known === undefined && !this.#origins.has(image));',
    to: '',
  },
  {
    name: 'symmetry: writing the value that a cell has is writing nothing',
    file: symmetry,
    from: 'demand(this.#writes(local, action, content) === this.#writes(image, action, other));',
    to: '',
  },
  {
    name: 'symmetry: what steps write does not matter',
    file: symmetry,
    from: 'this.#pairContents(cell, after, counterpart.after);',
    to: 'if (after === counterpart.after) this.#pairContents(cell, after, counterpart.after);',
  },
  {
    name: 'symmetry: steps are compared with the initial contents only',
    file: symmetry,
    from: 'if (!at(this.#contents, cell).pair(content, image)) return;',
    to: 'if (content !== 0 || !at(this.#contents, cell).pair(content, image)) return;',
  },
  {
    name: 'symmetry: one cell of an access matters, its partner does not',
    file: symmetry,
    from: 'this.#await(local, image, action, cell, other.cell);',
    to: 'this.#await(local, image, action, cell, cell);',
  },
  {
    name: 'symmetry: lock blocks are steps like others',
    file: symmetry,
    from: "demand(effect.kind !== 'lock' && effect.kind !== 'heavy-fence');",
    to: '',
    edits: [
      ["demand(effect.kind !== 'lock' && effect.kind !== 'heavy-fence');", 'if (cell < 0) return;'],
    ],
  },
  {
    name: 'symmetry: a comparison may take any amount of work',
    file: symmetry,
    from: 'demand(--this.#left >= 0);',
    to: '',
  },
  {
    name: 'symmetry: threads that could not be compared are alike',
    file: symmetry,
    from: 'if (error instanceof Asymmetry) return none;\n    throw error;',
    to: 'if (!(error instanceof Asymmetry)) throw error;',
  },
  {
    name: 'symmetry: what is refuted for one thread is refuted for all',
    file: like,
    from: 'return first !== undefined && first === this.#firstLike.get(other);',
    to: 'return true;',
  },
  {
    name: 'symmetry: what was tried in vain is refuted for threads alike',
    file: like,
    from: 'refuted: new Map(refuted.map((one) => [nameOf(one.attack), one])),',
    to: "refuted: new Map(tried.map((attack) => [nameOf(attack), { attack, stage: refuted[0]?.stage ?? 'local-closure' }])),",
  },
];

export const symmetryMutations = mutations.map((mutation) => ({ ...mutation, tests }));
