// The rooms of packages/core/src: what each may import, ground floor first. An arrow that nobody uses is not in the table.
// A room may always import itself. Front ends are split further: none knows another.
const core = 'packages/core/src';
const floors = {
  base: [],
  source: ['base'],
  solvers: ['base'],
  product: ['base'],
  petri: ['base'],
  program: ['base', 'source'],
  nets: ['base', 'source', 'petri', 'program/seal-certificate.ts'],
  instrumented: ['program'],
  trace: ['program'],
  frontends: ['base', 'source', 'program'],
  analysis: ['base', 'source', 'program', 'instrumented'],
  verdict: ['source', 'program', 'trace'],
  semantics: ['base', 'program', 'trace', 'analysis'],
  'reports/words': ['base', 'source', 'program', 'trace', 'verdict'],
  'reports/json': ['source', 'program', 'trace', 'verdict', 'reports/words'],
  'reports/graph': [
    'base',
    'source',
    'program',
    'instrumented',
    'trace',
    'verdict',
    'reports/words',
  ],
  'reports/text': [
    'base',
    'source',
    'program',
    'trace',
    'verdict',
    'reports/words',
    'reports/json',
  ],
  'reports/sarif': [
    'base',
    'source',
    'program',
    'trace',
    'verdict',
    'reports/words',
    'reports/text',
  ],
  'reports/html': [
    'base',
    'source',
    'program',
    'trace',
    'verdict',
    'reports/words',
    'reports/graph',
    'reports/text',
  ],
  reach: ['base', 'source', 'solvers', 'program', 'instrumented', 'trace', 'analysis', 'semantics'],
  robustness: ['base', 'program', 'trace', 'verdict', 'analysis', 'semantics', 'reach/engine.ts'],
  instrument: [
    'base',
    'program',
    'instrumented',
    'verdict',
    'analysis',
    'semantics',
    'reach/engine.ts',
    'robustness',
  ],
  search: ['base', 'program', 'trace', 'verdict', 'analysis', 'semantics', 'robustness', 'product'],
  'proofs/steps': ['base', 'program', 'analysis'],
  'proofs/obligations': ['base', 'source', 'solvers', 'program', 'verdict', 'proofs/steps'],
  'proofs/invariants': ['base', 'program', 'analysis', 'proofs/steps', 'proofs/obligations'],
  'proofs/horn': ['solvers', 'program', 'analysis', 'proofs/steps', 'proofs/obligations'],
  'proofs/abstractions': ['program', 'verdict', 'analysis', 'proofs/steps', 'proofs/obligations'],
  'proofs/strategy': [
    'solvers',
    'program',
    'verdict',
    'analysis',
    'proofs/steps',
    'proofs/obligations',
    'proofs/invariants',
    'proofs/horn',
    'proofs/abstractions',
  ],
  fences: [
    'base',
    'solvers',
    'program',
    'trace',
    'verdict',
    'analysis',
    'semantics',
    'reach/explore-machine.ts',
    'robustness',
    'search',
  ],
  parameterized: [
    'base',
    'source',
    'solvers',
    'product',
    'petri',
    'program',
    'trace',
    'verdict',
    'analysis',
    'semantics',
    'robustness',
    'search',
    'fences',
  ],
  'triangular-races': [
    'base',
    'solvers',
    'program',
    'trace',
    'verdict',
    'semantics',
    'reach/explore-machine.ts',
    'fences',
  ],
  // What tests judge by.
  definitions: [
    'base',
    'program',
    'trace',
    'verdict',
    'analysis',
    'semantics',
    'robustness',
    'search',
    'fences',
  ],
  // Generators of random programs, for tests only.
  testing: ['program', 'search'],
};
const notForApi = /^(nets|petri|definitions|testing|proofs\/horn|reports\/(?!text$|graph$).*)$/;
floors.api = Object.keys(floors).filter((room) => !notForApi.test(room));
floors.node = ['base', 'source', 'solvers'];

const inside = (target) => `^${core}/${target}${target.endsWith('.ts') ? '$' : '/'}`;
const allFloors = `^${core}/(${Object.keys(floors).join('|')})/`;
const barrels = `^${core}/(index|cover|edit|horn|litmus|memorax|native|node|page|prove|testing|words)\\.ts$`;

const floorRules = Object.entries(floors)
  .filter(([folder]) => folder !== 'frontends')
  .map(([folder, allowed]) => ({
    name: `floor-${folder}`,
    comment: `${folder} may import only: ${allowed.join(', ') || 'nothing'}.`,
    severity: 'error',
    from: { path: inside(folder) },
    to: { path: `^${core}/`, pathNot: [folder, ...allowed].map(inside) },
  }));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...floorRules,
    {
      name: 'floor-frontends',
      comment: 'A front end may import base, source and program, and never another front end.',
      severity: 'error',
      from: { path: `^${core}/frontends/([^/]+)/` },
      to: {
        path: `^${core}/`,
        pathNot: [`^${core}/frontends/$1/`, ...floors.frontends.map(inside)],
      },
    },
    {
      name: 'every-folder-has-a-floor',
      comment: 'A new folder of core gets its line in the table above first.',
      severity: 'error',
      from: { path: `^${core}/`, pathNot: [allFloors, barrels] },
      to: {},
    },
    {
      name: 'no-barrel-inside',
      comment:
        'Barrels are for users of the package; inside, import the file that holds the thing.',
      severity: 'error',
      from: { path: `^${core}/` },
      to: { path: barrels },
    },
    {
      name: 'the-verifier-stands-alone',
      comment:
        'The verifier shares no code with what it judges: its sources import nothing but Node.js.',
      severity: 'error',
      from: { path: '^packages/verifier/src/' },
      to: { pathNot: '^packages/verifier/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'only-the-command-asks-the-verifier',
      comment: 'What makes certificates does not know who judges them.',
      severity: 'error',
      from: { path: '^packages/core/src/' },
      to: { path: '^packages/verifier/' },
    },
    {
      name: 'apps-use-the-exports-of-the-verifier',
      comment: 'Apps import only what the package exports.',
      severity: 'error',
      from: { path: '^packages/(?!verifier/)' },
      to: { path: '^packages/verifier/', pathNot: '^packages/verifier/src/index\\.ts$' },
    },
    {
      name: 'no-circular',
      comment: 'No circles, type imports included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-runs-in-a-browser',
      comment: 'Only the folder node may use Node.js.',
      severity: 'error',
      from: { path: `^${core}/`, pathNot: inside('node') },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'apps-use-the-exports-of-core',
      comment:
        'Apps import only what the package exports; one list of judges is taken from its tests.',
      severity: 'error',
      from: { path: '^packages/(?!core/)', pathNot: '^packages/verifier/test/by-definition\\.ts$' },
      to: { path: '^packages/core/', pathNot: barrels },
    },
    {
      name: 'zod-only-for-the-schema',
      comment: 'zod costs start-up time: only the schema of the JSON document may load it.',
      severity: 'error',
      from: {
        path: `^packages/[^/]+/src/`,
        pathNot: `^${core}/reports/json/json-schema[^/]*\\.ts$`,
      },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'z3-only-behind-its-solver',
      comment: 'z3-solver is 35 MB; everything else reaches it through SmtSolver.',
      severity: 'error',
      from: { path: `^packages/[^/]+/src/`, pathNot: `^${core}/solvers/z3-wasm\\.ts$` },
      to: { path: 'node_modules/z3-solver/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'Every import exists.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'types', 'node', 'default'],
    },
  },
};
