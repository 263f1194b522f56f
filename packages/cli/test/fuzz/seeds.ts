import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runHere } from './run-here.js';

/** A text that some verbs read, to be mutated. */
export interface Seed {
  /** The file extension of a mutant. */
  readonly extension: string;
  readonly text: string;
  /** The command lines that read the mutant: `FILE` represents the mutant, `OUT` an output file. */
  readonly commands: readonly (readonly string[])[];
}

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const limited = (...args: string[]): readonly string[] => [
  ...args,
  '--max-states',
  '1000',
  '--timeout',
  '2',
];

const programFormats = ['native', 'trencher', 'litmus', 'memorax', 'promela', 'dot', 'smt2'];

const onPrograms: Seed['commands'] = [
  limited('check', 'FILE'),
  limited('check', '--all-attacks', '--json', 'FILE'),
  limited('check', '--hb', 'value', '--report', 'sarif=OUT', '--report', 'junit=OUT', 'FILE'),
  limited('check', '--engine', 'instrument', 'FILE'),
  limited('check', '--engine', 'single-query', 'FILE'),
  limited('check', '--threads', 't=1..2', 'FILE'),
  limited('check', '--certificate', 'OUT', 'FILE'),
  limited('fence', 'FILE', '-o', 'OUT'),
  limited('fence', '--repair', 'any', '--json', 'FILE'),
  limited('fence', '--minimise', '--locked-stores', 'FILE'),
  limited('fence', '--hb', 'value', 'FILE'),
  limited('fence', '--cost', 'profile', '--runs', '5', 'FILE'),
  limited('explain', '--report', 'html=OUT', '--report', 'svg=OUT', '--report', 'dot=OUT', 'FILE'),
  limited('explain', '--json', 'FILE'),
  limited('reach', 'FILE'),
  limited('reach', '--buffer', '1', '--json', 'FILE'),
  limited('trf', 'FILE'),
  limited('trf', '--fence', '--json', 'FILE'),
  limited('bench', 'FILE'),
  limited('prove', 'FILE'),
  limited('check', '--against', 'tso', '--json', 'FILE'),
  limited('check', '--posting', 'fenced', '--depth', '3', 'FILE'),
  limited('check', '--engine', 'two-threads', 'FILE'),
  limited('events', '--report', 'html=OUT', 'FILE'),
  limited('reach', '--semantics', 'single,multi-tso', 'FILE'),
  ['convert', '--to', 'two-threads', 'FILE'],
  ['convert', '--to', 'seq', 'FILE'],
  ...programFormats.map((to) => ['convert', '--to', to, 'FILE']),
  ...programFormats.map((to) => ['convert', '--to', to, '--attack', 'any', 'FILE']),
];

/** Texts of event programs, and of programs whose threads call procedures. */
const invocations: readonly string[] = [
  `program News
var list, shown, history
event search(key) { async[any] fetch(key); call save(key); }
procedure fetch(key) { async[main] show(key); }
procedure show(result) { if (result == 0) { return; } atomic { list = result; shown = 1; } }
procedure save(key) { local n = key; while (n > 0) { @cost(2) history = n; n = n - 1; } }
events search(1) * 2, search(2) *
property listed: finally (shown == 1)
`,
  `program Crossing
var x, y, a
procedure put(v) { x = v; call get(v); }
procedure get(v) { local r; r = y; if (r == v) { return; } a = r; }
thread t { call put(1); call get(0); }
thread u { local s; y = 1; fence; s = x; }
property p: never (a == 2)
`,
];

/**
 * Commands that convert to nets. Some programs become nets of thousands of rules, and no limit can
 * be set.
 */
const toNets: Seed['commands'] = ['mist', 'tts', 'pnml'].map((to) => [
  'convert',
  '--to',
  to,
  '--attack',
  'any',
  'FILE',
]);

const onNets: Seed['commands'] = [
  limited('cover', 'FILE'),
  limited('cover', '--json', '--engine', 'forward', 'FILE'),
  limited('cover', '--engine', 'backward', '--certificate', 'OUT', 'FILE'),
];

/** The texts of a folder of this repository that end in one of the extensions. */
async function textsIn(folder: string, extensions: readonly string[]): Promise<string[]> {
  const files = (await readdir(path.join(root, folder), { recursive: true })).sort();
  const chosen = files.filter((file) => extensions.includes(path.extname(file)));
  return Promise.all(chosen.map((file) => readFile(path.join(root, folder, file), 'utf8')));
}

/** Converts the given texts to a format, for formats in which the repository has no programs. */
async function converted(texts: readonly string[], to: string, scratch: string): Promise<string[]> {
  const file = path.join(scratch, 'given.fw');
  const results: string[] = [];
  for (const text of texts) {
    await writeFile(file, text);
    const { code, stdout } = await runHere(['convert', '--to', to, file]);
    if (code === 0) results.push(stdout);
  }
  return results;
}

async function outputOf(args: readonly string[], output: string): Promise<string> {
  const { code, stderr } = await runHere(args);
  if (code !== 0) throw new Error(`${args.join(' ')} gives ${code}: ${stderr}`);
  return readFile(output, 'utf8');
}

/**
 * Returns certificates of each kind, files of costs, and nets, as seeds; writes the programs that
 * the seeds refer to into `scratch`.
 */
async function derivedSeeds(scratch: string): Promise<Seed[]> {
  const own = (name: string): string => path.join(scratch, name);
  const example = (name: string): string => path.join(root, 'examples', name);
  const output = own('output');
  const spinlock = example('any-number/tas-spinlock.fw');
  const dekker = example('dekker.fw');
  const seeds: Seed[] = [];
  for (const [verb, file] of [
    ['fence', dekker],
    ['check', spinlock],
  ] as const)
    seeds.push({
      extension: '.json',
      text: await outputOf([verb, file, '--certificate', output], output),
      commands: [['verify-certificate', 'FILE', file]],
    });
  seeds.push({
    extension: '.json',
    text: '{"default": 2, "t1:l3": 5, "xchg:t1:l1": 1.5, "l4": 3}\n',
    commands: [limited('fence', '--cost', 'FILE', '--repair', 'any', dekker)],
  });
  for (const to of ['mist', 'tts']) {
    const extension = to === 'mist' ? '.spec' : '.tts';
    const net = own(`net${extension}`);
    const args = ['convert', '--to', to, '--attack', 'any', spinlock, '-o', net];
    seeds.push({ extension, text: await outputOf(args, net), commands: onNets });
    seeds.push({
      extension: '.json',
      text: await outputOf(['cover', net, '--certificate', output], output),
      commands: [['verify-certificate', 'FILE', net]],
    });
  }
  return seeds;
}

/**
 * Returns texts of every format. `scratch` is a folder for files that some texts refer to; the
 * folder must not be removed while the texts are used.
 */
export async function collectSeeds(scratch: string): Promise<readonly (readonly Seed[])[]> {
  const natives = [
    ...(await textsIn('examples', ['.fw'])),
    ...(await textsIn('corpus/parameterised', ['.fw'])),
    ...(await textsIn('corpus/figures', ['.fw'])),
    ...(await textsIn('corpus/reduction', ['.fw'])),
    ...invocations,
  ];
  const small = (await textsIn('corpus/litmus', ['.fw'])).slice(0, 20);
  const programs = (extension: string, texts: readonly string[], commands = onPrograms): Seed[] =>
    texts.map((text) => ({ extension, text, commands }));
  return [
    programs('.fw', natives),
    programs('.fw', small, toNets),
    programs('.litmus', await textsIn('corpus', ['.litmus'])),
    programs('.txt', await converted(small, 'trencher', scratch)),
    programs('.rmm', await converted(small, 'memorax', scratch)),
    await derivedSeeds(scratch),
  ];
}
