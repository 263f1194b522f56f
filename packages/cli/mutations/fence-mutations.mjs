// Edits that break fences in headers and linked files; see tools/mutation-check.mjs.

const elsewhere = 'packages/cli/src/fences-elsewhere.ts';
const tests = ['fence-c.test.ts'];

const mutations = [
  {
    name: 'headers: every header is the own one',
    file: elsewhere,
    from: 'if (!isOwn(name, file, linked)) return undefined;',
    to: '',
    tests,
  },
  {
    name: 'headers: places in the header seem to be in the program',
    file: elsewhere,
    from: '? { ...span, source }',
    to: '? span',
    tests,
  },
];

/** Mutations of fences outside the named file, noticed by the tests of the command line. */
export const fenceMutations = mutations.map((one) => ({ ...one, project: 'cli' }));
