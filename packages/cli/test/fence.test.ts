import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatty, dekker, peterson, priced, spare, unfenceable } from './fence-programs.js';
import { fencewright, folderWith, type Run } from './fencewright.js';
import { dividing, fenced, huge, storeBuffering, trencher } from './programs.js';

interface Repair {
  readonly kind: string;
  readonly thread: string;
  readonly label: string;
  readonly line: number;
  readonly cost: number;
}

interface Result {
  readonly verdict: string;
  readonly outcome: string;
  readonly fences: readonly Repair[];
  readonly cost: number;
  readonly removable?: readonly Repair[];
  readonly saving?: number;
}

async function jsonOf(cwd: string, ...args: string[]): Promise<Result> {
  const { stdout, stderr } = await fencewright(['fence', '--json', ...args], { cwd });
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { results: [Result] }).results[0];
}

/** Returns the labels of the chosen fences, with their threads. */
async function chosen(cwd: string, ...args: string[]): Promise<string[]> {
  const { fences } = await jsonOf(cwd, ...args);
  return fences.map(({ thread, label }) => `${thread}:${label}`);
}

async function verdictsOf(cwd: string, files: readonly string[]): Promise<string[]> {
  const { stdout } = await fencewright(['check', '--json', ...files], { cwd });
  const { results } = JSON.parse(stdout) as { results: { verdict: string }[] };
  return results.map(({ verdict }) => verdict);
}

/** Returns the texts in which one occurrence each of `fence` is replaced. */
function withoutOne(text: string, fence: RegExp, by: string): string[] {
  return [...text.matchAll(fence)].map(
    ({ index, 0: found }) => text.slice(0, index) + by + text.slice(index + found.length),
  );
}

describe('fence -o writes a program that is robust and needs each of its fences', () => {
  test.each([
    ['sb.fw', storeBuffering, 2, 2],
    ['peterson.fw', peterson, 2, 2],
    ['dekker.fw', dekker, 4, 6],
    ['sb.txt', trencher, 2, 2],
  ])('%s', async (file, text, count, inserted) => {
    const cwd = await folderWith({ [file]: text });
    const fencedFile = `fenced-${file}`;
    const run = await fencewright(['fence', file, '-o', fencedFile], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(
      `becomes robust with ${count} fences of cost ${count}, provably cheapest`,
    );
    expect(run.stdout).toContain(`the program is in ${fencedFile}`);
    for (const engine of ['search', 'instrument'])
      expect(await fencewright(['check', '--engine', engine, fencedFile], { cwd })).toMatchObject({
        code: 0,
        stderr: '',
      });
    const result = await readFile(path.join(cwd, fencedFile), 'utf8');
    const fence = file.endsWith('.fw') ? /\bfence;/g : /\bmfence\b/g;
    const weaker = withoutOne(result, fence, file.endsWith('.fw') ? '' : 'noop');
    expect(weaker).toHaveLength(inserted);
    const names = weaker.map((_, i) => `weaker${i}-${file}`);
    await Promise.all(weaker.map((weak, i) => writeFile(path.join(cwd, names[i]!), weak)));
    expect(await verdictsOf(cwd, names)).toEqual(names.map(() => 'not-robust'));
  });
});

describe('fence', () => {
  test('says which fences, why, and how the text changes', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const run = await fencewright(['fence', 'sb.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('1. t1: a fence at line 3, cost 1');
    expect(run.stdout).toContain(
      'Otherwise t1 delays its store of x at line 3 past its load of y at line 3.',
    );
    expect(run.stdout).toContain('--- a/sb.fw\n+++ b/sb.fw\n@@ -1,5 +1,5 @@');
    expect(run.stdout).toContain('+thread t1 { local r; x = 1; fence; r = y; }');
    expect(await readdir(cwd)).toEqual(['sb.fw']);
  });

  test('colours the difference', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const run = await fencewright(['fence', '--color', 'always', 'sb.fw'], { cwd });
    expect(run.stdout).toMatch(/\u001b\[31m-thread t1 /);
    expect(run.stdout).toMatch(/\u001b\[32m\+thread t1 /);
  });

  test('of a robust program has nothing to do', async () => {
    const cwd = await folderWith({ 'fenced.fw': fenced });
    const run = await fencewright(['fence', 'fenced.fw', '--write'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('is already robust: no fence needed');
    expect(await readFile(path.join(cwd, 'fenced.fw'), 'utf8')).toBe(fenced);
  });

  test('--write mends the file itself, and leaves no other', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    expect(await fencewright(['fence', 'sb.fw', '--write'], { cwd })).toMatchObject({ code: 0 });
    expect(await fencewright(['check', 'sb.fw'], { cwd })).toMatchObject({ code: 0 });
    expect(await readdir(cwd)).toEqual(['sb.fw']);
  });

  test('mends several files, and folders', async () => {
    const cwd = await folderWith({
      'a.fw': storeBuffering,
      'b.fw': fenced,
      'c.fw': storeBuffering,
    });
    const { code, stdout, stderr } = await fencewright(['fence', '.', '--write'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    for (const name of ['a.fw', 'b.fw', 'c.fw']) expect(stdout).toContain(name);
    expect(await fencewright(['check', '.', '--quiet'], { cwd })).toMatchObject({ code: 0 });
    for (const [option, words] of [
      ['-o', '-o names one file'],
      ['--certificate', '--certificate names one file'],
    ] as const) {
      const run = await fencewright(['fence', 'a.fw', 'b.fw', option, 'out'], { cwd });
      expect([run.code, run.stdout]).toEqual([64, '']);
      expect(run.stderr).toContain(words);
    }
    expect((await readdir(cwd)).toSorted()).toEqual(['a.fw', 'b.fw', 'c.fw']);
  });

  test('-o - prints the program alone, and the report on stderr', async () => {
    const run = await fencewright(['fence', '-', '-o', '-'], { input: storeBuffering });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^program SB\n/);
    expect(run.stderr).toContain('2 fences of cost 2');
    expect(await fencewright(['check', '-'], { input: run.stdout })).toMatchObject({ code: 0 });
  });

  test('keeps comments and layout', async () => {
    const cwd = await folderWith({ 'peterson.fw': peterson });
    await fencewright(['fence', 'peterson.fw', '--write'], { cwd });
    const lines = (await readFile(path.join(cwd, 'peterson.fw'), 'utf8')).split('\n');
    expect(lines.filter((line) => line.trim() !== 'fence;').join('\n')).toBe(peterson);
  });

  test('says why it cannot write', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const run = await fencewright(['fence', 'sb.fw', '-o', 'no/where.fw'], { cwd });
    expect(run.code).toBe(64);
    expect(run.stderr).toContain('no/where.fw cannot be written: its folder does not exist');
  });

  test('exits 10 where @nofence leaves no way out, with the attack, and writes nothing', async () => {
    const cwd = await folderWith({ 'a.fw': unfenceable });
    const run = await fencewright(['fence', 'a.fw', '-o', 'b.fw', '--certificate', 'c'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('cannot be made robust: no fence set exists');
    expect(run.stdout).toContain('because @nofence forbids a fence at line 3');
    expect(run.stdout).toContain('t1 delays its store of x');
    expect(await readdir(cwd)).toEqual(['a.fw']);
  });

  test('a certificate is checked without internal labels, and is about the text that it read', async () => {
    const text =
      'program P\nvar x, y\nthread a { while (x == 0) { y = 1; } }\nthread b { x = 1; local r; r = y; while (y == 0) { } }\n';
    const cwd = await folderWith({ 'a.fw': text });
    const kept = await fencewright(['fence', 'a.fw', '--certificate', 'a.json'], { cwd });
    expect(kept.stdout).not.toContain('before the change');
    const verified = await fencewright(['verify-certificate', 'a.json'], { cwd });
    expect(verified.stdout).toMatch(/ left out: fence of [ab] at line [34]/);
    expect(verified.stdout).not.toMatch(/\bL[0-9]+[a-z]?\b/);
  });

  test('exits 5 when a limit is reached, with a lower bound', async () => {
    const cwd = await folderWith({ 'huge.fw': huge });
    const run = await fencewright(['fence', 'huge.fw', '--max-states', '2000'], { cwd });
    expect(run.code).toBe(5);
    expect(run.stdout).toContain(
      'is undecided: the limit on states was reached; every sufficient set',
    );
    expect(run.stdout).toContain('hint: give it more with --max-states');
  });

  test('exits 65 when the program is at fault', async () => {
    const cwd = await folderWith({ 'dividing.fw': dividing });
    const run = await fencewright(['fence', 'dividing.fw'], { cwd });
    expect(run.code).toBe(65);
    expect(run.stderr).toContain('error FW3002');
  });
});

describe('costs', () => {
  test('of @cost decide between labels', async () => {
    const cwd = await folderWith({ 'priced.fw': priced });
    expect(await chosen(cwd, 'priced.fw')).toEqual(['t1:late', 't2:early']);
  });

  test('of @cost may have decimals, which are summed exactly, and count as those of a file', async () => {
    const prices = { 't1:early': 0.3, 't1:late': 0.1, 't2:early': 0.2, 't2:late': 0.3 };
    let next = 0;
    const decimals = priced.replaceAll(
      /@cost\(\d\)/g,
      () => `@cost(${Object.values(prices)[next++]})`,
    );
    const cwd = await folderWith({
      'decimals.fw': decimals,
      'bare.fw': priced.replaceAll(/@cost\(\d\) /g, ''),
      'costs.json': JSON.stringify(prices),
    });
    expect(await chosen(cwd, 'decimals.fw')).toEqual(['t1:late', 't2:early']);
    // 0.1 + 0.2 of floating point is 0.30000000000000004.
    expect((await jsonOf(cwd, 'decimals.fw')).cost).toBe(0.3);
    expect(await chosen(cwd, 'bare.fw', '--cost', 'costs.json')).toEqual(['t1:late', 't2:early']);
    expect((await jsonOf(cwd, 'bare.fw', '--cost', 'costs.json')).cost).toBe(0.3);
    const certified = await fencewright(['fence', 'decimals.fw', '--certificate', 'proof.json'], {
      cwd,
    });
    expect(certified.code).toBe(0);
    const verified = await fencewright(['verify-certificate', 'proof.json', 'decimals.fw'], {
      cwd,
    });
    expect(verified.stdout).toContain('cost 0.3');
  });

  test('of a file move the fences away from a hot label', async () => {
    const cwd = await folderWith({
      'dekker.fw': dekker,
      'one.json': '{"t0:look": 3}',
      'both.json': '{"look": 3}',
      'default.json': '{"look": 2.5, "default": 0.5}',
    });
    const [t0, t1] = ['t0', 't1'].map((thread) => ({
      cold: [`${thread}:look`, `${thread}:waits`],
      hot: [`${thread}:raised`, `${thread}:waits`, `${thread}:again`],
    }));
    const costs = (file: string) => chosen(cwd, 'dekker.fw', '--cost', file);
    expect(await costs('size')).toEqual([...t0!.cold, ...t1!.cold]);
    expect(await costs('one.json')).toEqual([...t0!.hot, ...t1!.cold]);
    expect(await costs('both.json')).toEqual([...t0!.hot, ...t1!.hot]);
    expect(await costs('default.json')).toEqual([...t0!.hot, ...t1!.hot]);
    expect(await jsonOf(cwd, 'dekker.fw', '--cost', 'default.json')).toMatchObject({ cost: 3 });
  });

  test('of a profile do so, too, and are the same for a seed', async () => {
    const cwd = await folderWith({ 'dekker.fw': dekker });
    const costs = async (...more: string[]) =>
      (await jsonOf(cwd, 'dekker.fw', '--cost', 'profile', '--runs', '20', ...more)).fences;
    const first = await costs('--seed', '7');
    expect(first.map(({ label }) => label)).not.toContain('look');
    expect(await costs('--seed', '7')).toEqual(first);
    expect(await costs('--seed', '8')).not.toEqual(first);
  });

  test.each([
    ['{"raised": 0}', "1:2: error FW1011: label 'raised' cannot cost 0"],
    ['{\n "t0:look": -1}', "2:2: error FW1011: label 't0:look' cannot cost -1"],
    ['{"look": "3"}', "error FW1011: the cost of label 'look' is not a number"],
    ['{"look": null}', "error FW1011: the cost of label 'look' is not a number"],
    ['{"look": 1e999}', "error FW1011: label 'look' cannot cost Infinity"],
    ['{"default": 0}', "error FW1011: label 'default' cannot cost 0"],
    ['{"t0:looks": 1}', "error FW1002: no label is named 't0:looks'"],
    ['{"t2:look": 1}', "error FW1002: no label is named 't2:look'"],
    ['[1]', 'error FW1013: costs have to be a JSON object'],
    ['{"look": }', 'error FW1013: this is not JSON'],
    ['', 'error FW1013: this is not JSON'],
  ])('from the file %s are refused', async (text, message) => {
    const cwd = await folderWith({ 'dekker.fw': dekker, 'costs.json': text });
    const run = await fencewright(['fence', 'dekker.fw', '--cost', 'costs.json'], { cwd });
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain('hint: ');
  });

  test('from a missing file are refused, and in JSON said to be', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const run = await fencewright(['fence', 'sb.fw', '--cost', 'no.json'], { cwd });
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toMatch(/^no\.json: error FW1013: no such file/);
    const result = await jsonOf(cwd, 'sb.fw', '--cost', 'no.json');
    expect(result).toMatchObject({ file: 'sb.fw', verdict: 'error' });
  });
});

describe('--repair', () => {
  const robustWith = async (file: string, text: string, repair: string): Promise<Run> => {
    const cwd = await folderWith({ [file]: text });
    const out = `out-${file}`;
    const run = await fencewright(['fence', file, '--repair', repair, '-o', out], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const check = await fencewright(['check', '--engine', 'instrument', out], { cwd });
    expect(check.code).toBe(0);
    return run;
  };

  test.each([
    ['sb.fw', storeBuffering],
    ['sb.txt', trencher],
  ])('xchg makes stores of %s locked exchanges', async (file, text) => {
    const { stdout } = await robustWith(file, text, 'xchg');
    expect(stdout).toContain('becomes robust with 2 locked exchanges of cost 2');
    expect(stdout).toContain('a locked exchange instead of the store at line 3');
    if (file === 'sb.fw') expect(stdout).toContain('xchg(x, 1);');
  });

  test('any mixes both where that is cheaper', async () => {
    const text = storeBuffering
      .replace('x = 1', '@cost(3) x = 1')
      .replace('r = x', '@cost(3) r = x');
    const { stdout } = await robustWith('sb.fw', text, 'any');
    expect(stdout).toContain('with 1 fence and 1 locked exchange of cost 2,');
  });
});

describe('--minimise', () => {
  test('tells which fences can go, and takes them out', async () => {
    const cwd = await folderWith({ 'spare.fw': spare });
    const run = await fencewright(['fence', '--minimise', 'spare.fw', '-o', 'lean.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(
      'is robust, and 2 fences can go, saving 2 of 3; 1 fence of cost 1 stays, provably cheapest: 1 execution rules out less',
    );
    const lean = await readFile(path.join(cwd, 'lean.fw'), 'utf8');
    expect(lean.match(/fence;/g)).toHaveLength(1);
    expect(lean).toContain('// one will do');
    expect(await fencewright(['check', 'lean.fw'], { cwd })).toMatchObject({ code: 0 });
  });

  test('with --locked-stores takes exchanges for removable', async () => {
    const cwd = await folderWith({ 'spare.fw': spare });
    const args = ['spare.fw', '--minimise', '--locked-stores'];
    expect(await jsonOf(cwd, ...args)).toMatchObject({
      verdict: 'robust',
      outcome: 'found',
      cost: 2,
      saving: 2,
    });
  });

  test('exits 10 for a program that is not robust with all that it has', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const run = await fencewright(['fence', '--minimise', 'sb.fw'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('is not robust, with all the fences that it has');
  });
});

describe('--for', () => {
  test('is cheaper where a property needs less than robustness', async () => {
    const cwd = await folderWith({ 'chatty.fw': chatty });
    expect(await jsonOf(cwd, 'chatty.fw')).toMatchObject({ cost: 4, verdict: 'not-robust' });
    const forMutex = await jsonOf(cwd, 'chatty.fw', '--for', 'mutex', '-o', 'mutex.fw');
    expect(forMutex).toMatchObject({ cost: 2, verdict: 'violated' });
    const again = await fencewright(['fence', 'mutex.fw', '--for', 'mutex'], { cwd });
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('needs no fence: mutex holds under TSO as it is');
    const reach = await fencewright(['reach', 'mutex.fw'], { cwd });
    expect(reach.stdout).toMatch(/mutex +never +holds +holds/);
  });

  test('says so when the property fails under SC as well', async () => {
    const text = storeBuffering.replace('t1.r == 1 || t2.r == 1', 't1.r == 1');
    const cwd = await folderWith({ 'sb.fw': text });
    const run = await fencewright(['fence', 'sb.fw', '--for', 'oneSeesTheOther'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('oneSeesTheOther is wrong already under SC: no fences help');
    expect(run.stdout).toContain('which delays no store');
  });

  test('puts a fence at the end of a thread, before the label there', async () => {
    const text =
      'program P\nvar x\nthread a { x = 1; out: ; }\nproperty p: never (a @ out && x == 0)\n';
    const cwd = await folderWith({ 'p.fw': text });
    const run = await fencewright(['fence', 'p.fw', '--for', 'p', '-o', 'q.fw'], { cwd });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('info FW2011');
    expect(run.stdout).toContain('satisfies p under TSO with 1 fence of cost 1, provably cheapest');
    expect(run.stdout).toContain('+thread a { x = 1; fence; out: ; }');
    const reach = await fencewright(['reach', 'q.fw'], { cwd });
    expect(reach.stdout).toMatch(/p +never +holds +holds/);
  });

  test('puts a fence at the end of an automaton', async () => {
    const text =
      'program P\nvar x\nthread a init l begin\n  l: mem[x] <- 1; goto out;\nend\n' +
      'property p: never (a @ out && x == 0)\n';
    const cwd = await folderWith({ 'p.fw': text });
    const run = await fencewright(['fence', 'p.fw', '--for', 'p', '-o', 'q.fw'], { cwd });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('info FW2011');
    expect(run.stdout).toContain('+  out_fenced: mfence; goto out;');
    const reach = await fencewright(['reach', 'q.fw'], { cwd });
    expect(reach.stdout).toMatch(/p +never +holds +holds/);
  });

  test('assertions: all assertions of the program', async () => {
    const enters = 'if (r == 0) { r = fetch_add(n, 1); assert(r == 0); }';
    const text =
      `program P\nvar x, y, n\nthread a { local r; x = 1; r = y; ${enters} }\n` +
      `thread b { local r; y = 1; r = x; ${enters} }\n`;
    const cwd = await folderWith({
      'p.fw': text,
      'wrong.fw': text.replace('assert(r == 0)', 'assert(r == 1)'),
      'sb.fw': storeBuffering,
      'named.fw': `${text}property assertions: never (n == 7)\n`,
    });
    const answer = await jsonOf(cwd, 'p.fw', '--for', 'assertions', '-o', 'q.fw');
    expect(answer).toMatchObject({ cost: 2, properties: ['assertions'], verdict: 'violated' });
    const again = await fencewright(['fence', 'q.fw', '--for', 'assertions'], { cwd });
    expect(again.stdout).toContain('needs no fence: all assertions hold under TSO as it is');
    const wrong = await fencewright(['fence', 'wrong.fw', '--for', 'assertions'], { cwd });
    expect(wrong.code).toBe(10);
    expect(wrong.stdout).toContain('an assertion is wrong already under SC: no fences help');
    const none = await fencewright(['fence', 'sb.fw', '--for', 'assertions'], { cwd });
    expect(none.code).toBe(65);
    expect(none.stderr).toContain('the program has no assertions');
    const both = await fencewright(['fence', 'named.fw', '--for', 'assertions'], { cwd });
    expect(both.code).toBe(65);
    expect(both.stderr).toContain('is ambiguous: a property has this name');
  });

  test('of any number of copies is about safety; none with --minimise', async () => {
    const text = `program P\nvar x\nthread a[*] { x = 1; }\nproperty p: never (x == 2)\nproperty q: finally (x == 1)\n`;
    const cwd = await folderWith({ 'p.fw': text });
    const run = await fencewright(['fence', 'p.fw', '--for', 'p'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('needs no fence: p holds under TSO as it is');
    const ends = await fencewright(['fence', 'p.fw', '--for', 'q'], { cwd });
    expect(ends.code).toBe(65);
    expect(ends.stderr).toContain('needs a number of copies');
    const minimise = await fencewright(['fence', 'p.fw', '--for', 'p', '--minimise'], { cwd });
    expect(minimise.code).toBe(64);
  });

  test('--cost profile ends with the time', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const costs = ['--cost', 'profile', '--runs', '1000000000', '--timeout', '1'];
    const run = await fencewright(['fence', 'sb.fw', ...costs], { cwd });
    expect(run.code).toBe(5);
    expect(run.stdout).toContain('is undecided: the time ran out');
  });

  test('knows the nearest name, and no stuck', async () => {
    const cwd = await folderWith({ 'chatty.fw': chatty });
    const misspelt = await fencewright(['fence', 'chatty.fw', '--for', 'mutx'], { cwd });
    expect(misspelt).toMatchObject({ code: 65, stdout: '' });
    expect(misspelt.stderr).toContain("FW1002: no property is named 'mutx'");
    expect(misspelt.stderr).toContain("did you mean 'mutex'?");
    const strange = await fencewright(['fence', 'chatty.fw', '--for', 'nosuch'], { cwd });
    expect(strange).toMatchObject({ code: 65, stdout: '' });
    expect(strange.stderr).toContain(
      'hint: there is mutex, last, progress, states and final-states',
    );
  });

  test('makes unreachable what an exists asks for, and says what robustness takes', async () => {
    const text =
      'program Both\nvar x, y, z\nthread a { local r, s; x = 1; r = y; z = 1; s = y; }\n' +
      'thread b { local r, s; y = 1; r = x; s = z; }\n' +
      'property both: exists (a.r == 0 && b.r == 0)\nproperty apart: exists (a.s == 0 && b.s == 0)\n' +
      'property idle: stuck (a.r == 0)\n';
    const cwd = await folderWith({ 'both.fw': text });
    const run = await fencewright(['fence', 'both.fw', '--for', 'both'], { cwd });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('never reaches both under TSO with 2 fences of cost 2');
    expect(run.stdout).toContain('; robustness takes 3 of cost 3');
    const proof = path.join(cwd, 'proof.json');
    await fencewright(['fence', 'both.fw', '--for', 'both', '--certificate', proof], { cwd });
    const verified = await fencewright(['verify-certificate', proof, 'both.fw'], { cwd });
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    const stuck = await fencewright(['fence', 'both.fw', '--for', 'idle'], { cwd });
    expect(stuck.code).toBe(65);
    expect(stuck.stderr).toContain("no fence can be found for a 'stuck' property");
  });
});
