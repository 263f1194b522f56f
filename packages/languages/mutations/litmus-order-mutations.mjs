// Edits that break the memory orders of litmus tests in C; see tools/mutation-check.mjs. Each would
// make an answer about C11 wrong.

const calls = 'packages/languages/src/litmus/c11-calls.ts';
const code = 'packages/languages/src/litmus/c-expression-code.ts';
const tests = ['packages/languages/test/litmus/c-orders.test.ts'];
const arrays = ['packages/languages/test/litmus/arrays-c.test.ts'];

const mutations = [
  {
    name: 'litmus C arrays: an index may lead to another variable',
    file: code,
    from: "return isArray ? { kind: 'element', symbol: start.symbol, index } : undefined;",
    to: 'return undefined;',
    tests: arrays,
  },
  {
    name: 'litmus C arrays: the cells of arrays overlap other variables',
    file: 'packages/model/src/program/shared-names.ts',
    from: 'this.#next += declared.cells ?? 1;',
    to: 'this.#next += 1;',
    tests: arrays,
  },
  {
    name: 'litmus C: atomic_add_unless adds if the values are equal',
    file: code,
    from: "isUnless ? (['!=', '=='] as const) : (['==', '!='] as const);",
    to: "(['==', '!='] as const);",
    tests: arrays,
  },
  {
    name: 'litmus C orders: a load is relaxed',
    file: code,
    from: "const load = { kind: 'load', into, address, ...(order && { order }) } as const;",
    to: "const load = { kind: 'load', into, address, ...(order && { order: 'relaxed' }) } as const;",
  },
  {
    name: 'litmus C orders: a store is relaxed',
    file: code,
    from: "const store = { kind: 'store', address, value, ...(order && { order }) } as const;",
    to: "const store = { kind: 'store', address, value, ...(order && { order: 'relaxed' }) } as const;",
  },
  {
    name: 'litmus C orders: an access that is not atomic is relaxed',
    file: code,
    from: 'this.#builder.step(at, load, span, order ? {} : { isPlain: true });',
    to: 'this.#builder.step(at, load, span, {});',
  },
  {
    name: 'litmus C orders: a store that is not atomic is relaxed',
    file: code,
    from: 'return this.#builder.step(at, store, span, order ? {} : { isPlain: true });',
    to: 'return this.#builder.step(at, store, span, {});',
  },
  {
    name: 'litmus C orders: a call without an order is relaxed',
    file: calls,
    from: "if (!argument) return 'seq_cst';",
    to: "if (!argument) return 'relaxed';",
  },
  {
    name: 'litmus C orders: a compare-exchange that fails has the order of its success',
    file: calls,
    from: "failureOrder: orderOf(call, 'failure', ordering[1])",
    to: "failureOrder: order('rmw')",
  },
  {
    name: 'litmus C orders: weaker fences are full fences',
    file: calls,
    from: "const weaker = strength === 'seq_cst' ? {} : { weaker: strength };",
    to: 'const weaker = {};',
  },
  {
    name: 'litmus C orders: a seq_cst store is an exchange for C11 as well',
    file: calls,
    from: '{ ...rmw(update, { order: strength }), isStore: true }',
    to: '{ ...rmw(update, { order: strength }) }',
  },
];

/** Mutations of the memory orders of litmus tests in C. */
export const litmusOrderMutations = mutations.map((one) => ({ tests, ...one }));
