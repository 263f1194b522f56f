import { expect, test } from 'vitest';
import { commandLine } from '../src/command-line.js';
import { verbs } from '../src/verbs.js';

/** The help as a terminal of 80 columns shows it. */
async function helpOf(words: readonly string[]): Promise<string> {
  let shown = '';
  const program = await commandLine(words, () => undefined);
  for (const command of [program, ...program.commands])
    command.configureOutput({
      writeOut: (text) => void (shown += text),
      getOutHelpWidth: () => 80,
    });
  await program.parseAsync([...words, '--help'], { from: 'user' }).catch(() => undefined);
  return shown;
}

test.each([[], ...Object.keys(verbs).map((verb) => [verb])])(
  'the help of "%s" fits 80 columns',
  async (...words) => {
    const help = await helpOf(words.filter((word) => typeof word === 'string'));
    expect(help).toMatch(/^Usage: fencewright/);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

test('what a verb is asked comes before what all verbs have', async () => {
  const help = await helpOf(['check']);
  const headings = [...help.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    'Arguments',
    'Options',
    'Programs of events',
    'C and C++',
    'Limits',
    'How the search works',
    'Input and output',
  ]);
  expect(help.indexOf('--all-attacks')).toBeLessThan(help.indexOf('--clang'));
});

test.each(['check', 'fence', 'explain', 'reach', 'prove', 'events', 'trf', 'bench', 'cover'])(
  '%s has --json and --quiet',
  async (verb) => expect(await helpOf([verb])).toMatch(/--json[\s\S]*--quiet/),
);

test('words of an option are listed where its description does not name them', async () => {
  expect(await helpOf(['prove'])).toMatch(/--solver [\s\S]*: native,\s+wasm\n/);
  expect(await helpOf(['check'])).not.toContain('choices');
});
