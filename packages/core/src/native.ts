export { parseNative } from './frontends/native/parse-native.js';
export { printNative } from './frontends/native/print-native.js';
export { nativeInsertionPoints } from './frontends/native/insertion-points.js';
export { repairNativeText } from './frontends/native/repair-native.js';
