import type { Witness } from '@fencewright/model/verdict/verdict.js';

/**
 * A computation for a report: an attack with its cycle, or a path to a state, with an empty cycle.
 */
export type ShownExecution = Omit<Witness, 'attack'> & Partial<Pick<Witness, 'attack'>>;
