import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
describe('any number of threads', () => {
  const shutdown = `program Shutdown
var busy, stop, freed
thread worker[*] {
  local s, f;
  busy = 1;
  s = stop;
  if (s == 0) { f = freed; assert(f == 0); }
}
thread owner { local b; stop = 1; b = busy; if (b == 0) freed = 1; }
property stops: never (freed == 1 && stop == 0)
`;

  test('claims of all instances, and an instance that fails', async () => {
    const cwd = await folderWith({
      'a.fw': shutdown,
      'b.fw': shutdown
        .replace('busy = 1;', 'busy = 1; fence;')
        .replace('stop = 1;', 'stop = 1; fence;'),
    });
    const broken = await fencewright(['reach', 'a.fw', '--report', 'html=a.html'], { cwd });
    expect(broken).toMatchObject({ code: 10, stderr: '' });
    expect(broken.stdout).toContain(
      'the assertion of worker at line 7 holds under SC and not under TSO',
    );
    expect(broken.stdout).toContain('violated with 1 copy of worker');
    expect(broken.stdout).toContain('the page is in a.html');
    const fine = await fencewright(['reach', 'b.fw', '--report', 'html=b.html'], { cwd });
    expect(fine).toMatchObject({ code: 0, stderr: '' });
    expect(fine.stdout).toContain('for any number of copies of worker');
    expect(fine.stdout).toContain('there is no page');
    const both = await fencewright(['reach', '--json', 'a.fw', 'b.fw'], { cwd });
    const { results } = JSON.parse(both.stdout) as {
      results: { verdict: string; shown?: { copies: object; answer: { kind: string } } }[];
    };
    expect(results.map(({ verdict }) => verdict)).toEqual(['different', 'holds']);
    expect(results[0]!.shown).toMatchObject({ copies: { worker: 1 }, answer: { kind: 'breaks' } });
    expect(results[1]!.shown).toBeUndefined();
  });

  test('check answers in its line, in every report, and by its exit code', async () => {
    const cwd = await folderWith({
      'a.fw': shutdown,
      'b.fw': shutdown.replaceAll(/(busy|stop) = 1;/g, '$1 = 1; fence;'),
      'wrong.fw': 'program W\nvar x\nthread t[*] { local r; r = x; x = 1; assert(r == 0); }\n',
    });
    const checked = await fencewright(['check', 'a.fw', 'b.fw', 'wrong.fw'], { cwd });
    expect(checked.code).toBe(10);
    for (const line of [
      'a.fw: Shutdown breaks on x86 with 1 copy of worker: the assertion of worker at line 7 can fail, and cannot',
      'b.fw: Shutdown holds on x86 as it stands: nothing that it claims can fail, for any number of copies of worker',
      'wrong.fw: W is wrong even without store buffers with 2 copies of t: the assertion of t at line 3 can fail, and no fence helps',
    ])
      expect(checked.stdout).toContain(line);
    expect(checked.stdout).not.toContain('not looked at');
    for (const [file, code] of [
      ['a.fw', 10],
      ['b.fw', 0],
      ['wrong.fw', 10],
    ] as const)
      expect(await fencewright(['check', '--fail-on', 'violated', file], { cwd })).toMatchObject({
        code,
      });
    const json = await fencewright(['check', '--json', 'a.fw'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      results: [
        {
          answer: {
            kind: 'breaks',
            copies: { worker: 1 },
            claims: ['the assertion of worker at line 7'],
          },
        },
      ],
    });
    const sarif = await fencewright(['check', '--report', 'sarif=-', 'a.fw'], { cwd });
    expect(sarif.stdout).toContain('"ruleId": "breaks"');
    expect(sarif.stdout).toContain('worker[0]');
  });

  test('a thread that waits for ever in an instance is a finding', async () => {
    // The sleeper loads the flag for work before its own store is in memory, and so does the waker.
    const cwd = await folderWith({
      'lost.fw': `program Lost
var asleep, work, kick
thread sleeper {
  local w;
  asleep = 1;
  w = work;
  if (w == 0) { atomic { w = kick; assume(w == 1); } }
}
thread waker[*] { work = 1; if (asleep == 1) { xchg(kick, 1); } }
property few: never (kick == 2)
`,
    });
    const run = await fencewright(['reach', 'lost.fw'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('lost.fw: Lost hangs: sleeper waits for ever at line 7');
    expect(run.stdout).toContain('as with 1 copy of waker');
    const json = await fencewright(['reach', '--json', 'lost.fw'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      results: [{ verdict: 'different', answer: { kind: 'hangs', copies: { waker: 1 } } }],
    });
    const checked = await fencewright(['check', '--fail-on', 'hangs', 'lost.fw'], { cwd });
    expect(checked.code).toBe(10);
  });

  test('what means nothing there is refused', async () => {
    const cwd = await folderWith({
      'a.fw': shutdown,
      'none.fw': 'program N\nvar x\nthread t[*] { x = 1; }\n',
    });
    for (const option of [
      ['--buffer', '2'],
      ['--certificate', 'c.json'],
    ]) {
      const run = await fencewright(['reach', 'a.fw', ...option], { cwd });
      expect(run).toMatchObject({ code: 64, stdout: '' });
      expect(run.stderr).toContain(`${option[0]} does not apply to any number of copies`);
    }
    const silent = await fencewright(['reach', 'none.fw'], { cwd });
    expect(silent.code).toBe(65);
    expect(silent.stderr).toContain('needs a number of copies');
  });
});
