import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { wings } from '../../../../tools/wings.mjs';

const packages = fileURLToPath(new URL('../../../', import.meta.url));

/** A flag of a command line: two dashes and a word. */
const flag = /(?<![\w-])--[a-z][a-z-]*/;

/** The strings and parts of templates in a source that name a flag. */
function flagsIn(text: string): string[] {
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node);
    if (isText && flag.test(node.text)) found.push(node.text);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest));
  return found;
}

/**
 * Files that may contain words with two dashes: style sheets, and code that starts other programs.
 */
const exempt = [
  path.join('reports', 'src', 'html', 'page-assets.ts'),
  path.join('reports', 'src', 'html', 'time-line.ts'),
  path.join('reports', 'src', 'graph', 'graph-svg.ts'),
  path.join('reports', 'src', 'graph', 'event-lanes-svg.ts'),
];
const isExempt = (file: string): boolean =>
  exempt.includes(file) || file.startsWith(path.join('core', 'src', 'node') + path.sep);

const files = [...wings, 'core'].flatMap((wing) =>
  readdirSync(path.join(packages, wing, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(wing, 'src', file))
    .filter((file) => file.endsWith('.ts') && !isExempt(file)),
);

describe('the library has no words for the options of the command line', () => {
  test('all of it is looked at', () => {
    expect(files.length).toBeGreaterThan(300);
  });

  test.each([
    ["const hint = 'give it more with --max-states';", 1],
    ['const hint = `try --engine ${name} or --prove`;', 2],
    ['/** Like --minimise. */ const next = --count; // --json', 0],
    ["const text = 'a -- b, t--u';", 0],
  ])('a flag in a text is found: %s', (source, count) => {
    expect(flagsIn(source)).toHaveLength(count);
  });

  test('no text in a source names a flag', () => {
    const named = files.flatMap((file) =>
      flagsIn(readFileSync(path.join(packages, file), 'utf8')).map((text) => `${file}: ${text}`),
    );
    expect(named).toEqual([]);
  });
});
