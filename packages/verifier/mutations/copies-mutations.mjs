// Edits that break the verifier's own steps for any number of threads; see
// tools/mutation-check.mjs. Each edit would make the verifier accept invariants of programs that
// are not robust.

const thread = 'packages/verifier/src/attack/thread.ts';
const steps = 'packages/verifier/src/attack/steps.ts';
const marks = 'packages/verifier/src/attack/marks.ts';
const invariant = 'packages/verifier/src/copies/invariant.ts';
const kind = 'packages/verifier/src/kinds/all-instances.ts';
const stepTests = ['copies/steps-pitfalls.test.ts'];
const certificateTests = ['copies/all-instances.test.ts', 'copies/forged-all-instances.test.ts'];

const mutations = [
  {
    name: 'any number: what a lock block did before it joined does not meet the delayed store',
    file: thread,
    from: 'hasMet: block.hasMet || this.#meets(context, access),',
    to: 'hasMet: block.hasMet || (block.isBehind && this.#meets(context, access)),',
    tests: stepTests,
  },
  {
    name: 'any number: what a lock block did before it joined leaves no marks',
    file: thread,
    from: 'mark: after,',
    to: 'mark: block.isBehind ? after : held.mark,',
    tests: stepTests,
  },
  {
    name: 'any number: the first load from memory is the last',
    file: steps,
    from: '...this.#atLoads(code, next)',
    to: '...this.#atLoads(code, next.slice(1))',
    tests: stepTests,
  },
  {
    name: 'any number: no store joins behind a load',
    file: marks,
    from: 'access.written !== undefined && mark.seen !== access.written',
    to: 'access.written !== undefined && mark.stored && mark.seen !== access.written',
    tests: stepTests,
  },
  {
    name: 'any number: only stores meet the delayed store',
    file: marks,
    from: "  if (happensBefore === 'standard') return true;",
    to: "  if (happensBefore === 'standard') return written !== undefined;",
    tests: stepTests,
  },
  {
    name: 'any number: the invariant need not cover the start',
    file: invariant,
    from: 'steps.initialStates().map(',
    to: 'steps.initialStates().slice(0, 0).map(',
    tests: certificateTests,
  },
  {
    name: 'any number: the end of an attack may lie in the invariant',
    file: invariant,
    from: "yield state === 'goal'",
    to: "if (state !== 'goal')\n        yield (state as AttackState | 'goal') === 'goal'",
    tests: certificateTests,
  },
  {
    name: 'any number: counts are not compared',
    file: invariant,
    from: 'least <= (larger',
    to: 'Math.min(least, 1) <= (larger',
    tests: certificateTests,
  },
  {
    name: 'any number: one thread that can delay nothing refutes all attacks',
    file: kind,
    from: 'if (automata.threads.every((thread) => openAttacks(thread).size === 0))',
    to: 'if (automata.threads.some((thread) => openAttacks(thread).size === 0))',
    tests: certificateTests,
  },
];

export const copiesMutations = mutations.map((mutation) => ({ ...mutation, project: 'verifier' }));
