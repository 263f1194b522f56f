import type { Expression, SharedSymbol } from '../automata.js';
import { condition, integer } from './expressions.js';
import { type Bool, int, type Int, plus } from './terms.js';

/**
 * The shared symbols, and the values of a thread's registers and of its copy number, for turning
 * expressions of its code into terms.
 */
export interface View {
  readonly symbols: readonly SharedSymbol[];
  readonly self: Int;
  readonly registers: readonly Int[];
}

type RegisterLeaf = Exclude<Expression, { readonly kind: 'constant' | 'unary' | 'binary' }>;

function leafIn({ symbols, self, registers }: View): (leaf: RegisterLeaf) => Int {
  const open = (leaf: RegisterLeaf): Int => {
    switch (leaf.kind) {
      case 'register':
        return registers[leaf.register]!;
      case 'self':
        return self;
      case 'address':
        return int(symbols[leaf.symbol]!.base);
      case 'element':
        return plus(int(symbols[leaf.symbol]!.base), integer(leaf.index, open));
    }
  };
  return open;
}

export function codeInteger(expression: Expression, view: View): Int {
  return integer(expression, leafIn(view));
}

export function codeCondition(expression: Expression, view: View): Bool {
  return condition(expression, leafIn(view));
}
