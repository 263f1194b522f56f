import type { Mutation } from './mutation-rules.mjs';

export declare const proofMutations: readonly Mutation[];
