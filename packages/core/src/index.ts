export type * from './verdict/attack.js';
