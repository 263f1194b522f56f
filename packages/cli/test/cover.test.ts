import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const schema = new URL('../schema/result.schema.json', import.meta.url);
const isDocument = new Ajv2020().compile(JSON.parse(await readFile(schema, 'utf8')) as object);

const spec = (start: string): string => `vars a b
rules a >= 2 -> a' = a - 2, b' = b + 1;
init a ${start}, b = 0
target b >= 3
`;

const tts = '2 2\n0 0 -> 1 1\n1 0 -> 1 1\n';

describe('cover', () => {
  it('shows a run to the target, and ends with 10', async () => {
    const folder = await folderWith({ 'net.spec': spec('>= 0') });
    const { code, stdout, stderr } = await fencewright(['cover', 'net.spec'], { cwd: folder });
    expect(stderr).toBe('');
    expect(stdout.replace(/\d+\.\d ms/, 'N ms')).toMatchInlineSnapshot(`
      "net.spec: coverable (unsafe)
      2 places, 1 rule; 1 node forwards, 0 elements backwards, N ms

      From 6 a, 3 steps:
        rule 1  ->  4 a, b
        rule 1  ->  2 a, 2 b
        rule 1  ->  3 b
      "
    `);
    expect(code).toBe(10);
  });

  it('shows why the target is out of reach, writes the proof, and ends with 0', async () => {
    const folder = await folderWith({ 'net.spec': spec('= 5'), 'other.spec': spec('= 6') });
    for (const engine of ['forward', 'backward']) {
      const args = ['cover', 'net.spec', '--engine', engine, '--certificate', 'proof.json'];
      const { code, stdout } = await fencewright(args, { cwd: folder });
      expect(stdout).toContain('not coverable (safe)');
      expect(code).toBe(0);
      const verify = (net: string) =>
        fencewright(['verify-certificate', 'proof.json', net], { cwd: folder });
      expect(await verify('net.spec')).toMatchObject({ code: 0 });
      for (const quiet of [args, ['verify-certificate', 'proof.json', 'net.spec']])
        expect(await fencewright([...quiet, '--quiet'], { cwd: folder })).toMatchObject({
          code: 0,
          stdout: '',
        });
      expect(await verify('other.spec')).toMatchObject({ code: 10 });
    }
    const proof = JSON.parse(await readFile(path.join(folder, 'proof.json'), 'utf8')) as object;
    expect(proof).toMatchObject({
      kind: 'cover',
      proof: { kind: 'basis', weights: [{ a: 1, b: 2 }] },
    });
  });

  it('says that what can be covered has no proof to be written', async () => {
    const folder = await folderWith({ 'net.spec': spec('= 6') });
    const args = ['cover', 'net.spec', '--certificate', 'proof.json'];
    const { code, stderr } = await fencewright(args, { cwd: folder });
    expect(code).toBe(10);
    expect(stderr).toBe(
      "fencewright: proof.json is not written: only the answer 'not coverable' has a proof\n",
    );
    await expect(readFile(path.join(folder, 'proof.json'))).rejects.toThrow('ENOENT');
  });

  it('keeps to the limits while it reads', async () => {
    const steps = Array.from({ length: 200_000 }, (_, i) => `0 ${i} -> 1 ${i + 1}`);
    const places = Array.from({ length: 100_000 }, (_, i) => `p${i}`);
    const folder = await folderWith({
      'long.tts': `# target 1|1\n2 200001\n${steps.join('\n')}\n`,
      'long.spec': `vars ${places.join(' ')}\nrules ;\ninit p0 = 1\ntarget p0 >= 2\n`,
    });
    for (const name of ['long.tts', 'long.spec']) {
      const args = ['cover', name, '--max-memory', '16'];
      const { code, stdout } = await fencewright(args, { cwd: folder });
      expect(stdout).toContain('the limit on memory was reached while reading it');
      expect(code).toBe(5);
      const { stdout: json } = await fencewright([...args, '--json'], { cwd: folder });
      const document: unknown = JSON.parse(json);
      expect(isDocument(document)).toBe(true);
      expect(document).toMatchObject({ results: [{ verdict: 'unknown', reason: 'memory' }] });
    }
  });

  it('takes start and target of a thread-transition system from options, comments and files beside it', async () => {
    const folder = await folderWith({
      'plain.tts': tts,
      'said.tts': `# initial 0|0\n# target 1|1,1\n${tts}`,
      'beside.tts': tts,
      'beside.prop': '1|1,1',
    });
    const cover = async (...args: string[]) =>
      (await fencewright(['cover', ...args], { cwd: folder })).code;
    expect(await cover('plain.tts', '--target', '1|1,1')).toBe(10);
    expect(await cover('plain.tts', '--target', '1|1,1', '--initial', '0|0')).toBe(0);
    expect(await cover('said.tts')).toBe(0);
    expect(await cover('said.tts', '--initial', '0|0,0')).toBe(10);
    expect(await cover('beside.tts')).toBe(10);
    expect(await cover('plain.tts')).toBe(65);
  });

  it('prints a document of the published schema', async () => {
    const folder = await folderWith({
      'a.spec': spec('>= 1'),
      'b.spec': spec('= 5'),
      'c.spec': 'vars',
    });
    for (const [file, verdict, code] of [
      ['a.spec', 'coverable', 10],
      ['b.spec', 'not-coverable', 0],
      ['c.spec', 'error', 65],
    ] as const) {
      const run = await fencewright(['cover', file, '--json'], { cwd: folder });
      expect(run.code).toBe(code);
      const document = JSON.parse(run.stdout) as { results: { verdict: string }[] };
      expect(isDocument(document), JSON.stringify(isDocument.errors)).toBe(true);
      expect(document.results[0]?.verdict).toBe(verdict);
    }
  });

  it('ends with 5 when a limit is reached', async () => {
    const places = Array.from({ length: 13 }, (_, i) => `p${i}`);
    const steps = places
      .slice(1)
      .map((to, i) => `p${i} >= 1 -> p${i}' = p${i} - 1, ${to}' = ${to} + 1;`);
    const start = places.map((name) => `${name} = ${name === 'p0' ? 12 : 0}`).join(', ');
    const net = `vars ${places.join(' ')}\nrules ${steps.join('\n')}\ninit ${start}\ntarget p12 >= 13\n`;
    const folder = await folderWith({ 'net.spec': net });
    const args = ['cover', 'net.spec', '--engine', 'forward', '--max-states', '100'];
    const { code, stdout } = await fencewright(args, { cwd: folder });
    expect(stdout).toContain('the limit on states was reached');
    expect(code).toBe(5);
    expect((await fencewright(['cover', 'net.spec'], { cwd: folder })).code).toBe(0);
  });

  it('says what is wrong with a file', async () => {
    const folder = await folderWith({
      'net.spec': 'vars a\nrules b >= 1 -> ;\ninit a = 0\ntarget a >= 1',
      'x.net': '',
    });
    const bad = await fencewright(['cover', 'net.spec'], { cwd: folder });
    expect(bad.code).toBe(65);
    expect(bad.stderr).toContain("no variable is named 'b'");
    expect((await fencewright(['cover', 'x.net'], { cwd: folder })).stderr).toContain(
      '--from mist|tts',
    );
    expect((await fencewright(['cover', 'missing.spec'], { cwd: folder })).code).toBe(65);
  });
});
