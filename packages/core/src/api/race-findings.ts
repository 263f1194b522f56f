import { at } from '@fencewright/ground/base/at.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { findDataRaces } from '@fencewright/engines/data-races/find-data-races.js';
import { findFreedUses } from '@fencewright/engines/data-races/find-freed-uses.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { formatAddress, symbolAt } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import { dataRace, freedUse, type RacingPlace } from '@fencewright/ground/source/c-diagnostics.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type {
  DataRace,
  FreedUse,
  RaceFindings,
  RacingAccess,
} from '@fencewright/model/verdict/data-race.js';
import type { FenceResult } from '@fencewright/model/verdict/fence-result.js';
import { defaults } from './defaults.js';

interface WithDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the result with the data races of the program, and a warning for each variable with races
 * and each use of freed memory, if the program is in C. The searches use few states, which the
 * result does not count. Uses of freed memory under TSO are looked for, unless some are found under
 * SC or `isRobust` holds: the program is robust, or becomes robust by the fences that were found.
 * Fences for properties need not make the program robust, and need not prevent uses of freed memory
 * under TSO.
 */
export async function withRaces<R extends WithDiagnostics>(
  program: Program,
  result: R,
  limits: Limits,
  isRobust: boolean,
): Promise<R & { readonly races?: RaceFindings }> {
  if (!isOfC(program)) return result;
  const { maxStates = Number.POSITIVE_INFINITY } = limits;
  const budgetStates = Math.min(maxStates, defaults.raceStates);
  const budget = new Budget({ ...limits, maxStates: budgetStates });
  const races = await findDataRaces(program, budget);
  const diagnostics = raceWarnings(program, races.races);
  const usesUnder = (model: MemoryModel) =>
    findFreedUses(program, model, new Budget({ ...limits, maxStates: budgetStates }));
  const underSC = await usesUnder('SC');
  const { uses, incomplete } =
    underSC.uses.length > 0 || isRobust ? underSC : await usesUnder('TSO');
  const used = uses.map((found) => freedUseIn(program, found));
  // A complete search under TSO also covers the executions without store buffers.
  return {
    ...result,
    races: { ...races, freedUses: uses, ...(incomplete && { freedIncomplete: incomplete }) },
    diagnostics: [...result.diagnostics, ...diagnostics, ...used],
  };
}

/** Returns a warning for each variable with data races, about its first race. */
function raceWarnings(program: Program, races: readonly DataRace[]): readonly Diagnostic[] {
  const byVariable = new Map<string, [DataRace, ...DataRace[]]>();
  for (const race of races) {
    const cell = formatAddress(program, race.address);
    // The elements of an array in C have names of their own.
    const [variable] = symbolAt(program, race.address) === undefined ? [cell] : cell.split('[');
    const known = byVariable.get(variable!);
    if (known) known.push(race);
    else byVariable.set(variable!, [race]);
  }
  return [...byVariable].map(([variable, [first, ...others]]) => {
    const placesOf = ({ accesses }: DataRace): readonly RacingPlace[] =>
      accesses.map((access) => placeOf(program, access));
    const [one, other] = placesOf(first);
    const spans = (places: readonly RacingPlace[]): ReadonlyMap<string, Span> =>
      new Map(
        places.flatMap(({ span }) =>
          span
            ? [[`${span.source?.name}:${span.start.line}:${span.start.column}`, span] as const]
            : [],
        ),
      );
    const named = spans([one!, other!]);
    const places = [...spans(others.flatMap(placesOf))].flatMap(([key, span]) =>
      named.has(key) ? [] : [span],
    );
    const further = others.length > 0 ? { variable, pairs: others.length, places } : undefined;
    return dataRace(formatAddress(program, first.address), one!, other!, further);
  });
}

/**
 * Returns the uses of freed memory that a search under SC with few states finds, which C11 has too,
 * whatever the memory orders, and a warning for each.
 */
export async function freedUsesUnderSC(
  program: Program,
  limits: Limits,
): Promise<{ readonly uses: readonly FreedUse[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { maxStates = Number.POSITIVE_INFINITY } = limits;
  const budget = new Budget({ ...limits, maxStates: Math.min(maxStates, defaults.raceStates) });
  const { uses } = await findFreedUses(program, 'SC', budget);
  return { uses, diagnostics: uses.map((found) => freedUseIn(program, found)) };
}

/**
 * Whether fences were found that make the program robust. The result of a search for properties has
 * no `happensBefore`.
 */
export function becomesRobust({
  verdict,
  happensBefore,
}: Pick<FenceResult, 'happensBefore'> & { readonly verdict: { readonly kind: string } }): boolean {
  return verdict.kind === 'found' && happensBefore !== undefined;
}

function freedUseIn(program: Program, { cell, use, free, model }: FreedUse): Diagnostic {
  const { origin } = at(at(program.threads, use.thread).transitions, use.transition);
  const how = { ...placeOf(program, use), isFree: origin.block === 'freed' };
  return freedUse(cell, how, placeOf(program, free), model !== 'SC');
}

function placeOf(program: Program, { thread: t, transition }: RacingAccess): RacingPlace {
  const thread = at(program.threads, t);
  const { origin, instruction } = at(thread.transitions, transition);
  const marked = { loaded: 'load', stored: 'store', freed: undefined, again: undefined };
  const done = (origin.block && marked[origin.block]) ?? instruction.kind;
  const kind = done === 'rmw' ? 'read-modify-write' : done;
  return {
    access: origin.access === undefined ? kind : `${origin.access} ${kind}`,
    function: origin.calls?.[0]?.function ?? thread.copy?.template ?? thread.name,
    calls: (origin.calls ?? []).flatMap(({ span }) => span ?? []),
    span: origin.span,
  };
}
