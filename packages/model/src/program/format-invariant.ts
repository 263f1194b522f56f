import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { selfRegister } from './expression.js';
import { formatInfix, isSigned, unaryPrecedence, type Notation } from './infix.js';
import type { LocationId, ThreadId } from './ids.js';
import type { Templates } from './templates.js';
import type { Invariant, InvariantExpression, InvariantLeaf } from './program.js';

/** Returns the name of a location in the text of an invariant. */
type PlaceName = (thread: ThreadId, location: LocationId) => string;

/**
 * Formats an invariant as a line of the native language, `invariant NAME(a: t): condition`, with
 * `==>` where an implication is outermost. `placeName` gives labels to locations that have none in
 * the text.
 */
export function formatInvariant(
  open: Templates,
  { name, binders, condition }: Invariant,
  placeName: PlaceName = (thread, location) => locationName(open, thread, location),
): string {
  const bound = binders.filter(({ thread }) => open.unbounded.includes(thread));
  const list = bound.map(
    (binder) => `${binder.name}: ${at(open.templates.threads, binder.thread).name}`,
  );
  const parameters = list.length > 0 ? `(${list.join(', ')})` : '';
  return `invariant ${name}${parameters}: ${formatImplication(condition, notationOf(open, binders, placeName))}`;
}

function locationName({ templates }: Templates, thread: ThreadId, location: LocationId): string {
  return at(at(templates.threads, thread).locations, location).name;
}

/** Formats a condition, with `!(p) || q` as `p ==> q`. */
function formatImplication(
  condition: InvariantExpression,
  notation: Notation<InvariantLeaf>,
): string {
  if (condition.kind !== 'binary' || condition.operator !== '||')
    return formatInfix(condition, notation);
  const { left, right } = condition;
  if (left.kind !== 'unary' || left.operator !== '!') return formatInfix(condition, notation);
  return `${formatInfix(left.operand, notation)} ==> ${formatImplication(right, notation)}`;
}

function notationOf(
  { templates }: Templates,
  binders: Invariant['binders'],
  placeName: PlaceName,
): Notation<InvariantLeaf> {
  const notation: Notation<InvariantLeaf> = {
    encloses: isSigned,
    leaf: (leaf, least) => {
      const binder = 'binder' in leaf ? binders[leaf.binder] : undefined;
      const { name = '', thread = -1 } = binder ?? {};
      switch (leaf.kind) {
        case 'at': {
          const text = `${name} @ ${placeName(thread, leaf.location)}`;
          // `!t @ l` would be ambiguous for readers.
          return least > unaryPrecedence ? `(${text})` : text;
        }
        case 'ended':
          return `ended(${name})`;
        case 'register': {
          const { register } = leaf;
          if (register === selfRegister) return `${name}.self`;
          return `${name}.${at(at(templates.threads, thread).registers, register).name}`;
        }
        case 'cell': {
          const array = at(templates.symbols, leaf.symbol).name;
          return leaf.index ? `${array}[${formatInfix(leaf.index, notation)}]` : array;
        }
        case 'every-index':
          return '*';
        default:
          return unreachable(leaf);
      }
    },
  };
  return notation;
}
