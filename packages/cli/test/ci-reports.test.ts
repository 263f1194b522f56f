import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import type { Log, Result, ThreadFlowLocation } from 'sarif';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { describeWith } from '../../../tools/external-program.js';
import { dividing, endless, fenced, storeBuffering, trencher } from './programs.js';

const schemas = new URL('schemas/', import.meta.url);

/**
 * Returns the schema of SARIF for draft 4 of JSON Schema, which names the identifier `id`. The
 * schema uses nothing else that differs between the drafts.
 */
async function sarifSchema(): Promise<object> {
  const text = await readFile(new URL('sarif-2.1.0-rtm.5.json', schemas), 'utf8');
  const { id, $schema: _, ...schema } = JSON.parse(text) as Record<string, unknown>;
  expect(text).not.toMatch(/"exclusiveM(in|ax)imum"/);
  return { ...schema, $id: String(id) };
}

const validate = new Ajv({
  allErrors: true,
  strict: false,
  // One pattern of the schema is no valid pattern in Unicode mode.
  unicodeRegExp: false,
  formats: { uri: true, 'uri-reference': true, 'date-time': true },
}).compile(await sarifSchema());

const files = {
  'sb.fw': storeBuffering,
  'fenced.fw': fenced,
  'endless.fw': endless,
  'dividing.fw': dividing,
  'sb.txt': trencher,
  'wrong.fw': 'program Wrong\nthread t { x = 1; }\n',
  'tail end.fw': 'program T <&>\u0001"\'\n',
};
const names = [...Object.keys(files), 'missing.fw'];

async function reportsOn(
  args: readonly string[],
  content: Readonly<Record<string, string>> = files,
): Promise<{ code: number | null; log: Log; junit: string; junitFile: string }> {
  const cwd = await folderWith(content);
  const run = await fencewright(
    [
      'check',
      ...args,
      '--max-states',
      '3000',
      '--report',
      'sarif=out.sarif',
      '--report',
      'junit=out.xml',
    ],
    { cwd },
  );
  const log = JSON.parse(await readFile(path.join(cwd, 'out.sarif'), 'utf8')) as Log;
  validate(log);
  expect(validate.errors).toBeNull();
  const junitFile = path.join(cwd, 'out.xml');
  return { code: run.code, log, junit: await readFile(junitFile, 'utf8'), junitFile };
}

const resultsOf = (log: Log): readonly Result[] => log.runs[0]?.results ?? [];
const about = (log: Log, file: string): Result[] =>
  resultsOf(log).filter(
    ({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation?.uri === file,
  );

describe('--sarif writes a log that the schema of SARIF 2.1.0 accepts', () => {
  test.each([[[]], [['--jobs', '3']], [['--all-attacks']]])(
    'whatever comes of the files (%j)',
    async (args) => {
      const { code, log } = await reportsOn([...args, ...names]);
      expect(code).toBe(65);
      const [run] = log.runs;
      expect(run?.artifacts?.map(({ location }) => location?.uri)).toEqual(
        names.map((name) => name.replace(' ', '%20')),
      );
      const rules = run?.tool.driver.rules ?? [];
      for (const { ruleId, ruleIndex, level } of resultsOf(log)) {
        expect(rules[ruleIndex ?? -1]?.id).toBe(ruleId);
        expect(rules[ruleIndex ?? -1]?.defaultConfiguration?.level).toBe(level);
      }
      const ruleOf = (file: string) => about(log, file).map(({ ruleId }) => ruleId);
      expect(ruleOf('fenced.fw')).toEqual([]);
      expect(ruleOf('endless.fw')).toEqual(['undecided']);
      expect(ruleOf('dividing.fw')).toEqual(['FW3002']);
      expect(ruleOf('wrong.fw')).toEqual(['FW1002']);
      expect(ruleOf('missing.fw')).toEqual(['FW1013']);
      for (const file of ['sb.fw', 'sb.txt']) {
        // A program with claims has one more result, for the claims.
        const attacks = ruleOf(file).filter((rule) => rule !== 'breaks');
        expect(new Set(attacks)).toEqual(new Set(['not-robust']));
        if (args.includes('--all-attacks')) expect(attacks).toHaveLength(2);
      }
    },
  );

  test('the schema refuses what is not such a log', async () => {
    const { log } = await reportsOn(['sb.fw']);
    const broken = structuredClone(log) as unknown as { runs: { results: object[] }[] };
    broken.runs[0]!.results[0] = { message: 'a string' };
    expect(validate(broken)).toBe(false);
  });

  test('with the places of store and load, and the witness as a flow a thread', async () => {
    const { log } = await reportsOn(['sb.fw']);
    const [result] = about(log, 'sb.fw');
    // In line 3, `thread t1 { local r; x = 1; r = y; }`, the store and the load.
    const region = { startLine: 3, startColumn: 22, endLine: 3, endColumn: 27 };
    expect(result?.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'sb.fw' }, region } },
    ]);
    expect(result?.relatedLocations).toMatchObject([
      { id: 1, physicalLocation: { region } },
      { id: 2, physicalLocation: { region: { startLine: 3, startColumn: 33, endColumn: 34 } } },
    ]);
    expect(result?.message.text).toContain(
      't1 can delay its [store of x](1) past its [load of y](2)',
    );
    const flows = result?.codeFlows?.[0]?.threadFlows ?? [];
    expect(flows.map(({ id }) => id)).toEqual(['t1', 't2']);
    const steps = flows.flatMap(({ locations }): ThreadFlowLocation[] => locations);
    // Steps are numbered through all threads; in its own flow, a thread's go up.
    expect(steps.map(({ executionOrder = 0 }) => executionOrder).toSorted((a, b) => a - b)).toEqual(
      steps.map((_, i) => i + 1),
    );
    for (const { locations } of flows) {
      const order = locations.map(({ executionOrder = 0 }) => executionOrder);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  });

  test('with what waits in the buffers after each step', async () => {
    const { log } = await reportsOn(['sb.fw']);
    const flows = about(log, 'sb.fw')[0]?.codeFlows?.[0]?.threadFlows ?? [];
    const steps = flows
      .flatMap(({ locations }): ThreadFlowLocation[] => locations)
      .toSorted((a, b) => (a.executionOrder ?? 0) - (b.executionOrder ?? 0));
    const states = steps.map(({ state = {} }) =>
      Object.entries(state).map(([buffer, { text }]) => `${buffer}: ${text}`),
    );
    // The delayed store waits from its own step until the last step, while all other steps happen.
    expect(states[0]).toContain('store buffer of t1: x = 1');
    expect(states.at(-1)).toEqual(['store buffer of t1: empty', 'store buffer of t2: empty']);
    for (const state of states.slice(0, -1)) expect(state).toContain('store buffer of t1: x = 1');
    expect(states.flat()).toContain('store buffer of t2: y = 1');
  });

  test('all rules have help and tags; the help of a message names a heading of the manual', async () => {
    const { log } = await reportsOn(['fenced.fw']);
    const manual = await readFile(new URL('../../../docs/diagnostics.md', import.meta.url), 'utf8');
    const rules = log.runs[0]?.tool.driver.rules ?? [];
    expect(rules.length).toBeGreaterThan(30);
    for (const { id, help, properties } of rules) {
      expect(help?.text, id).toBeTruthy();
      expect(properties?.tags?.length, id).toBeGreaterThan(0);
      const [, anchor] = /diagnostics\.md#(\S+)\.$/.exec(help?.text ?? '') ?? [];
      if (id.startsWith('FW')) expect(manual).toContain(`[${id}](#${anchor})`);
    }
  });

  test('brackets of an array are no links', async () => {
    const { log } = await reportsOn(['a.fw'], {
      'a.fw':
        'program A\nvar f[2]\nthread a { local r; f[0] = 1; r = f[1]; }\nthread b { local r; f[1] = 1; r = f[0]; }\n',
    });
    expect(resultsOf(log)[0]?.message.text).toContain('[store of f\\[0\\]](1)');
  });

  test('fingerprints differ within a file and survive lines that are put in before', async () => {
    const both = ['--all-attacks', 'a.fw'];
    const twice = storeBuffering.replace('x = 1; r = y;', 'x = 1; r = y; x = 1; r = y;');
    const { log } = await reportsOn(both, { 'a.fw': twice });
    const { log: moved } = await reportsOn(both, { 'a.fw': `// A remark.\n\n${twice}` });
    const prints = (one: Log) =>
      resultsOf(one).map(({ partialFingerprints }) => JSON.stringify(partialFingerprints));
    expect(prints(log)).toEqual(prints(moved));
    expect(new Set(prints(log)).size).toBe(resultsOf(log).length);
    expect(resultsOf(log).length).toBeGreaterThan(3);
  });
});

describeWith('xmllint', ['--version'], '--junit writes a report of the schema of Jenkins', () => {
  test.each([[[]], [['--jobs', '3']]])('whatever comes of the files (%j)', async (args) => {
    const { junitFile } = await reportsOn([...args, ...names]);
    const schema = fileURLToPath(new URL('jenkins-junit.xsd', schemas));
    await promisify(execFile)('xmllint', ['--noout', '--schema', schema, junitFile]);
  });
});

describe('--junit writes a report', () => {
  test('with one case a file, and only what is robust passes', async () => {
    const { junit } = await reportsOn(names);
    expect(junit).toContain('<testsuites name="fencewright" tests="8" failures="2" errors="5"');
    const outcomes = [
      ...junit.matchAll(/<testcase [^>]*name="([^"]*)"[^>]*>\s*<([a-z-]+)(?: type="([a-z-]+)")?/g),
    ].map(([, file, element, type]) => [file, type ?? element]);
    expect(outcomes).toEqual([
      ['sb.fw', 'not-robust'],
      ['fenced.fw', 'system-out'],
      ['endless.fw', 'unknown'],
      ['dividing.fw', 'input'],
      ['sb.txt', 'not-robust'],
      ['wrong.fw', 'input'],
      ['tail end.fw', 'input'],
      ['missing.fw', 'input'],
    ]);
    // If the program claims something, the first sentence says what fails.
    expect(junit).toContain(
      'message="breaks on x86: oneSeesTheOther can fail, and cannot without store buffers; not robust: t1 delays its store of x past its load of y."',
    );
    expect(junit).not.toContain('\u0001');
  });
});

test('a report that cannot be written is a wrong usage, and the verdict is still printed', async () => {
  const cwd = await folderWith(files);
  const run = await fencewright(['check', 'sb.fw', '--report', 'sarif=no/where.sarif'], { cwd });
  expect(run.code).toBe(64);
  expect(run.stdout).toContain('sb.fw: SB breaks on x86');
  expect(run.stderr).toContain('no/where.sarif cannot be written: its folder does not exist');
});

test.each([
  ['sarif', (text: string) => (JSON.parse(text) as { version: string }).version === '2.1.0'],
  ['junit', (text: string) => text.startsWith('<?xml')],
])('%s=- goes to standard output, and the text to the other stream', async (format, isReport) => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const run = await fencewright(['check', '--report', `${format}=-`, 'sb.fw'], { cwd });
  expect(run.code).toBe(10);
  expect(isReport(run.stdout)).toBe(true);
  expect(run.stderr).toContain('is not robust');
  expect(await readdir(cwd)).toEqual(['sb.fw']);
});

test.each([
  [['--report', 'sarif=-', '--report', 'junit=-'], 'standard output has room for one report'],
  [['--report', 'sarif=-', '--json'], '--json and a report cannot share standard output'],
])('%j is refused', async (options, why) => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const run = await fencewright(['check', ...options, 'sb.fw'], { cwd });
  expect(run).toMatchObject({ code: 64, stdout: '' });
  expect(run.stderr).toContain(why);
});

test('a certificate needs a file', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const run = await fencewright(['fence', '--certificate', '-', 'sb.fw'], { cwd });
  expect(run.code).toBe(64);
  expect(run.stderr).toContain('- cannot be written: name a file');
  expect(await readdir(cwd)).toEqual(['sb.fw']);
});

describe('--baseline', () => {
  const known = ['check', '--all-attacks', '--report', 'sarif=known.sarif', 'sb.fw'];

  test('passes a file whose findings are all known, also behind new lines', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    expect(await fencewright(known, { cwd })).toMatchObject({ code: 10 });
    await writeFile(path.join(cwd, 'sb.fw'), `// a line more\n${storeBuffering}`);
    const run = await fencewright(['check', '--baseline', 'known.sarif', 'sb.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('all findings are known: they are in known.sarif');
  });

  test('fails for a finding that is new, and for the same finding in another file', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering, 'other.fw': storeBuffering });
    await fencewright(known, { cwd });
    // Store buffering with further threads has further attacks.
    const more = storeBuffering.replace(
      'thread t1',
      'thread t0 { local q; x = 2; q = y; }\nthread t1',
    );
    await writeFile(path.join(cwd, 'sb.fw'), more);
    const said = {
      'sb.fw':
        'findings are new: they are not in known.sarif; a log of all comes from --all-attacks',
      'other.fw': 'findings are new: they are not in known.sarif\n',
    };
    for (const [file, words] of Object.entries(said)) {
      const run = await fencewright(['check', '--baseline', 'known.sarif', file], { cwd });
      expect(run.code, file).toBe(10);
      expect(run.stdout).toContain(words);
    }
  });

  test('passes a batch whose findings are all known, and fails one with new findings', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    await fencewright(known, { cwd });
    const batch = ['batch', 'check', '--baseline', 'known.sarif'];
    const run = await fencewright([...batch, 'sb.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('all findings are known: they are in known.sarif\n');
    await writeFile(path.join(cwd, 'other.fw'), storeBuffering);
    const more = await fencewright([...batch, '--fresh', 'sb.fw', 'other.fw'], { cwd });
    expect(more.code).toBe(10);
    expect(more.stdout).toMatch(/^\d new findings: not in known\.sarif$/m);
    // A log of one attack a file knows only some findings of the file.
    const one = ['check', '--report', 'sarif=one.sarif', 'sb.fw'];
    await fencewright(one, { cwd });
    const some = ['batch', 'check', '--baseline', 'one.sarif', '--fresh', 'sb.fw'];
    const { code, stdout } = await fencewright(some, { cwd });
    expect(code).toBe(10);
    expect(stdout).toMatch(/^1 new finding: not in one\.sarif; a log of all attacks comes from/m);
  });

  test.each([['check'], ['batch', 'check']])(
    'is wrong usage if it cannot be read: %s',
    async (...verb) => {
      const cwd = await folderWith({ 'sb.fw': storeBuffering, 'no.sarif': '{"runs": 1}' });
      for (const file of ['no.sarif', 'missing.sarif']) {
        const run = await fencewright([...verb, '--baseline', file, 'sb.fw'], { cwd });
        expect(run).toMatchObject({ code: 64, stdout: '' });
        expect(run.stderr).toContain(`${file} is not a readable SARIF log`);
      }
    },
  );
});

test('what the tool says about its own way is a notification, and a robust file has no result', async () => {
  const text = '#include <pthread.h>\nint main(void) { return 0; }\n';
  const { log, code } = await reportsOn(['a.c'], { 'a.c': text });
  const [run] = log.runs;
  expect(code).toBe(0);
  expect(run?.results).toEqual([]);
  expect(run?.invocations?.[0]).toMatchObject({
    executionSuccessful: true,
    toolExecutionNotifications: [{ level: 'note', descriptor: { id: 'FW5004' } }],
  });
  expect(validate(log)).toBe(true);
});
