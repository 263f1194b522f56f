// Edits that break the refutation of attacks without a search; see tools/mutation-check.mjs.

const closure = 'packages/engines/src/closures/thread-closure.ts';
const local = 'packages/engines/src/closures/local-closure.ts';
const session = 'packages/engines/src/closures/closure-session.ts';
const staticPath = 'packages/engines/src/closures/static-path.ts';
const open = 'packages/engines/src/search/open-attacks.ts';
const part = 'packages/engines/src/search/attacker-part.ts';

const tests = [
  'packages/engines/test/closures/stages.test.ts',
  'packages/engines/test/closures/agreement.test.ts',
];

const growthTests = ['packages/engines/test/closures/growing-tables.test.ts'];

export const closureMutations = [
  {
    name: 'closure: goes on after a fault',
    file: session,
    from: 'this.isOver() || this.isInVain',
    to: 'this.isOver()',
    tests,
  },
  {
    name: 'closure: a second writer of a cell goes unnoticed',
    file: closure,
    from: 'else if (known !== component) this.#addSecondWriter(cell);',
    to: '',
    tests,
  },
  {
    name: 'closure: a run that meets second writers is the last',
    file: closure,
    from: 'if (this.#seconds.size > 0) throw new SecondWriters(this.#seconds);',
    to: '',
    tests: growthTests,
  },
  {
    name: 'closure: a run ends with the first second writer',
    file: closure,
    from: 'this.#writers[cell] = writer.several;\n  }',
    to: 'throw new SecondWriters(this.#seconds);\n  }',
    tests: growthTests,
  },
  {
    name: 'closure: several threads of one code are one writer',
    file: closure,
    from: 'count > 1 ? writer.several : component;',
    to: 'count > 9 ? writer.several : component;',
    tests,
  },
  {
    name: 'closure: a thread does not note what it writes to its own cells',
    file: closure,
    from: 'return this.#writers[cell] === component ? ownValues.with(own, cell, value) : own;',
    to: 'return ownValues.value(own, cell) === value ? ownValues.with(own, cell, value) : own;',
    tests,
  },
  {
    name: 'closure: a blind store of the initial value changes nothing',
    file: closure,
    from: 'if (!isBlind && valueOf(cell, before) === value) return own;',
    to: 'if (valueOf(cell, before) === value) return own;',
    tests,
  },
  {
    name: 'closure: new contents are not offered to earlier readers',
    file: closure,
    from: 'for (const task of this.#tasksOf[cell] ?? []) this.#schedule(task);',
    to: 'void this.#tasksOf[cell];',
    tests,
  },
  {
    name: 'closure: a lock block is run once',
    file: closure,
    from: '(this.#tasksOf[cell] ??= []).push(block);',
    to: '',
    tests,
  },
  {
    name: 'closure: a lock block finds the first content of a cell only',
    file: closure,
    from: 'return this.#contentsOf(cell).filter((content) =>',
    to: 'return this.#contentsOf(cell).slice(0, 1).filter((content) =>',
    tests,
  },
  {
    name: 'closure: nobody finds what a lock block wrote',
    file: closure,
    from: 'for (const [cell, content] of held) this.#addContent(cell, content);',
    to: '',
    tests,
  },
  {
    name: 'closure: a lock block does not find what it wrote',
    file: closure,
    from: 'if (known) return [known[1]];',
    to: 'if (known && known[1] < 0) return [known[1]];',
    tests,
  },
  {
    name: 'closure: the goal is a step like others',
    file: closure,
    from: "if (next === goalNode) throw new GaveUp('goal');",
    to: 'if (next === goalNode) continue;',
    tests,
  },
  {
    name: 'closure: a last phase that was cut off refutes',
    file: local,
    from: "result = typeof closed === 'string' ? 'open' : closed;",
    to: "result = closed === 'goal' ? 'open' : closed;",
    tests,
  },
  {
    name: 'closure: a thread in the last phase stands where it stood first',
    file: local,
    from: 'nodes: nodes.map((node) => path.offPath(node)), owns }',
    to: 'nodes: nodes.slice(0, 1).map((node) => path.offPath(node)), owns }',
    tests,
  },
  {
    name: 'closure: the target has no mark',
    file: local,
    from: 'cell === end.target.cell ? end.target.mark : 0;',
    to: 'cell < 0 ? end.target.mark : 0;',
    tests,
  },
  {
    name: 'closure: an attack has one end',
    file: local,
    from: '[...(ends.get(attack.load)?.values() ?? [])]',
    to: '[...(ends.get(attack.load)?.values() ?? [])].slice(0, 1)',
    tests,
  },
  {
    name: 'closure: the cells of the attacker hold their initial values',
    file: local,
    from: 'return [own.value(attackerOwn, cell)];',
    to: 'return [0 * own.value(attackerOwn, cell)];',
    tests,
  },
  {
    name: 'closure: cells of the attacker that others read are forgotten',
    file: local,
    from: 'own.restricted(attackerOwn, (other) => first.noticed.has(other))',
    to: 'own.restricted(attackerOwn, (other) => !first.noticed.has(other))',
    tests,
  },
  {
    name: 'closure: the attacker gets to its store in one step',
    file: session,
    from: 'for (const node of reached) for (const from',
    to: 'for (const node of goals) for (const from',
    tests,
  },
  {
    name: 'closure: threads with the code of the attacker do not help',
    file: session,
    from: 'other !== component || count > 1 ? [other] : []',
    to: 'other !== component ? [other] : []',
    tests,
  },
  {
    name: 'closure: faults do not matter',
    file: session,
    from: 'return this.automata.isEndless() || this.automata.faults().length > 0;',
    to: 'return this.automata.isEndless();',
    tests,
  },
  {
    name: 'closure: threads without end do not matter',
    file: session,
    from: 'return this.automata.isEndless() || this.automata.faults().length > 0;',
    to: 'return this.automata.faults().length > 0;',
    tests,
  },
  {
    name: 'static path: an address that was raised is not looked at',
    file: staticPath,
    from: 'this.#raised.push(address);',
    to: 'if (reached === level.load) this.#raised.push(address);',
    tests,
  },
  {
    name: 'static path: what is behind a step on the path is not on it',
    file: staticPath,
    from: 'for (const at of [...this.#facts.blocks[thread]!(from), to])',
    to: 'for (const at of this.#facts.blocks[thread]!(from))',
    tests,
  },
  {
    name: 'static path: loads do not meet the target',
    file: staticPath,
    from: 'this.#met.add(address);',
    to: "if (instruction.kind !== 'load') this.#met.add(address);",
    tests,
  },
  {
    name: 'stages: refuting some attacks of a store settles all',
    file: open,
    from: 'stores.filter((store) => this.#openLoads(store).length > 0)',
    to: 'stores.filter((store) => this.#openLoads(store).length > 1)',
    tests: ['packages/engines/test/search/search-agreement.test.ts'],
  },
  {
    name: 'stages: who takes over attackers does not hear what was refuted',
    file: part,
    from: 'for (const attack of refuted) session.settled.add(attack);',
    to: '',
    tests: ['packages/engines/test/search/divided-search.test.ts'],
    runs: 600,
  },
  {
    name: 'certificates: attacks that addresses refute get invariants, too',
    file: 'packages/engines/src/closures/write-proof.ts',
    from: '.filter((attack) => !paths.refutes(attack))',
    to: '',
    tests: ['packages/verifier/test/pairs/certificates.test.ts'],
  },
];
