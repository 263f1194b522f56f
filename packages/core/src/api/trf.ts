import { Budget, type Limits } from '../base/budget.js';
import type { Program } from '../program/program.js';
import { findTriangularRace, type RaceSearch } from '../triangular-races/find-triangular-race.js';
import { repairTriangularRaces } from '../triangular-races/repair-triangular-races.js';
import type { TrfResult, TrfVerdict } from '../verdict/triangular-race.js';
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

/** Whether the program is free of triangular races, and with `repair` which fences make it so. */
export async function trf(program: Program, options: TrfOptions = {}): Promise<TrfResult> {
  const budget = new Budget(options.limits);
  const search = await findTriangularRace(program, budget);
  const verdict = toVerdict(search);
  const finish = (states: number, result: Pick<TrfResult, 'verdict' | 'repair'>): TrfResult => ({
    ...result,
    states,
    milliseconds: budget.milliseconds,
    diagnostics: faultDiagnostics(program, search.faults),
  });
  if (options.repair !== true || (verdict.kind !== 'race' && verdict.kind !== 'free'))
    return finish(search.states, { verdict });
  const { repair, states, last } = await repairTriangularRaces(program, budget);
  const all = search.states + states;
  if (last.incomplete || last.faults.length > 0) return finish(all, { verdict });
  return finish(all, { verdict, ...(repair && { repair }) });
}
