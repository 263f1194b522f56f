import type { Expression } from '../automata.js';
import { type Arc, drains, registersOf } from './acts.js';
import { codeInteger } from './code-terms.js';
import type { Model } from './symbolic-state.js';
import type { Stepper } from './steps.js';

/**
 * Returns a name for the cell at an address without registers, which is the same cell whenever the
 * thread computes it; `undefined` for other addresses.
 */
function fixedCell({ memory, automata }: Model, address: Expression): string | undefined {
  if (registersOf(address).length > 0) return undefined;
  const view = { symbols: automata.symbols, self: { text: 'self' }, registers: [] };
  const { slot, index } = memory.cellAt(address, (inner) => codeInteger(inner, view));
  return `${slot}[${index?.text ?? ''}]`;
}

/**
 * Returns the loads that may read from memory while the store waits: loads that control flow
 * reaches from the store without emptying the buffer, except loads whose cell is stored to on every
 * path, this store included ([BEMT18] Sect. 4, buffer-free reachable).
 */
export function bufferFree(model: Model, { arcs }: Stepper, store: Arc): readonly Arc[] {
  const cellOf = ({ act }: Arc): string | undefined =>
    'address' in act ? fixedCell(model, act.address) : undefined;
  const own = cellOf(store);
  /**
   * By location found so far: the cells that the thread stores to on every path from the store to
   * the location.
   */
  const stored = new Map([[store.to, new Set(own === undefined ? [] : [own])]]);
  const pending = [store.to];
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const arc of arcs) {
      if (arc.from !== at || drains(arc.act)) continue;
      const cell = arc.act.kind === 'store' ? cellOf(arc) : undefined;
      const here = new Set([...stored.get(at)!, ...(cell === undefined ? [] : [cell])]);
      const known = stored.get(arc.to);
      const both = known ? new Set([...known].filter((each) => here.has(each))) : here;
      if (known?.size === both.size) continue;
      stored.set(arc.to, both);
      pending.push(arc.to);
    }
  return arcs.filter((arc) => {
    if (arc.act.kind !== 'load') return false;
    const cell = cellOf(arc);
    const before = stored.get(arc.from);
    return before !== undefined && !(cell !== undefined && before.has(cell));
  });
}
