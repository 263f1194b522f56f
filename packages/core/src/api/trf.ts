import { Budget, type Limits } from '../base/budget.js';
import type { Program } from '../program/program.js';
import { findTriangularRace, type RaceSearch } from '../triangular-races/find-triangular-race.js';
import {
  type RaceRepairAnswer,
  repairTriangularRaces,
} from '../triangular-races/repair-triangular-races.js';
import type { TrfRepair, TrfResult, TrfVerdict } from '../verdict/triangular-race.js';
import { faultDiagnostics, isProgramError } from './fault-diagnostics.js';

export interface TrfOptions {
  readonly limits?: Limits;
  /** Look for the cheapest fences that leave no triangular race. */
  readonly repair?: boolean;
}

function toVerdict({ race, faults, incomplete }: RaceSearch): TrfVerdict {
  if (race) return { kind: 'race', race };
  if (faults.some(({ fault }) => isProgramError(fault))) return { kind: 'error' };
  const reason = incomplete ?? (faults.length > 0 ? 'unsupported' : undefined);
  return reason ? { kind: 'unknown', reason } : { kind: 'free' };
}

function toRepair({
  items,
  chosen,
  cost,
}: Extract<RaceRepairAnswer, { kind: 'optimal' }>): TrfRepair {
  const fences = chosen.flatMap((index) => {
    const item = items[index]?.item;
    return item?.kind === 'fence' ? [{ thread: item.thread, location: item.location }] : [];
  });
  return { fences, cost };
}

/** Whether the program is free of triangular races, and with `repair` which fences make it so. */
export async function trf(program: Program, options: TrfOptions = {}): Promise<TrfResult> {
  const budget = new Budget(options.limits);
  const search = await findTriangularRace(program, budget);
  const verdict = toVerdict(search);
  const finish = (result: Partial<TrfResult>): TrfResult => ({
    verdict,
    states: search.states,
    milliseconds: budget.milliseconds,
    diagnostics: faultDiagnostics(program, search.faults),
    ...result,
  });
  if (options.repair !== true || (verdict.kind !== 'race' && verdict.kind !== 'free'))
    return finish({});
  const { answer, states: more } = await repairTriangularRaces(program, budget);
  const states = search.states + more;
  switch (answer.kind) {
    case 'optimal':
      return finish({ states, repair: toRepair(answer) });
    case 'impossible':
      return finish({ states });
    case 'unknown':
      return finish({ states, repairUnknown: answer.reason });
  }
}
