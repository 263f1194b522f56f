// Edits that break the backward search for any number of copies, by which `reach` decides claims
// about all instances; see tools/mutation-check.mjs.

const room = 'packages/engines/src/load-buffers';
const crowd = `${room}/crowd.ts`;
const search = `${room}/crowd-search.ts`;
const question = `${room}/any-number-search.ts`;
const preImages = `${room}/pre-images.ts`;
const all = 'packages/core/src/api/reach-all.ts';
const answer = 'packages/model/src/verdict/answer-over-all.ts';
const violations = 'packages/repairs/src/any-number/instance-violations.ts';
const tests = [
  'packages/core/test/api/reach-all.test.ts',
  'packages/engines/test/load-buffers/any-number.test.ts',
];
const copyTests = [
  'packages/engines/test/load-buffers/claims-of-copies.test.ts',
  'packages/core/test/api/reach-all.test.ts',
];
const instance = 'packages/model/src/program/property-of-instance.ts';
const fenceTests = ['packages/repairs/test/any-number/property-fences.test.ts'];

const forward = `${room}/sequential-crowds.ts`;

const mutations = [
  {
    name: 'fences for all instances: attacks without a path are searched for',
    file: 'packages/repairs/src/any-number/parameterized-repair.ts',
    from: 'open.filter((attack) => !refuted.includes(attack))',
    to: 'open',
    tests: ['packages/repairs/test/any-number/fence.test.ts'],
  },
  {
    name: 'all instances, forward: claims that see memory are asked under SC alone',
    file: question,
    from: "kind !== 'memory' && kind !== 'drained'",
    to: "kind !== 'ended' || kind === 'ended'",
    tests: copyTests,
  },
  {
    name: 'all instances, forward: claims about TSO are asked under SC alone',
    file: question,
    from: 'if (!isLocked) return false;',
    to: '',
    tests: copyTests,
  },
  {
    name: 'all instances, forward: no state inside of a lock block counts',
    file: forward,
    from: 'if (lock === noHolder) return false;',
    to: 'if (lock === noHolder) return false; else return true;',
    tests: copyTests,
  },
  {
    name: 'all instances, forward: loads read any value',
    file: forward,
    from: 'return at(memory, effect.cell) === effect.value ? memory : undefined;',
    to: 'return memory;',
    tests: copyTests,
  },
  {
    name: 'all instances, forward: any thread counts as the holder of the bus lock',
    file: forward,
    from: 'if (at(kinds, minor.lock) !== holder.kind) return [];',
    to: '',
    tests: copyTests,
  },
  {
    name: 'all instances, forward: cells that steps read do not matter',
    file: forward,
    from: '(_, cell) => read.has(cell) || ',
    to: '(_, cell) => ',
    tests: copyTests,
  },
  {
    name: 'all instances, forward: cells of the claim do not matter',
    file: forward,
    from: 'read.has(cell) || targets.some(({ minor }) => at(minor.memory, cell) !== any)',
    to: 'read.has(cell)',
    tests: copyTests,
  },
  {
    name: 'all instances, forward: copies vanish behind their steps',
    file: forward,
    from: 'markingOf(isCounted ?',
    to: 'markingOf(isCounted && kind < 0 ?',
    tests: copyTests,
  },
  {
    name: 'all instances: copies that are not mentioned do nothing',
    file: search,
    from: 'for (let kind = this.#singles; kind < this.#graphs.length; kind++) {',
    to: 'for (let kind = this.#graphs.length; kind < this.#graphs.length; kind++) {',
  },
  {
    name: 'all instances: only the first template has more copies',
    file: search,
    from: 'kind < this.#graphs.length; kind++) {',
    to: 'kind <= this.#singles; kind++) {',
  },
  {
    name: 'all instances: two copies may be the same one',
    file: crowd,
    from: 'if (taken.has(u) || !mayBe(one, t, other, u)) continue;',
    to: 'if (!mayBe(one, t, other, u)) continue;',
  },
  {
    name: 'all instances: a copy fits at its first place or nowhere',
    file: crowd,
    from: 'taken.delete(u);',
    to: 'return false;',
    gap: 'fewer crowds are left out, which takes longer and is as right',
  },
  {
    name: 'all instances: kinds do not matter',
    file: crowd,
    from: 'at(one.kinds, t) === at(other.kinds, u) &&',
    to: '',
  },
  {
    name: 'all instances: buffers of copies do not matter',
    file: crowd,
    from: 'isSubword(at(one.minor.words, t), at(other.minor.words, u))',
    to: 'true',
  },
  {
    name: 'all instances: memory does not matter',
    file: crowd,
    from: 'if (value !== any && value !== other.minor.memory[cell]) return false;',
    to: '',
  },
  {
    name: 'all instances: who holds the bus lock does not matter',
    file: crowd,
    from: '(one.minor.lock === t) === (other.minor.lock === u) &&',
    to: '',
  },
  {
    name: 'all instances: a copy that holds the bus lock is forgotten',
    file: crowd,
    from: 'minor.lock === thread ||\n',
    to: '\n',
  },
  {
    name: 'all instances: whose buffers wait does not matter',
    file: crowd,
    from: '(waits === any || waits === waitsOf(other.minor, u)) &&',
    to: '',
  },
  {
    name: 'all instances: whether memory stands still does not matter',
    file: crowd,
    from: 'if (isFrozen !== other.minor.isFrozen) return false;',
    to: '',
  },
  {
    name: 'all instances: copies are writers of their own',
    file: search,
    from: '[...graphs.slice(0, singles), ...copies, ...copies]',
    to: '[...graphs.slice(0, singles)]',
  },
  {
    name: 'all instances: SC loads need nothing of memory',
    file: preImages,
    from: 'return [{ ...moved, memory: memory.with(effect.cell, effect.value) }];',
    to: 'return [moved];',
  },
  {
    name: 'all instances: SC loads whatever the bus lock',
    file: preImages,
    from: 'if (!this.#isFree(minor, thread) || (held !== any && held !== effect.value)) return [];',
    to: 'if (held !== any && held !== effect.value) return [];',
  },
  {
    name: 'all instances: SC has stores that wait',
    file: question,
    from: 'return pending.includes(1) ? [] : [{ ...minor, isFrozen: false }];',
    to: 'return [{ ...minor, isFrozen: false }];',
  },
  {
    name: 'all instances: nobody but who is asked about may hold the bus lock',
    file: question,
    from: 'Math.max(2, ...named.map((copies) => 1 + (copies.get(thread)?.length ?? 0))),',
    to: 'Math.max(1, ...named.map((copies) => copies.get(thread)?.length ?? 0)),',
  },
  {
    name: 'claims about copies: a copy without a place is forgotten, though its stores wait',
    file: crowd,
    from: 'waitsOf(minor, thread) !== any;',
    to: 'false;',
    tests: copyTests,
  },
  {
    name: 'claims about copies: each copy has nodes of its own',
    file: question,
    from: 'threads: templateOf.map((thread) => at(found.threads, templateOf.indexOf(thread))),',
    to: 'threads: found.threads,',
    tests: copyTests,
  },
  {
    name: 'claims about copies: only the first copy is seen as the claim asks',
    file: question,
    from: 'const observation = alikeByKind(observationOf(program), templateOf);',
    to: 'const observation = observationOf(program);',
    tests: copyTests,
  },
  {
    name: 'claims about copies: the run decides alone how many there are',
    file: question,
    from: 'named?.get(thread)?.length ?? 0',
    to: '0',
    tests: copyTests,
  },
  {
    name: 'claims about copies: different numbers may stand for one copy',
    file: instance,
    from: 'members.filter((member) => !some.includes(member)).map((member) => [...some, member]),',
    to: 'members.map((member) => [...some, member]),',
    tests: ['packages/engines/test/load-buffers/claims-of-copies.test.ts'],
  },
  {
    name: 'claims about copies: all copies are alike, also by self',
    file: instance,
    from: ': own.areAlike',
    to: ': own',
    tests: ['packages/engines/test/load-buffers/claims-of-copies.test.ts'],
  },
  {
    name: 'claims about copies: too few copies fulfil no claim',
    file: instance,
    from: "joined('||', conditions, 0);",
    to: "joined('||', conditions, 1);",
    tests: copyTests,
  },
  {
    name: 'claims about copies: a proof takes two copies for one',
    file: 'packages/proofs/src/strategy/property-invariant.ts',
    from: 'copy === undefined ? template : `${template}[${copy}]`',
    to: 'template',
    tests: ['packages/proofs/test/prove.test.ts'],
  },
  {
    name: 'claims about copies: the verifier takes two copies for one',
    file: 'packages/verifier/src/proof/properties.ts',
    from: 'one.thread === other.thread && one.copy === other.copy',
    to: 'one.thread === other.thread',
    tests: ['packages/core/test/verified-proofs/properties.test.ts'],
  },
  {
    name: 'all instances: what holds under TSO is not known under SC',
    file: all,
    from: "const sc = tso.kind === 'never' ? tso : await this.#under('SC', claim);",
    to: 'const sc = tso;',
  },
  {
    name: 'all instances: final states are asked about like others',
    file: all,
    from: "if (property && property.kind !== 'never')",
    to: 'if (property === null)',
  },
  {
    name: 'the answer of all instances: what is open is fine',
    file: answer,
    from: 'if (first) {',
    to: 'if (first && false) {',
  },
  {
    name: 'the answer of all instances: a small one that does not differ shows that none does',
    file: answer,
    from: 'if (differing) return differing.differs;',
    to: '',
  },
  {
    name: 'the answer of all instances: what is wrong in one of them is not asked',
    file: answer,
    from: 'if (wrong[0]) {',
    to: 'if (wrong[0] && false) {',
  },
  {
    name: 'fences of all instances: only the first claim is looked at',
    file: violations,
    from: "if (answer.kind === 'holds') continue;",
    to: "if (answer.kind === 'holds') return nothing;",
    tests: fenceTests,
  },
  {
    name: 'fences of all instances: repairs keep the numbers that threads have in the templates',
    file: violations,
    from: 'items: items.map((item) => renamed(item, (thread) => templateOf.indexOf(thread))),',
    to: 'items,',
    tests: fenceTests,
  },
  {
    name: 'fences of all instances: small instances are not looked at where the search fails',
    file: violations,
    from: "incomplete === 'unsupported' ? await this.#inSmall(model, all) : nothing",
    to: 'nothing',
    tests: fenceTests,
  },
  {
    name: 'the program of a net: a rule takes no tokens',
    file: 'packages/nets/src/formats/write-program.ts',
    from: "...askForAll('take', pre),",
    to: '',
    tests: ['packages/nets/test/program-of-net.test.ts'],
  },
  {
    name: 'the program of a net: the controller does not wait for the token',
    file: 'packages/nets/src/formats/write-program.ts',
    from: "`r = ${request};`, 'assume(r == 0);'",
    to: '`r = ${request};`',
    tests: ['packages/nets/test/program-of-net.test.ts'],
  },
];

/** Every mutation, with the tests that have to notice the mutation. */
export const anyNumberMutations = mutations.map((one) => ({ tests, ...one }));
