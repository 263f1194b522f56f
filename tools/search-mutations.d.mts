import type { Mutation } from './mutation-rules.mjs';

export declare const searchMutations: readonly Mutation[];
