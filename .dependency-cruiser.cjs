// What each wing may import, ground first; and within each wing, what its rooms may import. An arrow
// that nobody uses is in neither table. A room may always import itself. Wings that stand side by
// side (languages, engines, proofs, reports, nets) do not know each other; front ends are split
// further: none knows another.
const wings = {
  ground: [],
  model: ['ground'],
  languages: ['ground', 'model'],
  engines: ['ground', 'model'],
  proofs: ['ground', 'model'],
  reports: ['ground', 'model'],
  nets: ['ground', 'model/program/seal-certificate.ts'],
  repairs: ['ground', 'model', 'engines'],
  // Judges of tests ask searches and repairs for their numbers, never for their answers.
  reference: ['ground', 'model', 'engines', 'repairs'],
  core: [
    'ground',
    'model',
    'languages',
    'engines',
    'proofs',
    'reports',
    'nets',
    'repairs',
    'reference',
  ],
};

const rooms = {
  ground: {
    base: [],
    source: ['base'],
    solvers: ['base'],
    smt: ['base', 'source', 'solvers'],
    product: ['base'],
    petri: ['base'],
  },
  model: {
    program: [],
    instrumented: ['program'],
    trace: ['program'],
    verdict: ['program', 'trace', 'c11'],
    analysis: ['program', 'instrumented'],
    semantics: ['program', 'trace', 'analysis'],
    // Questions of reachability, and what every engine that answers them needs.
    reach: ['program', 'instrumented', 'analysis', 'semantics'],
    // The machines of event programs.
    events: ['program', 'trace', 'verdict', 'analysis', 'semantics'],
    // Execution graphs of C11, and the definitions that judge them.
    c11: ['program'],
  },
  languages: {
    // Names and conditions of x86, for texts that have its instructions.
    x86: [],
    c: [],
    litmus: ['x86'],
    'llvm-ir': ['x86'],
    memorax: [],
    native: [],
    trencher: [],
    printers: [],
    // The registry of languages, and the one way from a text to a model.
    read: ['c', 'litmus', 'llvm-ir', 'memorax', 'native', 'trencher'].map(
      (language) => `${language}/front-end.ts`,
    ),
  },
  engines: {
    robustness: [],
    automata: [],
    closures: ['robustness/attacks.ts', 'automata'],
    exploration: ['automata'],
    'load-buffers': ['automata', 'exploration'],
    directed: ['robustness', 'automata'],
    search: ['robustness', 'automata', 'closures', 'directed'],
    progress: ['exploration'],
    'data-races': ['exploration'],
    'triangular-races': ['exploration'],
    c11: [],
    parameterized: ['robustness', 'automata', 'closures', 'search'],
    // The searches on a single thread. Steps of their own: the machines replay what they find.
    'events/orders': [],
    'events/sequential': [],
    'events/serial': [],
    'events/threads': ['robustness', 'search'],
    // The paper's construction, and what its runs are in the program.
    'events/two-threads': ['events/sequential'],
  },
  proofs: {
    steps: [],
    obligations: ['steps'],
    invariants: ['steps', 'obligations'],
    horn: ['steps', 'obligations'],
    abstractions: ['steps', 'obligations'],
    strategy: ['steps', 'obligations', 'invariants', 'horn', 'abstractions'],
    // Horn clauses of instrumented programs.
    chc: [],
  },
  reports: {
    words: [],
    json: ['words'],
    graph: ['words'],
    text: ['words', 'json'],
    sarif: ['words', 'text'],
    html: ['words', 'graph', 'text'],
  },
  nets: {
    formats: [],
    nets: [],
  },
  repairs: {
    fences: [],
    'any-number': ['fences'],
    events: ['fences'],
    // Memory orders of C11.
    orders: ['fences'],
  },
  reference: {
    explicit: [],
    instrument: [],
    promela: [],
    // What tests judge by.
    definitions: [],
    // Generators of random programs.
    testing: [],
  },
  core: {
    api: [],
    node: [],
  },
};

const names = Object.keys(wings).join('|');
const source = (wing) => `packages/${wing}/src`;
const inside = (wing, target) => `^${source(wing)}/${target}${target.endsWith('.ts') ? '$' : '/'}`;
/** A wing, or a single file of one. */
const entry = (target) => {
  const [wing, ...file] = target.split('/');
  return file.length > 0 ? inside(wing, file.join('/')) : `^${source(wing)}/`;
};
const core = source('core');
const barrels = `^${core}/(index|c|c11|cover|edit|event-verdict|events|horn|litmus|memorax|native|node|page|prove|testing|text|trencher|words)\\.ts$`;

const wingRules = Object.entries(wings).map(([wing, allowed]) => ({
  name: `wing-${wing}`,
  comment: `${wing} may import only: ${allowed.join(', ') || 'nothing'}.`,
  severity: 'error',
  from: { path: `^${source(wing)}/` },
  to: { path: `^packages/(${names})/`, pathNot: [wing, ...allowed].map(entry) },
}));

const roomRules = Object.entries(rooms).flatMap(([wing, table]) =>
  Object.entries(table).map(([room, allowed]) => ({
    name: `room-${wing}-${room}`,
    comment: `Of ${wing}, ${room} may import only: ${allowed.join(', ') || 'itself'}.`,
    severity: 'error',
    from: { path: inside(wing, room) },
    to: {
      path: `^${source(wing)}/`,
      pathNot: [room, ...allowed].map((each) => inside(wing, each)),
    },
  })),
);

const roomOfWing = Object.entries(rooms).map(
  ([wing, table]) => `^${source(wing)}/(${Object.keys(table).join('|')})/`,
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...wingRules,
    ...roomRules,
    {
      name: 'every-folder-is-a-room',
      comment: 'A new folder of a wing gets its line in the table above first.',
      severity: 'error',
      from: { path: `^packages/(${names})/src/`, pathNot: [...roomOfWing, barrels] },
      to: {},
    },
    {
      name: 'the-facade-answers-in-data',
      comment: 'Users of the package print answers: api draws graphs and prints models only.',
      severity: 'error',
      from: { path: inside('core', 'api') },
      to: { path: `^${source('reports')}/(words|json|sarif|html)/` },
    },
    {
      name: 'no-barrel-inside',
      comment:
        'Barrels are for users of the package; inside, import the file that holds the thing.',
      severity: 'error',
      from: { path: `^packages/(${names})/src/` },
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
      name: 'terms-serve-proofs-only',
      comment:
        'Of the verifier, only the check of proofs uses terms of SMT-LIB; the command names solvers.',
      severity: 'error',
      from: { path: '^packages/verifier/src/(?!proof/|kinds/proof\\.ts$|index\\.ts$|main\\.ts$)' },
      to: { path: '^packages/verifier/src/proof/' },
    },
    {
      name: 'only-the-command-asks-the-verifier',
      comment: 'What makes certificates does not know who judges them.',
      severity: 'error',
      from: { path: `^packages/(${names})/src/` },
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
      comment: 'Only the room node may use Node.js.',
      severity: 'error',
      from: { path: `^packages/(${names})/src/`, pathNot: inside('core', 'node') },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'apps-use-the-exports-of-core',
      comment:
        'Apps import only what the package exports; one list of judges is taken from its tests.',
      severity: 'error',
      from: {
        path: `^packages/(?!(${names})/)`,
        pathNot: '^packages/verifier/test/by-definition\\.ts$',
      },
      to: { path: `^packages/(${names})/`, pathNot: barrels },
    },
    {
      name: 'the-language-server-knows-no-transport',
      comment:
        'It runs in a worker of a browser as well: streams and threads are those of who starts it.',
      severity: 'error',
      from: { path: '^packages/lsp/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'apps-use-the-exports-of-the-language-server',
      comment: 'Apps import only what the package exports.',
      severity: 'error',
      from: { path: '^packages/(?!lsp/)' },
      to: { path: '^packages/lsp/', pathNot: '^packages/lsp/src/(index|edits|reading)\\.ts$' },
    },
    {
      name: 'the-playground-runs-in-a-browser',
      comment: 'The site is core in a page: it knows neither Node.js nor the command line.',
      severity: 'error',
      from: { path: '^packages/web/src/' },
      to: { path: '^packages/(cli|verifier|vscode)/' },
    },
    {
      name: 'no-node-in-the-playground',
      comment: 'The site runs in a browser.',
      severity: 'error',
      from: { path: '^packages/web/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-lsp-speaks-to-editors',
      comment: 'Nothing else of the command line is to load the protocol.',
      severity: 'error',
      from: {
        path: `^packages/(${names}|verifier|cli)/src/`,
        pathNot: '^packages/cli/src/verbs/lsp\\.ts$',
      },
      to: { path: 'node_modules/vscode-' },
    },
    {
      name: 'fleet-knows-no-programs',
      comment: 'Jobs are data to it; the command loads it late.',
      severity: 'error',
      from: { path: '^packages/fleet/src/' },
      to: { path: '^packages/(?!fleet/)' },
    },
    {
      name: 'zod-only-for-the-schema',
      comment: 'zod costs start-up time: only schemas of what is not loaded at once may.',
      severity: 'error',
      from: {
        path: `^packages/[^/]+/src/`,
        pathNot: `^(${source('reports')}/json/json-schema[^/]*|packages/fleet/src/job-schema)\\.ts$`,
      },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'z3-only-behind-its-solver',
      comment: 'z3-solver is 35 MB; everything else reaches it through SmtSolver.',
      severity: 'error',
      from: { path: `^packages/[^/]+/src/`, pathNot: `^${source('ground')}/solvers/z3-wasm\\.ts$` },
      to: { path: 'node_modules/z3-solver/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'Every import exists.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^vscode$' },
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
