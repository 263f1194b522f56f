import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-codes.js';
import { verbs } from '../src/verbs.js';
import { fencewright, folderWith } from './fencewright.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const file = path.join(root, 'packages/cli/man/fencewright.1');
const run = promisify(execFile);
let page = '';

beforeAll(async () => {
  page = await readFile(file, 'utf8');
});

test('is what npm run generate makes of the options that there are', async () => {
  const folder = await folderWith({});
  const args = ['--import', 'tsx', '--conditions=source', 'tools/write-man-page.ts', folder];
  await run(process.execPath, args, { cwd: root });
  expect(page).toBe(await readFile(path.join(folder, 'fencewright.1'), 'utf8'));
});

test('no line begins with a letter that commands, unless it is one of these', () => {
  const commands = page.split('\n').flatMap((line) => /^['.][^ ]*/.exec(line) ?? []);
  const known = ['.PP', '.SH', '.SS', '.TH', '.TP', '.\\"', '.br'];
  expect([...new Set(commands)].sort()).toEqual(known.sort());
});

/** Whether a program is installed on this machine. */
const has = (program: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );

/** Returns the manual page as `man` shows the page. */
async function shown(): Promise<string> {
  const env = { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' };
  const { stdout, stderr } = await run('man', ['--warnings=w', '--local-file', file], { env });
  expect(stderr).toBe('');
  return stdout;
}

test('man shows it without a warning, with every option of every verb and every exit code', async ({
  skip,
}) => {
  if (!(await has('man'))) skip('man is not installed');
  const text = await shown();
  const words = new Set(text.match(/--[a-z-]+/g));
  for (const name of Object.keys(verbs)) {
    expect(text).toMatch(new RegExp(`^   ${name}( |$)`, 'm'));
    const [, options = ''] = (await fencewright([name, '--help-all'])).stdout.split('\nOptions:\n');
    for (const [, option = ''] of options.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm))
      expect(words, `${name} ${option}`).toContain(option);
  }
  const { interrupted: _, brokenPipe: __, ...codes } = exitCodes;
  const [, status = ''] = /^EXIT STATUS\n(.*?)^[A-Z]/ms.exec(text) ?? [];
  for (const code of Object.values(codes)) expect(status).toMatch(new RegExp(`^ +${code} `, 'm'));
});

test('mandoc finds nothing wrong', async ({ skip }) => {
  if (!(await has('mandoc'))) skip('mandoc is not installed');
  const lint = run('mandoc', ['-T', 'lint', '-W', 'warning', file]);
  const found = await lint.then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
  // The page has no date, so that equal sources give equal pages.
  expect(found.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual(
    [],
  );
});
