import { builtins, keywords, type WordUse } from '@fencewright/core/text';

/** A rule of a TextMate grammar. */
interface GrammarRule {
  readonly name: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
}

/** The TextMate scope, which decides the colour, of the words of each use. */
const scopes: Readonly<Record<WordUse, string>> = {
  declaration: 'keyword.other.declaration.fencewright',
  part: 'keyword.other.fencewright',
  statement: 'keyword.control.fencewright',
  value: 'constant.language.fencewright',
  builtin: 'support.function.fencewright',
};

function wordsOf(use: WordUse): readonly string[] {
  return [...keywords, ...builtins].flatMap(([word, about]) => (about.use === use ? [word] : []));
}

/** A TextMate grammar of the native language, made from its table of words. */
export function textMateGrammar(): {
  readonly name: string;
  readonly scopeName: string;
  readonly patterns: readonly GrammarRule[];
} {
  const uses = Object.keys(scopes) as WordUse[];
  return {
    name: 'Fencewright',
    scopeName: 'source.fencewright',
    patterns: [
      { name: 'comment.line.double-slash.fencewright', match: '//.*$' },
      { name: 'comment.block.fencewright', begin: '/\\*', end: '\\*/' },
      {
        name: 'storage.modifier.annotation.fencewright',
        match: '@(?:cost|nofence|luck|timeout|choice)\\b',
      },
      { name: 'entity.name.label.fencewright', match: "^\\s*[A-Za-z_][\\w'′]*(?=:(?!=))" },
      ...uses.map((use) => ({
        name: scopes[use],
        match: `\\b(?:${wordsOf(use).join('|')})\\b(?!['′])`,
      })),
      { name: 'constant.numeric.fencewright', match: '\\b(?:0[xX][0-9a-fA-F]+|[0-9]+)\\b' },
      { name: 'keyword.operator.fencewright', match: '==>|<-|←|[-+*/%&|^=!<>~]+' },
    ],
  };
}
