export { parseNative } from './frontends/native/parse-native.js';
