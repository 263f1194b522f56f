import { at } from '@fencewright/ground/base/at.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { findDataRaces } from '@fencewright/engines/data-races/find-data-races.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  dataRace,
  type Diagnostic,
  type RacingPlace,
} from '@fencewright/ground/source/diagnostic.js';
import type { RaceFindings, RacingAccess } from '@fencewright/model/verdict/data-race.js';
import { defaults } from './defaults.js';

interface WithDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the result with the data races of the program, and a warning for each race, if the
 * program is in C. The search uses few states, which the result does not count.
 */
export async function withRaces<R extends WithDiagnostics>(
  program: Program,
  result: R,
  limits: Limits,
): Promise<R & { readonly races?: RaceFindings }> {
  if (!isOfC(program)) return result;
  const { maxStates = Number.POSITIVE_INFINITY } = limits;
  const budget = new Budget({ ...limits, maxStates: Math.min(maxStates, defaults.raceStates) });
  const races = await findDataRaces(program, budget);
  const diagnostics = races.races.map(({ address, accesses }): Diagnostic => {
    const [one, other] = accesses;
    const cell = formatAddress(program, address);
    return dataRace(cell, placeOf(program, one), placeOf(program, other));
  });
  return { ...result, races, diagnostics: [...result.diagnostics, ...diagnostics] };
}

function placeOf(program: Program, { thread: t, transition }: RacingAccess): RacingPlace {
  const thread = at(program.threads, t);
  const { origin, instruction } = at(thread.transitions, transition);
  const kind = instruction.kind === 'rmw' ? 'read-modify-write' : instruction.kind;
  return {
    access: origin.access === undefined ? kind : `${origin.access} ${kind}`,
    function: origin.calls?.[0]?.function ?? thread.copy?.template ?? thread.name,
    calls: (origin.calls ?? []).flatMap(({ span }) => span ?? []),
    span: origin.span,
  };
}
