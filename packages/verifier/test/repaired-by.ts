import { type Program, repairedProgram, type Repair, type RepairMode } from '@fencewright/core';

/** The program with these repairs, as the tool makes it. */
export function repairedBy(program: Program, mode: RepairMode, items: readonly Repair[]): Program {
  const priced = items.map((item) => ({ ...item, cost: 1 }));
  return repairedProgram(program, { mode, items: priced, chosen: [...priced.keys()] });
}
