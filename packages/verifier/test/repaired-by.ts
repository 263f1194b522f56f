import { type Program, repairedProgram, type Repair, type RepairMode } from '@fencewright/core';

/**
 * Returns the program with the chosen repairs, as made by the tool: repairs are inserted, or, when
 * minimising fences, kept while the remaining items of `all` are removed.
 */
export function repairedBy(
  program: Program,
  mode: RepairMode,
  all: readonly { readonly item: Repair }[],
  items: readonly Repair[],
): Program {
  const texts = new Set(items.map((item) => JSON.stringify(item)));
  const priced = all.map(({ item }) => ({ ...item, cost: 1 }));
  const chosen = [...all.keys()].filter((index) => texts.has(JSON.stringify(all[index]!.item)));
  return repairedProgram(program, { mode, items: priced, chosen });
}
