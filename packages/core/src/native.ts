export { parseNative } from '@fencewright/languages/native/parse-native.js';
export { printNative } from '@fencewright/languages/native/print-native.js';
export { nativeInsertionPoints } from '@fencewright/languages/native/insertion-points.js';
export { repairNativeText } from '@fencewright/languages/native/repair-native.js';
