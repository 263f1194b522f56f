export type { EngineAnswer, EngineQuestion, Engine, Host } from './engine.js';
export { commands, serve } from './server.js';
export type { Session } from './session.js';
export type { CheckMode, CheckStatus } from './checker.js';
export { meanings, meaningOfWord } from './words.js';
export { attackedStores, findingsOf, type AttackedStore, type Findings } from './findings.js';
export { editsBetween } from './edits.js';
