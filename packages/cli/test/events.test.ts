import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { storeBuffering } from './programs.js';

const events = `program Ticking
var x
event tick(n) { x = n; async[any] tock(); x = 2; }
procedure tock() { local r; r = x; }
procedure idle() { x = 3; }
events tick(1) *
`;

const files = { 'tick.fw': events, 'sb.fw': storeBuffering };

describe('a program of events', () => {
  test('is converted, with warnings', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['convert', '--to', 'native', 'tick.fw'], { cwd });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('async[any] tock();');
    expect(run.stderr).toContain('FW2012');
    expect(run.stderr).toContain('FW2014');
    const graph = await fencewright(['convert', '--to', 'dot', 'tick.fw'], { cwd });
    expect(graph.stdout).toContain('"event tick(n)"');
    const automata = await fencewright(['convert', '--to', 'automata', 'tick.fw'], { cwd });
    expect(JSON.parse(automata.stdout)).toMatchObject({
      format: 'fencewright-event-automata',
      instances: [{ event: 0, arguments: [1], count: 'any' }],
    });
  });

  test.each([
    [['prove'], "'prove' needs a program of threads"],
    [['trf'], "'trf' needs a program of threads"],
    [['check', '--model', 'c11'], "'check --model c11' needs a program of threads"],
    [['convert', '--to', 'litmus'], 'this format needs a program of threads'],
    [['convert', '--to', 'native', '--attack', 'any'], 'this format needs a program of threads'],
  ])('is none for %j', async (words, message) => {
    const cwd = await folderWith(files);
    const run = await fencewright([...words, 'tick.fw'], { cwd });
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toContain(message);
  });

  test('is not what a certificate about threads is about', async () => {
    const cwd = await folderWith(files);
    const made = await fencewright(['fence', 'sb.fw', '--certificate', 'c.json'], { cwd });
    expect(made.code).toBe(0);
    const run = await fencewright(['verify-certificate', 'c.json', 'tick.fw'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('the certificate is about another program');
  });

  test('is asked all questions, whatever fails', async () => {
    const body = 'local r; r = x; x = r + 1;';
    const cwd = await folderWith({
      'race.fw': `program Race
var x
event e() { async[any] p(); }
procedure p() { ${body} }
events e() * 2
`,
      'fault.fw': 'program Fault\nvar x\nevent e() { local r; r = x; x = 1 / r; }\nevents e()\n',
    });
    const race = await fencewright(['events', 'race.fw'], { cwd });
    expect(race.stdout).toMatch(/concurrency +no\n.*against TSO +yes\n.*under TSO +no\n/);
    const fault = await fencewright(['events', 'fault.fw'], { cwd });
    expect(fault.stdout.match(/ an execution of the program ends in a fault$/gm)).toHaveLength(5);
  });

  test('is asked the named questions, each for itself', async () => {
    const cwd = await folderWith({
      'race.fw': `program Race
var x
event e() { async[any] p(); }
procedure p() { local r; r = x; x = r + 1; }
events e() * 2
`,
    });
    const ask = async (against: string) =>
      fencewright(['events', 'race.fw', '--against', against, '--json'], { cwd });
    // One task for each event: no two tasks of one event conflict, but an update is lost.
    const halves = await ask('determinism,serialisability');
    expect(halves.code).toBe(10);
    expect(JSON.parse(halves.stdout)).toMatchObject({
      results: [
        {
          verdict: 'not-robust',
          asked: ['determinism', 'serialisability'],
          criteria: {
            determinism: { verdict: 'robust' },
            serialisability: {
              verdict: 'not-robust',
              witness: { semantics: 'multi-sc', violation: { kind: 'event-cycle' } },
            },
            concurrency: { verdict: 'not-asked' },
            tso: { verdict: 'not-asked' },
          },
        },
      ],
    });
    expect(await ask('determinism')).toMatchObject({ code: 0 });
    expect(await ask('tso, determinism')).toMatchObject({ code: 0 });
    expect(await ask('tso,serialisable')).toMatchObject({ code: 64 });
    const text = await fencewright(['events', 'race.fw', '--against', 'determinism,tso'], { cwd });
    expect(text.stdout).not.toContain('not asked');
    expect(text.stdout).not.toContain('concurrency  ');
    expect(text.stdout).toContain('depends on robustness against concurrency');
  });

  test('has no certificate where no fences help', async () => {
    const cwd = await folderWith({
      'race.fw': `program Race
var x
event e() { async[any] p(); async[any] p(); }
procedure p() { local r; r = x; x = r + 1; }
events e()
`,
    });
    const run = await fencewright(['fence', 'race.fw', '--certificate', 'c.json'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).not.toContain('the certificate is in');
    const missing = await fencewright(['verify-certificate', 'c.json'], { cwd });
    expect(missing.code).not.toBe(0);
  });
});
