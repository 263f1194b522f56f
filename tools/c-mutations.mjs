// Edits that break the front end for C, see mutation-check.mjs.

const room = 'packages/core/src/frontends/llvm-ir';
const writeThread = `${room}/write-thread.ts`;
const assemble = `${room}/assemble-program.ts`;
const unset = `${room}/unset-cells.ts`;
const tests = ['frontends/llvm-ir/programs.test.ts'];

export const cMutations = [
  {
    name: 'C: memory that nothing was stored to holds 0',
    file: assemble,
    from: 'initial: [first ?? noValue],',
    to: 'initial: [first ?? 0],',
    tests,
  },
  {
    name: 'C: what a load reads needs no value',
    file: writeThread,
    from: 'if (!needsValue || !this.context.mayBeUnset(this.#edge)) {',
    to: 'if (instruction.kind === "load" || !needsValue || !this.context.mayBeUnset(this.#edge)) {',
    tests,
  },
  {
    name: 'C: what is added to needs no value where nobody looks at it',
    file: writeThread,
    from: "this.#live[to]!.has(into) || operation !== 'xchg';",
    to: 'this.#live[to]!.has(into);',
    tests,
  },
  {
    name: 'C: what is compared and exchanged needs no value',
    file: writeThread,
    from: 'if (!live.has(old) && !this.context.mayBeUnset(this.#edge)) {',
    to: 'if (!live.has(old)) {',
    tests,
  },
  {
    name: 'C: computed addresses are those of cells with values',
    file: unset,
    from: "return set === undefined || set === 'any' || set.some((each) => cells.has(each));",
    to: 'return false;',
    tests,
  },
  {
    name: 'C: an exchange reads what it replaces',
    file: writeThread,
    from: "|| operation !== 'xchg';",
    to: '|| operation !== "none";',
    tests,
  },
  {
    name: 'C: where a pool is empty the thread ends',
    file: writeThread,
    from: "const limits: readonly FaultReason[] = ['empty-pool', ",
    to: 'const limits: readonly FaultReason[] = [',
    tests,
  },
];
