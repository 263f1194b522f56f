import type { AstNode, CstNode, GrammarAST } from 'langium';
import type { Token } from './grammar-tokens.js';

const nowhere = { line: 0, character: 0 };

/**
 * A part of a text as Langium's parser has them (`$cstNode`): a token, or all that a rule was called for. It has what this front
 * end and Langium's functions on such parts ask for.
 */
export class TextNode {
  /** Absent from tokens. */
  readonly content?: TextNode[];
  readonly container?: TextNode;
  /** What it was read by; absent from the whole text. */
  readonly grammarSource?: GrammarAST.AbstractElement;
  readonly hidden = false;
  #node: AstNode | undefined;
  #first: Token | undefined;
  #last: Token | undefined;

  /** A new part at the end of `container`: the token, or, without one, something that is still to be read. */
  constructor(container?: TextNode, grammarSource?: GrammarAST.AbstractElement, token?: Token) {
    if (container) this.container = container;
    if (grammarSource) this.grammarSource = grammarSource;
    this.#first = token;
    this.#last = token;
    if (!token) this.content = [];
    container?.content?.push(this);
  }

  /** To be called when all was read of which it consists; `node` is what it became in the syntax tree. */
  close(node: AstNode | undefined): void {
    const first = this.content?.[0];
    const last = this.content?.at(-1);
    this.#node = node;
    if (first) this.#first = first.#first;
    if (last) this.#last = last.#last;
  }

  /** To be called when the part around it becomes its node. */
  yieldNode(): void {
    this.#node = undefined;
  }

  /** The innermost node of the syntax tree that it belongs to. */
  get astNode(): AstNode | undefined {
    return this.#node ?? this.container?.astNode;
  }

  get offset(): number {
    return this.#first?.offset ?? 0;
  }

  get end(): number {
    return this.#last ? this.#last.offset + this.#last.image.length : 0;
  }

  get length(): number {
    return this.end - this.offset;
  }

  get range(): CstNode['range'] {
    if (!this.#first || !this.#last) return { start: nowhere, end: nowhere };
    const { line, column, image } = this.#last;
    return {
      start: { line: this.#first.line, character: this.#first.column },
      end: { line, character: column + image.length },
    };
  }
}
