export { parseNative } from './frontends/native/parse-native.js';
export { printNative } from './frontends/native/print-native.js';
