import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { Program } from '@fencewright/model/program/program.js';
import { nativeInsertionPoints } from './insertion-points.js';
import { repairNativeText } from './repair-native.js';
import { nativeOrderEditor } from './write-orders.js';

/**
 * Returns the editor of a native text, which inserts and removes fences and turns stores into
 * exchanges. `copies` gives the numbers of copies of threads. If the text's `program` is given, the
 * editor writes memory orders, too.
 */
export function editNative(
  text: string,
  copies?: ReadonlyMap<string, number>,
  program?: Program,
): TextEditor {
  const options = { withEnds: true, ...(copies && { copies }) };
  const points = nativeInsertionPoints(text, options) ?? [];
  const before = nativeInsertionPoints(text, { ...options, before: true }) ?? [];
  return {
    hasHeavyFences: true,
    canBeHeavy: (thread, location) =>
      !(points[thread]?.get(location) ?? []).some(({ isBeforeAwait }) => isBeforeAwait),
    placesBefore: (thread, location) =>
      (before[thread]?.get(location) ?? []).map(({ position }) => position),
    placesOf: (thread, location) =>
      (points[thread]?.get(location) ?? []).map(({ position }) => position),
    repair: (repairs, choose) => repairNativeText(text, repairs, choose, copies),
    ...(program && { orders: nativeOrderEditor(text, program, copies) }),
  };
}
