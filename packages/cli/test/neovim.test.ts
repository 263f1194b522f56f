import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { folderWith } from './fencewright.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const session = fileURLToPath(new URL('neovim.lua', import.meta.url));
const later = fileURLToPath(new URL('neovim-0.11.lua', import.meta.url));
const binary = fileURLToPath(new URL('../bin/fencewright.js', import.meta.url));

/** The diagnostics and the hover text that an editor showed for a program. */
interface Seen {
  readonly failure?: string;
  readonly attacks: readonly { readonly line: number; readonly message: string }[];
  readonly hover: string;
  readonly actions: readonly string[];
  readonly text: string;
  readonly isMended: boolean;
  /** The number of language servers that ran for the editor. */
  readonly servers: number;
  readonly lenses: readonly string[];
}

describeWith('nvim', ['--version'], 'Neovim, without a screen', () => {
  test.each([
    ['as it is', []],
    // In 0.7, file types in Lua are asked for.
    ['with functions of 0.11', ['--cmd', 'let g:do_filetype_lua = 1', '--cmd', `luafile ${later}`]],
  ])('shows attacks, and applies the cheapest fences: %s', async (_, options) => {
    const folder = await folderWith({});
    // Two projects: all texts have one server nevertheless.
    for (const project of ['one', 'two'])
      await mkdir(path.join(folder, project, '.project'), { recursive: true });
    const program = path.join(folder, 'one/peterson.fw');
    await copyFile(path.join(root, 'examples/peterson.fw'), program);
    const inC = path.join(folder, 'two/chase-lev.c');
    await copyFile(path.join(root, 'examples/c/chase-lev.c'), inC);
    const command = path.join(folder, 'fencewright');
    await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`);
    await chmod(command, 0o755);
    // The settings of the manual, word for word.
    const manual = await readFile(path.join(root, 'docs/editors.md'), 'utf8');
    const [, configuration] =
      /^## Neovim\n[^`]*`init\.lua`[^`]*```lua\n([^]*?)^```$/m.exec(manual) ?? [];
    expect(configuration).toContain('start_client');
    const init = path.join(folder, 'init.lua');
    await writeFile(init, configuration!);
    const { stdout } = await promisify(execFile)(
      'nvim',
      ['--headless', ...options, '-u', init, '-i', 'NONE', '-n', '-c', `luafile ${session}`],
      {
        env: {
          ...{ HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder },
          ...{ PATH: `${folder}:${process.env.PATH}` },
          ...{ FENCEWRIGHT_PROGRAM: program, FENCEWRIGHT_C: inC },
        },
        timeout: 1_100_000,
        killSignal: 'SIGKILL',
      },
    );
    const seen = JSON.parse(stdout.trim().split('\n').at(-1)!) as Seen;
    expect(seen.failure).toBeUndefined();
    expect(seen.servers).toBe(1);
    expect(seen).toMatchObject({ isCChecked: true, isUnsavedUnmarked: true, isSavedChecked: true });
    // Each thread can delay its flag past the load of the other thread's flag: [BDM13] Table 2.
    expect(seen.attacks.map(({ line }) => line)).toContain(12);
    expect(seen.hover).toContain('shared variable `turn`, declared in line 9');
    expect(seen.actions).toContainEqual(expect.stringMatching(/^Insert the cheapest fences/));
    expect(seen.text.match(/^\s*fence;$/gm)).toHaveLength(2);
    expect(seen.isMended).toBe(true);
    expect(seen.lenses[0]).toMatch(/^robust /);
  });
});
