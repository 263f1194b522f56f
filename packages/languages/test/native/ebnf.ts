import type { SeededRandom } from '@fencewright/ground/base/random.js';

/** A part of the right side of a grammar rule. */
export type Ebnf =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'choice' | 'sequence'; readonly parts: readonly Ebnf[] }
  | { readonly kind: 'option' | 'repetition'; readonly part: Ebnf };

/** By name, the rules of a grammar, the start rule first. */
export type Grammar = ReadonlyMap<string, Ebnf>;

/** Reads a grammar in the notation of ISO 14977. */
export function readEbnf(text: string): Grammar {
  const tokens = text.match(/'[^']*'|\? .*? \?|[a-z]+|[=,;|()[\]{}]/g) ?? [];
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`expected ${expected} but found ${token} in rule ${rules.size + 1}`);
    return token;
  };
  const choice = (): Ebnf => {
    const parts = [sequence()];
    while (tokens[at] === '|') {
      at += 1;
      parts.push(sequence());
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  };
  const sequence = (): Ebnf => {
    const parts = [factor()];
    while (tokens[at] === ',') {
      at += 1;
      parts.push(factor());
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  };
  const enclosed = (end: string): Ebnf => {
    const part = choice();
    take(end);
    return part;
  };
  const factor = (): Ebnf => {
    const token = take();
    if (token === '(') return enclosed(')');
    if (token === '[') return { kind: 'option', part: enclosed(']') };
    if (token === '{') return { kind: 'repetition', part: enclosed('}') };
    if (token.startsWith("'")) return { kind: 'word', text: token.slice(1, -1) };
    if (token.startsWith('?')) return { kind: 'pattern', pattern: token.slice(2, -2) };
    return { kind: 'rule', name: token };
  };
  const rules = new Map<string, Ebnf>();
  while (at < tokens.length) {
    const name = take();
    take('=');
    rules.set(name, enclosed(';'));
  }
  return rules;
}

function partsOf(part: Ebnf): readonly Ebnf[] {
  switch (part.kind) {
    case 'choice':
    case 'sequence':
      return part.parts;
    case 'option':
    case 'repetition':
      return [part.part];
    default:
      return [];
  }
}

/** Returns all parts of a grammar, with nested ones. */
export function allParts(grammar: Grammar): readonly Ebnf[] {
  const collect = (part: Ebnf): readonly Ebnf[] => [part, ...partsOf(part).flatMap(collect)];
  return [...grammar.values()].flatMap(collect);
}

const samples: Readonly<Record<string, readonly string[]>> = {
  identifier: ['a', 'b', "c'", '_d1', 'lockx', 'c′', 'cas', 'never', 'self'],
  number: ['0', '1', '0x1F', '12'],
};

/** Returns the number of tokens in the shortest sentence of each rule. */
function shortest(grammar: Grammar): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  const lengthOf = (part: Ebnf): number => {
    switch (part.kind) {
      case 'word':
      case 'pattern':
        return 1;
      case 'rule':
        return 1 + (lengths.get(part.name) ?? Infinity);
      case 'choice':
        return Math.min(...part.parts.map(lengthOf));
      case 'sequence':
        return part.parts.reduce((sum, one) => sum + lengthOf(one), 0);
      case 'option':
      case 'repetition':
        return 0;
    }
  };
  for (let round = 0; round < grammar.size; round++)
    for (const [name, part] of grammar) lengths.set(name, lengthOf(part));
  return lengths;
}

/**
 * Returns the tokens of a random sentence; `used` counts the parts of the grammar that were used.
 */
export function deriveSentence(
  grammar: Grammar,
  random: SeededRandom,
  used: Map<Ebnf, number>,
): string[] {
  const lengths = shortest(grammar);
  const words: string[] = [];
  /** The indices of labels after which no statement follows. */
  const bare: number[] = [];
  let depth = 0;
  const cost = (part: Ebnf): number =>
    part.kind === 'rule'
      ? (lengths.get(part.name) ?? 1)
      : part.kind === 'sequence'
        ? part.parts.reduce((sum, one) => sum + cost(one), 0)
        : part.kind === 'choice'
          ? Math.min(...part.parts.map(cost))
          : 1;
  const derive = (part: Ebnf, rule: string): void => {
    used.set(part, (used.get(part) ?? 0) + 1);
    const isLong = depth > 22 || words.length > 160;
    switch (part.kind) {
      case 'word':
        words.push(part.text);
        break;
      case 'pattern':
        words.push(samples[rule]![random.below(samples[rule]!.length)]!);
        break;
      case 'rule':
        depth += 1;
        derive(grammar.get(part.name)!, part.name);
        depth -= 1;
        break;
      case 'choice': {
        const cheapest = part.parts.toSorted((a, b) => cost(a) - cost(b))[0]!;
        derive(isLong ? cheapest : part.parts[random.below(part.parts.length)]!, rule);
        break;
      }
      case 'sequence':
        for (const one of part.parts) derive(one, rule);
        break;
      case 'option':
        if (rule === 'text' || (!isLong && random.below(2) === 0)) derive(part.part, rule);
        else if (words.at(-1) === ':') bare.push(words.length);
        break;
      case 'repetition':
        for (let times = isLong ? 0 : random.below(rule === 'text' ? 6 : 3); times > 0; times--)
          derive(part.part, rule);
    }
  };
  const [start] = grammar.keys();
  derive({ kind: 'rule', name: start! }, start!);
  // A label includes the statement after it.
  for (const at of bare.toReversed()) if (words[at] === 'while') words.splice(at, 0, ';');
  return words;
}

/**
 * Splits a text into tokens by the grammar, longest match first; `undefined` if no token matches.
 */
export function splitText(grammar: Grammar, text: string): string[] | undefined {
  const parts = allParts(grammar);
  const signs = parts
    .flatMap((part) => (part.kind === 'word' && !/^\w/.test(part.text) ? [part.text] : []))
    .sort((a, b) => b.length - a.length);
  const escaped = signs.map((sign) => sign.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'));
  const token = new RegExp(
    `\\s+|//[^\\n\\r]*|/\\*[^]*?\\*/|[_a-zA-Z][_a-zA-Z0-9'′]*|[0-9]\\w*|${escaped.join('|')}`,
    'y',
  );
  const words: string[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found =
      text.startsWith('/*', at) && !text.includes('*/', at + 2) ? null : token.exec(text);
    if (!found) return undefined;
    if (!/^(\s|\/\/|\/\*)/.test(found[0])) words.push(found[0]);
  }
  return words;
}

/**
 * By name, the rules of a grammar without options and repetitions, which have become rules of their
 * own.
 */
type Flat = ReadonlyMap<string, readonly (readonly Symbol[])[]>;
type Symbol = { readonly rule: string } | { readonly is: (word: string) => boolean };

function flatten(grammar: Grammar): Flat {
  const flat = new Map<string, (readonly Symbol[])[]>();
  const reserved = new Set(
    allParts(grammar).flatMap((part) => (part.kind === 'word' ? [part.text] : [])),
  );
  let fresh = 0;
  const own = (alternatives: (name: string) => (readonly Symbol[])[]): Symbol => {
    const name = `#${(fresh += 1)}`;
    flat.set(name, []);
    flat.get(name)!.push(...alternatives(name));
    return { rule: name };
  };
  const symbolsOf = (part: Ebnf): readonly Symbol[] => {
    switch (part.kind) {
      case 'word':
        return [{ is: (word) => word === part.text }];
      case 'pattern': {
        const whole = new RegExp(`^(?:${part.pattern})$`);
        return [{ is: (word) => whole.test(word) && !reserved.has(word) }];
      }
      case 'rule':
        return [{ rule: part.name }];
      case 'sequence':
        return part.parts.flatMap(symbolsOf);
      case 'choice':
        return [own(() => part.parts.map(symbolsOf))];
      case 'option':
        return [own(() => [[], symbolsOf(part.part)])];
      case 'repetition':
        return [own((name) => [[], [...symbolsOf(part.part), { rule: name }]])];
    }
  };
  for (const [name, part] of grammar) flat.set(name, [symbolsOf(part)]);
  return flat;
}

interface Item {
  readonly rule: string;
  readonly symbols: readonly Symbol[];
  readonly dot: number;
  readonly from: number;
}

/** Earley's recogniser for a context-free grammar. */
export class Recogniser {
  readonly #flat: Flat;
  readonly #start: string;
  readonly #empty: ReadonlySet<string>;
  readonly #ids = new Map<readonly Symbol[], number>();

  constructor(grammar: Grammar) {
    this.#flat = flatten(grammar);
    [this.#start] = grammar.keys() as unknown as [string];
    const empty = new Set<string>();
    for (let size = -1; size < empty.size;) {
      size = empty.size;
      for (const [rule, alternatives] of this.#flat)
        if (alternatives.some((list) => list.every((s) => 'rule' in s && empty.has(s.rule))))
          empty.add(rule);
    }
    this.#empty = empty;
    for (const alternatives of this.#flat.values())
      for (const list of alternatives) this.#ids.set(list, this.#ids.size);
  }

  /** Whether the words form a sentence of the grammar. */
  accepts(words: readonly string[]): boolean {
    const sets: Item[][] = [];
    let next: Item[] = [];
    for (let at = 0; at <= words.length; at++) {
      const items: Item[] = [];
      const seen = new Set<string>();
      const add = (item: Item): void => {
        const key = `${this.#ids.get(item.symbols)},${item.dot},${item.from}`;
        if (seen.has(key)) return;
        seen.add(key);
        items.push(item);
      };
      if (at === 0)
        for (const symbols of this.#flat.get(this.#start)!)
          add({ rule: this.#start, symbols, dot: 0, from: 0 });
      next.forEach(add);
      next = [];
      sets.push(items);
      for (let i = 0; i < items.length; i++) {
        const item = items[i]!;
        const symbol = item.symbols[item.dot];
        const moved = { ...item, dot: item.dot + 1 };
        if (!symbol) {
          for (const other of sets[item.from]!) {
            const waited = other.symbols[other.dot];
            if (waited && 'rule' in waited && waited.rule === item.rule)
              add({ ...other, dot: other.dot + 1 });
          }
        } else if ('rule' in symbol) {
          for (const symbols of this.#flat.get(symbol.rule)!)
            add({ rule: symbol.rule, symbols, dot: 0, from: at });
          if (this.#empty.has(symbol.rule)) add(moved);
        } else if (at < words.length && symbol.is(words[at]!)) next.push(moved);
      }
      if (at < words.length && next.length === 0) return false;
    }
    return sets
      .at(-1)!
      .some(
        ({ rule, symbols, dot, from }) =>
          rule === this.#start && dot === symbols.length && from === 0,
      );
  }
}
