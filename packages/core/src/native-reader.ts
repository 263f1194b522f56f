export { parseWellFormed } from './frontends/native/parse-well-formed.js';
