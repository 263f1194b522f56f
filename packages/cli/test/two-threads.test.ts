import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { storeBuffering } from './programs.js';

const head = 'program Two\nvar data\n';

const files = {
  'sb.fw': storeBuffering,
  // A program that is not robust, as the construction shows.
  'shown.fw': `${head}
event write() { data = 1; async[any] reader(); }
procedure reader() { local r; r = data; }
events write()
`,
  // Not robust, and the construction is.
  'missed.fw': `${head}
event write() { data = 1; async[any] between(); }
procedure between() { fence; async[any] reader(); }
procedure reader() { local r; r = data; }
events write()
`,
  // Robust, and the construction is not.
  'alarm.fw': `${head}
event write() { async[any] writer(); }
event look() { async[any] reader(); }
procedure writer() { data = 1; }
procedure reader() { local r; r = data; }
events write(), look()
`,
};

const engine = ['check', '--engine', 'two-threads'];

interface Document {
  readonly results: readonly { verdict: string; reason?: string; against: string }[];
}

describe('the two-thread construction', () => {
  test('confirms violations', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright([...engine, 'shown.fw'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('not robust against TSO');
    expect(run.stdout).toContain('An execution on several threads');
    const explained = await fencewright(['explain', ...engine.slice(1), 'shown.fw'], { cwd });
    expect(explained.code).toBe(10);
  });

  test.each([
    ['missed.fw', 'the two-thread construction is robust, which proves nothing'],
    ['alarm.fw', 'the two-thread construction is not robust, but by a run that is no violation'],
  ])('is no answer otherwise: %s', async (file, words) => {
    const cwd = await folderWith(files);
    const run = await fencewright([...engine, file], { cwd });
    expect(run.code).toBe(5);
    expect(run.stdout).toContain('is undecided');
    // The reason is told once.
    expect(run.stdout.split(words)).toHaveLength(2);
    expect(run.stdout).toMatch(/^ {2}robust against TSO +unknown$/m);
    const json = await fencewright([...engine, '--json', file], { cwd });
    const { results } = JSON.parse(json.stdout) as Document;
    expect(results).toMatchObject([{ verdict: 'unknown', reason: 'two-threads', against: 'tso' }]);
  });

  test.each([
    [[...engine, 'sb.fw'], '--engine two-threads does not apply to programs of threads'],
    [
      [...engine, '--against', 'both', 'shown.fw'],
      '--engine two-threads is about robustness against TSO alone',
    ],
    [['check', '--engine', 'chc', 'shown.fw'], '--engine chc does not apply to programs of events'],
  ])('is refused where it means nothing: %j', async (args, message) => {
    const cwd = await folderWith(files);
    const run = await fencewright(args, { cwd });
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain(message);
  });

  test('is printed as a program of events', async () => {
    const cwd = await folderWith(files);
    const made = await fencewright(['convert', '--to', 'two-threads', 'missed.fw'], { cwd });
    expect(made.code).toBe(0);
    expect(made.stdout).toContain('async[any] between_forked();');
    expect(made.stdout).toContain('call between();');
    const read = await folderWith({ 'two.fw': made.stdout });
    const again = await fencewright(['convert', '--to', 'native', 'two.fw'], { cwd: read });
    expect(again).toMatchObject({ code: 0, stdout: made.stdout });
    const threads = await fencewright(['convert', '--to', 'two-threads', 'sb.fw'], { cwd });
    expect(threads).toMatchObject({ code: 65, stdout: '' });
    expect(threads.stderr).toContain("'convert --to two-threads' is about programs of events");
  });
});

describe('the sequential construction', () => {
  test('is printed as a program of events without postings', async () => {
    const cwd = await folderWith(files);
    const made = await fencewright(['convert', '--to', 'seq', 'alarm.fw'], { cwd });
    expect(made.code).toBe(0);
    expect(made.stdout).toContain('call writer();');
    expect(made.stdout).not.toContain('async');
    const read = await folderWith({ 'seq.fw': made.stdout });
    const again = await fencewright(['convert', '--to', 'native', 'seq.fw'], { cwd: read });
    expect(again).toMatchObject({ code: 0, stdout: made.stdout });
    const reached = await fencewright(['reach', 'seq.fw'], { cwd: read });
    expect(reached.stdout).toMatch(/ends in no other states on several threads/);
  });

  test.each([
    [
      'late.fw',
      `${head}
event write() { loop { async[any] reader(); data = 1; } }
procedure reader() { local r; r = data; }
events write()
`,
      "the posting of 'reader' may be repeated and is followed by accesses",
    ],
    [
      'after.fw',
      `${head}
event write() { data = 1; shown: ; }
event look() { local r; r = data; }
events write(), look() after write.shown
`,
      'the sequential construction knows no events that wait for a place',
    ],
    ['sb.fw', files['sb.fw'], "'convert --to seq' is about programs of events"],
  ])('is refused where it does not exist: %s', async (file, text, message) => {
    const cwd = await folderWith({ [file]: text });
    const made = await fencewright(['convert', '--to', 'seq', file], { cwd });
    expect(made).toMatchObject({ code: 65, stdout: '' });
    expect(made.stderr).toContain(message);
  });
});
