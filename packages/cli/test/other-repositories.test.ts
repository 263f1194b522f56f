import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { frontEnds } from '@fencewright/core/words';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderWith } from './fencewright.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function end(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ended> {
  return run(program, args, options).then(
    (streams) => ({ code: 0, ...streams }),
    (error: unknown) => error as Ended,
  );
}

const read = async (file: string): Promise<unknown> =>
  parse(await readFile(path.join(root, file), 'utf8'));

const broken = `program SB
var x, y
thread a { local r; x = 1; r = y; }
thread b { local s; y = 1; s = x; }
`;
const mended = broken.replaceAll('= 1;', '= 1; fence;').replace('SB', 'Fenced');
const violated = mended.replace('r = y;', 'r = y; assert(r == 1);');

/**
 * Returns a folder that stands for a foreign repository: programs in folders, a file name with a
 * blank, and a text that is no program.
 */
async function repository(): Promise<string> {
  const folder = await folderWith({ 'README.txt': 'not a program\n' });
  for (const name of ['good', 'bad', 'claims', 'node_modules'])
    await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'good/fenced.fw'), mended);
  await writeFile(path.join(folder, 'bad/store buffering.fw'), broken);
  await writeFile(path.join(folder, 'claims/claims.fw'), violated);
  await writeFile(path.join(folder, 'node_modules/not-ours.fw'), broken);
  return folder;
}

/** The folder in which the action of GitHub runs, with the tool that it has installed. */
let temporary = '';
const toolIn = (folder: string): string => path.join(folder, 'fencewright/bin');

interface ActionStep {
  readonly id?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly ActionStep[] };
}

/**
 * The surroundings of a step: its inputs, its working folder, and the folder of the runner's files.
 */
interface Job {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly runner: string;
  readonly search: readonly string[];
}

const { PATH = '' } = process.env;

/** Returns the path of the runner's file with this name for a job in this folder. */
const fileFor = (cwd: string, name: string): string =>
  path.join(temporary, `${path.basename(cwd)}-${name}`);

/** Runs the shell script of a step of the action, as GitHub does. */
async function runStep(index: number, { inputs = {}, cwd, runner, search }: Job): Promise<Ended> {
  const action = (await read('action.yml')) as Action;
  const { run: script, shell, env = {} } = action.runs.steps[index]!;
  expect(shell).toBe('bash');
  const value = (name: string): string => {
    const [, input] = /^inputs\.([\w-]+)$/.exec(name) ?? [];
    if (input !== undefined) return inputs[input] ?? action.inputs[input]!.default;
    if (name === 'github.action_path') return root;
    if (name === 'runner.temp') return runner;
    throw new Error(`what is ${name}?`);
  };
  const file = path.join(await mkdtemp(path.join(runner, 'step-')), 'step.sh');
  await writeFile(file, script!);
  const variables = Object.entries(env).map(([name, text]) => [
    name,
    text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => value(expression)),
  ]);
  const files = ['GITHUB_PATH', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map((name) => [
    name,
    fileFor(cwd, name),
  ]);
  for (const [, name] of files) await writeFile(name!, '');
  return end('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
    cwd,
    env: {
      ...(Object.fromEntries([...variables, ...files]) as Record<string, string>),
      PATH: [...search, PATH].join(':'),
      HOME: runner,
      npm_config_offline: 'true',
    },
  });
}

/** Returns the text that a step has written into the file with this name. */
const writtenBy = (cwd: string, name: string): Promise<string> =>
  readFile(fileFor(cwd, name), 'utf8');

/** Returns a folder with a fake `npm`: `npm ci` succeeds, any other command runs `does`. */
async function npmThat(does: string): Promise<string> {
  const folder = await folderWith({ npm: `#!/bin/sh\n[ "$1" = ci ] && exit\n${does}\n` });
  await chmod(path.join(folder, 'npm'), 0o755);
  return folder;
}

beforeAll(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'fencewright-runner-'));
});

afterAll(() => rm(temporary, { recursive: true, force: true }));

describe('the action', () => {
  test('installs the tool of its own commit', async () => {
    const cwd = await repository();
    const search = [await npmThat('PATH=${PATH#*:} exec npm "$@"')];
    expect(await runStep(0, { cwd, runner: temporary, search })).toMatchObject({ code: 0 });
    expect(await writtenBy(cwd, 'GITHUB_PATH')).toBe(`${toolIn(temporary)}\n`);
    const env = { PATH: `${toolIn(temporary)}:${PATH}` };
    expect(await end('fencewright', ['--version'], { cwd, env })).toMatchObject({ code: 0 });
  });

  test.each([
    ['0.1.0', 'fencewright@0.1.0'],
    ['https://example.org/fencewright.tgz', 'https://example.org/fencewright.tgz'],
    ['README.txt', '/README.txt'],
  ])('installs %s', async (version, asked) => {
    const cwd = await repository();
    const search = [await npmThat(`printf '%s\\n' "$@" > asked`)];
    const job = { inputs: { version }, cwd, runner: cwd, search };
    expect(await runStep(0, job)).toMatchObject({ code: 0 });
    const words = (await readFile(path.join(cwd, 'asked'), 'utf8')).trim().split('\n');
    expect(words.at(-1)).toBe(asked.startsWith('/') ? cwd + asked : asked);
  });

  const check = async (inputs: Readonly<Record<string, string>>) => {
    const cwd = await repository();
    const job = { inputs, cwd, runner: temporary, search: [toolIn(temporary)] };
    const { code, stdout } = await runStep(1, job);
    expect(await writtenBy(cwd, 'GITHUB_OUTPUT')).toBe(`exit-code=${code}\n`);
    return { cwd, code, stdout, summary: await writtenBy(cwd, 'GITHUB_STEP_SUMMARY') };
  };

  test('looks at the whole repository if nothing is said, and fails if a program is not robust', async () => {
    const { cwd, code, stdout, summary } = await check({});
    expect(code).toBe(10);
    expect(stdout).toContain('SB is not robust');
    expect(summary).toContain('3 files: 1 not robust, 2 robust');
    const log = await readFile(path.join(cwd, 'fencewright.sarif'), 'utf8');
    expect(log.match(/(?<="ruleId": ")[\w-]+/g)).toEqual(['not-robust', 'wrong-under-sc']);
    expect(log).toContain('bad/store%20buffering.fw');
  });

  test('takes files, folders and patterns, one a line, whatever their names', async () => {
    const files = 'good\nbad/store buffering.fw\n\nclaims/**/*.fw\n';
    const { stdout } = await check({ files });
    for (const name of ['good/fenced.fw', 'bad/store buffering.fw', 'claims/claims.fw'])
      expect(stdout).toContain(name);
    expect(await check({ files: 'good', sarif: '' })).toMatchObject({ code: 0 });
  });

  test('takes options and reasons to fail; writes no log where none is wanted', async () => {
    const { cwd, code } = await check({ files: 'claims', sarif: '' });
    expect(code).toBe(0);
    expect(existsSync(path.join(cwd, 'fencewright.sarif'))).toBe(false);
    expect(await check({ files: 'claims', 'fail-on': 'violated' })).toMatchObject({ code: 10 });
    expect(await check({ args: '--max-states 1 --engine search' })).toMatchObject({ code: 5 });
    expect(await check({ files: 'nowhere' })).toMatchObject({ code: 65 });
  });

  test('hands all its inputs to a step, and the exit code of one that there is to its output', async () => {
    const action = (await read('action.yml')) as Action & {
      readonly outputs: Readonly<Record<string, { readonly value: string }>>;
    };
    const steps = JSON.stringify(action.runs.steps);
    for (const name of Object.keys(action.inputs)) expect(steps).toContain(`inputs.${name}`);
    const [, id] =
      /steps\.(\w+)\.outputs\.exit-code/.exec(action.outputs['exit-code']!.value) ?? [];
    expect(action.runs.steps.map((step) => step.id)).toContain(id);
  });
});

interface Template {
  readonly fencewright: {
    readonly variables: Readonly<Record<string, string>>;
    readonly script: readonly string[];
    readonly artifacts: {
      readonly paths: readonly string[];
      readonly reports: { readonly junit: string };
    };
  };
}

describe('the template for GitLab', () => {
  async function runJob(variables: Readonly<Record<string, string>>, search = PATH) {
    const cwd = await repository();
    if (search !== PATH) {
      await mkdir(path.join(cwd, '.fencewright'));
      await symlink(path.join(temporary, 'fencewright'), path.join(cwd, '.fencewright/tool'));
    }
    const { fencewright: job } = (await read('templates/gitlab-ci.yml')) as Template;
    for (const name of Object.keys(variables)) expect(job.variables).toHaveProperty([name]);
    const packed = path.join(temporary, 'fencewright/packed');
    const [file = ''] = await readdir(packed);
    const env = {
      ...job.variables,
      ...{ FENCEWRIGHT_PACKAGE: path.join(packed, file), CI_PROJECT_DIR: cwd },
      ...variables,
      ...{ PATH: search, HOME: cwd, npm_config_offline: 'true' },
    };
    const script = ['set -eo pipefail', ...job.script].join('\n');
    return { cwd, job, ended: await end('bash', ['-c', script], { cwd, env }) };
  }

  test('installs the tool, fails if a program is not robust, and leaves its reports', async () => {
    const { cwd, job, ended } = await runJob({});
    expect(ended).toMatchObject({ code: 10 });
    const { paths, reports } = job.artifacts;
    for (const name of paths) expect(existsSync(path.join(cwd, name)), name).toBe(true);
    const report = await readFile(path.join(cwd, reports.junit), 'utf8');
    expect(report).toMatch(/tests="3" failures="1" errors="0"/);
  });

  test('takes patterns, and options', async () => {
    const variables = {
      // The shell would expand the pattern to files in node_modules, too.
      FENCEWRIGHT_FILES: '*/[cfn]*.fw',
      FENCEWRIGHT_ARGS: '--fail-on violated',
    };
    // Where the tool is installed already.
    const search = `${await npmThat('exit 0')}:${PATH}`;
    const { cwd, job, ended } = await runJob(variables, search);
    expect(ended).toMatchObject({ code: 10 });
    const report = await readFile(path.join(cwd, job.artifacts.reports.junit), 'utf8');
    expect(report).toContain('claims/claims.fw');
    expect(report).toContain('good/fenced.fw');
    for (const name of ['store buffering', 'not-ours']) expect(report).not.toContain(name);
  });
});

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly files?: string;
}

describe('the hooks for pre-commit', () => {
  const hooks = async (): Promise<readonly Hook[]> =>
    (await read('.pre-commit-hooks.yaml')) as readonly Hook[];

  test('are installed as pre-commit does, from what npm packs of the repository, and run', async () => {
    const cwd = await repository();
    // pre-commit reads the output of `npm pack` as a file name: the build must print nothing.
    const asked = await run('npm', ['config', 'get', 'foreground-scripts'], { cwd: root });
    expect(asked.stdout.trim()).toBe('false');
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', cwd];
    const { stdout } = await run('npm', args, { cwd: root });
    await mkdir(path.join(cwd, '.tool'));
    const unpack = ['-xzf', stdout.trim(), '-C', '.tool', '--strip-components=1'];
    await run('tar', unpack, { cwd });
    // Links the packages that npm would install beside the tool.
    await symlink(path.join(root, 'node_modules'), path.join(cwd, '.tool/node_modules'));
    const manifest = await readFile(path.join(cwd, '.tool/package.json'), 'utf8');
    const { bin } = JSON.parse(manifest) as { readonly bin: Readonly<Record<string, string>> };
    await symlink(path.join(cwd, '.tool', bin.fencewright!), path.join(cwd, '.tool/fencewright'));

    const env = { PATH: `${path.join(cwd, '.tool')}:${PATH}` };
    const hook = (entry: string, ...files: string[]) =>
      end('sh', ['-c', `${entry} "$@"`, 'sh', ...files], { cwd, env });
    const [check, c, format] = await hooks();
    expect([check, c, format].map((hook) => hook?.id)).toEqual([
      'fencewright',
      'fencewright-c',
      'fencewright-format',
    ]);
    const both = ['good/fenced.fw', 'bad/store buffering.fw'];
    const failed = await hook(check!.entry, ...both);
    expect(failed.code).toBe(10);
    // The author of the commit sees the reason.
    expect(failed.stdout).toContain('Why it is not sequentially consistent');
    expect(await hook(check!.entry, both[0]!)).toMatchObject({ code: 0 });
    await writeFile(path.join(cwd, both[0]!), mended.replaceAll(' = ', '='));
    expect(await hook(format!.entry, ...both)).toMatchObject({ code: 0 });
    expect(await readFile(path.join(cwd, both[0]!), 'utf8')).toBe(mended);
    expect((await hook(`${c!.entry} --help-all`)).stdout).toContain('--clang');
  });

  test('are prepared with the packages that the build needs, also as a global package', async () => {
    // npm prepares a clone for `npm install -g git+file://...` as a global package without them.
    const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const prepare = manifest.scripts.prepare!;
    expect(prepare).toMatch(/^node tools\/\w+\.mjs$/);
    const script = prepare.replace('node ', '');
    const cwd = await folderWith({
      [script]: await readFile(path.join(root, script), 'utf8'),
      'tools/build.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('built', '');\n",
    });
    await mkdir(path.join(cwd, 'bin'));
    const npm = `#!/bin/sh
echo "$*, global: $npm_config_global" >> asked
echo noise
mkdir -p node_modules/esbuild && echo 'module.exports = 1;' > node_modules/esbuild/index.js
`;
    await writeFile(path.join(cwd, 'bin/npm'), npm, { mode: 0o755 });
    const env = { PATH: `${path.join(cwd, 'bin')}:${PATH}`, npm_config_global: 'true' };
    for (let time = 0; time < 2; time++) {
      const { code, stdout } = await end('sh', ['-c', prepare], { cwd, env });
      expect([code, stdout]).toEqual([0, '']);
    }
    expect(await readFile(path.join(cwd, 'asked'), 'utf8')).toMatch(/^ci .*, global: \n$/);
    expect(await readFile(path.join(cwd, 'built'), 'utf8')).toBe('');
  });

  test('take the files of all formats that are texts of programs and nothing else', async () => {
    const [check, , format] = await hooks();
    const extensions = frontEnds.flatMap(({ extensions }) => extensions);
    const taken = extensions.filter((extension) => new RegExp(check!.files!).test(`a${extension}`));
    const other = ['.txt', '.ll', '.c', '.cc', '.cpp', '.cxx', '.i'];
    expect([...taken, ...other].sort()).toEqual(extensions.toSorted());
    const formatted = extensions.filter((each) => new RegExp(format!.files!).test(`a${each}`));
    expect(formatted).toEqual(['.fw']);
  });
});
