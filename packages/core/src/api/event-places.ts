import { sizeCosts } from '@fencewright/repairs/fences/cost-models.js';
import type { CostModel } from '@fencewright/repairs/fences/repair-problem.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { PricedPlace } from '@fencewright/model/verdict/event-fence-result.js';
import { type CostChoice, type CostsRead, readCosts } from './cost-model.js';

/** The options for places of fences in the text of a program of events. */
export interface FencePlaceOptions {
  /**
   * The cost model for fences, in which events and procedures count as threads; `size` if absent.
   */
  readonly costs?: CostModel;
  /** Whether a fence can be written at a location of the source; absent means everywhere. */
  readonly canFence?: (body: BodyId, location: LocationId) => boolean;
}

/**
 * Returns every location where a fence may be inserted: a location that is not marked `@nofence`,
 * and at which the source language can express a fence.
 */
export function eventPlaces(
  program: EventProgram,
  { costs = sizeCosts({ threads: program.bodies }), canFence = () => true }: FencePlaceOptions = {},
): readonly PricedPlace[] {
  return program.bodies.flatMap(({ locations, transitions }, body) => {
    const forbidden = new Set(
      transitions.flatMap(({ from, nofence }) => (nofence === true ? [from] : [])),
    );
    return locations.flatMap((_, location): readonly PricedPlace[] =>
      forbidden.has(location) || !canFence(body, location)
        ? []
        : [{ body, location, cost: costs.fence(body, location) }],
    );
  });
}

/** Returns the costs by label in a document, or the costs of the model `size`. */
export function eventCosts(
  choice: CostChoice | undefined,
  { bodies }: EventProgram,
): Exclude<CostsRead, { kind: 'unknown' }> {
  const threads = { threads: bodies };
  return choice?.kind === 'text'
    ? readCosts(choice.text, threads)
    : { kind: 'costs', costs: sizeCosts(threads) };
}
