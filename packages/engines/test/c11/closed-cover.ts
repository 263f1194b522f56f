import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { Program } from '@fencewright/model/program/program.js';
import { compileC11 } from '../../src/c11/c11-steps.js';
import { MonitoredProgram } from '../../src/c11/monitor-steps.js';
import { RowTable } from '@fencewright/ground/base/row-table.js';
import { coverOf, type WrittenCover } from '../../src/c11/write-cover.js';

/**
 * Returns the cover of a certificate, a set of states closed under steps. It has all states of the
 * interleavings with the knowledge of threads about stores, also those after accesses that read old
 * stores. `forwards` tells whether stores are forwarded to `seq_cst` loads.
 */
export function closedCover(program: Program, model: C11Model, forwards = true): WrittenCover {
  const monitored = new MonitoredProgram(compileC11(program), model, { forwards });
  const table = new RowTable(monitored.layout.length);
  const ignore = (): undefined => undefined;
  const onState = (state: Int32Array): void => void table.add(state);
  monitored.initial(onState, ignore);
  const visitor = { onState, onStale: ignore, onRace: ignore, onFailure: ignore };
  for (let index = 0; index < table.size; index++) monitored.visitSteps(table.get(index), visitor);
  return coverOf(monitored, model, table);
}
