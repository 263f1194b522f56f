import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

/** Store buffering in the formats of other tools, each with that format's fence. */
const files = {
  'sb.litmus': `X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
`,
  'sb-c.litmus': `C SB
{ x=0; y=0; }
P0(int *x, int *y)
{
  WRITE_ONCE(*x, 1);
  int r0 = READ_ONCE(*y);
}
P1(int *x, int *y)
{
  WRITE_ONCE(*y, 1);
  int r0 = READ_ONCE(*x);
}
exists (0:r0=0 /\\ 1:r0=0)
`,
  'sb.rmm': `forbidden
  CS CS
data
  x = 0 : [0:1]
  y = 0 : [0:1]
process
text
  write: x := 1;
  read: y = 0;
  CS: nop
process
text
  write: y := 1;
  read: x = 0;
  CS: nop
`,
};

describe.each([
  ['sb.litmus', 'condition', /MFENCE/g],
  ['sb-c.litmus', 'condition', /smp_mb\(\);/g],
  ['sb.rmm', 'forbidden', /fence;/g],
] as const)('%s', (file, property, fence) => {
  test('is not robust', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['check', '--all-attacks', file], { cwd });
    expect(run).toMatchObject({ code: 10, stderr: '' });
    expect(run.stdout).toContain('2 attacks: 2 feasible');
  });

  test('has a property that holds under SC and not under TSO', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['reach', '--json', file], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain(`"${property}"`);
  });

  test('is fenced in its own format', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['fence', file, '-o', `fenced-${file}`], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const text = await readFile(path.join(cwd, `fenced-${file}`), 'utf8');
    expect(text.match(fence)).toHaveLength(2);
    expect(await fencewright(['check', `fenced-${file}`], { cwd })).toMatchObject({ code: 0 });
    const written = await fencewright(['fence', file, '--write'], { cwd });
    expect(written.code).toBe(0);
    expect(await readFile(path.join(cwd, file), 'utf8')).toBe(text);
  });

  test('keeps its verdict in every other format', async () => {
    const cwd = await folderWith(files);
    for (const [format, extension] of [
      ['native', '.fw'],
      ['litmus', '.litmus'],
      ['memorax', '.rmm'],
    ] as const) {
      const args = ['convert', '--to', format, file, '-o', `converted${extension}`];
      expect(await fencewright(args, { cwd })).toMatchObject({ code: 0, stdout: '' });
      const check = await fencewright(['check', `converted${extension}`], { cwd });
      expect(check.code).toBe(10);
    }
  });
});

test('--from says what the name does not', async () => {
  const cwd = await folderWith({});
  for (const [format, file] of [
    ['litmus', 'sb.litmus'],
    ['memorax', 'sb.rmm'],
  ] as const) {
    const run = await fencewright(['check', '--from', format, '-'], { cwd, input: files[file] });
    expect(run).toMatchObject({ code: 10, stderr: '' });
  }
});

describe('reach --buffer', () => {
  /**
   * Returns a test of store buffering whose first thread then stores to `z` in a loop. With
   * `mayDiffer`, the loop ends if the thread has loaded 0, so that TSO satisfies the condition of
   * the test. Otherwise the loop never ends.
   */
  const endless = (mayDiffer: boolean) => `X86 endless
{ x=0; y=0; z=0; }
 P0             | P1          ;
 MOV [x],$1     | MOV [y],$1  ;
 MOV EAX,[y]    | MOV EAX,[x] ;
 L: MOV [z],$1  | ;
 ${mayDiffer ? 'CMP EAX,$1' : 'JMP L'} | ;
 ${mayDiffer ? 'JE L' : 'NOP'}         | ;
exists (0:EAX=0 /\\ 1:EAX=0)
`;

  test('is said, and shows a difference that it finds', async () => {
    const cwd = await folderWith({ 'a.litmus': endless(true) });
    const run = await fencewright(['reach', '--buffer', '2', 'a.litmus'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('bounded: at most 2 stores in each buffer');
    expect(run.stdout).toMatch(/condition +exists +never reached +reached/);
  });

  test('is never an answer where it finds none', async () => {
    const cwd = await folderWith({ 'a.litmus': endless(false) });
    const run = await fencewright(['reach', '--buffer', '2', 'a.litmus'], { cwd });
    expect(run.code).toBe(5);
    expect(run.stdout).toContain('but longer buffers may show one');
    expect(run.stdout).toMatch(/condition +exists +never reached +unknown/);
  });
});

test('--help names the formats by their file names', async () => {
  const run = await fencewright(['--help']);
  for (const extension of ['.fw', '.txt', '.trencher', '.litmus', '.rmm'])
    expect(run.stdout).toContain(extension);
});
