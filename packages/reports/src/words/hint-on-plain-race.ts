import { formatAddress } from '@fencewright/model/program/format.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Race } from '@fencewright/model/verdict/c11-result.js';

/**
 * Returns the advice on a data race in C that no memory order and no fence can exclude, since no
 * access of the program is atomic: fences order accesses of others through atomic accesses only
 * ([CPP20] [atomics.fences]). `undefined` if some access is atomic, or the program is not from C.
 */
export function hintOnPlainRace(program: Program, { graph, second }: C11Race): string | undefined {
  const isAnyAtomic = program.threads.some(({ transitions }) =>
    transitions.some(({ origin }) => origin.access === 'atomic'),
  );
  const address = graph.events[second]?.address;
  if (isAnyAtomic || !isOfC(program) || address === undefined) return undefined;
  return `make ${formatAddress(program, address)} atomic (_Atomic, std::atomic), or use a lock: orders and fences are for atomic accesses`;
}
