// Edits that break the net with a place for each cell and value; see tools/mutation-check.mjs.

const file = 'packages/engines/src/parameterized/attack-net-flat.ts';
const tests = [
  'packages/repairs/test/any-number/flat-net.test.ts',
  'packages/repairs/test/any-number/random-parameterized.test.ts',
];
const formats = ['packages/nets/test/formats.test.ts'];

const mutations = [
  {
    name: 'the flat net: helpers do nothing while stores are delayed',
    from: "for (const phase of ['before', 'delaying'] as const) {",
    to: "for (const phase of ['before'] as const) {",
  },
  {
    name: 'the flat net: the last load leaves no mark',
    from: 'mark: levels.afterLoad };',
    to: 'mark: unmarked };',
  },
  {
    name: 'the flat net: the target gets no mark',
    from: '{ value: content.value, mark }),',
    to: '{ value: content.value, mark: unmarked }),',
  },
  {
    name: 'the flat net: marked cells cannot be accessed',
    from: '          isMarked: true,',
    to: '          isMarked: false,',
  },
  {
    name: 'the flat net: a step needs nothing of its cell',
    from: 'this.#rule(from, to, [thread, this.#number(content)], [behind, changed]);',
    to: 'this.#rule(from, to, [thread], [behind, changed]);',
  },
  {
    name: 'the flat net: single threads are in any number',
    from: 'unbounded.length > 0 ? omega : single]];',
    to: 'omega]];',
  },
  {
    name: 'one token at a time: the last step stays inside',
    file: 'packages/nets/src/formats/single-moves.ts',
    from: 'const to = isLast ? rule.to :',
    to: 'const to = isLast ? rule.from :',
    tests: formats,
  },
  {
    name: 'one token at a time: a rule takes the token that it gives',
    file: 'packages/nets/src/formats/single-moves.ts',
    from: 'const moves = feedsItself(direct)',
    to: 'const moves = direct.length === 0',
    tests: formats,
  },
];

export const flatNetMutations = mutations.map((one) => ({ file, tests, ...one }));
