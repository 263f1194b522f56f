import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../src/configuration/check-configuration.js';
import { parseLocatedJson, plainJson } from '../src/configuration/located-json.js';
import { configurationSchema } from '../src/configuration/schema.js';
import { describeWith } from '../../../tools/external-program.js';
import { fencewright, folderWith, type Run } from './fencewright.js';
import { LanguageClient } from './language-client.js';
import { endless, fenced, storeBuffering } from './programs.js';

const published = new URL('../schema/configuration.schema.json', import.meta.url);

/** A robust program in which no thread ever terminates. */
const vacuous = 'program V\nvar x\nthread t { local r; do { r = x; } while (r == 0); x = 1; }\n';

async function runWith(
  configuration: unknown,
  args: readonly string[],
  files: Readonly<Record<string, string>> = { 'f.fw': fenced, 'e.fw': endless, 'v.fw': vacuous },
): Promise<Run> {
  const text = typeof configuration === 'string' ? configuration : JSON.stringify(configuration);
  return fencewright(args, { cwd: await folderWith({ ...files, 'fencewright.json': text }) });
}

describe('the configuration', () => {
  test('sets limits, which options override', async () => {
    const limits = { maxStates: 5 };
    const args = ['check', '--json', '--max-states'];
    const limited = await runWith({ limits }, ['check', 'e.fw']);
    expect(limited.code).toBe(5);
    expect(limited.stdout).toMatch(/limit of 5 states|5 states/);
    expect((await runWith({ limits: { maxStates: 1 } }, [...args, '100', 'v.fw'])).code).toBe(0);
    const little = await runWith({ limits: { effort: 1 } }, ['check', 'e.fw']);
    expect(little.code).toBe(5);
    expect(little.stdout).toContain('the limit on work was reached');
  });

  test('adds reasons to fail, which options replace', async () => {
    expect((await runWith({}, ['check', 'v.fw'])).code).toBe(0);
    const failOn = ['error', 'vacuous'];
    expect((await runWith({ failOn }, ['check', 'v.fw'])).code).toBe(10);
    expect((await runWith({ failOn }, ['check', '--no-config', 'v.fw'])).code).toBe(0);
    expect((await runWith({ failOn }, ['check', '--fail-on', 'error', 'v.fw'])).code).toBe(0);
    // The two options conflict: the one on the command line counts.
    expect((await runWith({ failOn }, ['check', '--prove', 'v.fw'])).code).toBe(0);
    // The verb `trf` has no such option.
    expect((await runWith({ failOn }, ['trf', 'v.fw'])).code).toBe(0);
  });

  test('names a model of C11 for check, which reach, about store buffers, ignores', async () => {
    const files = { 's.fw': storeBuffering };
    const [ordered, plain] = await Promise.all([
      runWith({ model: 'c11' }, ['reach', '--json', 's.fw'], files),
      runWith({}, ['reach', '--json', '--model', 'tso', 's.fw'], files),
    ]);
    const modelOf = ({ stdout }: Run): unknown =>
      (JSON.parse(stdout) as { results: { model: string }[] }).results[0]?.model;
    expect([ordered, plain].map(modelOf)).toEqual(['TSO', 'TSO']);
    expect([ordered, plain].map(({ code }) => code)).toEqual([10, 10]);
    const refused = await runWith({}, ['reach', '--model', 'c11', 's.fw'], files);
    expect(refused.stderr).toContain("argument 'c11' is invalid. Allowed choices are tso.");
  });

  test('tells formats of names, in folders as well', async () => {
    const files = { 'a.prog': fenced, 'b.fw': fenced };
    const run = await runWith({ formats: { '.prog': 'native' } }, ['check', '--json', '.'], files);
    const { results } = JSON.parse(run.stdout) as { results: { file: string }[] };
    expect(results.map(({ file }) => file)).toEqual(['a.prog', 'b.fw']);
    expect(run.code).toBe(0);
  });

  test('tells formats of names to the verifier as well', async () => {
    const cwd = await folderWith({
      'fencewright.json': '{"formats": {".prog": "native"}}',
      'a.prog': fenced,
    });
    const args = ['--certificate', 'proof.json', 'a.prog'];
    expect((await fencewright(['check', ...args], { cwd })).code).toBe(0);
    const verified = await fencewright(['verify-certificate', 'proof.json', 'a.prog'], { cwd });
    const note = `fencewright: fencewright.json sets formats = {".prog":"native"}\n`;
    expect([verified.code, verified.stderr]).toEqual([0, note]);
  });

  test('holds for a batch', async () => {
    const cwd = await folderWith({
      'fencewright.json': '{"formats": {".prog": "native"}, "failOn": ["vacuous"]}',
      'v.prog': vacuous,
      'f.prog': fenced,
    });
    const run = await fencewright(['batch', 'check', '--report', 'jsonl=-', '.'], { cwd });
    const results = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; exitCode: number });
    expect(results.map(({ file, exitCode }) => [file, exitCode])).toEqual([
      ['f.prog', 0],
      ['v.prog', 10],
    ]);
  });

  test('is that of the nearest folder above the working folder', async () => {
    const root = await folderWith({ 'fencewright.json': '{"failOn": ["vacuous"]}' });
    await mkdir(path.join(root, 'in/side'), { recursive: true });
    const cwd = path.join(root, 'in/side');
    await writeFile(path.join(cwd, 'v.fw'), vacuous);
    expect((await fencewright(['check', 'v.fw'], { cwd })).code).toBe(10);
    await writeFile(path.join(root, 'in/fencewright.json'), '{}');
    expect((await fencewright(['check', 'v.fw'], { cwd })).code).toBe(0);
    // The configuration of the working folder counts, not that of the file's folder.
    const other = await folderWith({});
    const file = path.join(root, 'v.fw');
    await writeFile(file, vacuous);
    expect((await fencewright(['check', file], { cwd: other })).code).toBe(0);
  });

  test('is named in every answer that it had a part in', async () => {
    const files = { 'f.fw': fenced };
    const configuration = { limits: { maxStates: 500 }, c: { std: 'gnu17' } };
    const note = 'fencewright.json sets limits.maxStates = 500, c.std = "gnu17"';
    const run = (...args: string[]) => runWith(configuration, args, files);
    expect((await run('check', 'f.fw')).stderr).toContain(`info FW1017: ${note}`);
    expect((await run('f.fw')).stderr).toContain(note);
    for (const verb of ['check', 'fence', 'explain', 'reach', 'trf', 'prove']) {
      const { stdout } = await run(verb, '--json', 'f.fw');
      const { results } = JSON.parse(stdout) as { results: { diagnostics: unknown[] }[] };
      expect(results[0]!.diagnostics, verb).toContainEqual(
        expect.objectContaining({ code: 'FW1017', message: note }),
      );
    }
    const line = (await run('batch', 'check', '--report', 'jsonl=-', 'f.fw')).stdout;
    expect(line).toContain(JSON.stringify(note).slice(1, -1));
    for (const format of ['sarif', 'junit', 'markdown']) {
      const { stdout } = await run('check', '--report', `${format}=-`, 'f.fw');
      expect(stdout.replaceAll('&quot;', '"').replaceAll('\\', ''), format).toContain(note);
    }
  });

  test('is named on pages', async () => {
    const run = await runWith(
      { limits: { maxStates: 500 } },
      ['explain', '--report', 'html=-', 's.fw'],
      {
        's.fw': storeBuffering,
      },
    );
    expect(run.stdout).toContain('fencewright.json sets limits.maxStates = 500');
  });

  test('names only the settings that are taken', async () => {
    const configuration = { limits: { maxStates: 500, timeout: 60 }, failOn: ['races'] };
    const { stderr } = await runWith(configuration, ['reach', '--timeout', '9', 'f.fw'], {
      'f.fw': fenced,
    });
    expect(stderr).toContain('fencewright.json sets limits.maxStates = 500\n');
  });

  test('is not taken from above the root of a repository, or the home folder', async () => {
    const root = await folderWith({ 'fencewright.json': '{"failOn": ["vacuous"]}' });
    const cwd = path.join(root, 'home/repository/side');
    await mkdir(path.join(root, 'home/repository/.git'), { recursive: true });
    await mkdir(cwd, { recursive: true });
    await writeFile(path.join(cwd, 'v.fw'), vacuous);
    const above = await fencewright(['check', 'v.fw'], { cwd });
    expect(above.code).toBe(0);
    expect(above.stderr).toContain(
      `fencewright: ${path.join('..', '..', '..', 'fencewright.json')} is not used: it lies above the repository\n`,
    );
    await rm(path.join(root, 'home/repository/.git'), { recursive: true });
    const env = { ...process.env, HOME: path.join(root, 'home') };
    const atHome = await fencewright(['check', 'v.fw'], { cwd, env });
    expect(atHome.code).toBe(0);
    expect(atHome.stderr).toContain('it lies above the home folder\n');
    // The root of the repository and the home folder themselves count.
    await writeFile(path.join(root, 'home/fencewright.json'), '{"failOn": ["vacuous"]}');
    expect((await fencewright(['check', 'v.fw'], { cwd, env })).code).toBe(10);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'is not taken from another user (skipped unless root runs the tests)',
    async () => {
      const root = await folderWith({ 'fencewright.json': '{"failOn": ["vacuous"]}' });
      const cwd = path.join(root, 'side');
      await mkdir(cwd);
      await writeFile(path.join(cwd, 'v.fw'), vacuous);
      expect((await fencewright(['check', 'v.fw'], { cwd })).code).toBe(10);
      const message = 'is not used: it or its folder belongs to another user\n';
      for (const foreign of [path.join(root, 'fencewright.json'), root]) {
        await chown(foreign, 12_345, 12_345);
        const run = await fencewright(['check', 'v.fw'], { cwd });
        expect(run.code).toBe(0);
        expect(run.stderr).toContain(message);
        await chown(foreign, 0, 0);
      }
    },
  );

  test.each([
    ['{"limit": {}}', /^fencewright\.json:1:2: error FW1002: .*'limit'[^]*'limits'/],
    ['{\n  "limits": {"maxStates": "5"}\n}', /^fencewright\.json:2:27: error FW1011/],
    ['{"limits": {"timeout": 0}}', /:1:24: error FW1011/],
    ['{"failOn": ["violate"]}', /:1:13: error FW1011[^]*'violated'/],
    ['{"failOn": "violated"}', /an array/],
    ['{"formats": {"prog": "native"}}', /:1:14: error FW1011/],
    ['{"limits": {}, "limits": {}}', /:1:16: error FW1003/],
    ['{"limits": {},}', /:1:15: error FW1001/],
    ['// no', /:1:1: error FW1001/],
    ['', /error FW1001.*the end of the file/],
    ['[]', /an object/],
    ['{"c": {"args": "0"}}', /:1:16: error FW1011.*'args': It has to be a number from 1/],
    ['{"c": {"assume": ["usleep=0", "sleeep=0"]}}', /:1:31: error FW1011.*NAME=VALUE/],
    // Settings that would run a program, or pass arguments to one.
    ['{"engine": "spin"}', /FW1002/],
    ['{"solver": "native"}', /FW1002/],
    ['{"c": {"clang": "/bin/sh"}}', /FW1002/],
    ['{"c": {"ccArg": ["-fplugin=x.so"]}}', /FW1002/],
  ])('%j is refused with its place', async (text, message) => {
    const run = await runWith(text, ['check', 'f.fw']);
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toMatch(message);
  });
});

describeWith('clang', ['--version'], 'of programs in C', () => {
  test('folders with headers are relative to the configuration', async () => {
    const root = await folderWith({
      'fencewright.json': '{"c": {"include": ["inc"], "define": ["ZERO=0"]}}',
    });
    await mkdir(path.join(root, 'inc'));
    await mkdir(path.join(root, 'src'));
    await writeFile(path.join(root, 'inc/value.h'), '#define VALUE ZERO\n');
    const text = '#include <value.h>\nint main(void) { return VALUE; }\n';
    await writeFile(path.join(root, 'src/a.c'), text);
    const cwd = path.join(root, 'src');
    expect((await fencewright(['check', 'a.c'], { cwd })).code).toBe(0);
    const without = await fencewright(['check', '--no-config', 'a.c'], { cwd });
    expect(without.code).toBe(65);
    expect(without.stderr).toContain("'value.h' file not found");
    // Macros on the command line replace the whole list; `-U` adds to it.
    for (const argument of ['-DOTHER', '-UZERO']) {
      const other = await fencewright(['check', 'a.c', '--', argument], { cwd });
      expect(other.stderr).toContain('ZERO');
    }
    const added = await fencewright(['check', 'a.c', '--', '-UOTHER'], { cwd });
    expect(added.code).toBe(0);
  });

  const textOf = {
    'src/y.c': '#include "y.h"\n_Atomic int y = Y;\n',
    'inc/y.h': 'extern _Atomic int y;\n',
    'test/sb.c': [
      ...['#include <pthread.h>', '#include <stdatomic.h>', '#include "y.h"', '_Atomic int x;'],
      'static void *a(void *p) {',
      '  atomic_store_explicit(&x, 1, memory_order_release);',
      '  atomic_load(&y);',
      '  return p;',
      '}',
      'static void *b(void *p) {',
      '  atomic_store_explicit(&y, 1, memory_order_release);',
      '  atomic_load(&x);',
      '  return p;',
      '}',
      'int main(void) {',
      '  pthread_t s, t;',
      '  pthread_create(&s, 0, a, 0);',
      '  pthread_create(&t, 0, b, 0);',
      '  pthread_join(s, 0);',
      '  pthread_join(t, 0);',
      '}\n',
    ].join('\n'),
  };
  const program = { file: 'test/sb.c', link: ['src/y.c'], include: ['inc'], define: ['Y=0'] };

  async function folderOfPrograms(...programs: readonly object[]): Promise<string> {
    const root = await folderWith({
      'fencewright.json': JSON.stringify({ c: { define: ['Y=no'] }, programs }),
    });
    for (const [name, text] of Object.entries(textOf)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), text);
    }
    return root;
  }

  test('a program has its own files and settings, in folders and batches, too', async () => {
    const root = await folderOfPrograms(program);
    const whole = await fencewright(['check', '.'], { cwd: root });
    expect(whole.code).toBe(10);
    expect(whole.stdout).toMatch(/^test\/sb\.c is not robust/);
    // The linked file is a part of this program, and is not reported as left out.
    expect(whole.stderr).not.toContain('left out');
    expect(whole.stderr).toContain('fencewright.json sets c.define = ["Y=no"], programs[0] = {');
    const batch = await fencewright(['batch', 'check', '.'], { cwd: root });
    expect(batch.stdout).toContain('1 file: 1 not robust');
    // Another folder is the working folder, and the command line replaces a setting.
    const cwd = path.join(root, 'src');
    const replaced = ['check', '../test/sb.c', '--', '-DY=1'];
    expect((await fencewright(replaced, { cwd })).code).toBe(10);
    const without = await fencewright(['check', '--no-config', 'test/sb.c'], { cwd: root });
    expect(without.stderr).toContain("'y.h' file not found");
  });

  test('an absent program is an error, and so is one without a file', async () => {
    const root = await folderOfPrograms(program, { file: 'test/gone.c' });
    const absent = await fencewright(['check', '.'], { cwd: root });
    expect(absent.code).toBe(65);
    expect(absent.stderr).toContain('test/gone.c: error FW1013: no such file');
    const { file: _, ...nameless } = program;
    const nowhere = await folderOfPrograms(nameless);
    const refused = await fencewright(['check', '.'], { cwd: nowhere });
    expect(refused.code).toBe(65);
    expect(refused.stderr).toContain("each item of 'programs' needs 'file'");
  });

  test('an editor takes the configuration above the file', async () => {
    const root = await folderOfPrograms(program);
    const client = await LanguageClient.start();
    const uri = pathToFileURL(path.join(root, 'test/sb.c')).href;
    await client.open(uri, textOf['test/sb.c'], 'c');
    expect(await client.verdict(uri)).toMatchObject({ state: 'not-robust' });
  });
});

const leaf = fc.oneof(
  fc.constantFrom('violated', 'native', 'litmus', '', 'x'),
  fc.constantFrom(0, 1, -1, 1.5, 1e3, 2 ** 60),
  fc.constantFrom(true, null),
);
const keys = [
  ['$schema', 'limits', 'maxStates', 'maxMemory', 'timeout', 'formats', '.lit', 'lit', '.a.b'],
  [
    'c',
    'include',
    'define',
    'std',
    'failOn',
    'clang',
    'programs',
    'file',
    'link',
    '__proto__',
    'constructor',
  ],
].flat();
const name = fc.constantFrom('gnu11', 'x', 'y', 'z', '');
const positive = fc.constantFrom(1, 7, 2, 3, 1.5, 0);
/** Random configurations: most are valid, some have wrong members. */
const document = fc.record(
  {
    limits: fc.dictionary(fc.constantFrom('maxStates', 'maxMemory', 'timeout'), positive, {
      maxKeys: 2,
    }),
    formats: fc.dictionary(
      fc.constantFrom('.lit', '.x', '.fw', '.a', '.a.b'),
      fc.constantFrom('native', 'litmus', 'c', 'cobol'),
      { maxKeys: 2 },
    ),
    c: fc.record(
      {
        include: fc.array(name, { maxLength: 2 }),
        define: fc.array(name, { maxLength: 2 }),
        std: name,
      },
      { requiredKeys: [] },
    ),
    programs: fc.array(
      fc.record(
        { file: name, link: fc.array(name, { maxLength: 2 }), define: fc.array(name), std: name },
        { requiredKeys: [] },
      ),
      { maxLength: 2 },
    ),
    failOn: fc.array(fc.constantFrom('violated', 'error', 'races', 'vacuous', 'race'), {
      maxLength: 2,
    }),
    $schema: fc.constantFrom('x', 'y', 3),
  },
  { requiredKeys: [] },
);
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('the published schema is the one in force, and says what the reader says', async () => {
  const schema = JSON.parse(await readFile(published, 'utf8')) as object;
  // `npm run generate` writes this file.
  expect(schema).toEqual(JSON.parse(JSON.stringify(configurationSchema())));
  const validate = new Ajv({ strict: true }).compile(schema);
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(fc.oneof(document, anything), (value) => {
      const text = JSON.stringify(value);
      const isValid = validate(JSON.parse(text));
      seen[isValid ? 'taken' : 'refused'] += 1;
      expect('configuration' in readConfiguration(text)).toBe(isValid);
    }),
    { numRuns: 2000, seed: 20261123 },
  );
  expect(seen.taken).toBeGreaterThan(150);
  expect(seen.refused).toBeGreaterThan(500);
});

test('texts are read as JSON.parse reads them', () => {
  const seen = { taken: 0, refused: 0 };
  const damaged = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', ',', '"', '}', ' ', '\\', '0'))
    .map(([text, at, sign]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + sign + text.slice(place + (at % 2));
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), damaged), (text) => {
      const parsed = parseLocatedJson(text);
      let plain: unknown;
      try {
        plain = JSON.parse(text);
      } catch {
        seen.refused += 1;
        expect(parsed).toHaveProperty('error');
        return;
      }
      seen.taken += 1;
      expect('value' in parsed && JSON.stringify(plainJson(parsed.value))).toBe(
        JSON.stringify(plain),
      );
    }),
    { numRuns: 2000, seed: 20261123 },
  );
  expect(seen.taken).toBeGreaterThan(800);
  expect(seen.refused).toBeGreaterThan(300);
  expect(parseLocatedJson('['.repeat(100_000))).toHaveProperty('error');
});
