import { describe, expect, test } from 'vitest';
import { wantsColour } from '../src/palette.js';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';
import { storeBuffering } from './programs.js';

const escape = '\u001b[';

describe('colours', () => {
  test('are for terminals, unless the user says otherwise', () => {
    const terminal = { isTTY: true };
    const pipe = {};
    expect(wantsColour('auto', terminal, {})).toBe(true);
    expect(wantsColour('auto', pipe, {})).toBe(false);
    expect(wantsColour('auto', terminal, { NO_COLOR: '1' })).toBe(false);
    expect(wantsColour('auto', terminal, { TERM: 'dumb' })).toBe(false);
    expect(wantsColour('auto', pipe, { FORCE_COLOR: '1' })).toBe(true);
    expect(wantsColour('auto', terminal, { FORCE_COLOR: '0' })).toBe(false);
    expect(wantsColour('always', pipe, { NO_COLOR: '1' })).toBe(true);
    expect(wantsColour('never', terminal, { FORCE_COLOR: '1' })).toBe(false);
  });

  test('come and go on the command line', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const output = async (args: string[], env = {}) =>
      (await fencewright(['check', 'sb.fw', ...args], { cwd, env })).stdout;
    expect(await output([])).not.toContain(escape);
    expect(await output(['--color', 'always'])).toContain(escape);
    expect(await output([], { FORCE_COLOR: '1' })).toContain(escape);
    expect(await output([], { FORCE_COLOR: '1', NO_COLOR: '1' })).not.toContain(escape);
    expect(await output(['--no-color'], { FORCE_COLOR: '1' })).not.toContain(escape);
    expect(await output(['--json', '--color', 'always'])).not.toContain(escape);
  });
});
