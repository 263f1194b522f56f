// Edits that break the verifier's machine, guard or count for heavy fences; see
// tools/mutation-check.mjs. Each edit would make the verifier accept programs that are not robust.

const machine = 'packages/verifier/src/machine.ts';
const count = 'packages/verifier/src/several-delays.ts';
const survival = 'packages/verifier/src/survives.ts';
const tests = ['heavy-fences.test.ts', 'robustness.test.ts'];
const repair = 'packages/verifier/src/repair.ts';
const repairTests = ['heavy-repairs.test.ts'];

const mutations = [
  {
    name: 'heavy repairs: a heavy fence waits for its own thread only',
    file: survival,
    from: 'const ends = own.map((_, other) => emptyFrom(other, moment));',
    to: 'const ends = [moment];',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: several heavy fences at a place are one',
    file: survival,
    from: 'left > 0; left--) {',
    to: 'left > 0; left = 0) {',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: heavy fences begin with full buffers',
    file: survival,
    from: 'moment = emptyFrom(thread, moment);',
    to: '',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: heavy fences are passed before the thread arrives',
    file: survival,
    from: 'arrival = isLocal ? moment : departure + 1;',
    to: 'arrival = 0;',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: heavy fences that stay are passed at once',
    file: survival,
    from: 'const passed = kept + (heavy',
    to: 'const passed = 0 * kept + (heavy',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: heavy fences that stay are forgotten without inserted ones',
    file: survival,
    from: '|| heavyKept.size > 0',
    to: '',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: a heavy fence that stays is over with its skip',
    file: survival,
    from: 'arrival = isLocal ? moment : departure + 1;',
    to: 'arrival = departure + 1;',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: a heavy fence that stays ends before its skip',
    file: survival,
    from: 'return isLocal || moment <= departure;',
    to: 'return moment <= departure;',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: a heavy fence that stays costs as much as a fence',
    file: repair,
    from: "(instruction.kind === 'heavy-fence' ? heavyRate : 1) *",
    to: '',
    tests: repairTests,
  },
  {
    name: 'heavy repairs: only plain fences can be taken out',
    file: repair,
    from: 'return isFence(instruction) ? {',
    to: "return instruction.kind === 'fence' ? {",
    tests: repairTests,
  },
  {
    name: 'heavy repairs: heavy fences of the program are no items',
    file: repair,
    from: '(one) => isFence(one) ||',
    to: "(one) => one.kind === 'fence' ||",
    tests: repairTests,
  },
  {
    name: 'heavy repairs: any heavy fence may be left out',
    file: 'packages/verifier/src/optimum.ts',
    from: 'rules.sizeCost(part) >= chosenCost',
    to: 'rules.sizeCost(part) >= 0',
    tests: repairTests,
  },
  {
    name: 'heavy certificates: a heavy fence waits for its own thread only',
    file: machine,
    from: 'const others = [...state.buffers.keys()].filter((other) => other !== thread);',
    to: 'const others = [...state.buffers.keys()].filter((other) => other < 0);',
  },
  {
    name: 'heavy certificates: all buffers have to be empty at once',
    file: machine,
    from: 'const still = others.filter((other) => state.buffers[other]!.length > 0);',
    to: 'const still = others.some((other) => state.buffers[other]!.length > 0) ? others : [];',
  },
  {
    name: 'heavy certificates: a thread in a heavy fence goes on',
    file: machine,
    from: 'if (state.asked?.has(thread)) return { steps, faults };',
    to: '',
  },
  {
    name: 'heavy certificates: states in a heavy fence are those behind it',
    file: machine,
    from: 'cells, waiting, holder, inFence]',
    to: 'cells, waiting, holder, typeof inFence]',
  },
  {
    name: 'heavy certificates: helpers end heavy fences while stores are delayed',
    file: 'packages/verifier/src/attack/steps.ts',
    from: "passesHeavy: phase === 'before' }",
    to: 'passesHeavy: true }',
  },
  {
    name: 'heavy certificates: helpers never pass heavy fences',
    file: 'packages/verifier/src/attack/steps.ts',
    from: "passesHeavy: phase === 'before' }",
    to: 'passesHeavy: false }',
  },
  {
    name: 'heavy certificates: invariants stop at heavy fences',
    file: 'packages/verifier/src/attack/thread.ts',
    from: 'delayed: undefined, passesHeavy: true }',
    to: 'delayed: undefined, passesHeavy: false }',
  },
  {
    name: 'heavy certificates: nobody counts delays after the invariants',
    file: 'packages/verifier/src/kinds/robust.ts',
    from: 'const reason = whySeveralMayDelay(automata, budget);',
    to: 'const reason = automata.threads.length < 0 ? whySeveralMayDelay(automata, budget) : undefined;',
  },
  {
    name: 'heavy certificates: nobody counts delays after the search',
    file: 'packages/verifier/src/robustness.ts',
    from: "found === 'done' ? whySeveralMayDelay(automata, budget)",
    to: "found === 'done' ? (faults ? whySeveralMayDelay(automata, budget) : undefined)",
  },
  {
    name: 'heavy certificates: a cycle needs as many delays as heavy fences',
    file: count,
    from: 'if (surplus > 0 && conflict',
    to: 'if (surplus > 1 && conflict',
  },
  {
    name: 'heavy certificates: a delay counts for nothing',
    file: count,
    from: 'surplus: delays ? 1 : 0 });',
    to: 'surplus: 0 });',
  },
  {
    name: 'heavy certificates: one heavy fence counts for all on the way',
    file: count,
    from: 'const distance = before + (isHeavy ? 1 : 0);',
    to: 'const distance = before + (isHeavy ? 3 : 0);',
  },
  {
    name: 'heavy certificates: threads that are left delay nothing',
    file: count,
    from: 'if (surplus + left.length <= 0) return false;',
    to: 'if (surplus <= 0 && left.length < 2) return false;',
  },
  {
    name: 'heavy certificates: the count goes on for ever',
    file: count,
    from: 'this.gaveUp ??= this.#budget.spend();',
    to: '',
  },
  {
    name: 'heavy certificates: the claim is not named',
    file: count,
    from: 'return hasHeavyFences(automata)\n    ?',
    to: 'return automata.threads.length === 0\n    ?',
  },
  {
    name: 'heavy certificates: other kinds take programs with heavy fences',
    file: 'packages/verifier/src/verify.ts',
    from: 'hasHeavyFences(automata)\n    ?',
    to: 'automata.threads.length === 0\n    ?',
  },
  {
    name: 'heavy certificates: lock blocks may have heavy fences',
    file: 'packages/verifier/src/scope.ts',
    from: "instruction.kind === 'heavy-fence' && blocks.has(from)",
    to: "instruction.kind === 'heavy-fence' && blocks.has(from) && from < 0",
  },
];

export const heavyCertificateMutations = mutations.map((mutation) => ({
  tests,
  ...mutation,
  runs: 150,
  project: 'verifier',
}));
