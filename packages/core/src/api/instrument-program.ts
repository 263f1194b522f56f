import { computeAddressSets } from '@fencewright/model/analysis/address-sets.js';
import type { InstrumentedProgram } from '@fencewright/model/instrumented/instrumented.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { farthestFlatAddress } from '@fencewright/reference/instrument/flatten-spaces.js';
import { foldBlocks } from '@fencewright/model/analysis/fold-blocks.js';
import {
  instrumentAnyAttack,
  instrumentAttack,
  instrumentTemplates,
  type Instrumented,
} from '@fencewright/reference/instrument/instrument.js';
import {
  lowerInstrumented,
  type Lowered,
} from '@fencewright/reference/instrument/lower-instrumented.js';
import { leftOut, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

/**
 * Instruments the program for the given attacks: for a single attack, or so that executions choose
 * one of several. Source: [BDM13] Sects. 5, 8.3.
 */
export function instrumentProgram(program: Program, attacks: readonly Attack[]): Instrumented {
  const [attack, ...others] = attacks;
  const instrumented =
    attack && others.length === 0
      ? instrumentAttack(program, attack)
      : instrumentAnyAttack(program, attacks);
  return withNamedGoals(instrumented);
}

/**
 * Instruments the templates of a program with any number of copies for the given attacks;
 * `undefined` if a template has a lock block with several accesses. Source: [BDM13] Sect. 6.
 */
export function instrumentCopies(
  open: Templates,
  attacks: readonly Attack[],
): Instrumented | undefined {
  const instrumented = instrumentTemplates(open, attacks);
  return instrumented && withNamedGoals(instrumented);
}

function withNamedGoals(instrumented: Instrumented): Instrumented {
  return {
    ...instrumented,
    program: nameGoals(foldBlocks(instrumented.program), instrumented),
  };
}

/** Gives the goal locations names that users see. */
function nameGoals(program: InstrumentedProgram, { goals }: Instrumented): InstrumentedProgram {
  const threads = program.threads.map((thread, t) => {
    const locations = thread.locations.map((location, id) =>
      goals.some((goal) => goal.thread === t && goal.location === id)
        ? { ...location, hidden: false }
        : location,
    );
    return { ...thread, locations };
  });
  return { ...program, threads };
}

/**
 * Lowers the instrumented program to the language of ordinary programs, with a note if far
 * addresses are left out. The threads of `unbounded` have any number of copies.
 */
export function lowerForExport(
  program: Program,
  instrumented: Instrumented,
  unbounded: readonly ThreadId[] = [],
): Lowered & { readonly diagnostics: readonly Diagnostic[] } {
  const isNear = (address: number): boolean => Math.abs(address) <= farthestFlatAddress;
  const near = computeAddressSets(program)
    .flat()
    .every((set) => set === undefined || (set !== 'any' && set.every(isNear)));
  const note = leftOut(
    undefined,
    `the program computes addresses that nothing bounds; those beyond ${farthestFlatAddress} are not followed`,
    'an address has five cells in the instrumented program, and they have to fit into 32 bits',
  );
  return { ...lowerInstrumented(instrumented, unbounded), diagnostics: near ? [] : [note] };
}
