import type { TextEditor } from '../../program/front-end.js';
import { nativeInsertionPoints } from './insertion-points.js';
import { repairNativeText } from './repair-native.js';

/** How repairs get into a native text. */
export function editNative(text: string): TextEditor {
  const points = nativeInsertionPoints(text, { withEnds: true }) ?? [];
  return {
    placesOf: (thread, location) =>
      (points[thread]?.get(location) ?? []).map(({ position }) => position),
    repair: (repairs, choose) => repairNativeText(text, repairs, choose),
  };
}
