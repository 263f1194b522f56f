import type { Automata, Expression } from './automata.js';

function reads(expression: Expression, register: number): boolean {
  switch (expression.kind) {
    case 'register':
      return expression.register === register;
    case 'unary':
      return reads(expression.operand, register);
    case 'binary':
      return reads(expression.left, register) || reads(expression.right, register);
    case 'element':
      return reads(expression.index, register);
    case 'constant':
    case 'self':
    case 'address':
      return false;
  }
}

/**
 * Why robustness under value happens-before cannot be decided here; `undefined` if it can be. The
 * reason is a thread with a read abstraction: a load into a hidden register, and behind it a
 * `havoc` whose condition reads the register ([BEMT18] Sect. 5). The two together conflict with
 * fewer stores than a plain load, and the verifier does not know with which.
 */
export function readAbstraction({ threads }: Automata): string | undefined {
  const own = threads.find(({ registers, transitions }) =>
    transitions.some(
      ({ to, instruction: load }) =>
        load.kind === 'load' &&
        registers[load.into]?.hidden &&
        transitions.some(
          ({ from, instruction: havoc }) =>
            from === to &&
            havoc.kind === 'havoc' &&
            havoc.where !== undefined &&
            reads(havoc.where, load.into),
        ),
    ),
  );
  return (
    own &&
    `'${own.name}' has a havoc with a condition over a shared variable: its value happens-before is not judged here`
  );
}
