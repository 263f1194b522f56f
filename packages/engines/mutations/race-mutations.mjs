// Edits that break the search for data races in C programs; see tools/mutation-check.mjs. Most
// edits would lose races, or report ordered accesses.

const possible = 'packages/engines/src/data-races/possible-races.ts';
const find = 'packages/engines/src/data-races/find-data-races.ts';
const freed = 'packages/engines/src/data-races/watch-freed.ts';
const freedTests = ['packages/engines/test/data-races/freed-uses.test.ts'];
const flagTests = ['packages/engines/test/data-races/freed-by-flags.test.ts'];
const lowerBlocks = 'packages/languages/src/llvm-ir/lower-blocks.ts';
const blocks = 'packages/languages/src/llvm-ir/blocks.ts';
const assemble = 'packages/languages/src/llvm-ir/assemble-program.ts';
const passes = 'packages/languages/src/llvm-ir/graph-passes.ts';
const read = 'packages/languages/src/llvm-ir/read-instruction.ts';
const write = 'packages/languages/src/llvm-ir/step.ts';
const tests = [
  'packages/engines/test/data-races/data-races.test.ts',
  'packages/engines/test/data-races/races-in-c.test.ts',
];

export const raceMutations = [
  {
    name: 'races: what is under the bus lock is not looked at inside',
    file: find,
    from: 'blocks: possible.isInBlocks }',
    to: 'blocks: false }',
    tests,
  },
  {
    name: 'races: accesses under the bus lock are plain',
    file: find,
    from: 'const isPlain = isFree && ',
    to: 'const isPlain = ',
    tests,
  },
  {
    name: 'races: two loads race',
    file: find,
    from: 'if (!one.writes(value) && !other.writes(value)) return;',
    to: '',
    tests,
  },
  {
    name: 'races: an exchange that fails stores',
    file: find,
    from: 'if (!one.writes(value) && !other.writes(value)) return;',
    to: "if (one.kind === 'load' && other.kind === 'load') return;",
    tests,
  },
  {
    name: 'races: atomic accesses race',
    file: find,
    from: 'if (!one.isPlain && !other.isPlain) return;',
    to: '',
    tests,
  },
  {
    name: 'races: both accesses have to be plain',
    file: find,
    from: 'if (!one.isPlain && !other.isPlain) return;',
    to: 'if (!one.isPlain || !other.isPlain) return;',
    tests,
  },
  {
    name: 'races: cells are not compared',
    file: find,
    from: 'if (one.address === other.address) this',
    to: 'this',
    tests,
  },
  {
    name: 'races: a search that was cut short is complete',
    file: find,
    from: "return end === 'complete' || end === 'done' ? undefined : end;",
    to: 'return undefined;',
    tests,
  },
  {
    name: 'races: addresses that cannot be told meet no others',
    file: possible,
    from: "if (one === 'any' || other === 'any') return true;",
    to: "if (one === 'any' || other === 'any') return false;",
    tests,
  },
  {
    name: 'races: accesses that may be under the bus lock or not are atomic',
    file: possible,
    from: "status === 'held' && !origin.isWideLoad",
    to: "status !== 'free' && !origin.isWideLoad",
    tests,
  },
  {
    name: 'races: only a plain store is looked at',
    file: possible,
    from: '|| !(plain.stores || other.stores)',
    to: '|| !plain.stores',
    tests,
  },
  {
    name: 'races: volatile accesses are plain',
    file: read,
    from: "else if (access === 'plain') access = 'volatile';",
    to: '',
    tests,
  },
  {
    name: 'races: read-modify-writes are no accesses of C',
    file: write,
    from: "step.access : 'atomic';",
    to: "step.access : 'plain';",
    tests,
  },
  {
    name: 'freed memory: blocks that are allocated again stay freed',
    file: freed,
    from: 'value: constant(isFree ? 1 : 0),',
    to: 'value: constant(1),',
    tests: freedTests,
  },
  {
    name: 'freed memory: a second free is no use',
    file: freed,
    from: '...(isFree ? this.#test(constant(address)) : []),',
    to: '',
    tests: freedTests,
  },
  {
    name: 'freed memory: failing assertions of the program are uses',
    file: freed,
    from: "} else if (instruction.kind === 'assert')",
    to: "} else if (instruction.kind === 'assert' && from < 0)",
    tests: freedTests,
  },
  {
    name: 'freed memory: only the first cell of a block is freed',
    file: freed,
    from: 'cell >= address && cell < address + size',
    to: 'cell === address',
    tests: freedTests,
  },
  {
    name: 'freed memory: a free drains the store buffer',
    file: freed,
    from: '!memoryModels[this.model].hasBuffers && this.#locks',
    to: 'this.#locks',
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: accesses without steps are no uses',
    file: freed,
    from: 'isAccess(instruction) ? instruction.address : accessedByMark(transition)',
    to: 'isAccess(instruction) ? instruction.address : undefined',
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: loads without steps are no uses',
    file: 'packages/model/src/program/block-access.ts',
    from: "return step === 'loaded' || step === 'stored';",
    to: "return step === 'stored';",
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: only the first cell of a block that a thread alone accesses is freed',
    file: freed,
    from: "return set ?? (marked?.kind === 'constant' ? [marked.value] : []);",
    to: "return set ?? (marked?.kind === 'constant' ? program.freedBlocks.flatMap(({ address }) => (address === marked.value ? [address] : [])) : []);",
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: a free at the end of a thread is left out',
    file: assemble,
    from: '(hasJoins && isFreeAlone(step) && !follows[to])',
    to: '(isFreeAlone(step) && !follows[to])',
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: a free before the last join is left out',
    file: assemble,
    from: "step.kind === 'assign' && step.block === 'freed' && !step.isBeside;",
    to: "step.kind === 'assign' && step.block === 'freed';",
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: main is left out if it only frees or uses blocks',
    file: assemble,
    from: 'return isVisible(step) || isUseBeside(step);',
    to: 'return isVisible(step);',
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: no thread waits for another before a use',
    file: passes,
    from: 'const isUse = isFree || isUseBeside(step);',
    to: 'const isUse = isFree;',
    tests: flagTests,
    runs: 40,
    gap: 'a use that waits for no thread comes too early, which matters only where that thread allocates the block again',
  },
  {
    name: 'freed memory: a branch that only frees is idle',
    file: write,
    from: '&& !step.isAsked && !step.block;',
    to: "&& !step.isAsked && step.block !== 'again';",
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: main may fill a block after the thread is created that frees it',
    file: lowerBlocks,
    from: '.some((other) => thread !== 0 || state.created',
    to: '.some((other) => thread !== -1 || state.created',
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: a thread begins before a use by main that precedes its creation',
    file: 'packages/languages/src/llvm-ir/world.ts',
    from: '|| isUseBeside(step)) this.isQuiet',
    to: ') this.isQuiet',
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: a free counts as behind the end of any thread that some free is behind',
    file: blocks,
    from: 'const always = before?.filter((each) => ended.includes(each)) ?? ended;',
    to: 'const always = before ? [...before, ...ended] : ended;',
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: two threads that only free a block do not meet',
    file: blocks,
    from: '...(this.#freeing.get(each)?.keys() ?? []),',
    to: '',
    tests: flagTests,
    runs: 40,
  },
  {
    name: 'freed memory: fences that were not found prevent uses',
    file: 'packages/core/src/api/race-findings.ts',
    from: "(verdict?.kind === 'found' && happensBefore !== undefined)",
    to: 'happensBefore !== undefined',
    tests: ['packages/core/test/node/clang/freed-uses.test.ts'],
  },
];
