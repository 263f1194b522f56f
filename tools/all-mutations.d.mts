import type { Mutation } from './mutation-rules.mjs';

export declare const allMutations: readonly Mutation[];
