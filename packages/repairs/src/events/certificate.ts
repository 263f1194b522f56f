import { at } from '@fencewright/ground/base/at.js';
import { exactSum } from '@fencewright/ground/base/exact-sum.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import {
  sealEventCertificate,
  type SealedCertificate,
} from '@fencewright/model/program/seal-certificate.js';
import type { EventAction, EventRun } from '@fencewright/model/trace/event-run.js';
import type { Against } from '@fencewright/model/verdict/event-check-result.js';
import type {
  EventFenceVerdict,
  FencePlace,
  PricedPlace,
} from '@fencewright/model/verdict/event-fence-result.js';
import { completedRun } from '@fencewright/model/events/replay-event-run.js';

/** A fence of a program of events, in the form used in certificates. */
export interface WrittenFence {
  readonly item: FencePlace & { readonly kind: 'fence' };
  readonly cost: number;
}

/**
 * The claim of a certificate of fences for a program of events, without the part common to all
 * certificates.
 */
interface EventFenceClaim {
  readonly costModel: string;
  readonly items: readonly WrittenFence[];
  /** The repairs that the claim chooses, as indices into `items`, ascending. */
  readonly chosen: readonly number[];
  readonly cost: number;
  readonly against: Against;
  readonly postingFenced: boolean;
  readonly clauses: readonly { readonly items: readonly number[]; readonly run: object }[];
}

/** The purpose of the fences, and the places allowed for fences. */
interface EventFenceProblem {
  readonly program: EventProgram;
  readonly places: readonly PricedPlace[];
  readonly costModel: string;
  readonly against: Against;
  readonly postingFenced: boolean;
}

/** Converts places of fences into the form used in certificates. */
export function writePlaces(places: readonly PricedPlace[]): readonly WrittenFence[] {
  return places.map(({ body, location, cost }) => ({
    item: { kind: 'fence', body, location },
    cost,
  }));
}

/**
 * Converts an action into the form used in certificates, without the parts that replay can derive.
 */
function actionToJson({ tasks }: EventRun, action: EventAction): object {
  const { kind, task } = action;
  if (kind === 'start') return { kind, instances: at(tasks, task).instances };
  if (!('site' in action)) return { kind, task };
  const { transition } = action.site;
  const choice = action.kind === 'silent' ? action.choice : undefined;
  return { kind, task, transition, ...(choice !== undefined && { choice }) };
}

/**
 * Returns the proof, for `@fencewright/verifier`, that fences are sufficient and cheapest: every
 * clause has a run forbidden only by fences at the clause's places, and no cheaper set meets all
 * clauses.
 */
export async function certifyEventFences(
  { program, places, costModel, against, postingFenced }: EventFenceProblem,
  { fences, reasons }: Extract<EventFenceVerdict, { kind: 'found' }>,
): Promise<SealedCertificate & EventFenceClaim> {
  const indexOf = ({ body, location }: FencePlace): number => {
    const index = places.findIndex((one) => one.body === body && one.location === location);
    if (index < 0) throw new InternalError('a fence is at no place of the program');
    return index;
  };
  const ascending = (some: readonly FencePlace[]): readonly number[] =>
    some.map(indexOf).sort((a, b) => a - b);
  const chosen = ascending(fences);
  const claim: EventFenceClaim = {
    costModel,
    items: writePlaces(places),
    chosen,
    cost: exactSum(chosen.map((index) => at(places, index).cost)),
    against,
    postingFenced,
    clauses: reasons.map(({ places: passed, witness }) => {
      const run = completedRun(program, witness.run, witness.semantics, { postingFenced });
      return {
        items: ascending(passed),
        run: run.actions.map((action) => actionToJson(run, action)),
      };
    }),
  };
  return { ...(await sealEventCertificate('event-fences', program, claim)), ...claim };
}
