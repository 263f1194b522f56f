import type { Witness } from '@fencewright/model/verdict/verdict.js';

/**
 * A computation to show: of an attack, with its cycle, or one that leads to a state, with an empty
 * cycle.
 */
export type ShownExecution = Omit<Witness, 'attack'> & Partial<Pick<Witness, 'attack'>>;
