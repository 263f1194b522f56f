// Edits that break the front end for C, see mutation-check.mjs.

const room = 'packages/core/src/frontends/llvm-ir';
const writeThread = `${room}/write-thread.ts`;
const assemble = `${room}/assemble-program.ts`;
const unset = `${room}/unset-cells.ts`;
const choices = `${room}/choice-ranges.ts`;
const tests = ['frontends/llvm-ir/programs.test.ts', 'frontends/llvm-ir/choice-ranges.test.ts'];

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
  {
    name: 'C: a choice that is compared has no values beyond the number',
    file: choices,
    from: '{ low: number - 1, high: number + 1 }',
    to: '{ low: number - 1, high: number }',
    tests,
  },
  {
    name: 'C: of two ways the first tells the range of a choice',
    file: choices,
    from: 'return hull(first, narrow(right, register, isTrue, range));',
    to: 'return first;',
    tests,
  },
  {
    name: 'C: ways behind a choice leave what the last of them leaves',
    file: choices,
    from: '      left = hull(left, range);',
    to: '      left = range;',
    tests,
  },
  {
    name: 'C: remainders are not negative',
    file: choices,
    from: '{ low: Math.max(low, 1 - number), high',
    to: '{ low: 0, high',
    tests,
  },
  {
    name: 'C: bits of a choice are those up to the mask',
    file: choices,
    from: 'high: 2 ** (32 - Math.clz32(number)) - 1',
    to: 'high: number - 1',
    tests,
  },
  {
    name: 'C: a local that comes into being again keeps its value',
    file: `${room}/lower-access.ts`,
    from: "    if (address.kind !== 'number') return;\n    const object = this.#world.image.memory.objectAt(Number(address.number), 1);",
    to: "    if (address.kind === 'number') return;\n    const object = this.#world.image.memory.objectAt(Number(address.number), 1);",
    tests,
  },
  {
    name: 'C: that a local comes into being is a use of its address',
    file: `${room}/pointer-origins.ts`,
    from: 'return !isLifetime(operation) && mentions(operation);',
    to: 'return mentions(operation);',
    tests: ['frontends/llvm-ir/counted-threads.test.ts'],
  },
  {
    name: 'C: a thread that gets a large structure has that of who passes it',
    file: `${room}/lower-thread.ts`,
    from: 'if (!byValue || !from) return [];',
    to: 'if (byValue || !from) return [];',
    tests,
  },
  {
    name: 'C: main that gets a large structure has that of who passes it',
    file: `${room}/interpret.ts`,
    from: 'byValue ? this.#copied(byValue, operand, name) : operand',
    to: 'operand',
    tests,
  },
  {
    name: 'C: fields of a small structure that is passed all go to the first',
    file: `${room}/lower-bytes.ts`,
    from: 'this.#storePart(to, offset, size, value);',
    to: 'this.#storePart(to, 0, size, value);',
    tests,
  },
  {
    name: 'C: an alias is a name of its own',
    file: `${room}/link-modules.ts`,
    from: 'if (alias) return left > 0 ? meant(alias.meant, left - 1) : node;',
    to: 'if (alias) return node;',
    tests,
  },
  {
    name: 'C: what runs behind main runs in the order in which that was said',
    file: `${room}/main-entry.ts`,
    from: 'lastCalls.toReversed()',
    to: 'lastCalls',
    tests,
  },
  {
    name: 'C: nothing runs behind main',
    file: `${room}/main-entry.ts`,
    from: 'if (runs.length === 1 && lastCalls.length === 0) return [];',
    to: 'if (runs.length >= 1) return [];',
    tests,
  },
  {
    name: 'C: nothing follows a constructor that starts a thread',
    file: `${room}/main-entry.ts`,
    from: 'processOf(world, runs.slice(i))',
    to: 'processOf(world, runs.slice(-1))',
    tests,
  },
  {
    name: 'C: destructors do not run',
    file: `${room}/world.ts`,
    from: "listedFunctions(linked, 'llvm.global_dtors').map(",
    to: "listedFunctions(linked, 'llvm.global_dtors').slice(9).map(",
    tests,
  },
  {
    name: 'C: a thread begins before its argument is there',
    file: `${room}/lower-creation.ts`,
    from: 'state.joined.length === 0 && !isComputed',
    to: 'state.joined.length === 0',
    tests,
  },
  {
    name: 'C: a part without a value is not copied',
    file: `${room}/lower-access.ts`,
    from: 'facts.noteNoValue(address);',
    to: 'if (size > 0) return;',
    tests,
  },
];
