// What speaks of names, and needs nothing else: for those who should start quickly.
export { nearestName } from './source/nearest-name.js';
export { quoteName } from './source/quote-name.js';
