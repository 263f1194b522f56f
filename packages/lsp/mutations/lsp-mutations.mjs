// Edits that break the language server: the diagnostics, the version of the text that each
// diagnostic is for, the positions, and the changes offered; see tools/mutation-check.mjs.

const src = (name) => `packages/lsp/src/${name}.ts`;
const checker = src('checker');
const checkerTests = ['checker.test.ts'];
const lawTests = ['laws.test.ts'];
const placeTests = ['places.test.ts'];

const mutations = [
  {
    name: 'editors: a check of an older text goes on',
    file: checker,
    from: 'if (this.#running?.uri === uri) this.#running.stop.abort();',
    to: '',
    tests: checkerTests,
  },
  {
    name: 'editors: findings of a text are said of another while that is being read',
    file: checker,
    from: 'if (this.#versions.get(uri) !== version) return;\n    const { findings }',
    to: 'const { findings }',
    tests: checkerTests,
  },
  {
    name: 'editors: that a check begins is said of a text of which there is a newer one',
    file: checker,
    from: "if (this.#versions.get(uri) !== version) return;\n    this.reports.status({ uri, version, state, detail: ''",
    to: "this.reports.status({ uri, version, state, detail: ''",
    tests: checkerTests,
  },
  {
    name: 'editors: findings hold for the next text, too',
    file: checker,
    from: 'return known && known.key === this.#documents.get(uri)?.key ? known : undefined;',
    to: 'return known;',
    tests: checkerTests,
  },
  {
    name: 'editors: questions about an older text are answered',
    file: checker,
    from: 'if (before?.key !== key) this.#giveUpQuestions(uri);',
    to: '',
    tests: checkerTests,
  },
  {
    name: 'editors: every edit begins a check',
    file: checker,
    from: 'clearTimeout(this.#timers.get(uri));',
    to: '',
    tests: checkerTests,
  },
  {
    name: 'editors: texts that differ in a number have the same answers',
    file: src('document'),
    from: '      token.text,\n',
    to: "      token.text.replace(/\\d+/, ''),\n",
    tests: checkerTests,
  },
  {
    name: 'editors: what is asked is answered for a text that has been changed meanwhile',
    file: src('texts'),
    from: 'if (this.#entries.get(uri) === entry) return document;',
    to: 'return document;',
    tests: ['texts.test.ts'],
  },
  {
    name: 'editors: ranges begin a column late',
    file: src('places'),
    from: 'start: { line: start.line, character: start.column },',
    to: 'start: { line: start.line, character: start.column + 1 },',
    tests: lawTests,
  },
  {
    name: 'editors: right behind a name is not at it',
    file: src('places'),
    from: '!isBefore(span.end, place)',
    to: 'isBefore(place, span.end)',
    tests: placeTests,
  },
  {
    name: 'editors: a renaming leaves the declaration out',
    file: src('rename'),
    from: 'const places = occurrencesOf(names, symbol);',
    to: "const places = occurrencesOf(names, symbol).filter(({ role }) => role !== 'declaration');",
    tests: lawTests,
  },
  {
    name: 'editors: a renaming leaves the last place out',
    file: src('rename'),
    from: 'edits: places.map(',
    to: 'edits: places.slice(0, Math.max(1, places.length - 1)).map(',
    tests: lawTests,
  },
  {
    name: 'editors: a renaming may change what the program means',
    file: src('rename'),
    from: 'if (!areSame(model, read.model))',
    to: 'if (!read.model)',
    tests: placeTests,
  },
  {
    name: 'editors: words behind a line end of two characters stand a column late',
    file: src('name-index'),
    from: 'lineStart = index + at + end.length;',
    to: 'lineStart = index + at + 1;',
    tests: placeTests,
  },
  {
    name: 'editors: registers of all threads are one',
    file: src('name-index'),
    from: "index.add(word, 'register', `${isRegister ? '$' : ''}${scope}`);",
    to: "index.add(word, 'register', isRegister ? '$' : '');",
    tests: placeTests,
  },
  {
    name: 'editors: lines at the end of both texts may be counted twice',
    file: src('edits'),
    from: 'tail < Math.min(old.length, fresh.length) - from &&',
    to: 'tail < Math.min(old.length, fresh.length) &&',
    tests: placeTests,
  },
  {
    name: 'editors: an edit at the end of a text without a line end goes behind it',
    file: src('edits'),
    from: 'return { line: lines.length - 1, character: last.length };',
    to: 'return { line, character: 0 };',
    tests: placeTests,
  },
];

/** Mutations of the language server. */
export const lspMutations = mutations.map((one) => ({ ...one, project: 'lsp' }));
