import { expect, test } from 'vitest';
import { commandLine } from '../src/command-line.js';
import { manualFolder } from '../src/manual-folder.js';
import { verbs } from '../src/verbs.js';

/** Returns the help of a command as a terminal of 80 columns shows the help. */
async function helpOf(words: readonly string[], asked = '--help'): Promise<string> {
  let shown = '';
  const program = await commandLine(words, () => undefined);
  for (const command of [program, ...program.commands])
    command.configureOutput({
      writeOut: (text) => void (shown += text),
      getOutHelpWidth: () => 80,
    });
  await program.parseAsync([...words, asked], { from: 'user' }).catch(() => undefined);
  return shown;
}

test.each([[], ...Object.keys(verbs).map((verb) => [verb])])(
  'the help of "%s" fits 80 columns',
  async (...args) => {
    const words = args.filter((word) => typeof word === 'string');
    const all = words.length > 0 ? [await helpOf(words, '--help-all')] : [];
    for (const help of [await helpOf(words), ...all]) {
      expect(help).toMatch(/^Usage: fencewright/);
      const lines = help.split('\n').filter((line) => line !== `  ${manualFolder()}`);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
  },
);

/** Returns the options in a help text, without `--help`. */
const optionsIn = (help: string): readonly string[] =>
  [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].flatMap(([, name = '']) =>
    name === '--help' ? [] : [name],
  );

test.each(Object.keys(verbs))(
  'the help of %s shows a dozen options at most, and --help-all the others, too',
  async (verb) => {
    const [few, all] = [await helpOf([verb]), await helpOf([verb], '--help-all')].map(optionsIn);
    expect(few!.length).toBeLessThanOrEqual(12);
    expect(all).toEqual(expect.arrayContaining([...few!]));
    expect(few!.includes('--help-all')).toBe(all!.length > few!.length);
  },
);

test.each([
  ['check', '--sarif'],
  ['explain', '--html'],
  ['check', '--include'],
  ['events', '--instances'],
  ['check', '--no-freeze'],
])('no help of %s shows the old spelling %s', async (verb, option) => {
  expect(optionsIn(await helpOf([verb], '--help-all'))).not.toContain(option);
});

test('what a verb is asked comes before what all verbs have', async () => {
  const help = await helpOf(['check'], '--help-all');
  const headings = [...help.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    'Arguments',
    'Options',
    'Programs of events',
    'C and C++',
    'Limits',
    'How the search works',
    'Input and output',
    'Examples',
  ]);
  expect(help.indexOf('--all-attacks')).toBeLessThan(help.indexOf('--clang'));
});

test.each(['check', 'fence', 'explain', 'reach', 'prove', 'events', 'trf', 'bench', 'cover'])(
  '%s has --json and --quiet',
  async (verb) => expect(await helpOf([verb], '--help-all')).toMatch(/--json[\s\S]*--quiet/),
);

test('words of an option are listed where its description does not name them', async () => {
  expect(await helpOf(['prove'], '--help-all')).toMatch(/--solver [\s\S]*: native,\s+wasm\n/);
  expect(await helpOf(['check'], '--help-all')).not.toContain('choices');
});
