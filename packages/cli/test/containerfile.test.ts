import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stage, takeSteps } from './containerfile.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** A script in place of `npm` that needs no network: `npm ci` links the installed packages. */
const npm = `#!/bin/sh
set -e
PATH=\${PATH#*:}
if [ "$1" != ci ]; then exec npm "$@"; fi
mkdir node_modules
cp -al "${root}"/node_modules/.bin "${root}"/node_modules/* node_modules
exec npm run prepare
`;

const aptGet = `#!/bin/sh
if [ "$1" = install ]; then shift; printf '%s\\n' "$@" >> "$ROOT/installed"; fi
`;

/**
 * The folder beside the installed packages, in which the script in place of `npm` can link them.
 */
let folder = '';
let stages: ReadonlyMap<string, Stage> = new Map();

beforeAll(async () => {
  folder = await mkdtemp(path.join(root, 'node_modules/.fencewright-container-'));
  for (const [name, text] of Object.entries({ npm, 'apt-get': aptGet })) {
    await writeFile(path.join(folder, name), text);
    await chmod(path.join(folder, name), 0o755);
  }
  const ignored = await readFile(path.join(root, '.dockerignore'), 'utf8');
  stages = await takeSteps(path.join(root, 'Containerfile'), {
    context: root,
    ignored: ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
    emptyRoot: () => mkdtemp(path.join(folder, 'root-')),
    commands: folder,
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(['small', 'full'])(
  'the image %s checks what is mounted, as nobody special',
  async (name) => {
    const { root: image, workdir, user, entrypoint, cmd } = stages.get(name)!;
    expect(user).toBe('node');
    const cwd = path.join(image, workdir);
    const example = await readFile(path.join(root, 'examples/store-buffering.fw'));
    await writeFile(path.join(cwd, 'sb.fw'), example);
    const env = { PATH: `${image}/usr/local/bin:${process.env.PATH ?? ''}` };
    const [command = '', ...always] = entrypoint;
    const help = await run(command, [...always, ...cmd], { cwd, env });
    expect(help.stdout).toContain('Usage: fencewright');
    const args = [...always, 'check', 'sb.fw'];
    await expect(run(command, args, { cwd, env })).rejects.toMatchObject({
      code: 10,
      stdout: expect.stringContaining('is not robust') as string,
    });
    const real = await run('realpath', [path.join(image, 'usr/local/bin', command)]);
    expect(real.stdout).toContain(`${image}/usr/local/lib/node_modules/fencewright/`);
  },
);

test('the last stage is the small one, and has nothing of the checkout', () => {
  expect([...stages.keys()].at(-1)).toBe('small');
  expect(existsSync(path.join(stages.get('build')!.root, 'source/packages'))).toBe(true);
  expect(existsSync(path.join(stages.get('small')!.root, 'source'))).toBe(false);
});

/** The packages of Debian that the full image has. */
async function debianPackages(): Promise<readonly string[]> {
  const text = await readFile(path.join(stages.get('full')!.root, 'installed'), 'utf8');
  return text
    .trim()
    .split('\n')
    .filter((name) => !name.startsWith('-'));
}

test('the full image has a clang that is new enough, the solvers, SPIN and what SPIN compiles with', async () => {
  const names = await debianPackages();
  expect(names.filter((name) => /^clang-(1[5-9]|2[0-2])$/.test(name))).toHaveLength(1);
  expect(names).toEqual(expect.arrayContaining(['z3', 'cvc5', 'spin', 'gcc', 'libc6-dev']));
});

test('Debian has these packages', async ({ skip }) => {
  const about = await readFile('/etc/os-release', 'utf8').catch(() => '');
  if (!about.includes('VERSION_CODENAME=bookworm')) skip('this is not the Debian of the image');
  const names = await debianPackages();
  const { stdout } = await run('apt-cache', ['pkgnames'], { maxBuffer: 2 ** 24 });
  const known = new Set(stdout.split('\n'));
  if (!known.has('gcc')) skip('apt-get update has not been run');
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});
