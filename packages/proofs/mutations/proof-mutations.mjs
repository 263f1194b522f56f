// Edits that break code outside the search for attacks: proofs, fences, any number of threads,
// workarounds; see tools/mutation-check.mjs. Most edits would make the tool call a program robust
// that is not, or claim a proof.

const chc = 'packages/proofs/src/chc';
const smt = 'packages/ground/src/smt';
const eliminate = `${smt}/eliminate-predicates.ts`;
const invariant = `${smt}/check-invariant.ts`;
const control = `${chc}/control-states.ts`;
const hornTests = [
  'packages/ground/test/smt/eliminate-predicates.test.ts',
  'packages/ground/test/smt/check-invariant.test.ts',
  'packages/proofs/test/chc/horn-engine.test.ts',
  'packages/proofs/test/chc/horn-agreement.test.ts',
];

const movers = 'packages/proofs/src/obligations/movers.ts';
const bufferFree = 'packages/proofs/src/steps/buffer-free-loads.ts';
const induction = 'packages/proofs/src/obligations/induction.ts';
const steps = 'packages/proofs/src/steps/symbolic-step.ts';
const proofTests = ['packages/proofs/test/prove.test.ts'];

const copies = ['packages/repairs/test/fences/copies.test.ts'];
const properties = ['packages/repairs/test/fences/property-repair.test.ts'];
const propertyClause = 'packages/repairs/src/fences/property-clause.ts';
const repairProblem = 'packages/repairs/src/fences/repair-problem.ts';

const attackSystem = 'packages/engines/src/parameterized/attack-system.ts';
const staticPath = 'packages/engines/src/closures/static-path.ts';
const marking = 'packages/ground/src/petri/marking.ts';
const netTests = ['packages/ground/test/petri/large-numbers.test.ts'];
const manyTests = [
  'packages/repairs/test/any-number/pitfalls.test.ts',
  'packages/repairs/test/any-number/verdicts.test.ts',
];

const race = 'packages/engines/src/triangular-races/race-at.ts';
const machineThread = 'packages/engines/src/exploration/machine-thread.ts';
const machineClosure = 'packages/engines/src/exploration/machine-closure.ts';
const freshNames = 'packages/proofs/src/invariants/fresh-names.ts';
const freshTests = ['packages/proofs/test/fresh-names.test.ts'];

const raceTests = ['packages/engines/test/triangular-races/triangular-races.test.ts'];

const lower = 'packages/reference/src/instrument/lower-instrumented.ts';
const flatten = 'packages/reference/src/instrument/flatten-spaces.ts';
const lowerTests = ['packages/engines/test/robustness/lower-instrumented.test.ts'];

const reader = 'packages/languages/src/native/token-reader.ts';

const moverTypes = 'packages/proofs/src/obligations/mover-types.ts';
const moverTypeTests = ['packages/proofs/test/mover-types.test.ts'];

export const proofMutations = [
  {
    name: 'movers: exchanged steps need not be possible',
    file: moverTypes,
    from: 'not(and(exchanged.guard, ...same))',
    to: 'not(and(...same))',
    tests: moverTypeTests,
  },
  {
    name: 'movers: what threads have read is not compared',
    file: moverTypes,
    from: '...[mine, theirs].flatMap(',
    to: '...[mine, theirs].slice(2).flatMap(',
    tests: moverTypeTests,
  },
  {
    name: 'movers: to the left is asked like to the right',
    file: moverTypes,
    from: 'perform(direction, state)',
    to: "perform('right', state)",
    tests: moverTypeTests,
  },
  {
    name: 'movers: reads of others do not hold up a store',
    file: moverTypes,
    from: '(isStore(edge) || writes(operation))',
    to: 'writes(operation)',
    tests: moverTypeTests,
  },
  {
    name: 'movers: other copies of the own thread are forgotten',
    file: moverTypes,
    from: 'if (other.thread === thread && !program.unbounded.includes(thread)) continue;',
    to: 'if (other.thread === thread) continue;',
    tests: moverTypeTests,
  },
  {
    name: 'horn: a way through a predicate that is left out is forgotten',
    file: eliminate,
    from: 'for (const second of leaving) {',
    to: 'for (const second of leaving.slice(1)) {',
    tests: hornTests,
  },
  {
    name: 'horn: a predicate with a clause to itself is left out',
    file: eliminate,
    from: 'head?.predicate === predicate',
    to: 'head?.predicate === -1',
    tests: hornTests,
  },
  {
    name: 'horn: any two conditions contradict each other',
    file: eliminate,
    from: 'isSameTerm(not(one), other)',
    to: '!isSameTerm(one, other)',
    tests: hornTests,
  },
  {
    name: 'horn: what follows a left out predicate is not put in its terms',
    file: eliminate,
    from: 'second.constraint.map(insert)',
    to: 'second.constraint',
    tests: hornTests,
  },
  {
    name: 'horn: a left out predicate holds where some of the clauses from it do',
    file: invariant,
    from: 'const conditions = leaving.map(',
    to: 'const conditions = leaving.slice(1).map(',
    tests: hornTests,
  },
  {
    name: 'horn: the check of an invariant looks at some clauses only',
    file: invariant,
    from: 'at < system.clauses.length; at += batch',
    to: 'at < Math.min(1, system.clauses.length); at += batch',
    tests: hornTests,
  },
  {
    name: 'horn: the check of an invariant forgets what clauses lead to',
    file: invariant,
    from: '`(not ${formatAtom(system, head)})`',
    to: '`(and false ${formatAtom(system, head)})`',
    tests: hornTests,
  },
  {
    name: 'horn: an invariant that fails its check is believed',
    file: `${chc}/horn-engine.ts`,
    from: "if (check.kind === 'unsat') return",
    to: "if (check.kind !== 'unknown') return",
    tests: hornTests,
  },
  {
    name: 'horn: no answer is taken for no',
    file: `${chc}/horn-engine.ts`,
    from: "if (answer.kind === 'unknown') {",
    to: "if (answer.kind === 'unknown') {\n      return { kind: 'unreachable' };",
    tests: hornTests,
  },
  {
    name: 'horn: mistakes of the program are not asked about',
    file: control,
    from: 'for (const fault of faults) this.#ask(at, fault);',
    to: '',
    tests: hornTests,
  },
  {
    name: 'horn: a thread that may block runs alone',
    file: control,
    from: 'if (!coversAll(added)) continue;',
    to: '',
    tests: hornTests,
  },
  {
    name: 'horn: the bus lock stops nobody',
    file: control,
    from: 'if (!isBusFree && needsBus(instruction)) return [];',
    to: 'if (!isBusFree && instruction.kind.length < 0) return [];',
    tests: hornTests,
  },
  {
    name: 'horn: an effort that is used up is taken for no limit',
    file: 'packages/core/src/node/z3-process.ts',
    from: '`(set-option :rlimit ${effort})\\n`',
    to: "''",
    tests: ['packages/core/test/node/z3-process.test.ts'],
  },
  {
    name: 'horn: all attacks together may do what each may',
    file: 'packages/ground/src/solvers/within-effort.ts',
    from: 'const most = Math.min(query.effort ?? left, left);',
    to: 'const most = query.effort ?? left;',
    tests: hornTests,
  },
  {
    name: 'horn: the check of an invariant believes the first premise only',
    file: invariant,
    from: '...body.map((atom) => formatAtom(system, atom)),',
    to: '...body.slice(0, 1).map((atom) => formatAtom(system, atom)),',
    tests: ['packages/ground/test/smt/check-invariant.test.ts'],
  },
  {
    name: 'smt: a name that a solver abbreviates is read as a name of its own',
    file: `${smt}/read-term.ts`,
    from: 'if (!value) return leaf(text);',
    to: 'if (value || !value) return leaf(text);',
    tests: ['packages/ground/test/smt/term.test.ts'],
  },
  {
    name: 'smt: a mask of high bits is one of low bits',
    file: `${smt}/bits.ts`,
    from: 'return minus(term, floorRemainder(term, -mask));',
    to: 'return floorRemainder(term, -mask);',
    tests: [
      'packages/proofs/test/bit-terms.test.ts',
      'packages/proofs/test/chc/translate-expression.test.ts',
    ],
  },
  {
    name: 'prove: a load does not notice another value',
    file: movers,
    from: 'return not(equation(read, written));',
    to: 'return not(equation(read, read));',
    tests: proofTests,
  },
  {
    name: 'prove: other copies of a thread are no others',
    file: movers,
    from: 'if (other.thread === thread && !this.#program.unbounded.includes(thread)) continue;',
    to: 'if (other.thread === thread) continue;',
    tests: proofTests,
  },
  {
    name: 'prove: a store moves past those who read it',
    file: movers,
    from: 'return or(finds, leaves);',
    to: 'return leaves;',
    tests: proofTests,
  },
  {
    name: 'prove: a store moves past other stores',
    file: movers,
    from: 'return or(finds, leaves);',
    to: 'return finds;',
    tests: proofTests,
  },
  {
    name: 'prove: a store hides loads of all cells',
    file: bufferFree,
    from: '(cell === undefined || !stored.includes(cell))',
    to: '(cell === undefined || stored.length === 0)',
    tests: proofTests,
  },
  {
    name: 'prove: an address that changes is the same cell again',
    file: bufferFree,
    from: 'return isFixed(index) ?',
    to: 'return isFixed(index) || true ?',
    tests: [...proofTests, 'packages/proofs/test/buffer-free-loads.test.ts'],
  },
  {
    name: 'prove: only the first load behind a store counts',
    file: bufferFree,
    from: 'found.add(edge);\n',
    to: '{\n        found.add(edge);\n        continue;\n      }\n',
    tests: [...proofTests, 'packages/proofs/test/buffer-free-loads.test.ts'],
  },
  {
    name: 'prove: a test ends the delay of stores',
    file: bufferFree,
    from: 'drains(edge.operation)) continue;',
    to: "drains(edge.operation) || edge.operation.kind === 'assume') continue;",
    tests: [...proofTests, 'packages/proofs/test/buffer-free-loads.test.ts'],
  },
  {
    name: 'prove: loads that do not move are forgiven where the store does not move either',
    file: 'packages/proofs/src/obligations/write-atomicity.ts',
    from: 'conflicts.every(',
    to: 'conflicts.some(',
    tests: proofTests,
  },
  {
    name: 'prove: an invariant is not asked of the start',
    file: induction,
    from: "if (finding.kind !== 'holds') return { invariant, finding };",
    to: '',
    tests: proofTests,
  },
  {
    name: 'prove: only the threads that an invariant binds move',
    file: induction,
    from: 'if (!isSingle || movers.length === 0) movers.push(newcomer);',
    to: 'if (movers.length === 0) movers.push(newcomer);',
    tests: proofTests,
  },
  {
    name: 'prove: an invariant is not asked of steps',
    file: induction,
    from: "if (finding.kind !== 'holds') return { invariant, step, finding };",
    to: '',
    tests: proofTests,
  },
  {
    name: 'prove: a guess need not allow what is in the cell',
    file: 'packages/proofs/src/abstractions/abstraction-soundness.ts',
    from: 'not(allows(read))]',
    to: "{ kind: 'truth', value: false }]",
    tests: proofTests,
  },
  {
    name: 'prove: a cas that succeeds stores nothing',
    file: steps,
    from: 'if (written !== undefined) this.#store(cell, written);',
    to: 'if (written !== undefined && !condition) this.#store(cell, written);',
    tests: proofTests,
  },
  {
    name: 'prove: a question without an answer counts as proved',
    file: 'packages/proofs/src/obligations/obligation.ts',
    from: "return { kind: 'unknown', reason: answer.reason };",
    to: "return { kind: 'holds' };",
    tests: proofTests,
  },
  {
    name: 'fences of copies: the program is repaired in the first copy only',
    file: 'packages/repairs/src/fences/apply-repair.ts',
    from: 'const text = textThread(program, thread);',
    to: 'const text = thread;',
    tests: copies,
  },
  {
    name: 'fences for properties: a store that is left at the end of a thread asks for no fence',
    file: propertyClause,
    from: 'return (isEnd || isBefore) && at(',
    to: 'return isBefore && at(',
    tests: properties,
  },
  {
    name: 'fences for properties: a store that is left at the end asks for no exchange',
    file: propertyClause,
    from: 'buffered.forEach((own, thread) => addDelayed(thread, own));',
    to: '',
    tests: properties,
  },
  {
    name: 'fences for properties: where a thread stands before a fence, its clause needs no fence',
    file: propertyClause,
    from: 'return { items: excluded, unless, nowhere };',
    to: 'return { items: excluded, unless: [], nowhere };',
    tests: properties,
  },
  {
    name: 'fences for properties: threads pass by the fence at an end',
    file: 'packages/repairs/src/fences/apply-repair.ts',
    from: 'to: entry(to) };',
    to: 'to };',
    tests: properties,
  },
  {
    name: 'fences for properties: what fails under SC is not looked for',
    file: 'packages/repairs/src/fences/property-repair.ts',
    from: 'if (underSc) {',
    to: 'if (underSc && false) {',
    tests: properties,
  },
  {
    name: 'fences of copies: a fence stops the first copy only',
    file: repairProblem,
    from: 'const text = textThread(program, thread);\n  const locations',
    to: 'const text = thread;\n  const locations',
    tests: copies,
  },
  {
    name: 'fences of copies: a witness of another copy names fences that there are none of',
    file: repairProblem,
    from: 'const thread = textThread(program, witness.attack.thread);',
    to: 'const thread = witness.attack.thread;',
    tests: copies,
  },
  {
    name: 'fences of copies: attacks of the first copy only are stopped',
    file: 'packages/repairs/src/fences/hit-attacks.ts',
    from: 'threadsOfText(',
    to: '((_, only) => [only])(',
    tests: copies,
  },
  {
    name: 'any number: one thread stands for all copies',
    file: attackSystem,
    from: 'tokens: [[place, isUnbounded ? omega : own.single]],',
    to: 'tokens: [[place, isUnbounded ? Math.max(1, own.single) : own.single]],',
    tests: manyTests,
  },
  {
    name: 'any number: the last load has no access level',
    file: attackSystem,
    from: 'cell === loaded ? levels.afterLoad : 0;',
    to: 'cell === loaded ? 0 : 0;',
    tests: manyTests,
  },
  {
    name: 'any number: the address of the delayed store is forgotten',
    file: attackSystem,
    from: 'cell === target.cell ? target.mark :',
    to: 'cell === -2 ? target.mark :',
    tests: manyTests,
  },
  {
    name: 'any number: who holds the bus lock stays there',
    file: attackSystem,
    from: 'if (holder) return place === -1 ? this.#moves(control, holder, undefined) : none;',
    to: 'if (holder) return none;',
    tests: manyTests,
  },
  {
    name: 'any number: the attacker goes no further than a load that may be its last',
    file: attackSystem,
    from: 'return [...goOn, this.#rule(',
    to: 'return [this.#rule(',
    tests: manyTests,
  },
  {
    name: 'any number: a path never joins at an address that cannot be told',
    file: staticPath,
    from: 'if (other !== thread) return false;',
    to: '',
    tests: manyTests,
  },
  {
    name: 'any number: a lock block that joins midway is on the path from there on only',
    file: staticPath,
    from: 'for (const at of [...this.#facts.blocks[thread]!(from), to])',
    to: 'for (const at of [to])',
    tests: manyTests,
  },
  {
    name: 'any number: a lock block ends at its first branch, backwards',
    file: 'packages/model/src/analysis/lock-blocks.ts',
    from: 'if (isInside && isLocked[from] === true) block.add(from);',
    to: "if (isInside && isLocked[from] === true && instruction.kind !== 'assume') block.add(from);",
    tests: manyTests,
  },
  {
    name: 'any number: all of a thread before a lock block that joins is on the path',
    file: 'packages/model/src/analysis/lock-blocks.ts',
    from: "const isInside = instruction.kind !== 'lock' && instruction.kind !== 'unlock';\n        if (isInside && isLocked[from] === true) block.add(from);",
    to: 'void instruction;\n        block.add(from);',
    tests: manyTests,
  },
  {
    name: 'nets: counts that are too large are rounded',
    file: marking,
    from: 'if (count > largestCount && count !== omega) throw new TooManyTokens();',
    to: '',
    tests: netTests,
  },
  {
    name: 'nets: counts wrap at 32 bits',
    file: marking,
    from: 'return count;\n}',
    to: 'return count === omega ? count : count | 0;\n}',
    tests: netTests,
  },
  {
    name: 'nets: weights are rounded',
    file: 'packages/ground/src/petri/weights.ts',
    from: 'if (sum <= largestCount) return sum;',
    to: 'if (sum <= Number.MAX_VALUE) return sum;',
    tests: netTests,
  },
  {
    name: 'nets: the rows of an elimination are rounded',
    file: 'packages/ground/src/petri/weights.ts',
    from: 'every((n) => Math.abs(n) <= largestCount);',
    to: 'every((n) => Math.abs(n) <= Number.MAX_VALUE);',
    tests: netTests,
    gap: 'invariants that are wrong for it are dropped where a rule raises them: only weights are lost',
  },
  {
    name: 'races: an rmw is no write',
    file: race,
    from: 'return action.address === address && action.written !== undefined;',
    to: 'return false;',
    tests: raceTests,
  },
  {
    name: 'races: a load ends what was stored',
    file: machineThread,
    from: 'unfenced: drains ? [] : state.unfenced,',
    to: "unfenced: drains || instruction.kind === 'load' ? [] : state.unfenced,",
    tests: raceTests,
  },
  {
    name: 'races: a store to the loaded address hides those to others',
    file: race,
    from: 'if (others.length === 0) return undefined;',
    to: 'if (others.length === 0 || unfenced[thread]?.includes(address)) return undefined;',
    tests: raceTests,
  },
  {
    name: 'races: what was stored does not tell states apart',
    file: machineClosure,
    from: ':${unfenced.join()}`',
    to: '`',
    tests: raceTests,
  },
  {
    name: 'races: a lock block that reads an old value races with nobody',
    file: race,
    from: 'if (isInBlock && step.actions.some((action) => reads(action, others))) return longer;',
    to: '',
    tests: raceTests,
  },
  {
    name: 'races: only later threads write',
    file: race,
    from: 'if (other === thread) continue;',
    to: 'if (other <= thread) continue;',
    tests: raceTests,
  },
  {
    name: 'lowering: blocks are not locked',
    file: lower,
    from: 'return { instructions: [lock, ...instructions, unlock], held };',
    to: 'return { instructions, held };',
    ...{ tests: lowerTests, runs: 600 },
  },
  {
    name: 'lowering: access levels are nobody else’s business',
    file: lower,
    from: "return step.space === 'level' || step.space === 'control';",
    to: "return step.space === 'control';",
    ...{ tests: lowerTests, runs: 600 },
  },
  {
    name: 'lowering: auxiliary cells run into the next address',
    file: flatten,
    from: 'const cellsPerAddress = Object.keys(cellOf).length;',
    to: 'const cellsPerAddress = Object.keys(cellOf).length - 2;',
    ...{ tests: lowerTests, runs: 600 },
  },
  {
    name: 'lowering: a store outside of the domain goes on',
    file: lower,
    from: "      case 'store':\n        return after(isInside(domain, step.value), [step]);",
    to: "      case 'store':\n        return [step];",
    ...{ tests: lowerTests, runs: 600 },
  },
  {
    name: 'lowering: an unlock without a lock goes on',
    file: lower,
    from: '(locks && held) || (unlocks && !held)',
    to: 'locks && held',
    ...{ tests: lowerTests, runs: 600 },
  },
  {
    name: 'native parser: what is skipped is lost',
    file: reader,
    from: "    this.close<Skipped>(mark, { kind: 'Skipped' });\n    this.#isDamaged = true;\n  }\n\n  /** Skips tokens up to the first",
    to: '    this.#parts.splice(mark.part);\n    this.#isDamaged = true;\n  }\n\n  /** Skips tokens up to the first',
    tests: ['packages/languages/test/native/syntax-tree.test.ts'],
  },
  {
    name: 'native parser: a missing bracket is no error',
    file: 'packages/languages/src/native/parse-expression.ts',
    from: "  reader.report(`'${bracket}'`);",
    to: '',
    tests: ['packages/languages/test/native/grammar.test.ts'],
  },
  {
    name: 'native parser: what follows from an error is an error',
    file: reader,
    from: 'if (!this.#isLost) this.#problems.push({ ...this.#placeOf(this.token), expected });',
    to: 'this.#problems.push({ ...this.#placeOf(this.token), expected });',
    tests: ['packages/languages/test/native/syntax-errors.test.ts'],
  },
  {
    name: 'name index: registers are not looked up',
    file: 'packages/languages/src/native/index-threads.ts',
    from: 'const register = this.#thread.registers.get(name.text);',
    to: 'const register = undefined as number | undefined;',
    tests: ['packages/languages/test/native/name-index.test.ts'],
  },
  {
    name: 'procedures: locals keep their values from call to call',
    file: 'packages/model/src/program/inline-calls.ts',
    from: 'body.registers.flatMap(({ hidden }, register)',
    to: 'body.registers.slice(0, body.parameters).flatMap(({ hidden }, register)',
    tests: ['packages/languages/test/native/procedures.test.ts'],
  },
  {
    name: 'procedures: a fence in one is written for the thread',
    file: 'packages/languages/src/native/text-parts.ts',
    from: 'written.body === body ? written.id',
    to: 'written.body === undefined ? written.id',
    tests: ['packages/languages/test/native/procedures.test.ts'],
  },
  {
    name: 'events: the end of a body is no goal of jumps',
    file: 'packages/languages/src/native/lower-structured.ts',
    from: "if (role !== 'thread') builder.pin(end);",
    to: '',
    tests: ['packages/languages/test/native/event-programs.test.ts'],
  },
  {
    name: 'events: an atomic block may post',
    file: 'packages/languages/src/native/lower-invocation.ts',
    from: "refuseInAtomic(context, 'async', span);",
    to: '',
    tests: ['packages/languages/test/native/event-errors.test.ts'],
  },
  {
    name: 'proofs: what is assumed of every cell is assumed of one',
    file: 'packages/proofs/src/obligations/invariant-terms.ts',
    from: 'return isAboutCells(condition) ? forAll(everyIndex, term) : term;',
    to: 'return term;',
    tests: freshTests,
  },
  {
    name: 'proofs: a question about every cell may take for ever',
    file: 'packages/proofs/src/obligations/obligation.ts',
    from: "return script.includes('(forall ') ? quantifiedEffort : undefined;",
    to: 'return undefined;',
    tests: ['packages/core/test/corpus/proof-examples.test.ts'],
  },
  {
    name: 'proofs: names are smaller than the counter in no array',
    file: freshNames,
    from: 'return isNamed ?',
    to: 'return !isNamed ?',
    tests: freshTests,
  },
  {
    name: 'proofs: a fresh name may be the 0 that stands for none',
    file: freshNames,
    from: 'make.candidate([thread], implies(here, atLeastFirst(program, counter, mine))),',
    to: '',
    tests: freshTests,
  },
  {
    name: 'proofs: no other thread is asked who holds a name',
    file: freshNames,
    from: '...others.flatMap((owner) =>',
    to: '...others.slice(1).flatMap((owner) =>',
    tests: freshTests,
  },
  {
    name: 'proofs: copies do not hold each other’s names',
    file: freshNames,
    from: '(other) => other.thread !== thread || program.unbounded.includes(thread),',
    to: '(other) => other.thread !== thread,',
    tests: freshTests,
  },
  {
    name: 'proofs: a register holds a name only as long as it is read',
    file: 'packages/proofs/src/invariants/held-registers.ts',
    from: "if (!isLive && !givers.every((id) => thread.transitions[id]?.instruction.kind === 'rmw'))",
    to: 'if (!isLive)',
    tests: ['packages/proofs/test/possession.test.ts'],
  },
  {
    name: 'proofs: two threads are never asked whether they hold one name',
    file: 'packages/proofs/src/invariants/possession.ts',
    from: "join('!=', held(0, one), held(1, other)),",
    to: '',
    tests: ['packages/proofs/test/possession.test.ts'],
  },
  {
    name: 'proofs: the cells of two names are not compared',
    file: 'packages/proofs/src/invariants/possession.ts',
    from: '...arrays.flatMap((array) => this.#cellsOfTwo(array, names)),',
    to: '',
    tests: ['packages/proofs/test/possession.test.ts'],
  },
  {
    name: 'language: a star stands for every index in brackets only',
    file: 'packages/languages/src/native/parse-expression.ts',
    from: "if (reader.is('*') && reader.ahead(1).kind !== 'NAME'",
    to: "if (reader.is('~') && reader.ahead(1).kind !== 'NAME'",
    tests: ['packages/proofs/test/fresh-names.test.ts'],
  },
  {
    name: 'proofs: two copies at one place are not asked whether they break a claim',
    file: 'packages/proofs/src/strategy/infer-claims.ts',
    from: 'bindings(claim, sides)',
    to: 'bindings(claim, sides.slice(0, 1))',
    tests: ['packages/proofs/test/infer-claims.test.ts'],
  },
  {
    name: 'proofs: Horn clauses about a claim are asked in haste only',
    file: 'packages/proofs/src/strategy/infer-claims.ts',
    from: 'askHorn(thorough),',
    to: '',
    tests: ['packages/proofs/test/infer-claims.test.ts'],
  },
  {
    name: 'proofs: an edge of one impossible step is impossible',
    file: 'packages/proofs/src/obligations/impossible-steps.ts',
    from: 'possible.has(edge) || !left.has(edge)',
    to: '!left.has(edge)',
    tests: ['packages/proofs/test/impossible-steps.test.ts'],
  },
  {
    name: 'proofs: steps are impossible where the solver has not said so',
    file: 'packages/proofs/src/obligations/impossible-steps.ts',
    from: "return (await this.#prover.prove(question)).kind === 'holds';",
    to: "return (await this.#prover.prove(question)).kind !== 'unknown';",
    tests: ['packages/proofs/test/impossible-steps.test.ts'],
  },
  {
    name: 'proofs: column RB asks the abstraction',
    file: 'packages/core/src/api/original-robustness.ts',
    from: 'const original = withoutAbstractions(open);',
    to: 'const original = { ...withoutAbstractions(open), ...open };',
    tests: ['packages/core/test/api/original-robustness.test.ts'],
  },
  {
    name: 'proofs: lock blocks of other threads find what a thread delays',
    file: 'packages/proofs/src/obligations/movers.ts',
    from: 'if (accesses.length < 2) return { memory, declarations: [] };',
    to: 'if (accesses.length >= 0) return { memory, declarations: [] };',
    tests: ['packages/proofs/test/impossible-steps.test.ts'],
  },
];
