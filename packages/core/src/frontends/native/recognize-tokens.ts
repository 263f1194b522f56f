import type { GrammarAST } from 'langium';
import type { FirstTokenTable } from './first-tokens.js';
import { calledRule, type Element, elementIn, partsOf } from './grammar-elements.js';
import type { Token } from './grammar-tokens.js';

/**
 * What a text consists of, in its order: calls of rules, each up to its `end`; actions; and tokens, each with the element of the
 * grammar that it is read by.
 */
export type Step =
  | { readonly kind: 'call'; readonly element: GrammarAST.RuleCall }
  | { readonly kind: 'end' }
  | { readonly kind: 'action'; readonly element: GrammarAST.Action }
  | {
      readonly kind: 'token';
      readonly element: GrammarAST.Keyword | GrammarAST.RuleCall;
      readonly token: Token;
    };

/** How deeply calls of rules may be nested. */
const deepestCall = 500;

/** How many elements may be tried for each token. Texts without errors take some twenty. */
const mostTries = 400;

/** Ends an attempt that becomes too deep or too long. */
class Abandoned extends Error {}

const end: Step = { kind: 'end' };

/** One attempt to read tokens by a grammar. */
class Attempt {
  readonly steps: Step[] = [];
  readonly #tokens: readonly Token[];
  readonly #first: FirstTokenTable;
  #position = 0;
  #depth = 0;
  #tries: number;

  constructor(tokens: readonly Token[], first: FirstTokenTable) {
    this.#tokens = tokens;
    this.#first = first;
    this.#tries = mostTries * (tokens.length + 1);
  }

  get isAtEnd(): boolean {
    return this.#position === this.#tokens.length;
  }

  /** Reads an element as often as it wants to be there; whether it could be read. */
  read(element: Element): boolean {
    const { cardinality } = element;
    const once = (one: Element): boolean => this.#readOne(one);
    if (cardinality === undefined) return once(element);
    if (cardinality === '?') {
      this.#try(element, once);
      return true;
    }
    if (cardinality === '+' && !once(element)) return false;
    while (this.#try(element, once));
    return true;
  }

  /** Reads an element if the next token can start it, and takes everything back if that fails. */
  #try(element: Element, read: (element: Element) => boolean): boolean {
    const token = this.#tokens[this.#position];
    if (!token || !this.#first.of(element).kinds.has(token.kind)) return false;
    const position = this.#position;
    const count = this.steps.length;
    if (read(element)) return true;
    this.#position = position;
    this.steps.length = count;
    return false;
  }

  #readOne(element: Element): boolean {
    if (--this.#tries < 0) throw new Abandoned();
    switch (element.$type) {
      case 'Keyword':
        return this.#token(element, element.value);
      case 'RuleCall': {
        const rule = calledRule(element);
        return rule.$type === 'ParserRule'
          ? this.#call(element, elementIn(rule))
          : this.#token(element, rule.name);
      }
      case 'Action':
        this.steps.push({ kind: 'action', element });
        return true;
      case 'Assignment':
        return this.read(elementIn(element));
      case 'Group':
        return partsOf(element).every((part) => this.read(part));
      case 'Alternatives':
        return partsOf(element).some((part) => this.#try(part, (one) => this.read(one)));
    }
  }

  #token(element: GrammarAST.Keyword | GrammarAST.RuleCall, kind: string): boolean {
    const token = this.#tokens[this.#position];
    if (token?.kind !== kind) return false;
    this.#position += 1;
    this.steps.push({ kind: 'token', element, token });
    return true;
  }

  #call(element: GrammarAST.RuleCall, definition: Element): boolean {
    if (++this.#depth > deepestCall) throw new Abandoned();
    this.steps.push({ kind: 'call', element });
    const done = this.read(definition);
    this.steps.push(end);
    this.#depth -= 1;
    return done;
  }
}

/**
 * Reads tokens by a rule: the first alternative that can be read is taken, and whatever may be repeated or left out is read when it can be.
 * `undefined` if the tokens cannot be read so, or only with more effort than texts without errors take.
 */
export function recognizeTokens(
  rule: GrammarAST.ParserRule,
  tokens: readonly Token[],
  first: FirstTokenTable,
): readonly Step[] | undefined {
  const attempt = new Attempt(tokens, first);
  try {
    return attempt.read(elementIn(rule)) && attempt.isAtEnd ? attempt.steps : undefined;
  } catch (error) {
    if (error instanceof Abandoned) return undefined;
    throw error;
  }
}
