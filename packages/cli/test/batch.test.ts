import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { enumerateTraces, programOfSeed } from '@fencewright/core/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cpuOfPrograms } from '../../../tools/cpu-time.js';
import { inCampaign } from '../../../tools/random-runs.js';
import { type JournalLine, readLine, writeLine } from '../src/batch/journal-lines.js';
import { journalHeader } from '../src/batch/open-journal.js';
import { ResultCache } from '../src/batch/result-cache.js';
import type { Shard } from '../src/batch/shard.js';
import { filesIn } from '../src/files-in.js';
import { runCommand } from '../src/run-command.js';
import {
  countIn,
  linesOf,
  resultsAt,
  runBatchOn,
  testKey,
  testSealer,
  until,
  withoutTime,
} from './batch-runs.js';
import { fencewrightAfresh as fencewright, folderWith, type Run } from './fencewright.js';
import { fenced, huge, sameStores, storeBuffering } from './programs.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Row = Readonly<Record<string, unknown>> & { readonly file: string; readonly key: string };

/** Parses lines of JSON; leaves out times, sizes and origins, which differ between runs. */
function rowsIn(text: string): readonly Row[] {
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line, withoutTime) as Row);
}

function resultsIn({ stdout }: Run): readonly object[] {
  return (JSON.parse(stdout, withoutTime) as { readonly results: readonly object[] }).results;
}

const mixed = {
  'sb.fw': storeBuffering,
  'fenced.fw': fenced,
  'same.fw': sameStores,
  'twin.fw': storeBuffering,
  'wrong.fw': 'program',
};

describe('a batch', () => {
  test('says what a verdict is about, and what is known of assertions', async () => {
    const claim = (test: string): string =>
      `program P\nvar x\nthread a { local r; r = x; assert(${test}); }\nthread b { x = 1; }\n`;
    const cwd = await folderWith({ 'holds.fw': claim('r < 2'), 'fails.fw': claim('r == 0') });
    const linesWith = async (...options: string[]): Promise<readonly string[]> => {
      const journal = ['--fresh', '--journal', 'j'];
      const { stdout } = await fencewright(['batch', 'check', ...options, ...journal, '.'], {
        cwd,
      });
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/ +/g, ' '));
    };
    expect(await linesWith('--model', 'c11')).toEqual([
      'robust fails.fw (against C11, an assertion fails)',
      'robust holds.fw (against C11, assertions hold)',
      '2 files: 2 robust',
    ]);
    expect(await linesWith()).toEqual([
      'robust fails.fw (wrong even without store buffers)',
      'robust holds.fw',
      '2 files: 2 robust',
    ]);
  });

  test.each([
    ['check', ['corpus/litmus-x86', 'examples/events'], '500'],
    ['reach', ['examples/events'], '500'],
    ['fence', ['examples/publish.fw'], '20000'],
  ])('has the results of %s', async (verb, folders, states) => {
    const journal = await folderWith({});
    const options = ['--max-states', states];
    const all = ['--journal', journal, '--witnesses', '--report', 'jsonl=-', ...folders];
    const batch = await fencewright(['batch', verb, ...options, ...all], { cwd: root });
    const rows = rowsIn(batch.stdout);
    const files = rows.map(({ file }) => file);
    const alone = await fencewright([verb, ...options, '--json', ...files], { cwd: root });
    expect(rows.map(({ key: _, exitCode: __, ...json }) => json)).toEqual(resultsIn(alone));
    expect(batch.code).toBe(alone.code);
  });

  test('counts what came out, and goes on: what is known is not done again, what has changed is', async () => {
    const cwd = await folderWith(mixed);
    const journal = path.join(cwd, '.fencewright/batch/check');
    const first = await fencewright(
      ['batch', '.', '--report', 'jsonl=out.jsonl', '--report', 'csv=out.csv'],
      {
        cwd,
      },
    );
    expect(first).toMatchObject({ code: 65, stderr: '' });
    expect(first.stdout).toBe(
      `robust               fenced.fw
not robust           same.fw
not robust           sb.fw  (breaks on x86)
not robust           twin.fw  (breaks on x86)
error                wrong.fw  (1:8: expected a name but the file ends)
5 files: 1 robust, 3 not, 1 error
`,
    );
    const rows = rowsIn(await readFile(path.join(cwd, 'out.jsonl'), 'utf8'));
    expect(rows.map(({ file }) => file)).toEqual(Object.keys(mixed).sort());
    // Equal texts are one job, reported under the name of each file.
    expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
    const csv = (await readFile(path.join(cwd, 'out.csv'), 'utf8')).split('\r\n');
    expect(csv[0]).toBe('file,program,copies,verdict,reason,exit,states,ms,key');
    expect(csv[2]).toMatch(/^same\.fw,Same,,not-robust,,10,\d+,[\d.]+,[0-9a-f]{64}$/);
    expect(countIn(journal, 'start')).toBe(4);

    const second = await fencewright(['batch', '.'], { cwd });
    expect([second.stdout, countIn(journal, 'start')]).toEqual([first.stdout, 4]);
    await writeFile(path.join(cwd, 'twin.fw'), `${fenced}\n`);
    await rm(path.join(cwd, 'wrong.fw'));
    const third = await fencewright(['batch', '.'], { cwd });
    expect(third.stdout).toContain('4 files: 2 robust, 2 not\n');
    expect(countIn(journal, 'start')).toBe(5);

    const other = await fencewright(['batch', '.', '--max-states', '7', '--prove'], { cwd });
    expect(other.code).toBe(64);
    expect(other.stderr).toContain(
      '--max-states was not given and is 7; --prove was not given and is given\n',
    );
    const fresh = await fencewright(['batch', 'sb.fw', '--max-states', '7', '--fresh'], { cwd });
    expect([fresh.stderr, countIn(journal, 'start')]).toEqual(['', 1]);
    const status = await fencewright(['batch', 'status'], { cwd });
    expect(status.stdout).toContain('.fencewright/batch/check: check, not running\n');
  });

  test('takes over what is in a cache, unless that is damaged', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering, 'fenced.fw': fenced });
    const files = ['sb.fw', 'fenced.fw'].map((name) => path.join(cwd, name));
    const kept = path.join(cwd, 'kept');
    const cache = new ResultCache(kept, testSealer);
    const folder = (name: string): string => path.join(cwd, name);
    const first = await runBatchOn(files, folder('a'), { cache }, resultsAt);
    const second = await runBatchOn(files, folder('b'), { cache }, resultsAt);
    expect(second).toEqual(first);
    expect(['a', 'b'].map((name) => countIn(folder(name), 'start'))).toEqual([2, 0]);
    const [entry = ''] = (await readdir(kept, { recursive: true })).filter((name) =>
      name.endsWith('.json'),
    );
    const text = await readFile(path.join(kept, entry), 'utf8');
    await writeFile(path.join(kept, entry), text.replace('robust', 'Robust'));
    await runBatchOn(files, folder('c'), { cache }, () => undefined);
    expect(countIn(folder('c'), 'start')).toBe(1);
  });

  test('a result that somebody has planted is not believed', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const journal = path.join(cwd, '.fencewright/batch/check/journal.jsonl');
    const ask = ['batch', 'sb.fw', '--report', 'jsonl=out', '--cache', 'kept'];
    const env = { XDG_STATE_HOME: path.join(cwd, 'state') };
    expect(await fencewright(ask, { cwd, env })).toMatchObject({ code: 10, stderr: '' });
    const kept = (await readdir(path.join(cwd, 'kept'), { recursive: true })).find((name) =>
      name.endsWith('.json'),
    )!;
    const again = await fencewright(ask, { cwd, env });
    expect(again).toMatchObject({ code: 10 });
    expect(again.stderr).toContain('1 result of earlier runs, by the journal');
    expect(await readFile(path.join(cwd, 'out'), 'utf8')).toContain('"from":"journal"');
    const plant = async (file: string): Promise<void> => {
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      const planted = lines.map((text) => {
        const line = readLine(text)!;
        if (line.kind !== 'end') return `${text}\n`;
        const { file: name } = line.result.json;
        return writeLine({
          ...line,
          result: { exitCode: 0, json: { file: name, verdict: 'robust' } },
        });
      });
      await writeFile(file, planted.join(''));
    };
    await plant(journal);
    await plant(path.join(cwd, 'kept', kept));
    const doubted = await fencewright(ask, { cwd, env });
    expect(doubted).toMatchObject({ code: 10 });
    expect(doubted.stdout).toContain('not robust');
    expect(doubted.stderr).toContain('without a seal of this user: these results are not trusted');
    // Another user's results are not believed either, unless both share a key.
    for (const [one, other, code] of [
      [{ XDG_STATE_HOME: path.join(cwd, 'one') }, { XDG_STATE_HOME: path.join(cwd, 'two') }, 64],
      [{ FENCEWRIGHT_KEY: 'k'.repeat(16) }, { FENCEWRIGHT_KEY: 'k'.repeat(16) }, 10],
    ] as const) {
      await fencewright(['batch', 'sb.fw', '--fresh', '--journal', 'part'], { cwd, env: one });
      const merged = await fencewright(['batch', 'merge', 'part'], { cwd, env: other });
      expect(merged.code).toBe(code);
    }
    const weak = await fencewright(ask, { cwd, env: { FENCEWRIGHT_KEY: 'short' } });
    expect(weak).toMatchObject({ code: 64, stdout: '' });
    expect((await stat(path.join(cwd, 'state/fencewright/key'))).mode & 0o777).toBe(0o600);
  });

  test('goes on without a cache that cannot be written, and says so once', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering, 'fenced.fw': fenced, kept: '' });
    const run = await fencewright(['batch', '.', '--cache', 'kept', '--quiet'], { cwd });
    expect(run).toMatchObject({ code: 10, stdout: expect.stringContaining('2 files') as string });
    expect(run.stderr).toMatch(/^fencewright: the cache in kept cannot be written, .*\n$/);
  });

  test('takes names as find has them, with lines in them where zero bytes are between', async () => {
    const names = ['a.fw', 'two\nlines.fw', 'split\u2028not.fw', ' blank.fw'];
    const cwd = await folderWith(Object.fromEntries(names.map((name) => [name, fenced])));
    const listed = async (input: string, journal: string): Promise<unknown[]> => {
      const args = ['batch', '--from-list', '-', '--report', 'jsonl=-', '--journal', journal];
      const { stdout } = await fencewright(args, { cwd, input });
      return rowsIn(stdout).map(({ file, verdict }) => [file, verdict]);
    };
    const all = names.map((name) => [name, 'robust']);
    expect(await listed(names.map((name) => `${name}\0`).join(''), 'zero')).toEqual(all);
    expect(await listed(names.join('\0'), 'open')).toEqual(all);
    const [one, , ...others] = names;
    const lines = [one!, ...others].map((name) => [name, 'robust']);
    expect(await listed([one, ...others].join('\r\n'), 'lines')).toEqual(lines);
  });

  test('compares conditions with a log of herd, which says nothing else', async () => {
    const test = (name: string, condition: string): string =>
      `X86 ${name}\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n${condition}\n`;
    const both = '(0:EAX=0 /\\ 1:EAX=0)';
    // The result of herd7 -model x86tso: both loads return 0 in one of four states.
    const said = (name: string, kind: string, ok: string): string =>
      `Test ${name} ${kind}\nStates 4\n0:EAX=0; 1:EAX=0;\n${ok}\nWitnesses\nPositive: 1 Negative: 3\n\n`;
    const log = said('SB', 'Allowed', 'Ok') + said('SBn', 'Forbidden', 'No');
    const cwd = await folderWith({
      'a.litmus': test('SB', `exists ${both}`),
      'b.litmus': test('SBn', `~exists ${both}`),
      'c.litmus': test('Other', `exists ${both}`),
      'herd.log': log,
      'wrong.log': log.replace('No', 'Ok'),
      'twice.log': log + said('SB', 'Allowed', 'No'),
      'litmus7.log': log.replace('States 4', 'Histogram (4 states)'),
    });
    const against = (name: string, verb = 'reach', ...more: string[]): Promise<Run> =>
      fencewright(['batch', verb, '.', '--expect-from', name, '--fresh', ...more], { cwd });
    expect((await against('herd.log')).stdout).toContain('2 as expected, 1 without expectation');
    const wrong = await against('wrong.log');
    expect(wrong.stdout).toMatch(/ b.litmus {2}\(condition holds is expected\)$/m);
    expect(wrong.stdout).toContain('1 as expected, 1 not as expected, 1 without expectation');
    const limited = await against('herd.log', 'reach', '--max-states', '3');
    expect(limited.stdout).toContain('0 as expected, 2 undecided');
    for (const [name, verb, words] of [
      ['twice.log', 'reach', 'line 18: line 4 says otherwise of SB'],
      ['litmus7.log', 'reach', 'line 2: litmus7 lists the outcomes seen'],
      ['herd.log', 'check', "a log of herd is about conditions, which 'batch reach' asks for"],
    ] as const)
      expect(await against(name, verb)).toMatchObject({
        ...{ code: 64, stderr: expect.stringContaining(words) as string },
      });
  });

  test('compares with what is expected, and its exit code says whether that came out', async () => {
    const beside = (verdict: string): string => JSON.stringify({ verdict });
    const cwd = await folderWith({
      'sb.fw': storeBuffering,
      'sb.expected.json': beside('not-robust'),
      'fenced.fw': fenced,
      'fenced.expected.json': beside('robust'),
      'table.tsv': 'sb.fw\trobust\n',
    });
    const good = await fencewright(['batch', '.', '--expect', '--quiet'], { cwd });
    expect(good).toMatchObject({ code: 0, stdout: '2 files: 1 robust, 1 not\n2 as expected\n' });
    const bad = await fencewright(['batch', '.', '--expect-from', 'table.tsv', '--quiet'], { cwd });
    expect(bad).toMatchObject({ code: 10 });
    expect(bad.stdout).toContain('sb.fw  (robust is expected)');
    expect(bad.stdout).toContain('0 as expected, 1 not as expected, 1 without expectation');
  });

  test('writes the reports of check for continuous integration', async () => {
    const cwd = await folderWith(mixed);
    const reports = (name: string): string[] => [
      ...['--report', `sarif=${name}.sarif`],
      ...['--report', `junit=${name}.xml`],
      ...['--report', `markdown=${name}.md`],
    ];
    await fencewright(['batch', '.', ...reports('batch')], { cwd });
    await fencewright(['check', ...Object.keys(mixed).sort(), ...reports('check')], { cwd });
    const read = async (file: string): Promise<string> =>
      (await readFile(path.join(cwd, file), 'utf8'))
        .replaceAll(/time="[\d.]+"/g, 'time=""')
        .replaceAll(/[\d.]+ ms/g, 'ms');
    expect(await read('batch.sarif')).toBe(await read('check.sarif'));
    expect(await read('batch.xml')).toBe(await read('check.xml'));
    expect(await read('batch.xml')).toContain('twin.fw');
    expect(await read('batch.md')).toBe(await read('check.md'));
    expect(await read('batch.md')).toContain('twin.fw');
  });

  test('takes names from a list, and says what it cannot find before it begins', async () => {
    const cwd = await folderWith(mixed);
    const input = 'sb.fw\nabsent.fw\n';
    const run = await fencewright(['batch', '--from-list', '-'], { cwd, input });
    expect(run.stdout).toContain('2 files: 1 not robust, 1 error');
    const none = await fencewright(['batch', 'sb.fw', 'none/*.fw'], { cwd });
    expect(none).toMatchObject({ code: 64, stdout: '' });
    expect(none.stderr).toContain('no file is none/*.fw');
  });

  test('takes a file for a file, though a verb that it cannot ask is called so', async () => {
    const cwd = await folderWith({ convert: fenced });
    const { stdout } = await fencewright(['batch', 'convert', '--from', 'native'], { cwd });
    expect(stdout).toBe('robust               convert\n1 file: 1 robust\n');
  });

  test.each([
    [['--jobs', '1', 'reach', 'sb.fw'], "'reach' has to follow 'batch' directly"],
    [
      ['convert', 'sb.fw'],
      "'convert' is neither a file nor a verb of a batch: the verbs are check, fence, reach, trf, prove",
    ],
    [['--random', '1..5', 'sb.fw'], '--random takes no files'],
    [['--random', '5..1'], 'write 1..1000'],
    [['--random', '1..5', '--expect'], "'--random <seeds>' cannot be used with option '--expect'"],
    [['sb.fw', '--audit', '200%'], 'at most 100%'],
    [['sb.fw', '--report', 'html=x'], 'of the formats jsonl, csv, sarif, junit, markdown'],
    [['sb.fw', '--certificate', 'x'], "unknown option '--certificate'"],
    [['fence', 'sb.fw', '--report', 'sarif=x'], 'of the formats jsonl, csv.'],
    [
      ['sb.fw', '--report', 'jsonl=-', '--report', 'csv=-'],
      'standard output has room for one report',
    ],
    [[], 'name files, folders or patterns'],
  ])('refuses %j', async (asked, words) => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => stderr.mockRestore());
    expect(await runCommand(['batch', ...asked])).toBe(64);
    expect(stderr.mock.calls.map(([text]) => text).join('')).toContain(words);
  });

  // Closing the terminal sends SIGHUP.
  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'that is asked to stop by %s records nothing of what it was at, and goes on later',
    async (signal) => {
      const cwd = await folderWith({ 'a.fw': fenced, 'huge.fw': huge });
      const journal = path.join(cwd, '.fencewright/batch/check');
      let second: Promise<Run> | undefined;
      const before = cpuOfPrograms();
      const stopped = await fencewright(['batch', '--jobs', '1', '.'], {
        cwd,
        during: (kill) =>
          void until(() => countIn(journal, 'start') === 2).then(async () => {
            // No second run can use the journal at the same time.
            second = fencewright(['batch', '.'], { cwd });
            await second;
            kill(signal);
          }),
      });
      // CPU seconds of all programs together; without the interrupt the batch would run for ever.
      expect(cpuOfPrograms() - before).toBeLessThan(20);
      expect(await second).toMatchObject({ code: 64 });
      expect((await second)?.stderr).toMatch(/process \d+ is using the journal/);
      expect(stopped.code).toBe(5);
      expect(stopped.stderr).toContain('the same command goes on from here');
      expect(countIn(journal, 'end')).toBe(1);
      expect((await linesOf(journal)).at(-1)).toMatchObject({ kind: 'stopped' });
      await writeFile(path.join(cwd, 'huge.fw'), storeBuffering);
      const on = await fencewright(['batch', '--jobs', '1', '.'], { cwd });
      expect(on.stdout).toContain('2 files: 1 robust, 1 not');
    },
  );
});

describe('the parts of a batch', () => {
  /** The folder of programs, and the number of programs of a batch. */
  const corpus = process.env.FENCEWRIGHT_BATCH_FOLDER ?? path.join(root, 'corpus/figures');
  const programs = inCampaign(8, 200);

  test('are, merged, what it is undivided; what is left out is named', async () => {
    const cwd = await folderWith({});
    const all: string[] = [];
    for await (const file of filesIn([corpus])) all.push(file);
    const files = all.slice(0, programs);
    const keysIn = async (name: string): Promise<readonly string[]> => {
      const lines = await linesOf(path.join(cwd, name));
      return lines.flatMap((line) => (line.kind === 'start' ? [line.key] : []));
    };
    const runPart = (name: string, shard?: Shard): Promise<void> =>
      runBatchOn(files, path.join(cwd, name), { ...(shard && { shard }) }, () => undefined);
    const merged = async (...folders: string[]): Promise<readonly [Run, readonly Row[]]> => {
      const run = await fencewright(['batch', 'merge', ...folders, '--report', 'jsonl=out'], {
        cwd,
        env: testKey,
      });
      return [run, rowsIn(await readFile(path.join(cwd, 'out'), 'utf8'))];
    };
    await runPart('whole');
    const parts: string[] = [];
    for (let index = 1; index <= 7; index++) {
      parts.push(`part${index}`);
      await runPart(`part${index}`, { index, count: 7 });
    }
    const whole = await merged('whole');
    expect(whole[0].stderr).toBe('');
    expect(await merged(...parts)).toEqual(whole);
    // Each job is done by one part only.
    const starts = await Promise.all(parts.map(keysIn));
    expect(starts.flat().sort()).toEqual([...(await keysIn('whole'))].sort());
    const left = starts.findIndex((own) => own.length > 0);
    const [without] = await merged(...parts.filter((_, i) => i !== left));
    const missing = [...without.stderr.matchAll(/^missing: (\w+) /gm)].map(([, key]) => key!);
    expect([...new Set(missing)].sort()).toEqual([...starts[left]!].sort());
    expect(starts.filter((own) => own.length > 0).length).toBeGreaterThan(2);
  });

  test('that are about different things, or disagree, are told apart', async () => {
    const end = (verdict: string): JournalLine => ({
      kind: 'end',
      key: 'k',
      result: { exitCode: 0, json: { file: 'job-k.fw', verdict } },
      seal: '',
    });
    const journal = (settings: object, verdict: string): string =>
      [
        journalHeader('check', { ...settings }),
        { kind: 'run' },
        { kind: 'file', key: 'k', file: 'sb.fw' },
        end(verdict),
        { kind: 'listed' },
      ]
        .map((line) => writeLine(line as JournalLine))
        .join('');
    const cwd = await folderWith({});
    const journals = {
      a: journal({}, 'robust'),
      b: journal({ maxStates: 9 }, 'robust'),
      c: journal({}, 'not-robust'),
      d: journal({}, 'robust'),
    };
    for (const [name, text] of Object.entries(journals)) {
      await mkdir(path.join(cwd, name));
      await writeFile(path.join(cwd, name, 'journal.jsonl'), text);
    }
    const merge = (...folders: string[]): Promise<Run> =>
      fencewright(['batch', 'merge', '--trust', ...folders], { cwd });
    const apart = await merge('a', 'b');
    expect(apart).toMatchObject({ code: 64 });
    expect(apart.stderr).toContain(
      'b belongs to another batch: --max-states was not given and is 9',
    );
    const differing = await merge('a', 'd', 'c');
    expect(differing).toMatchObject({ code: 70 });
    expect(differing.stderr).toContain('internal error on sb.fw: two results of k\n');
    const trusted = await merge('a', 'd');
    expect(trusted.code).toBe(0);
    expect(trusted.stderr).toContain('1 result of parts, without a seal that can be checked here');
    const doubted = await fencewright(['batch', 'merge', 'a', 'd'], { cwd });
    expect(doubted).toMatchObject({ code: 64, stdout: '' });
    expect(doubted.stderr).toContain('a has results without a seal that can be checked here');
  });
});

test('random programs are those of their seeds, and a hundred of them are a job', async () => {
  const cwd = await folderWith({});
  const run = await fencewright(
    ['batch', '--random', '51..120', '--report', 'jsonl=out', '--max-states', '20000'],
    { cwd },
  );
  const rows = rowsIn(await readFile(path.join(cwd, 'out'), 'utf8'));
  expect(rows.map(({ file }) => file)).toEqual(['threads:51..100', 'threads:101..120']);
  const found = rows.flatMap((row) =>
    Object.entries(row.seeds as Record<string, number[]>).flatMap(([verdict, seeds]) =>
      seeds.map((seed) => [seed, verdict] as const),
    ),
  );
  expect(found.map(([seed]) => seed).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 70 }, (_, i) => i + 51),
  );
  // The verdicts by the definition, for the programs that are small enough.
  let judged = 0;
  for (const [seed, verdict] of found) {
    const options = { maxTracedStates: 2000, stopAtViolation: true };
    const { violation, complete } = enumerateTraces(programOfSeed('threads', seed), options);
    if (!violation && !complete) continue;
    expect([seed, verdict]).toEqual([seed, violation ? 'not-robust' : 'robust']);
    judged++;
  }
  expect(judged).toBeGreaterThan(35);
  expect(run.code).toBe(10);
});
