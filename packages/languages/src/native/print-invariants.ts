import type { Templates } from '@fencewright/model/program/templates.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { printInvariantCondition } from './print-expression.js';
import type { PrintedNames } from './print-names.js';

/**
 * Returns a line of text for each invariant. Invariants from one declaration over a fixed number of
 * copies get numbered names.
 */
export function printInvariants(
  { templates, unbounded }: Templates,
  names: PrintedNames,
): readonly string[] {
  const taken = new Set(names.threads.map(({ name }) => name));
  const used = new Set<string>();
  const unused = (name: string, set: ReadonlySet<string>): string => {
    let candidate = name;
    for (let number = 2; set.has(candidate); number++) candidate = `${name}_${number}`;
    return candidate;
  };
  const printInvariant = ({ name, binders, condition }: Invariant): string => {
    const own = unused(name, used);
    used.add(own);
    const printed = binders.map((binder) => {
      const inside = names.threads[binder.thread]!;
      const isBound = unbounded.includes(binder.thread);
      return { inside, isBound, name: isBound ? unused(binder.name, taken) : inside.name };
    });
    const bound = printed.filter(({ isBound }) => isBound);
    const list = bound.map((binder) => `${binder.name}: ${binder.inside.name}`).join(', ');
    const text = printInvariantCondition(condition, names, printed);
    return `invariant ${own}${bound.length > 0 ? `(${list})` : ''}: ${text}`;
  };
  return (templates.invariants ?? []).map(printInvariant);
}
