// Edits that break the code around the search for attacks: conclusions for `reach` from robustness
// and SC, faults, vacuity, the scope of proofs and the comparison of proofs with searches, fences
// for properties, files; see tools/mutation-check.mjs. Each edit would make an answer wrong.

const settle = 'packages/core/src/api/settle-under-tso.ts';
const reach = 'packages/core/src/api/reach.ts';
const mentions = 'packages/model/src/program/property.ts';
const stateExpression = 'packages/model/src/semantics/state-expression.ts';
const machine = 'packages/model/src/semantics/machine.ts';
const settleTests = ['packages/core/test/api/settle-under-tso.test.ts'];

const faults = 'packages/model/src/analysis/possible-faults.ts';
const lookAround = 'packages/core/src/api/look-around.ts';
const look = 'packages/engines/src/search/sequential-look.ts';
const vacuity = 'packages/core/src/api/vacuity.ts';
const claimsByProof = 'packages/core/src/api/claims-by-proof.ts';
const claimTests = ['packages/core/test/api/claims-of-all.test.ts'];
const lookTests = [
  'packages/model/test/analysis/possible-faults.test.ts',
  'packages/core/test/api/look-around.test.ts',
];
const limitTests = ['packages/core/test/api/model-limits.test.ts'];

const confront = 'packages/proofs/src/strategy/confront-proof.ts';
const prove = 'packages/core/src/api/prove.ts';
const findProof = 'packages/proofs/src/strategy/find-proof.ts';
const conclude = 'packages/proofs/src/strategy/conclude.ts';
const nameTests = ['packages/proofs/test/names.test.ts'];

const propertyClause = 'packages/repairs/src/fences/property-clause.ts';
const propertyTests = ['packages/repairs/test/fences/property-repair.test.ts'];
const guesses = 'packages/model/src/analysis/guesses.ts';
const guessTests = ['packages/model/test/analysis/guesses.test.ts'];
const marking = 'packages/ground/src/petri/marking.ts';
const readMist = 'packages/nets/src/nets/formats/read-mist.ts';
const netTests = ['packages/nets/test/large-numbers.test.ts', 'packages/nets/test/formats.test.ts'];
const staticPath = 'packages/engines/src/closures/static-path.ts';
const lockBlocks = 'packages/model/src/analysis/lock-blocks.ts';
const pathTests = [
  'packages/repairs/test/any-number/pitfalls.test.ts',
  'packages/model/test/analysis/lock-blocks.test.ts',
];
const quoteName = 'packages/ground/src/source/quote-name.ts';
const quoteTests = ['packages/ground/test/source/quote-name.test.ts'];
const writeWhole = 'packages/cli/src/write-whole.ts';

const settling = [
  {
    name: 'fence: costs by label that name one of several copies are read, and ignored',
    file: 'packages/core/src/api/cost-model.ts',
    from: '`${copy?.template ?? name}:${location.name}`',
    to: '`${copy ? name : name}:${location.name}`',
    tests: ['packages/core/test/api/fence-heavily.test.ts'],
  },
  {
    name: 'check: a proof nobody asked for counts, whatever it shows',
    file: 'packages/core/src/api/decide-by-proof.ts',
    from: "if ('kind' in found || !provesRobust(found.result, happensBefore)) return undefined;",
    to: "if ('kind' in found) return undefined;",
    tests: ['packages/core/test/api/proof-in-check.test.ts'],
  },
  {
    name: 'check: a claim holds by a proof, whatever the proof shows',
    file: claimsByProof,
    from: "one.name === name && one.verdict === 'holds'",
    to: 'one.name === name',
    tests: claimTests,
  },
  {
    name: 'check: an assertion holds by a proof of its opposite',
    file: claimsByProof,
    from: '    negation<StateLeaf>(holds),',
    to: '    holds,',
    tests: ['packages/core/test/api/claims-by-proof.test.ts'],
  },
  {
    name: 'check: robustness carries every claim from SC to TSO',
    file: claimsByProof,
    from: 'return isSettledByRobustness(templates, property) ? property : undefined;',
    to: 'return property;',
    tests: claimTests,
  },
  {
    name: 'check: assertions of lock blocks are proved, where no thread is observed',
    file: claimsByProof,
    from: "instruction.kind !== 'assert' || isInLockBlock(templates, thread, location)",
    to: "instruction.kind !== 'assert'",
    tests: claimTests,
  },
  {
    name: 'reach: robustness settles what is said of memory and ends at once',
    file: settle,
    from: "return !threads || (!memory && !hasKind(program.threads, 'lock'));",
    to: "return !threads || memory || !hasKind(program.threads, 'lock');",
    tests: settleTests,
  },
  {
    name: 'reach: robustness settles what is said of store buffers',
    file: settle,
    from: 'if (buffers) return false;',
    to: 'if (buffers && threads) return false;',
    tests: settleTests,
  },
  {
    name: 'reach: a label is nothing that a thread has',
    file: mentions,
    from: "mentions('at', 'ended', 'register')",
    to: "mentions('ended', 'register')",
    tests: settleTests,
  },
  {
    name: 'reach: that a thread has ended is nothing that it has',
    file: mentions,
    from: "mentions('at', 'ended', 'register')",
    to: "mentions('at', 'register')",
    tests: settleTests,
  },
  {
    name: 'reach: registers are nothing that threads have',
    file: mentions,
    from: "mentions('at', 'ended', 'register')",
    to: "mentions('at', 'ended')",
    tests: settleTests,
  },
  {
    name: 'reach: of two operands, the left one is looked at',
    file: 'packages/model/src/program/expression.ts',
    from: 'forEachPart(inner.left, visit);\n      forEachPart(inner.right, visit);',
    to: 'forEachPart(inner.left, visit);',
    tests: settleTests,
  },
  {
    name: 'reach: robustness settles who is stuck where there are locks',
    file: settle,
    from: "case 'stuck':\n      return !hasKind(program.threads, 'lock');",
    to: "case 'stuck':\n      return true;",
    tests: settleTests,
  },
  {
    name: 'reach: robustness settles where threads stand while somebody holds the lock',
    file: settle,
    from: "(!memory && !hasKind(program.threads, 'lock'))",
    to: '!memory',
    tests: settleTests,
  },
  {
    name: 'reach: what is stuck under SC is so under TSO',
    file: settle,
    from: 'return decidesUnder(model, program, property, computation)',
    to: 'return decidesUnder(model, program, property, computation) || true',
    tests: settleTests,
  },
  {
    name: 'reach: a search for attacks that was cut short shows robustness',
    file: reach,
    from: "return kind === 'error' ? 'unknown' : kind;",
    to: "return kind === 'not-robust' ? kind : 'robust';",
    tests: settleTests,
  },
  {
    name: 'reach: a robust program has the final states of SC that are known so far',
    file: reach,
    from: '!isFaulty && !sc.reach.incomplete && ',
    to: '!isFaulty && ',
    tests: [...settleTests, 'packages/core/test/api/reach.test.ts'],
  },
  {
    name: 'reach: final states that are not known are the same',
    file: reach,
    from: 'return sc.incomplete || !knowsEnds(tso) ?',
    to: 'return sc.incomplete ?',
    tests: ['packages/core/test/api/reach.test.ts'],
  },
  {
    name: 'reach: buffers that were too small make no difference',
    file: 'packages/core/src/api/reach-under.ts',
    from: "(isFaulty ? 'unsupported' : bounded)",
    to: "(isFaulty ? 'unsupported' : undefined)",
    tests: ['packages/core/test/api/reach.test.ts'],
  },
  {
    name: 'reach: behind a fault nothing is left to see',
    file: 'packages/core/src/api/reach-under.ts',
    from: "(isFaulty ? 'unsupported' : bounded)",
    to: 'bounded',
    tests: ['packages/core/test/api/reach.test.ts'],
  },
  {
    name: 'reach: a thread has not ended while its stores wait',
    file: stateExpression,
    from: 'return program.threads[leaf.thread]?.transitions.some(({ from }) => from === at) ? 0 : 1;',
    to: 'return (state.buffers[leaf.thread]?.length ?? 0) > 0 || program.threads[leaf.thread]?.transitions.some(({ from }) => from === at) ? 0 : 1;',
    tests: settleTests,
  },
  {
    name: 'reach: buffers are empty if one of them is',
    file: stateExpression,
    from: 'return state.buffers[leaf.thread]?.length === 0 ? 1 : 0;',
    to: 'return state.buffers.some((buffer) => buffer.length === 0) ? 1 : 0;',
    tests: settleTests,
  },
  {
    name: 'reach: who can only fault is stuck',
    file: machine,
    from: 'return steps.length === 0 && faults.length === 0;',
    to: 'return steps.length === 0;',
    tests: settleTests,
  },
  {
    name: 'reach: all that have ended are stuck, too',
    file: machine,
    from: ' || isFinal(code, state)) return false;',
    to: ') return false;',
    tests: settleTests,
  },
];

const looking = [
  {
    name: 'faults: a remainder by zero is a number',
    file: faults,
    from: "return right === 'any' || right.includes(0);",
    to: "return right === 'any';",
    tests: lookTests,
  },
  {
    name: 'faults: assertions are not evaluated',
    file: faults,
    from: "case 'assume':\n    case 'assert':\n      return faults(instruction.condition, values);",
    to: "case 'assume':\n      return faults(instruction.condition, values);\n    case 'assert':\n      return false;",
    tests: lookTests,
  },
  {
    name: 'faults: what a cas stores is in the domain',
    file: faults,
    from: 'leavesDomain(written, known) ||',
    to: "(operation.name !== 'cas' && leavesDomain(written, known)) ||",
    tests: lookTests,
  },
  {
    name: 'faults: a fetch_add does not leave the domain',
    file: faults,
    from: 'leavesDomain(written, known) ||',
    to: "(operation.name !== 'fetch_add' && leavesDomain(written, known)) ||",
    tests: lookTests,
  },
  {
    name: 'faults: the cell behind an array is one of it',
    file: faults,
    from: 'i < 0 || i >= length',
    to: 'i < 0 || i > length',
    tests: lookTests,
  },
  {
    name: 'faults: what may be anything is 0 or 1',
    file: faults,
    from: '[-(2 ** 31), 2 ** 31 - 1]',
    to: '[0, 1]',
    tests: lookTests,
  },
  {
    name: 'faults: the least number has a negative',
    file: faults,
    from: "if (set === 'any') return operator === '-' || (values.isWide && operator === '~');",
    to: "if (set === 'any') return values.isWide && operator === '~';",
    tests: lookTests,
  },
  {
    name: 'faults: a havoc without range can be chosen',
    file: faults,
    from: "if (chosen === 'any') return true;",
    to: "if (chosen === 'any') return false;",
    tests: lookTests,
  },
  {
    name: 'faults: the condition of a havoc sees the old value',
    file: faults,
    from: 'registers[instruction.into] = chosen;',
    to: 'registers[instruction.into] ??= chosen;',
    tests: lookTests,
  },
  {
    name: 'faults: the closure does not know what an rmw stores',
    file: 'packages/model/src/analysis/address-sets.ts',
    from: 'memory.write(addresses, valuesOf(meaning.written), site);',
    to: '',
    tests: lookTests,
  },
  {
    name: 'faults: the closure does not know what is stored to addresses that cannot be told',
    file: 'packages/model/src/analysis/memory-values.ts',
    from: ': this.#anywhere;',
    to: ': [];',
    tests: lookTests,
  },
  {
    name: 'faults: a search that did not end has found none',
    file: lookAround,
    from: 'if (look?.isComplete) return',
    to: 'if (look) return',
    tests: lookTests,
  },
  {
    name: 'faults: a search that ran out of its budget has seen all of SC',
    file: look,
    from: 'if (exhausted) return exhausted;',
    to: 'if (exhausted) return undefined;',
    edits: [
      ['if (exhausted) return exhausted;', 'if (exhausted) return undefined;'],
      [' && sequential.cursor >= sequential.table.count', ''],
    ],
    tests: lookTests,
  },
  {
    name: 'faults: a computation that was cut off has ended',
    file: look,
    from: ' && !automata.isEndless()',
    to: '',
    tests: lookTests,
  },
  {
    name: 'limits: robust where it is not known that no execution comes to one',
    file: lookAround,
    from: "kind !== 'not-looked-for' || ",
    to: "kind !== 'found' || ",
    tests: limitTests,
  },
  {
    name: 'limits: the search has a share of states only',
    file: 'packages/engines/src/search/attack-search.ts',
    from: 'await lookAtSequential(session, budget, true) : short;',
    to: 'await lookAtSequential(session, budget) : short;',
    tests: limitTests,
  },
  {
    name: 'limits: a search that did not end suffices for fences',
    file: 'packages/repairs/src/fences/optimal-repair.ts',
    from: 'return needsEnd && !look.isComplete ?',
    to: 'return needsEnd && look.faults.length > 0 ?',
    tests: limitTests,
  },
  {
    name: 'limits: the search for fences has a share of states only',
    file: 'packages/repairs/src/fences/optimal-repair.ts',
    from: '(session, budget, needsEnd);',
    to: '(session, budget);',
    tests: limitTests,
  },
  {
    name: 'limits: only the first thread has them',
    file: 'packages/model/src/analysis/model-limits.ts',
    from: 'registers[t]?.[from] !== undefined,',
    to: 'registers[t]?.[from] !== undefined && t > 0,',
    tests: limitTests,
  },
  {
    name: 'limits: proofs do not mind',
    file: prove,
    from: 'if (mayMeetLimit(open.templates))',
    to: 'if (mayMeetLimit(open.templates) && wanted.length > 99)',
    tests: limitTests,
  },
  {
    name: 'vacuity: what was not seen so far never runs',
    file: vacuity,
    from: '!look?.isComplete',
    to: '!look',
    tests: lookTests,
  },
  {
    name: 'vacuity: what lies behind a fault never runs',
    file: vacuity,
    from: "verdict.kind !== 'robust' || ",
    to: "verdict.kind === 'not-robust' || ",
    tests: lookTests,
  },
  {
    name: 'vacuity: what the first copy does not run, none does',
    file: vacuity,
    from: 'if (look.runs(thread, transition)) known',
    to: 'if (look.runs(thread, transition) && program.threads[thread].copy?.index !== 1) known',
    tests: lookTests,
  },
  {
    name: 'vacuity: a thread without instructions never ends',
    file: vacuity,
    from: ' || ends.includes(thread.initial)',
    to: '',
    tests: lookTests,
  },
  {
    name: 'vacuity: a thread ends only if all that leads to its end runs',
    file: vacuity,
    from: '?.some((entry) => look.runs(t, entry))',
    to: '?.every((entry) => look.runs(t, entry))',
    tests: lookTests,
  },
  {
    name: 'vacuity: what is done without memory never runs',
    file: 'packages/engines/src/automata/sequential-automaton.ts',
    from: 'if (results && results.length > 0) this.code.ran.add(step.id);',
    to: '',
    tests: lookTests,
  },
];

const proving = [
  {
    name: 'prove: all further copies of a thread are one',
    file: 'packages/proofs/src/steps/roles.ts',
    from: '`${thread}_${copy}`',
    to: '`${thread}_${Math.min(copy, 1)}`',
    tests: nameTests,
  },
  {
    name: 'prove: the names of a copy and of a single thread may meet',
    file: 'packages/proofs/src/steps/roles.ts',
    from: '`${thread}_${copy}`',
    to: '`${thread}${copy}`',
    tests: nameTests,
  },
  {
    name: 'prove: premises that contradict each other are premises',
    file: 'packages/proofs/src/obligations/premises.ts',
    from: "if (finding.kind !== 'holds') return finding;",
    to: "if (finding.kind === 'holds') return { kind: 'fails', model: '', roles: [] };\n  if (finding.kind !== 'holds') return finding;",
    tests: nameTests,
  },
  {
    name: 'prove: nobody needs to know whether the premises can be satisfied',
    file: findProof,
    from: "kind === 'fails' ? conclude(",
    to: 'kind.length > 0 ? conclude(',
    tests: nameTests,
  },
  {
    name: 'prove: a proof is not confronted with small instances',
    file: prove,
    from: 'if (!claim) return proof;',
    to: 'if (!claim || deadline === undefined) return proof;',
    tests: nameTests,
  },
  {
    name: 'prove: a proof is confronted with two copies at most',
    file: confront,
    from: 'const mostCopies = 3;',
    to: 'const mostCopies = 2;',
    tests: nameTests,
  },
  {
    name: 'prove: instances are searched for no cycle of happens-before',
    file: confront,
    from: "const violation = conclusion?.kind === 'robust' ? await this.#violation() : undefined;",
    to: "const violation = conclusion?.kind === 'robust' && this.#copies < 1 ? await this.#violation() : undefined;",
    tests: nameTests,
  },
  {
    name: 'prove: TSO is not compared with SC where the states are said to be the same',
    file: confront,
    from: "if (!isComparable) return 'none';",
    to: "if (!isComparable || this.#claim.conclusion?.kind === 'same-states') return 'none';",
    tests: nameTests,
  },
  {
    name: 'prove: instances are searched for no false invariant',
    file: confront,
    from: "broken ??= this.#breaks(instance, reached, 'SC');",
    to: '',
    tests: nameTests,
  },
  {
    name: 'prove: an instance whose buffers were too small was searched to its end',
    file: confront,
    from: 'incomplete || isBounded ?',
    to: 'incomplete ?',
    tests: nameTests,
  },
  {
    name: 'prove: an instance that was cut short was searched to its end',
    file: confront,
    from: 'incomplete || isBounded ?',
    to: 'isBounded ?',
    tests: nameTests,
  },
  {
    name: 'prove: a property is asked of the places of the proof only',
    file: 'packages/proofs/src/strategy/property-invariant.ts',
    from: ', isEverywhere: true };',
    to: ' };',
    tests: nameTests,
  },
  {
    name: 'prove: an invariant that is asked for is asked of the places of the proof only',
    file: findProof,
    from: 'wanted.includes(invariant.name) ?',
    to: 'wanted.length < 0 ?',
    tests: nameTests,
  },
  {
    name: 'prove: a property of SC is one of TSO',
    file: conclude,
    from: "verdict: conclusion ? 'holds' : 'unknown'",
    to: "verdict: 'holds'",
    tests: nameTests,
  },
  {
    name: 'prove: a property of several claims is proved with one',
    file: conclude,
    from: 'if (!claims.every(',
    to: 'if (!claims.some(',
    tests: nameTests,
  },
  {
    name: 'prove: what holds by outcomes is robust in the standard sense',
    file: 'packages/proofs/src/obligations/write-atomicity.ts',
    from: 'overall = weaker(overall, argument.agreement);',
    to: 'overall = argument.agreement;',
    tests: ['packages/proofs/test/prove.test.ts', ...nameTests],
  },
];

const repairs = [
  {
    name: 'fences for properties: a computation that needs a fence binds those who have none',
    file: propertyClause,
    from: 'const unless = [...new Set(nowhere.flatMap((thread) => last.fenceOf(thread) ?? []))];',
    to: 'const unless = [];',
    tests: propertyTests,
  },
  {
    name: 'fences for properties: fences that a clause leaves out are there, or none of them',
    file: propertyClause,
    from: 'return [...subsetsOf(indifferent)].every((fences) =>',
    to: 'return [[], indifferent].every((fences) =>',
    tests: propertyTests,
  },
  {
    name: 'fences for properties: fences that a clause leaves out are not there',
    file: propertyClause,
    from: 'return [...subsetsOf(indifferent)].every((fences) =>',
    to: 'return [[]].every((fences) =>',
    tests: propertyTests,
  },
  {
    name: 'fences for properties: the ends of threads are no places for fences',
    file: 'packages/repairs/src/fences/repair-problem.ts',
    from: 'if (isEnd && !(withEnds && location !== thread.initial)) return [];',
    to: 'if (isEnd) return [];',
    tests: propertyTests,
  },
  {
    name: 'fences for properties: a fence that forbids a store at the end stops who does not wait',
    file: propertyClause,
    from: 'return (isEnd || isBefore) && at(this.#state.buffers, thread).length > 0;',
    to: 'return isEnd || isBefore;',
    tests: propertyTests,
  },
  {
    name: 'fences for properties: an exploration that was cut short has found nothing',
    file: 'packages/repairs/src/fences/property-repair.ts',
    from: "return search.incomplete ?? (search.faults.length > 0 ? 'unsupported' : undefined);",
    to: 'return undefined;',
    tests: propertyTests,
  },
  {
    name: 'guesses: others may come to the havoc, too',
    file: guesses,
    from: ' || flow.incoming[to]?.length !== 1',
    to: '',
    tests: guessTests,
  },
  {
    name: 'guesses: behind the load there may be other ways',
    file: guesses,
    from: 'others.length > 0 || ',
    to: '',
    tests: guessTests,
  },
  {
    name: 'guesses: what was loaded may be seen behind the havoc',
    file: guesses,
    from: 'const isPrivate = held !== into && live[following.to]?.[held] === false;',
    to: 'const isPrivate = held !== into;',
    tests: guessTests,
  },
  {
    name: 'guesses: a thread may begin between load and havoc',
    file: guesses,
    from: "load.kind !== 'load' || to === thread.initial",
    to: "load.kind !== 'load'",
    tests: guessTests,
  },
  {
    name: 'nets: what a rule leaves is counted as it comes',
    file: marking,
    from: 'count = exact(count + more);',
    to: 'count += more;',
    tests: netTests,
  },
  {
    name: 'nets: a variable may change twice in one step',
    file: readMist,
    from: 'if (changes.has(place))',
    to: 'if (changes.has(place) && changes.size < 0)',
    tests: netTests,
  },
  {
    name: 'nets: two needs of a target add up',
    file: readMist,
    from: "notSupported(span, 'a target asks for a number of tokens or more', 'write x >= n'),\n          );\n        needs.set(place, Math.max(low, needs.get(place) ?? 0));",
    to: "notSupported(span, 'a target asks for a number of tokens or more', 'write x >= n'),\n          );\n        needs.set(place, low + (needs.get(place) ?? 0));",
    tests: netTests,
  },
  {
    name: 'nets: of two needs of a rule the last counts',
    file: readMist,
    from: "'write x >= n'),\n          );\n        needs.set(place, Math.max(low, needs.get(place) ?? 0));\n      } while (this.#accept(','));\n    this.#expect('->');",
    to: "'write x >= n'),\n          );\n        needs.set(place, low);\n      } while (this.#accept(','));\n    this.#expect('->');",
    tests: netTests,
  },
  {
    name: 'nets: of two bounds of the start the last counts',
    file: readMist,
    from: 'Math.min(high, most)',
    to: 'high',
    tests: netTests,
  },
  {
    name: 'nets: of two least numbers of the start the last counts',
    file: readMist,
    from: 'Math.max(low, least)',
    to: 'low',
    tests: netTests,
  },
  {
    name: 'any number: behind a load of the path no store joins by control flow',
    file: staticPath,
    from: "const least = kind === 'load' ? level.store : level.load;",
    to: 'const least = level.store;',
    tests: pathTests,
  },
  {
    name: 'any number: stores on the path are as loads, by control flow',
    file: staticPath,
    from: "const raised = instruction.kind === 'load' ? level.load : level.store;",
    to: 'const raised = level.load;',
    tests: pathTests,
  },
  {
    name: 'any number: a lock block is on the path from its last branch on only',
    file: lockBlocks,
    from: 'for (const location of block)',
    to: 'for (const location of [at])',
    tests: pathTests,
  },
  {
    name: 'any number: a lock block that an unlock may end is none behind the branch',
    file: lockBlocks,
    from: '(isLocked[at] ||= isReached)',
    to: '(isLocked[at] = isReached)',
    tests: pathTests,
  },
  {
    name: 'names: a quote ends the word',
    file: quoteName,
    from: "`'${name.replaceAll(\"'\", String.raw`'\\''`)}'`",
    to: "`'${name}'`",
    tests: quoteTests,
  },
  {
    name: 'names: a file may be an option',
    file: quoteName,
    from: "file.startsWith('-') && file !== '-'",
    to: "file.startsWith('-') && file === ''",
    tests: quoteTests,
  },
  {
    name: 'names: a terminal obeys bidi marks',
    file: quoteName,
    from: 'const unprintable = /[\\p{Cc}\\p{Cf}',
    to: 'const unprintable = /[\\p{Cc}',
    tests: quoteTests,
  },
  {
    name: 'names: a backslash in a quoted name stays as it is',
    file: quoteName,
    from: "if (character === '\\\\' || character === \"'\") return `\\\\${character}`;",
    to: "if (character === \"'\") return `\\\\${character}`;\n  if (character === '\\\\') return character;",
    tests: quoteTests,
  },
];

const editing = [
  {
    name: 'edit: places that were tried in vain stay chosen',
    file: 'packages/core/src/api/edit-text.ts',
    from: 'for (const fence of fences) this.#chosen.delete(keyOf(fence));',
    to: '',
    tests: ['packages/core/test/api/edit-text.test.ts'],
  },
  {
    name: 'edit: the text is not tried again with fewer places',
    file: 'packages/core/src/api/edit-text.ts',
    from: 'if (await this.#isStillGood()) return true;',
    to: 'if ((await this.#isStillGood()) || end === 0) return true;',
    tests: ['packages/core/test/api/edit-text.test.ts'],
  },
];

const files = [
  {
    name: 'files: the mode of a file is not kept',
    file: writeWhole,
    from: 'await handle.chmod(model.mode & 0o7777);',
    to: '',
  },
  {
    name: 'files: what has been changed since it was read is written over',
    file: writeWhole,
    from: 'if (!(await fs.readFile(target)).equals(Buffer.from(read.text)))',
    to: 'if ((await fs.readFile(target)).length === 0)',
  },
  {
    name: 'files: what is read-only is written over',
    file: writeWhole,
    from: "if ((status.mode & 0o222) === 0) throw new Refusal('the file is read-only');",
    to: '',
  },
  {
    name: 'files: what a running process writes is taken for left over',
    file: writeWhole,
    from: 'id === undefined || isRunning(Number(id))',
    to: 'id === undefined',
  },
].map((one) => ({ ...one, project: 'cli', tests: ['write-whole.test.ts'] }));

const options = [
  {
    name: 'facts: each question computes them anew',
    file: 'packages/ground/src/base/fact.ts',
    from: 'known.set(subject, { value });',
    to: '',
    tests: ['packages/core/test/api/facts.test.ts'],
  },
  {
    name: 'check: reductions left out are run',
    file: 'packages/core/src/api/check.ts',
    from: '    ...optionsWithout(options.without),\n    ...helpers,',
    to: '    ...helpers,',
    tests: ['packages/engines/test/closures/stages.test.ts'],
  },
];

const work = [
  {
    name: 'effort: each stage has all of it',
    file: 'packages/core/src/api/decide.ts',
    from: 'metered(limits), alone',
    to: 'limits, alone',
    tests: ['packages/ground/test/base/budget.test.ts', 'packages/core/test/api/effort.test.ts'],
  },
  {
    name: 'effort: a checkpoint before the clock is due counts as work',
    file: 'packages/ground/src/base/budget.ts',
    from: 'if (now >= this.#nextYield) {',
    to: 'if (now >= this.#nextYield) {\n      this.spend(10);',
    tests: ['packages/core/test/api/effort.test.ts'],
  },
  {
    name: 'effort: states of a finished search are counted again',
    file: 'packages/ground/src/base/budget.ts',
    from: 'this.#finishedStates += finishedStates;',
    to: 'this.finishSearch(finishedStates);',
    tests: ['packages/ground/test/base/budget.test.ts'],
  },
];

const optimalRepair = 'packages/repairs/src/fences/optimal-repair.ts';
const besideTests = ['packages/core/test/api/fence-beside.test.ts'];

const turns = [
  {
    name: 'fence: a program is robust if a proof was tried',
    file: optimalRepair,
    from: 'this.#isRobust = await isRobustBeside();',
    to: 'this.#isRobust = (await isRobustBeside()) || true;',
    tests: besideTests,
  },
  {
    name: 'fence: a proof is tried of a program with a known attack',
    file: optimalRepair,
    from: '    if (round.witness) {\n      this.#isRobustBeside = undefined;\n',
    to: '    if (round.witness) {\n',
    tests: besideTests,
  },
  {
    name: 'fence: a proof is tried for each thread',
    file: optimalRepair,
    from: '    this.#isRobustBeside = undefined;\n    this.#isRobust = await',
    to: '    this.#isRobust = await',
    tests: besideTests,
  },
  {
    name: 'fence: what a proof shows is forgotten',
    file: optimalRepair,
    from: 'this.#isRobust = await isRobustBeside();',
    to: 'await isRobustBeside();',
    tests: besideTests,
  },
  {
    name: 'turns of a check: a proof is tried of a program with a feasible attack',
    file: 'packages/core/src/api/decide-in-turns.ts',
    from: '!known?.witness &&',
    to: '',
    tests: ['packages/core/test/api/decide-in-turns.test.ts'],
  },
  {
    name: 'turns of a check: the attacks of a turn are lost if the last search ends early',
    file: 'packages/core/src/api/decide-in-turns.ts',
    from: 'openAttacks(known) < openAttacks(later)',
    to: 'Number.isNaN(0)',
    tests: ['packages/core/test/api/decide-in-turns.test.ts'],
  },
  {
    name: 'turns of a check: the attacks of a turn are lost if the next turn ends early',
    file: 'packages/core/src/api/decide-in-turns.ts',
    from: 'known = moreDecided(known, searched);',
    to: 'known = searched;',
    tests: ['packages/core/test/api/decide-in-turns.test.ts'],
  },
];

export const answerMutations = [
  ...work,
  ...turns,
  ...settling,
  ...looking,
  ...proving,
  ...repairs,
  ...editing,
  ...files,
  ...options,
];
