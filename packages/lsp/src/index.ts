export type { Answered, Asked, Engine, Host } from './engine.js';
export { commands, serve } from './server.js';
export type { Session } from './session.js';
export type { CheckMode, Status } from './checker.js';
export { meanings, meaningOf } from './words.js';
export { attackedStores, findingsOf, type AttackedStore, type Findings } from './findings.js';
export { editsBetween } from './edits.js';
