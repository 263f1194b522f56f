import type { Mutation } from './mutation-rules.mjs';

export declare const referenceMutations: readonly Mutation[];
