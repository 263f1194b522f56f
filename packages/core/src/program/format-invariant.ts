import { unreachable } from '../base/unreachable.js';
import { selfRegister } from './expression.js';
import { precedence, unaryPrecedence } from './format.js';
import type { LocationId, ThreadId } from './ids.js';
import type { Templates } from './templates.js';
import type { Invariant, InvariantExpression } from './program.js';

/** The name that stands for a location in the text of an invariant. */
export type PlaceName = (thread: ThreadId, location: LocationId) => string;

/**
 * The invariant as a line of the native language, `invariant NAME(a: t): condition`, with `==>` where an implication is outermost. `placeName`
 * gives labels to locations that have none in the text.
 */
export function formatInvariant(
  open: Templates,
  { name, binders, condition }: Invariant,
  placeName: PlaceName = (thread, location) => locationName(open, thread, location),
): string {
  const bound = binders.filter(({ thread }) => open.unbounded.includes(thread));
  const list = bound.map(
    (binder) => `${binder.name}: ${open.templates.threads[binder.thread]?.name ?? ''}`,
  );
  const parameters = list.length > 0 ? `(${list.join(', ')})` : '';
  const formatter = new Formatter(open, binders, placeName);
  return `invariant ${name}${parameters}: ${formatter.implication(condition)}`;
}

function locationName({ templates }: Templates, thread: ThreadId, location: LocationId): string {
  return templates.threads[thread]?.locations[location]?.name ?? String(location);
}

class Formatter {
  readonly #open: Templates;
  readonly #binders: Invariant['binders'];
  readonly #placeName: PlaceName;

  constructor(open: Templates, binders: Invariant['binders'], placeName: PlaceName) {
    this.#open = open;
    this.#binders = binders;
    this.#placeName = placeName;
  }

  /** `!(p) || q` as `p ==> q`. */
  implication(condition: InvariantExpression): string {
    const isImplication =
      condition.kind === 'binary' &&
      condition.operator === '||' &&
      condition.left.kind === 'unary' &&
      condition.left.operator === '!';
    if (!isImplication || condition.left.kind !== 'unary') return this.#format(condition, 0);
    return `${this.#format(condition.left.operand, 0)} ==> ${this.implication(condition.right)}`;
  }

  /** `least` is the precedence below which the place of the expression needs parentheses. */
  #format(expression: InvariantExpression, least: number): string {
    const { templates } = this.#open;
    const binder = 'binder' in expression ? this.#binders[expression.binder] : undefined;
    const { name = '', thread = -1 } = binder ?? {};
    switch (expression.kind) {
      case 'constant':
        return expression.value < 0 && least > unaryPrecedence
          ? `(${expression.value})`
          : String(expression.value);
      case 'at':
        return enclosed(`${name} @ ${this.#placeName(thread, expression.location)}`, least);
      case 'ended':
        return `ended(${name})`;
      case 'register': {
        const { register } = expression;
        const own = templates.threads[thread]?.registers[register]?.name ?? `r${register}`;
        return `${name}.${register === selfRegister ? 'self' : own}`;
      }
      case 'cell': {
        const array = templates.symbols[expression.symbol]?.name ?? '';
        return expression.index ? `${array}[${this.#format(expression.index, 0)}]` : array;
      }
      case 'unary':
        return `${expression.operator}${this.#format(expression.operand, unaryPrecedence + 1)}`;
      case 'binary': {
        const own = precedence[expression.operator];
        const left = this.#format(expression.left, own);
        const right = this.#format(expression.right, own + 1);
        const text = `${left} ${expression.operator} ${right}`;
        return own < least ? `(${text})` : text;
      }
      default:
        return unreachable(expression);
    }
  }
}

/** People would read `!t @ l` in two ways. */
function enclosed(text: string, least: number): string {
  return least > unaryPrecedence ? `(${text})` : text;
}
