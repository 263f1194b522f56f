// Edits that break the verifier's check of certificates of robustness against C11; see
// tools/mutation-check.mjs. Each edit would make the verifier accept states of a program that is
// not robust, or refuse those of a robust one.

const monitor = 'packages/verifier/src/c11/monitor.ts';
const order = 'packages/verifier/src/c11/program-order.ts';
const kind = 'packages/verifier/src/kinds/c11-robust.ts';
const tests = ['c11/forged.test.ts'];
const alike = ['c11/alike.test.ts'];

const mutations = [
  {
    name: 'c11 certificates: threads with other instructions are exchanged',
    file: 'packages/verifier/src/same-threads.ts',
    from: '({ from, to, instruction }) => [from, to, instruction]',
    to: '({ from, to }) => [from, to]',
    tests: alike,
  },
  {
    name: 'c11 certificates: one of several equal threads counts as the only user of a cell',
    file: kind,
    from: 'this.#checkUnwatched(accesses);',
    to: "this.#checkUnwatched(this.#steps.map((steps, t) => this.#cover.places[t]!.flatMap((place) => steps.stepsFrom(place)).filter((step) => step.kind !== 'fence')));",
    tests: alike,
  },
  {
    name: 'c11 certificates: exchanged threads keep what they know',
    file: 'packages/verifier/src/c11/cover.ts',
    from: 'isWithin(monitor.threads[thread]!, other.monitor.threads[one]!)',
    to: 'isWithin(monitor.threads[one]!, other.monitor.threads[one]!)',
    tests: alike,
  },
  {
    name: 'c11 certificates: no threads are exchanged',
    file: 'packages/verifier/src/c11/cover.ts',
    from: 'return this.#alike[thread]!.some((one) => {',
    to: 'return [thread].some((one) => {',
    tests: alike,
  },
  {
    name: 'c11 certificates: a store by the result of an exchange keeps later stores',
    file: 'packages/verifier/src/c11/exchange-choice.ts',
    from: "instruction.kind !== 'store') break;",
    to: 'true) break;',
    tests,
  },
  {
    name: 'c11 certificates: a choice by the result of an exchange keeps later stores',
    file: 'packages/verifier/src/c11/program-order.ts',
    from: 'if (choice) {',
    to: 'if (choice && seen.size === 0) {',
    tests,
  },
  {
    name: 'c11 certificates: no store is forwarded to a seq_cst load',
    file: monitor,
    from: 'if (writes || !isForwarded) meet(',
    to: 'meet(',
    tests,
  },
  {
    name: 'c11 certificates: steps may lead out of the states',
    file: kind,
    from: 'return next.map((place) => ({\n      state:',
    to: 'return next.slice(next.length).map((place) => ({\n      state:',
  },
  {
    name: 'c11 certificates: the initial state may be missing',
    file: kind,
    from: 'starts.map((places) => ({',
    to: 'starts.slice(starts.length).map((places) => ({',
    gap: 'the states that follow are missing as well in all forgeries',
  },
  {
    name: 'c11 certificates: cells need not be watched',
    file: kind,
    from: 'this.#checkUnwatched(accesses);',
    to: '',
  },
  {
    name: 'c11 certificates: old stores may be taken by stores',
    file: kind,
    from: "thread, watched, order, 'unread') !== 0",
    to: "thread, watched, order, 'unread') < 0",
  },
  {
    name: 'c11 certificates: an rmw that fails has the order of success',
    file: kind,
    from: "const by = kind === 'read' ? failureOrder : order;",
    to: 'const by = order;',
  },
  {
    name: 'c11 certificates: a weak cas fails only if the values differ',
    file: 'packages/verifier/src/c11/thread-steps.ts',
    from: 'if (!mayFail || access.written === undefined) return [done];',
    to: 'if (access.written !== -1) return [done];',
    tests,
  },
  {
    name: 'c11 certificates: a weak cas that is a section fails only if the values differ',
    file: 'packages/verifier/src/c11/thread-steps.ts',
    from: '...(instruction.mayFail ? this.#section(place, transition, address, held, true) : []),',
    to: '',
    tests,
  },
  {
    name: 'c11 certificates: a load learns nothing from the last store',
    file: monitor,
    from: 'row[0]! |= own[0]! | bit;',
    to: 'row[0]! |= bit;',
  },
  {
    name: 'c11 certificates: readers hand nothing to the next store',
    file: monitor,
    from: 'const known = row[0]! | own[0]! | own[1]! | bit;',
    to: 'const known = row[0]! | own[0]! | bit;',
    gap: 'only states made by the wrong rule show it, and the forgeries do not make them',
  },
  {
    name: 'c11 certificates: fences before do not count',
    file: monitor,
    from: "const set = seen('coherence') & seen('fence');",
    to: "const set = seen('coherence');",
  },
  {
    name: 'c11 certificates: relaxed loads acquire',
    file: monitor,
    from: 'if (acquires(order)) meet(current(part), received[i]!);',
    to: 'meet(current(part), received[i]!);',
  },
  {
    name: 'c11 certificates: an update ends the release sequence',
    file: monitor,
    from: "if (kind === 'update') meet(message, received[i]!);",
    to: '',
  },
  {
    name: 'c11 certificates: a seq_cst store hands on what its own place allows',
    file: monitor,
    from: "const given = !isAtomic ? undefined : releases(order) ? 'current' : 'released';",
    to: "if (isSeqCst) meet(current('access'), allowed);\n      const given = !isAtomic ? undefined : releases(order) ? 'current' : 'released';",
    gap: 'once in some hundred random programs, and only with an acquirer that goes on',
  },
  {
    name: 'c11 certificates: stores that an update has read are free',
    file: monitor,
    from: "if (kind === 'write') row[view + this.#cells + cell]! |= old;",
    to: 'row[view + this.#cells + cell]! |= old;',
  },
  {
    name: 'c11 certificates: a releasing store keeps what follows',
    file: order,
    from: 'const left = isFence',
    to: "const left = isFence || (next.kind === 'store' && releases(ordersOf(next).order))",
  },
  {
    name: 'c11 certificates: an overwritten register still depends on the load',
    file: order,
    from: 'else next.delete(instruction.into);',
    to: '',
  },
  {
    name: 'c11 certificates: every condition keeps what follows',
    file: order,
    from: 'return alwaysReads(instruction.condition, dependent) ? undefined : dependent;',
    to: 'return undefined;',
  },
  {
    name: 'c11 certificates: a store waits for a value that it does not evaluate',
    file: order,
    from: 'return expressionsOf(instruction).some((one) => alwaysReads(one, registers));',
    to: 'return expressionsOf(instruction).some((one) => registersOf(one).some((r) => registers.has(r)));',
  },
  {
    name: 'c11 certificates: conditions of front ends keep what follows',
    file: order,
    from: '(next.cutsOff ?? isBesideFaults(thread, from, to))',
    to: '(next.cutsOff ?? false)',
  },
  {
    name: 'c11 certificates: the condition behind an assertion keeps what follows',
    file: order,
    from: '(next.cutsOff ?? isBesideFaults(thread, from, to))',
    to: 'isBesideFaults(thread, from, to)',
  },
];

/** Every mutation, with the tests that have to notice the mutation. */
export const c11CertificateMutations = mutations.map((one) => ({
  ...one,
  project: 'verifier',
  tests,
}));
