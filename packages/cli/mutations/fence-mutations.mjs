// Edits that break fences in headers and linked files, and compile databases; see tools/mutation-check.mjs.

const elsewhere = 'packages/cli/src/fences-elsewhere.ts';
const tests = ['fence-c.test.ts'];
const database = 'packages/cli/src/compile-database.ts';
const databaseTests = ['compile-database.test.ts'];

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
  {
    name: 'databases: the first of several files that define a function is linked',
    file: database,
    from: 'found.length === 1 ? found[0]!.unit : undefined',
    to: 'found[0]!.unit',
    tests: databaseTests,
  },
  {
    name: 'databases: programs of their own are linked',
    file: database,
    from: 'mainBegins.test(text) ? []',
    to: 'text.length === 0 ? []',
    tests: databaseTests,
  },
  {
    name: 'databases: folders above are searched outside of repositories',
    file: database,
    from: 'folders.length = 1;',
    to: '',
    tests: databaseTests,
  },
];

/** Mutations of what is outside the named file, noticed by the tests of the command line. */
export const fenceMutations = mutations.map((one) => ({ ...one, project: 'cli' }));
