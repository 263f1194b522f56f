import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { decide, diagnosticsText, parseText, plainPalette } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { explainHtml } from '@fencewright/core/page';
import { builtins, keywords } from '@fencewright/core/text';
import { describe, expect, it, test } from 'vitest';
import { textMateGrammar } from '../src/grammar.js';
import { LivingPage, type PageAnswer } from '../src/living-page.js';
import { linkedPage, pageInColours } from '../src/page-bridge.js';
import { type ServerStatus, statusWords } from '../src/status-words.js';

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languages: readonly { readonly id: string; readonly extensions: readonly string[] }[];
    readonly problemMatchers: readonly [{ readonly pattern: { readonly regexp: string } }];
  };
}

const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8');
const { capabilities, contributes } = JSON.parse(read('package.json')) as Manifest;

/**
 * Returns the colour, a TextMate scope, of the word around a position of a line; `undefined` if
 * there is none.
 */
function scopeOf(line: string, at: number): string | undefined {
  for (const { name, match } of textMateGrammar().patterns) {
    if (match === undefined) continue;
    for (const found of line.matchAll(new RegExp(match, 'g')))
      if (found.index <= at && at < found.index + found[0].length) return name;
  }
  return undefined;
}

describe('colours', () => {
  const words = [...keywords, ...builtins].map(([word]) => word);

  it.each(words)('%s has one', (word) => {
    expect(scopeOf(`  ${word} `, 2)).toMatch(/^(keyword|constant|support)\./);
    // A word that only begins or ends with the keyword has no colour.
    expect(scopeOf(`  x${word} `, 3)).toBeUndefined();
    expect(scopeOf(`  ${word}_ `, 2)).toBeUndefined();
  });

  it('tell apart labels, numbers, annotations, comments', () => {
    expect(scopeOf('  here: skip;', 3)).toBe('entity.name.label.fencewright');
    expect(scopeOf('  x = 0x1f;', 6)).toBe('constant.numeric.fencewright');
    expect(scopeOf('  @nofence x = 1;', 4)).toBe('storage.modifier.annotation.fencewright');
    expect(scopeOf('  x = 1; // while', 13)).toBe('comment.line.double-slash.fencewright');
  });
});

test('in a folder that is not trusted, its settings neither name a command nor have C compiled', () => {
  const { restrictedConfigurations } = capabilities.untrustedWorkspaces;
  expect(restrictedConfigurations).toEqual(['fencewright.path', 'fencewright.checkC']);
});

test('the page is linked to the editor, inside of its body', () => {
  const page = linkedPage('<html><body><p id="now"></p></body></html>');
  expect(page).toMatch(/<script>[^]*acquireVsCodeApi[^]*<\/script><\/body><\/html>$/);
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];
  expect(() => new Script(script)).not.toThrow();
  expect(script).toContain(String.raw`/\(line (\d+)\)/`);
});

describe('a page that is open', () => {
  /**
   * Opens a page for version 1 of a text; returns the page, its updates, and functions that make
   * the server answer.
   */
  function opened() {
    const seen: string[] = [];
    const answers: ((answer: PageAnswer | null) => void)[] = [];
    const page = new LivingPage(
      { version: 1, html: 'one' },
      {
        show: (html) => seen.push(html),
        tell: (message) => seen.push(message.kind === 'outdated' ? message.words : message.kind),
      },
      () => new Promise((resolve) => answers.push(resolve)),
    );
    const follow = (version: number, state: ServerStatus['state']) =>
      page.follow({ uri: 'u', version, state, detail: '', states: 0 });
    return { page, seen, answers, follow };
  }
  const changed = 'The text has changed: this page is about an earlier version of the text.';

  it('says at once that it is older than the text, and is made anew after the check', async () => {
    const { seen, answers, follow } = opened();
    void follow(2, 'stale');
    expect(seen).toEqual(['one', changed]);
    void follow(2, 'checking');
    const done = follow(2, 'not-robust');
    // The server sends the verdict again when it knows more about it.
    void follow(2, 'not-robust');
    expect(answers).toHaveLength(1);
    answers[0]!({ version: 2, html: 'two' });
    await done;
    expect(seen).toEqual(['one', changed, changed, 'two']);
    void follow(2, 'not-robust');
    expect(answers).toHaveLength(1);
  });

  it('never shows a version that is not the last one', async () => {
    const { page, seen, answers, follow } = opened();
    const second = follow(2, 'robust');
    void follow(3, 'stale');
    answers[0]!({ version: 2, html: 'two' });
    await second;
    expect(seen).toEqual(['one', changed]);
    const third = follow(3, 'robust');
    answers[1]!({ version: 4, html: 'four' });
    await third;
    expect(seen).toEqual(['one', changed]);
    void follow(2, 'error');
    page.take({ version: 2, html: 'two' });
    expect(seen).toEqual(['one', changed]);
    page.take({ version: 4, html: 'four' });
    expect(seen.at(-1)).toBe('four');
  });

  it('says where there is no newer one', async () => {
    const { seen, answers, follow } = opened();
    void follow(2, 'error');
    expect(seen.at(-1)).toMatch(/^The text has errors: /);
    const third = follow(3, 'unknown');
    answers[0]!({ version: 3, html: null });
    await third;
    expect(seen.at(-1)).toMatch(/^There is nothing to show /);
  });

  it('is made anew where more time decides what was open', async () => {
    const { seen, answers, follow } = opened();
    void follow(1, 'checking');
    void follow(1, 'unknown');
    expect(answers).toHaveLength(0);
    void follow(1, 'checking');
    const done = follow(1, 'robust');
    answers[0]!({ version: 1, html: 'decided' });
    await done;
    expect(seen).toEqual(['one', 'decided']);
  });

  it('has the colours of the editor', async () => {
    const source = 'program SB\nvar x, y\nthread t { local r; x = 1; r = y; }\n';
    const { model } = await parseText('native', source);
    const result = await decide(model!, { kind: 'explain' }, {});
    if (result.kind !== 'explain') throw new Error(result.kind);
    const subject = { file: 'a.fw', source, program: result.about };
    const html = explainHtml(subject, result.result, { diagnostics: [], version: '0' });
    expect(html.match(/prefers-color-scheme: ?dark/g)).not.toBeNull();
    for (const isDark of [true, false]) {
      const page = pageInColours(html, isDark);
      expect(page).not.toContain('prefers-color-scheme');
      expect(page).not.toContain('light dark');
      expect(page.includes('@media not print')).toBe(isDark);
    }
  });
});

test('the status bar never shows an older version', () => {
  const status = { uri: 'u', version: 3, state: 'robust', detail: '', states: 1 } as const;
  expect(statusWords(status, 3)).toContain('robust');
  expect(statusWords(status, 4)).toContain('not checked');
  expect(statusWords(undefined, 4)).toBeUndefined();
  expect(statusWords({ ...status, state: 'unknown', detail: 'the time ran out' }, 3)).toContain(
    'unknown: the time ran out',
  );
});

test('the problem matcher reads what the command line prints', () => {
  const pattern = new RegExp(contributes.problemMatchers[0].pattern.regexp);
  const text = 'program P\nvar x\nthread t { local r; r = q; }\n';
  const { diagnostics } = parseNative(text);
  const printed = diagnosticsText('a/b.fw', text, diagnostics, plainPalette);
  expect(pattern.exec(printed.split('\n')[0]!)?.slice(1)).toEqual([
    'a/b.fw',
    '3',
    '25',
    'error',
    'FW1002',
    "no variable is named 'q'",
  ]);
});

test('what the manifest promises is there', () => {
  const source = read('src/extension.ts');
  for (const { command } of contributes.commands) expect(source).toContain(`'${command}'`);
  for (const { id } of contributes.languages) expect(source).toContain(`'${id}'`);
});
