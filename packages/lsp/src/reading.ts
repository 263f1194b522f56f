// Facts about a text without a server or a connection: for pages.
export { completionsAt } from './completion.js';
export { type Document, openDocument } from './document.js';
export { hoverAt } from './hover.js';
export { attackedStores, findingsOf } from './findings.js';
