// Edits that break relations of pairs, so that feasible attacks are refuted or the computation does
// not end; see tools/mutation-check.mjs.

const core = (name) => `packages/engines/src/closures/${name}.ts`;
const relation = core('pair-relation');
const states = core('pair-states');
const steps = core('pair-steps');
const blocks = core('pair-blocks');
const closure = core('pair-closure');
const first = core('pair-first-phase');
const phases = core('pair-attack-phases');
const refuter = core('pair-refuter');

/** The tests, cheapest first. */
const tests = [
  'packages/engines/test/closures/pairs.test.ts',
  'packages/engines/test/closures/pair-closure.test.ts',
  'packages/engines/test/closures/pair-agreement.test.ts',
];

const mutations = [
  {
    name: 'pairs: who reads an inbox does not notice what others write',
    file: steps,
    from: 'else if (keeper !== noKeeper) heard',
    to: 'else if (keeper < noKeeper) heard',
  },
  {
    name: 'pairs: a step that is noticed is not tried again for what goes with who notices it',
    file: closure,
    from: '        this.#touchInboxes(item);\n',
    to: '',
  },
  {
    name: 'pairs: a second writer of a cell that a thread keeps is not told from the first',
    file: steps,
    from: 'if (!keeping.inboxes.has(cell)) throw new SecondWriter(cell);',
    to: 'if (!keeping.inboxes.has(cell)) return noKeeper;',
  },
  {
    name: 'pairs: what a step leaves is not related to where it leads',
    file: steps,
    from: 'if (item < other) relation.relate(item, other);',
    to: 'if (item < other && item < 0) relation.relate(item, other);',
  },
  {
    name: 'pairs: what a step leaves goes only with the last choice of those who hear of it',
    file: steps,
    from: 'all[w]! |= together[w]!;',
    to: 'all[w] = together[w]!;',
  },
  {
    name: 'pairs: a step that others hear of is never tried again',
    file: closure,
    from: '(task.isHeard ? this.#later : this.#pending).push(task);',
    to: 'if (!task.isHeard) this.#pending.push(task);',
  },
  {
    name: 'pairs: items of new pairs are not touched',
    file: relation,
    from: '      this.#note(w, fresh);\n',
    to: '',
  },
  {
    name: 'pairs: the goal is a step like others',
    file: steps,
    from: "if (step.next === goalNode) throw new GaveUp('goal');",
    to: 'if (step.next === goalNode) return;',
  },
  {
    name: 'pairs: a cell that is met later goes with nothing',
    file: states,
    from: 'for (const item of others) this.relation.relate(fresh, item);',
    to: 'for (const item of others) this.relation.has(fresh, item);',
  },
  {
    name: 'pairs: an access is tried again only if more goes with the thread',
    file: closure,
    from: 'const version = relation.version(item) + relation.version(found);',
    to: 'const version = relation.version(item);',
  },
  {
    name: 'pairs: accesses do not wait for contents',
    file: closure,
    from: 'if (relation.has(task.item, item)) this.#add(task);',
    to: 'if (task.isPending && relation.has(task.item, item)) this.#add(task);',
  },
  {
    name: 'pairs: a lock block does not wait for contents',
    file: closure,
    from: 'readsCell: (cell: number) => this.#waitFor(task, cell),',
    to: 'readsCell: (cell: number) => this.#states.cell(cell),',
  },
  {
    name: 'pairs: a lock block finds what it found before it wrote',
    file: blocks,
    from: 'left: inBlock.left.with(place, { cell, content: after })',
    to: 'left: inBlock.left.with(place, { cell, content: after === content ? after : content })',
  },
  {
    name: 'pairs: threads of one code are never at the same node',
    file: first,
    from: 'if (c === d && at(components, c).count === 1) return;',
    to: 'if (c === d) return;',
  },
  {
    name: 'pairs: an attacker with twins leaves none behind',
    file: first,
    from: 'count: count - 1 }',
    to: 'count: count - 2 }',
  },
  {
    name: 'pairs: the attacker is only where it delays its store',
    file: first,
    from: 'for (const item of reached) for (const from of before.get(item) ?? []) reached.add(from);',
    to: '',
  },
  {
    name: 'pairs: what led from one local state to another is forgotten when others did so too',
    file: closure,
    from: 'if (known) known.add(from);\n      else this.#before',
    to: 'if (!known) this.#before',
  },
  {
    name: 'pairs: a later phase keeps the pairs of one set only',
    file: relation,
    from: 'if (!removeAll(lost, set)) break;',
    to: '{ removeAll(lost, set); break; }',
  },
  {
    name: 'pairs: the cell of the last load is not marked',
    file: phases,
    from: 'return cell === load.cell ? load.mark : 0;',
    to: 'return cell === load.cell && load.mark < 0 ? load.mark : 0;',
  },
  {
    name: 'pairs: the target is not marked',
    file: phases,
    from: 'if (cell === target.cell) return target.mark;',
    to: '',
  },
  {
    name: 'pairs: the last load is of a cell that nobody knows',
    file: phases,
    from: '  set[item >>> 5]! |= 1 << (item & 31);\n',
    to: '  set[item >>> 5]! |= 0 << (item & 31);\n',
  },
  {
    name: 'pairs: the first end of an attack is the only one',
    file: phases,
    from: 'this.#endsWith(load).every(',
    to: 'this.#endsWith(load).slice(0, 1).every(',
  },
  {
    name: 'pairs: relations that met faults refute',
    file: refuter,
    from: 'if (!all || session.isInVain) continue;',
    to: 'if (!all) continue;',
    edits: [
      ['if (!all || session.isInVain) continue;', 'if (!all) continue;'],
      [' === true && !session.isInVain;', ' === true;'],
    ],
  },
];

export const pairMutations = mutations.map((mutation) => ({ ...mutation, tests }));
