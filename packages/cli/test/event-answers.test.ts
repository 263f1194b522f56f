import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { eventFiles } from './event-programs.js';
import { fencewright, folderWith, type Run } from './fencewright.js';
import { storeBuffering } from './programs.js';

const files = { ...eventFiles, 'sb.fw': storeBuffering };

const validate = new Ajv2020({ allErrors: true, strict: true }).compile(
  JSON.parse(
    await readFile(new URL('../schema/result.schema.json', import.meta.url), 'utf8'),
  ) as object,
);

async function ask(...args: readonly string[]): Promise<Run> {
  return fencewright(args, { cwd: await folderWith(files) });
}

interface Criterion {
  readonly verdict: string;
  readonly witness?: {
    readonly attack?: object;
    readonly semantics: string;
    readonly tasks: readonly { readonly name: string; readonly thread: number }[];
    readonly steps: readonly { readonly action: string }[];
    readonly violation: { readonly kind: string; readonly edges: readonly object[] };
  };
}

interface Answer {
  readonly verdict: string;
  readonly criteria: Readonly<Record<'concurrency' | 'tso' | 'tsoSerial', Criterion>>;
}

async function answers<A = Answer>(
  ...args: readonly string[]
): Promise<{ code: number | null; results: A[] }> {
  const { code, stdout } = await ask(...args, '--json');
  const document = JSON.parse(stdout) as { results: A[] };
  validate(document);
  expect(validate.errors).toBeNull();
  return { code, results: document.results };
}

const robust = { verdict: 'robust' };
const broken = { verdict: 'not-robust' };
const notAsked = { verdict: 'not-asked' };
const unknown = { verdict: 'unknown' };

describe('check --against', () => {
  /**
   * The expected verdicts by question and file: the verdict asked for, and those of three criteria.
   */
  const expected = {
    concurrency: {
      overtaking: [robust, notAsked, notAsked],
      handing: [robust, notAsked, notAsked],
      // A violation without store buffers is one with store buffers, too, so the third verdict
      // follows.
      counting: [broken, notAsked, broken],
    },
    tso: {
      overtaking: [notAsked, broken, notAsked],
      handing: [notAsked, robust, notAsked],
      counting: [notAsked, robust, notAsked],
      ordered: [notAsked, broken, notAsked],
      reading: [notAsked, unknown, notAsked],
    },
    both: {
      overtaking: [robust, notAsked, broken],
      handing: [robust, notAsked, robust],
      counting: [broken, notAsked, broken],
      ordered: [robust, notAsked, robust],
      reading: [robust, notAsked, robust],
    },
  } as const;
  const deciding = { concurrency: 0, tso: 1, both: 2 } as const;

  test.each(['concurrency', 'tso', 'both'] as const)('%s', async (against) => {
    const rows = Object.entries(expected[against]);
    const names = rows.map(([name]) => `${name}.fw`);
    const { results } = await answers('check', '--against', against, ...names);
    expect(results).toMatchObject(
      rows.map(([name, [concurrency, tso, tsoSerial]]) => ({
        file: `${name}.fw`,
        against,
        criteria: { concurrency, tso, tsoSerial },
        verdict: [concurrency, tso, tsoSerial][deciding[against]]?.verdict,
      })),
    );
  });

  test.each([
    ['overtaking', 'concurrency', 0],
    ['overtaking', 'tso', 10],
    ['overtaking', 'both', 10],
    ['counting', 'tso', 0],
    ['reading', 'tso', 5],
  ])('%s against %s: exit code %i', async (name, against, exitCode) => {
    expect(await ask('check', '--against', against, `${name}.fw`)).toMatchObject({
      code: exitCode,
    });
  });

  test('is serialisability under TSO where nothing is said', async () => {
    const { results } = await answers('check', 'overtaking.fw');
    expect(results).toMatchObject([{ against: 'both', criteria: { tsoSerial: broken } }]);
  });

  test('shows a run on two threads in which the store reaches memory too late', async () => {
    const { results } = await answers('check', 'overtaking.fw');
    const witness = results[0]?.criteria.tsoSerial.witness;
    expect(witness?.semantics).toBe('multi-tso');
    expect(witness?.tasks.map(({ name, thread }) => [name, thread])).toEqual([
      ['e()', 0],
      ['p()', 1],
    ]);
    const steps = witness?.steps.map((step) => step) ?? [];
    const read = steps.findIndex(
      (step) => step.action === 'load' && 'address' in step && step.address === 'x',
    );
    const stored = steps.findIndex(
      (step) => step.action === 'store' && 'address' in step && step.address === 'x',
    );
    expect(read).toBeGreaterThan(-1);
    expect(stored).toBeGreaterThan(read);
    expect(witness?.violation).toMatchObject({ kind: 'dfs-order', edges: [{}] });
  });

  test('needs no store buffer where two events are crosswise', async () => {
    const { results } = await answers('check', 'counting.fw');
    const witness = results[0]?.criteria.concurrency.witness;
    expect(witness?.semantics).toBe('multi-sc');
    expect(witness?.violation).toMatchObject({ kind: 'event-cycle', edges: [{}, {}] });
  });

  test('has nothing to say against postings that wait for the buffer', async () => {
    const { code, results } = await answers('check', '--posting', 'fenced', 'overtaking.fw');
    expect(code).toBe(0);
    expect(results).toMatchObject([{ posting: 'fenced', criteria: { tsoSerial: robust } }]);
  });

  test('reports a store outside of an array as an error of the program', async () => {
    const run = await ask('check', 'outside.fw');
    expect(run.code).toBe(65);
    expect(run.stderr).toContain('outside.fw:3:');
  });

  test('answers several files, each for itself, and the worst decides', async () => {
    const { code, results } = await answers('check', 'handing.fw', 'overtaking.fw', 'sb.fw');
    expect(code).toBe(10);
    expect(results.map(({ verdict }) => verdict)).toEqual(['robust', 'not-robust', 'not-robust']);
  });
});

describe('limits', () => {
  test.each([
    [['check', '--max-states', '5', 'overtaking.fw'], 'the limit on states was reached'],
    [['check', '--depth', '3', 'spreading.fw'], 'recursion cut at depth 3'],
    [
      ['check', '--against', 'tso', '--depth', '2', 'spreading.fw'],
      'no more than 2 invocations of p inside of each other',
    ],
    [['check', '--against', 'tso', 'reading.fw'], 'no more than 2 instances of e'],
    [['events', '--max-states', '5', 'overtaking.fw'], 'the limit on states was reached'],
  ])('%j is unknown, and says why', async (args, reason) => {
    const run = await ask(...args);
    expect(run.code).toBe(5);
    expect(run.stdout).toContain(reason);
    expect(run.stdout).toContain('is undecided');
  });

  test('numbers of instances, one after the other', async () => {
    const { code, results } = await answers('check', '--instances', 'click=1..2', 'counting.fw');
    expect(code).toBe(10);
    expect(results.map(({ verdict }) => verdict)).toEqual(['robust', 'not-robust']);
  });
});

describe('what check did not look at', () => {
  const text = (count: string): string => `program Counter
var x
event e() { local r; r = x; x = (r + 1) % 5; assert (r < 5); }
events e() ${count}
property small: never (x > 4)
`;
  const counters = { 'some.fw': text('* 2'), 'any.fw': text('*') };

  test('is said: faults, where they are too many, and what is left to reach', async () => {
    const cwd = await folderWith(counters);
    const args = ['check', '--against', 'tso', '--json', 'some.fw', 'any.fw'];
    const { results } = JSON.parse((await fencewright(args, { cwd })).stdout) as {
      results: object[];
    };
    const notLookedAt = { properties: ['small'], assertions: 1 };
    expect(results).toMatchObject([
      { verdict: 'robust', faults: { answer: 'none', shownBy: 'search' }, notLookedAt },
      { verdict: 'robust', faults: { answer: 'not-looked-for' }, notLookedAt },
    ]);
    const lines = async (file: string): Promise<string> =>
      (await fencewright(['check', '--against', 'tso', file], { cwd })).stdout;
    const rest = 'not looked at: property small and 1 assertion; fencewright reach';
    expect(await lines('some.fw')).toContain(`${rest} some.fw does`);
    expect(await lines('some.fw')).not.toContain('faults were');
    expect(await lines('any.fw')).toContain('faults were not looked for');
  });

  test('is on the page, too', async () => {
    const cwd = await folderWith(counters);
    for (const [file, isSaid] of [
      ['some.fw', false],
      ['any.fw', true],
    ] as const) {
      await fencewright(['explain', '--against', 'tso', file, '--html', 'p.html'], { cwd });
      const page = await readFile(path.join(cwd, 'p.html'), 'utf8');
      expect(page.includes('faults were not looked for')).toBe(isSaid);
    }
  });

  test('events looks at properties, and does not say that it did not', async () => {
    const cwd = await folderWith(counters);
    const { stdout } = await fencewright(['events', 'some.fw', '--json'], { cwd });
    const { results } = JSON.parse(stdout) as { results: object[] };
    expect(results[0]).not.toHaveProperty('notLookedAt');
    expect((await fencewright(['events', 'some.fw'], { cwd })).stdout).not.toContain('not looked');
  });

  test('a program with one thread that faults is an error, not robust', async () => {
    const cwd = await folderWith({
      'one.fw': 'program One\nvar x\nevent e() { local r; r = x; r = 1 / r; }\nevents e()\n',
    });
    for (const against of ['tso', 'concurrency', 'both']) {
      const run = await fencewright(['check', '--against', against, 'one.fw'], { cwd });
      expect(run.code).toBe(65);
      expect(run.stderr).toContain('one.fw:3:29: error FW3002');
    }
  });
});

describe('what does not apply is refused', () => {
  test.each([
    ['--all-attacks'],
    ['--certificate', 'out.json'],
    ['--engine', 'chc'],
    ['--hb', 'value'],
    ['--prove'],
    ['--threads', 'e=2'],
    ['--without', 'symmetry'],
  ])('%s %s, of events', async (...options) => {
    const run = await ask('check', ...options, 'overtaking.fw');
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain(options[0]);
  });

  test('a certificate of states, of events', async () => {
    const run = await ask('reach', '--certificate', 'out.json', 'overtaking.fw');
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain('--certificate');
  });

  test.each([
    ['check', '--against', 'tso'],
    ['check', '--posting', 'fenced'],
    ['check', '--depth', '3'],
    ['check', '--instances', 't=1..2'],
    ['check', '--engine', 'two-threads'],
    ['check', '--attack', 't1:1:2'],
    ['explain', '--against', 'both'],
    ['reach', '--semantics', 'single'],
    ['reach', '--posting', 'fenced'],
  ])('%s %s %s, of threads', async (...args) => {
    const run = await ask(...args, 'sb.fw');
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain(args[1]);
  });

  test.each([
    ['check', '--against', 'everything'],
    ['check', '--posting', 'sometimes'],
    ['check', '--depth', '0'],
    ['reach', '--semantics', 'multi'],
    ['check', '--instances', 'e=2', '--threads', 'e=2'],
    ['check', '--engine', 'two-threads', '--against', 'both'],
  ])('%j is no question', async (...args) => {
    const run = await ask(...args, 'overtaking.fw');
    expect(run).toMatchObject({ code: 64, stdout: '' });
  });

  test.each(['prove', 'trf', 'bench'])('%s is about threads', async (verb) => {
    const run = await ask(verb, 'overtaking.fw');
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toContain(`'${verb}' needs a program of threads`);
  });

  test('bench measures the others', async () => {
    const run = await ask('bench', 'overtaking.fw', 'sb.fw');
    expect(run.code).toBe(65);
    expect(run.stdout).toMatch(/^overtaking.fw .* 1 error$/m);
    expect(run.stdout).toMatch(/^SB .* not robust$/m);
  });

  test('events is about events', async () => {
    const run = await ask('events', 'sb.fw');
    expect(run.code).toBe(65);
    expect(run.stderr).toContain("'events' is about programs of events");
  });
});

describe('reach', () => {
  interface Reach {
    readonly verdict: string;
    readonly semantics: Readonly<Record<string, { readonly finalStates: readonly object[] }>>;
  }

  test('has the final states of all three semantics side by side', async () => {
    const { code, results } = await answers<Reach>('reach', 'counting.fw');
    const memories = (side: string): readonly object[] =>
      results[0]?.semantics[side]?.finalStates.map((state) =>
        'memory' in state ? (state.memory as object) : {},
      ) ?? [];
    expect(memories('single')).toEqual([{ n: 2 }]);
    expect(memories('multiSc')).toHaveLength(2);
    expect(memories('multiSc')).toEqual(expect.arrayContaining([{ n: 1 }, { n: 2 }]));
    expect(memories('multiTso')).toHaveLength(2);
    expect(code).toBe(10);
  });

  test('of those that were asked for only', async () => {
    const run = await ask('reach', '--semantics', 'single', 'counting.fw');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^ +n +single thread$/m);
    expect(run.stdout).not.toContain('TSO');
    expect(run.stdout).toMatch(/both \(finally\) +holds/);
  });
});

describe('pictures and pages', () => {
  test('explain writes a page, the lanes, and the call trees', async () => {
    const cwd = await folderWith(files);
    const options = ['--html', 'p.html', '--svg', 'p.svg', '--dot', 'p.dot'];
    const run = await fencewright(['explain', 'overtaking.fw', ...options], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('Why no serial order explains it');
    const read = (name: string): Promise<string> => readFile(path.join(cwd, name), 'utf8');
    const page = await read('p.html');
    expect(page).toContain('<title>x = 1 waits in the buffer</title>');
    expect(page).toContain('Why no order explains it');
    expect(page).not.toMatch(/(src|href)="https?:/);
    const svg = await read('p.svg');
    expect(svg).toMatch(/^<svg xmlns/);
    for (const words of ['>main</text>', '>t1</text>', 'aria-label="p()"'])
      expect(svg).toContain(words);
    const dot = await read('p.dot');
    expect(dot).toMatch(/^digraph "Overtaking" \{/);
    expect(dot).toContain('t0 -> t1;');
  });

  test('without a run there is no picture, and it says so', async () => {
    const cwd = await folderWith(files);
    const args = ['explain', 'handing.fw', '--html', 'p.html', '--svg', 'p.svg'];
    const run = await fencewright(args, { cwd });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('p.svg is not written');
    expect(existsSync(path.join(cwd, 'p.svg'))).toBe(false);
    expect(existsSync(path.join(cwd, 'p.html'))).toBe(true);
  });

  test('a picture takes standard output, the report the other', async () => {
    const run = await ask('explain', 'overtaking.fw', '--svg', '-');
    expect(run.stdout).toMatch(/^<svg /);
    expect(run.stderr).toContain('Why no serial order explains it');
  });

  test('SARIF and JUnit have the violation with its place', async () => {
    const cwd = await folderWith(files);
    const reports = ['--sarif', 's.sarif', '--junit', 'j.xml'];
    const names = ['overtaking.fw', 'handing.fw', 'spreading.fw'];
    const run = await fencewright(['check', ...names, '--depth', '3', ...reports], { cwd });
    expect(run.code).toBe(10);
    const log = JSON.parse(await readFile(path.join(cwd, 's.sarif'), 'utf8')) as {
      runs: { results: { ruleId: string; message: { text: string }; locations: object[] }[] }[];
    };
    const found = log.runs[0]?.results.filter(({ ruleId }) => ruleId === 'not-robust');
    expect(found).toHaveLength(1);
    expect(found?.[0]?.message.text).toContain("p()'s load of x (line 4)");
    expect(found?.[0]?.locations).toMatchObject([
      {
        physicalLocation: { artifactLocation: { uri: 'overtaking.fw' }, region: { startLine: 4 } },
      },
    ]);
    const junit = await readFile(path.join(cwd, 'j.xml'), 'utf8');
    expect(junit).toContain('tests="3" failures="1"');
  });
});

describe('events', () => {
  test.each([
    [
      'handing',
      0,
      [
        'every final state of the real program, on several threads with store buffers, is one of the single thread',
        "on a single thread 'gets' holds; the same is true of the real program",
      ],
    ],
    ['overtaking', 10, ['right on sequentially consistent machines and wrong on x86']],
    ['counting', 10, ["on a single thread 'both' holds; nothing follows", 'final states differ']],
  ])('%s: what follows', async (name, exitCode, sentences) => {
    const run = await ask('events', `${name}.fw`);
    expect(run.code).toBe(exitCode);
    for (const sentence of sentences) expect(run.stdout).toContain(sentence);
  });

  test('the page', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['events', 'counting.fw', '--html', 'p.html'], { cwd });
    expect(run.code).toBe(10);
    const page = await readFile(path.join(cwd, 'p.html'), 'utf8');
    for (const words of ['What follows', 'nothing follows from the single thread', '<svg '])
      expect(page).toContain(words);
  });

  test('JSON', async () => {
    const { results } = await answers<{ findings?: unknown; verdict: string }>(
      'events',
      'handing.fw',
    );
    expect(results).toMatchObject([{ verdict: 'robust', criteria: { tsoSerial: robust } }]);
  });
});

describe('the attack behind a violation of TSO alone', () => {
  const text = `program Hand
var x
event e() { x = 1; async[any] p(); }
procedure p() { local r; r = x; }
events e()
`;

  test('ends with a posting where that overtakes the store', async () => {
    const cwd = await folderWith({ 'hand.fw': text });
    const { stdout } = await fencewright(['check', '--against', 'tso', '--json', 'hand.fw'], {
      cwd,
    });
    const { results } = JSON.parse(stdout) as { results: Answer[] };
    const attack = results[0]?.criteria.tso.witness?.attack;
    expect(attack).toMatchObject({ task: 'e', store: { line: 3 }, posting: { line: 3 } });
    expect(attack).not.toHaveProperty('load');
  });
});

describe('attacks one by one', () => {
  const text = `program Attacks
var x, y
event put() { x = 1; }
event look() {
  local r;
  r = y;
}
event start() { async[any] p(); }
procedure p() { local r; y = 1; fence; r = x; }
events put(), look(), start()
`;
  const check = async (...options: readonly string[]): Promise<Run> => {
    const cwd = await folderWith({ 'attacks.fw': text });
    return fencewright(['check', ...options, 'attacks.fw'], { cwd });
  };
  interface Listed {
    readonly criteria: { readonly tso: { readonly attacks?: readonly object[] } };
  }
  const listed = async (...options: readonly string[]) => {
    const document = JSON.parse((await check('--json', ...options)).stdout) as {
      results: Listed[];
    };
    validate(document);
    expect(validate.errors).toBeNull();
    return document.results[0]?.criteria.tso.attacks;
  };
  const acrossHandlers = {
    task: 'put',
    store: { line: 3 },
    load: { line: 6, in: 'look' },
    verdict: 'feasible',
  };

  test('each pair of places has its verdict', async () => {
    expect(await listed('--against', 'tso', '--all-attacks')).toMatchObject([
      acrossHandlers,
      { task: 'put', posting: { line: 8, in: 'start' }, verdict: 'feasible' },
      { task: 'p', store: { line: 9 }, load: { line: 9 }, verdict: 'by-cfg' },
    ]);
    const { stdout } = await check('--against', 'tso', '--all-attacks');
    expect(stdout).toMatch(/put +x = 1 +3 +look +r = y +6 +feasible/);
    expect(stdout).toContain('1 attack ruled out by the control flow');
    expect(await listed('--against', 'tso')).toBeUndefined();
  });

  test('--attack names one, by lines', async () => {
    const found = await listed('--against', 'tso', '--attack', 'put:3:6');
    expect(found).toHaveLength(1);
    expect(found).toMatchObject([acrossHandlers]);
  });

  test.each([
    ['put:3:6', 'load', 6],
    ['put:3:8', 'post', 8],
  ])('explain --attack %s shows a run that carries it out', async (name, kind, line) => {
    const cwd = await folderWith({ 'attacks.fw': text });
    const args = ['explain', '--against', 'tso', '--attack', name, 'attacks.fw'];
    const { code, stdout } = await fencewright(args, { cwd });
    expect(code).toBe(10);
    const steps = [...stdout.matchAll(/^ +\d+ +\S+ +\S+ +(issue|store|load|post) +(\d+)/gm)];
    const happened = steps.map(([, what, where]) => `${what} ${where}`);
    const places = ['issue 3', `${kind} ${line}`, 'store 3'].map((one) => happened.indexOf(one));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(stdout).toMatch(new RegExp(`put +x = 1 +3 +\\w+ +.* +${line} +feasible`));
    expect(stdout.match(/ feasible$/gm)).toHaveLength(1);
  });

  test.each([
    ['pat:3:6', "did you mean 'put'?"],
    ['put:5:6', 'there is 3'],
    ['put:3:60', "did you mean '6'?"],
    ['put', 'not of the form task:store:end'],
  ])('there is no attack %s', async (name, words) => {
    const run = await check('--against', 'tso', '--attack', name);
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toContain(words);
  });

  test.each([
    ['--all-attacks'],
    ['--all-attacks', '--against', 'concurrency'],
    ['--attack', 'put:3:6', '--against', 'both'],
    ['--attack', 'put:3:6', '--against', 'tso', '--engine', 'two-threads'],
  ])('%s %s %s: attacks are about TSO alone', async (...options) => {
    const run = await check(...options);
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain(`${options[0]} is about robustness against TSO alone`);
  });
});

describe('the two-thread construction', () => {
  test('never answers by itself', async () => {
    const { code, results } = await answers('check', '--engine', 'two-threads', 'handing.fw');
    expect(code).toBe(5);
    expect(results).toMatchObject([{ criteria: { tso: unknown } }]);
  });

  test('confirms what is a run of the program', async () => {
    const { code, results } = await answers('check', '--engine', 'two-threads', 'overtaking.fw');
    expect(code).toBe(10);
    expect(results).toMatchObject([{ criteria: { tso: broken } }]);
  });

  test('is a program, which is read', async () => {
    const printed = await ask('convert', '--to', 'two-threads', 'overtaking.fw');
    expect(printed.code).toBe(0);
    const cwd = await folderWith({ 'two.fw': printed.stdout });
    const run = await fencewright(['check', '--against', 'tso', 'two.fw'], { cwd });
    expect(run.code).toBe(10);
  });
});

const root = new URL('../../../', import.meta.url);

describe('docs/events.md', async () => {
  const manual = await readFile(new URL('docs/events.md', root), 'utf8');
  const shown = [...manual.matchAll(/^\$ fencewright (.*examples.*)\n([^`$]*)/gm)].map(
    ([, command = '', output = '']) => ({ command, output }),
  );

  // All commands share a folder, since some write files that others read.
  const cwd = await mkdtemp(path.join(tmpdir(), 'manual-'));
  await symlink(new URL('examples', root), path.join(cwd, 'examples'));
  afterAll(() => rm(cwd, { recursive: true }));

  test('shows examples', () => expect(shown.length).toBeGreaterThan(2));

  test.each(shown)('$command prints what it shows', async ({ command, output }) => {
    const { stdout } = await fencewright(command.split(' '), { cwd });
    const printed = stdout.split('\n').map((line) => line.trimEnd());
    const lines = output.split('\n').map((line) => line.trimEnd());
    const missing = lines.filter((line) => line.trim() !== '...' && !printed.includes(line));
    expect(missing).toEqual([]);
  });
});
