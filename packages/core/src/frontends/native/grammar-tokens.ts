import type { GrammarAST } from 'langium';

/** A token of a text: a keyword of the grammar, or what a terminal of it matches. It does not go beyond its line. */
export interface Token {
  /** The keyword, or the name of the terminal. */
  readonly kind: string;
  readonly image: string;
  /** Where it starts, in UTF-16 units from the start of the text and of its line; lines are zero-based. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Makes tokens of a text, or gives `undefined` where no token matches. Hidden terminals are left out. */
export type Tokenizer = (text: string) => readonly Token[] | undefined;

interface Terminals {
  /** All of them, each a group of its own, in the order of the names. */
  readonly patterns: readonly string[];
  readonly names: readonly string[];
  readonly hidden: readonly boolean[];
}

function isTerminal(rule: GrammarAST.AbstractRule): rule is GrammarAST.TerminalRule {
  return rule.$type === 'TerminalRule';
}

function terminalsOf(grammar: GrammarAST.Grammar): Terminals {
  const rules = grammar.rules.filter(isTerminal);
  return {
    patterns: rules.map(({ definition }) => {
      const { regex } = definition as GrammarAST.RegexToken;
      return `(${regex.slice(1, regex.lastIndexOf('/'))})`;
    }),
    names: rules.map(({ name }) => name),
    hidden: rules.map(({ hidden }) => hidden),
  };
}

/** All keywords below a node of the grammar. */
function collectKeywords(node: unknown, keywords: Set<string>): Set<string> {
  if (Array.isArray(node)) for (const child of node) collectKeywords(child, keywords);
  else if (typeof node === 'object' && node !== null && '$type' in node) {
    if (node.$type === 'Keyword') keywords.add((node as GrammarAST.Keyword).value);
    const { elements, definition, terminal } = node as Record<string, unknown>;
    for (const child of [elements, definition, terminal]) collectKeywords(child, keywords);
  }
  return keywords;
}

const lineBreak = /\n|\r\n?/g;

/**
 * The tokens of a grammar. As with Langium's lexer a terminal that matches more than a keyword wins, and a keyword wins
 * over a terminal that matches just as much.
 */
export function createTokenizer(grammar: GrammarAST.Grammar): Tokenizer {
  const { patterns, names, hidden } = terminalsOf(grammar);
  const keywords = collectKeywords(grammar.rules, new Set());
  const signs = [...keywords]
    .filter((keyword) => !/^\w/.test(keyword))
    .sort((a, b) => b.length - a.length)
    .map((sign) => sign.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'));
  const pattern = new RegExp([...patterns, ...signs].join('|'), 'y');
  return (text) => {
    const tokens: Token[] = [];
    let line = 0;
    let lineStart = 0;
    pattern.lastIndex = 0;
    while (pattern.lastIndex < text.length) {
      const offset = pattern.lastIndex;
      const match = pattern.exec(text);
      if (!match) return undefined;
      const [image] = match;
      const terminal = names.findIndex((_, index) => match[index + 1] !== undefined);
      if (hidden[terminal] === true) {
        for (const { 0: end, index } of image.matchAll(lineBreak)) {
          line += 1;
          lineStart = offset + index + end.length;
        }
        continue;
      }
      const kind = keywords.has(image) ? image : names[terminal]!;
      tokens.push({ kind, image, offset, line, column: offset - lineStart });
    }
    return tokens;
  };
}
