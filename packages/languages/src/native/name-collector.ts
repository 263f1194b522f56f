import { builtins } from './keywords.js';
import type { NameIndex, NameSymbol, Occurrence, OccurrenceRole } from './name-symbols.js';
import type { AddressOfSyntax, ExpressionSyntax, OperandSyntax } from './syntax-expressions.js';
import type { Name } from './syntax-node.js';

/** The names declared in one thread, event or procedure, with the indices of their symbols. */
export interface ThreadNames {
  readonly symbol: number;
  /** By name, the indices of the symbols of the thread's registers and parameters. */
  readonly registers: Map<string, number>;
  readonly labels: Map<string, number>;
}

/**
 * Collects the symbols of a program and the occurrences of their names, and looks up names of the
 * whole program.
 */
export class NameCollector {
  readonly #symbols: NameSymbol[] = [];
  readonly #occurrences: Occurrence[] = [];
  readonly #shared = new Map<string, number>();
  readonly #builtins = new Map<string, number>();
  /** By name, the indices of the symbols of events and procedures. */
  readonly #bodies = new Map<string, number>();
  /**
   * By name, the names declared in each thread; of several threads with one name, those of the
   * first.
   */
  readonly #threads = new Map<string, ThreadNames>();
  readonly #questions = {
    property: new Map<string, number>(),
    invariant: new Map<string, number>(),
  };

  /** Declares a new symbol in the index; returns the symbol's index. */
  declare(kind: NameSymbol['kind'], name: Name, owner?: number): number {
    const { text, span: declaration } = name;
    const symbol =
      this.#symbols.push({ kind, name: text, declaration, ...(owner !== undefined && { owner }) }) -
      1;
    this.mark(name, symbol, 'declaration');
    return symbol;
  }

  /**
   * Declares a symbol whose name is known in `scope`. If the name is declared there already, notes
   * a further declaration of the known symbol.
   */
  declareIn(
    scope: Map<string, number>,
    kind: NameSymbol['kind'],
    name: Name,
    owner?: number,
  ): void {
    const known = scope.get(name.text);
    if (known === undefined) scope.set(name.text, this.declare(kind, name, owner));
    else this.mark(name, known, 'declaration');
  }

  /** Declares a constant or a shared variable of the program. */
  declareShared(kind: 'constant' | 'shared variable', name: Name): void {
    if (name.text === 'self') this.builtin(name);
    else this.declareIn(this.#shared, kind, name);
  }

  /**
   * Declares a property or an invariant; each kind has its own names. Returns the symbol's index.
   */
  declareQuestion(kind: 'property' | 'invariant', name: Name): number {
    const scope = this.#questions[kind];
    this.declareIn(scope, kind, name);
    return scope.get(name.text)!;
  }

  openThread(name: Name): ThreadNames {
    const known = this.#threads.get(name.text);
    if (known) this.mark(name, known.symbol, 'declaration');
    const symbol = known?.symbol ?? this.declare('thread', name);
    const thread = { symbol, registers: new Map(), labels: new Map() };
    if (!known) this.#threads.set(name.text, thread);
    return thread;
  }

  /** Declares an event or a procedure, unless the name is taken. */
  declareBody(kind: 'event' | 'procedure', name: Name): void {
    const taken = this.#shared.get(name.text);
    if (taken !== undefined) this.mark(name, taken, 'declaration');
    else if (name.text === 'self') this.builtin(name);
    else this.declareIn(this.#bodies, kind, name);
  }

  /** Returns the index of the event or procedure named `name`; `undefined` if there is none. */
  body(name: string): number | undefined {
    return this.#bodies.get(name);
  }

  thread(name: string): ThreadNames | undefined {
    return this.#threads.get(name);
  }

  /**
   * Returns the index of the constant or shared variable named `name`; `undefined` if there is
   * none.
   */
  shared(name: string): number | undefined {
    return this.#shared.get(name);
  }

  /**
   * Notes that `name` occurs in the text with `role` and denotes a symbol; reading a constant
   * counts as a use.
   */
  mark(name: Name, symbol: number | undefined, role: OccurrenceRole): void {
    if (name.text === '') return;
    const isConstant = symbol !== undefined && this.#symbols[symbol]?.kind === 'constant';
    const { span, start, end, text } = name;
    const known = isConstant && role !== 'declaration' ? 'use' : role;
    this.#occurrences.push({ span, start, end, name: text, symbol, role: known });
  }

  /**
   * Notes a built-in word, or a user's name in place of such a word; returns whether the word is
   * one of `words`.
   */
  builtin(name: Name, words?: (word: string) => boolean): boolean {
    const { text } = name;
    const isKnown = words ? words(text) : builtins.has(text);
    let symbol = isKnown ? this.#builtins.get(text) : undefined;
    if (isKnown && symbol === undefined) {
      symbol = this.#symbols.push({ kind: 'builtin', name: text }) - 1;
      this.#builtins.set(text, symbol);
    }
    this.mark(name, symbol, 'use');
    return isKnown;
  }

  /**
   * Notes the names in an expression that has to be constant: names of constants, and of variables
   * for their addresses.
   */
  constant(expression: ExpressionSyntax | undefined): void {
    for (const primary of primariesOf(expression)) {
      if (primary.kind === 'Parentheses') this.constant(primary.expression);
      if (primary.kind === 'AddressOf') {
        this.constantAddress(primary);
      }
      if (primary.kind === 'Reference' && !primary.label && !primary.register)
        this.mark(primary.name, this.shared(primary.name.text), 'use');
    }
  }

  /** Notes `&x` in a constant expression: only variables have addresses. */
  constantAddress({ name, index }: AddressOfSyntax): void {
    const symbol = this.shared(name.text);
    const isVariable = symbol !== undefined && this.#symbols[symbol]?.kind === 'shared variable';
    this.mark(name, isVariable ? symbol : undefined, 'address');
    if (isVariable) this.constant(index);
  }

  toIndex(): NameIndex {
    const occurrences = this.#occurrences.toSorted((a, b) => a.start - b.start);
    return { symbols: this.#symbols, occurrences };
  }
}

/** Returns the operands of an expression without their signs. */
export function primariesOf(
  expression: ExpressionSyntax | undefined,
): readonly NonNullable<OperandSyntax['primary']>[] {
  return (expression?.operands ?? []).flatMap(({ primary }) => primary ?? []);
}

/**
 * Returns the expression without parentheses, if the expression is a single operand without signs.
 */
export function soleOf(expression: ExpressionSyntax): OperandSyntax['primary'] {
  const [operand, ...more] = expression.operands;
  if (more.length > 0 || !operand || operand.signs.length > 0) return undefined;
  const { primary } = operand;
  return primary?.kind === 'Parentheses' ? soleOf(primary.expression) : primary;
}
