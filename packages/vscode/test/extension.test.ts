import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { diagnosticsText, plainPalette } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { builtins, keywords } from '@fencewright/core/text';
import { describe, expect, it, test } from 'vitest';
import { textMateGrammar } from '../src/grammar.js';
import { linkedPage } from '../src/page-bridge.js';
import { statusWords } from '../src/status-words.js';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languages: readonly { readonly id: string; readonly extensions: readonly string[] }[];
    readonly problemMatchers: readonly [{ readonly pattern: { readonly regexp: string } }];
  };
}

const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8');
const { contributes } = JSON.parse(read('package.json')) as Manifest;

/** The colour of the word at the start of a line behind a blank. */
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
    // Words that only begin or end so have none.
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

test('the page is linked to the editor, inside of its body', () => {
  const page = linkedPage('<html><body><p id="now"></p></body></html>');
  expect(page).toMatch(/<script>[^]*acquireVsCodeApi[^]*<\/script><\/body><\/html>$/);
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];
  expect(() => new Script(script)).not.toThrow();
  expect(script).toContain(String.raw`/\(line (\d+)\)/`);
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
