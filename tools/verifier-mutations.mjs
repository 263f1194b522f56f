// The points at which a judge of certificates may believe too much or too little; see
// mutation-check.mjs.

const inKinds = (name) => `packages/verifier/src/kinds/${name}.ts`;
const source = (name) => `packages/verifier/src/${name}.ts`;

const mutations = [
  {
    name: 'verifier: a computation survives fences where its thread delays stores',
    file: source('survives'),
    from: 'fences.has(from) || transitions.has(transition)',
    to: 'transitions.has(transition)',
    tests: ['fences.test.ts', 'forged-fences.test.ts'],
  },
  {
    name: 'verifier: a computation survives exchanges of stores that stay in the buffer',
    file: source('survives'),
    from: "return next?.action.kind === 'store';",
    to: 'return next !== moments[0];',
    tests: ['property-fences.test.ts', 'forged-fences.test.ts'],
  },
  {
    name: 'verifier: a clause needs no cycle',
    file: inKinds('fences'),
    from: 'if (!hasCycle(moments, happensBefore))',
    to: 'if (hasCycle(moments, happensBefore) && moments.length < 0)',
    tests: ['fences.test.ts', 'forged-fences.test.ts'],
  },
  {
    name: 'verifier: a computation may end with stores in buffers',
    file: inKinds('fences'),
    from: 'buffer.length > 0))',
    to: 'buffer.length > 9))',
    tests: ['fences.test.ts', 'forged-fences.test.ts'],
  },
  {
    name: 'verifier: the chosen repairs need not suffice',
    file: inKinds('fences'),
    from: "return wrongly('the program with the chosen repairs is not robust');",
    to: 'return wrongly();',
    tests: ['fences.test.ts', 'forged-fences.test.ts'],
  },
  {
    name: 'verifier: a cheaper choice is not looked for',
    file: source('hitting-set'),
    from: 'if (bound >= cost) return false;',
    to: 'if (bound >= spent) return false;',
    tests: ['fences.test.ts', 'race-fences.test.ts'],
  },
  {
    name: 'verifier: what costs as much counts as cheaper',
    file: source('hitting-set'),
    from: 'if (spent >= cost) return false;',
    to: 'if (spent > cost) return false;',
    tests: ['fences.test.ts'],
    edits: [
      ['if (spent >= cost) return false;', 'if (spent > cost) return false;'],
      ['if (bound >= cost) return false;', 'if (bound > cost) return false;'],
    ],
  },
  {
    name: 'verifier: costs may be told as one likes',
    file: source('optimum'),
    from: 'if (sizeCostOf(item) !== cost)',
    to: 'if (sizeCostOf(item) < 0)',
    tests: ['fences.test.ts', 'forged-fences.test.ts'],
  },
  {
    name: 'verifier: items may be left out without a word',
    file: source('optimum'),
    from: 'if (!given && leftOut.length > 0)',
    to: 'if (!given && leftOut.length < 0)',
    tests: ['fences.test.ts'],
  },
  {
    name: 'verifier: the automata given are not compared',
    file: source('verify'),
    from: 'meaning(embedded) !== meaning(given)',
    to: 'meaning(embedded) === undefined',
    tests: ['fences.test.ts', 'cover.test.ts'],
  },
  {
    name: 'verifier: loads do not look into the own buffer',
    file: source('machine'),
    from: 'const own = buffer.findLast((store) => store.address === address);',
    to: 'const own = buffer.findLast((store) => store.address === address && store.id < 0);',
    tests: ['robustness.test.ts', 'fences.test.ts'],
  },
  {
    name: 'verifier: the search takes single accesses of a lock block for themselves',
    file: source('robustness'),
    from: 'const all = [...path.block, own];',
    to: 'const all = [own];',
    tests: ['robustness.test.ts'],
  },
  {
    name: 'verifier: the search leaves reads-from out of happens-before',
    file: source('robustness'),
    from: 'read !== undefined && path.stored.has(address)',
    to: 'read === undefined && path.stored.has(address)',
    tests: ['robustness.test.ts'],
  },
  {
    name: 'verifier: by values, stores of the target value close the cycle',
    file: source('robustness'),
    from: 'one.values.some((value) => value !== target.value)',
    to: 'one.values.some((value) => value !== target.value || one.written)',
    tests: ['robustness.test.ts'],
  },
  {
    name: 'verifier: an invariant need not be closed under steps',
    file: inKinds('cover'),
    from: "return 'a step leads out of the invariant';",
    to: 'continue;',
    tests: ['cover.test.ts'],
  },
  {
    name: 'verifier: weights of a basis may be raised',
    file: inKinds('cover'),
    from: 'if (weights.some((weight) => rules.some((rule) => isRaised(weight, rule))))',
    to: 'if (weights.length < 0)',
    tests: ['cover.test.ts'],
  },
  {
    name: 'verifier: fences at ends make no difference to what has ended',
    file: inKinds('property-fences'),
    from: 'bits < 2 ** open.length',
    to: 'bits < 1',
    tests: ['property-fences.test.ts'],
  },
  {
    name: 'verifier: a race may be one of accesses far apart',
    file: inKinds('race-fences'),
    from: "if (!isOne && !isBlock) return 'the access does not directly follow the load';",
    to: '',
    tests: ['race-fences.test.ts'],
  },
];

/** The verifier's own semantics, and what each kind of certificate has to show. */
export const verifierMutations = mutations.map((one) => ({ ...one, project: 'verifier' }));
