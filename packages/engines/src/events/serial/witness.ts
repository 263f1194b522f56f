import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import { judgeRun } from '@fencewright/model/events/judge-run.js';
import { replayEventRun, type EventReplay } from '@fencewright/model/events/replay-event-run.js';
import type { LogItem } from './config.js';
import { performAccess } from './perform.js';
import { schedule } from './schedule.js';
import type { SerialMachine } from './serial-machine.js';
import { valueOfCell, finalMemory, unfold, type SerialRun } from './unfold.js';

function accepted(
  program: EventProgram,
  run: EventRun | undefined,
  replay: (run: EventRun) => EventReplay,
) {
  if (!run || judgeRun(program, run).serialisation.kind === 'serialisable') return undefined;
  const replayed = replay(run);
  if (replayed.kind === 'impossible')
    throw new InternalError(
      'a witness of a sequential search cannot be replayed',
      `action ${replayed.action} of ${JSON.stringify(run)}`,
    );
  return run;
}

/**
 * Returns an SC run that shows a violation of robustness against concurrency; `undefined` if none
 * can be made.
 */
export function concurrencyWitness(
  program: EventProgram,
  machine: SerialMachine,
  items: readonly LogItem[],
): EventRun | undefined {
  const run = unfold(program, machine, items);
  for (const complete of withPostponed(program, machine, run)) {
    const options = {
      program,
      isTso: false,
      postingFenced: false,
      initialMemory: machine.initialMemory(),
    };
    const witness = accepted(program, schedule(complete, options), (so) =>
      replayEventRun(program, so, 'multi-sc'),
    );
    if (witness) return witness;
  }
  return undefined;
}

/**
 * Returns the runs extended by the postponed access: one run for each possible outcome of the
 * access.
 */
function withPostponed(
  program: EventProgram,
  machine: SerialMachine,
  run: SerialRun,
): readonly SerialRun[] {
  const { postponed } = run;
  if (!postponed) return [];
  const memory = finalMemory(machine, run);
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = program.domain ?? {};
  const outcomes = performAccess(machine.locals, postponed.at, {
    cells: memory.size,
    low,
    high,
    load: (cell) => valueOfCell(memory, cell),
  });
  return outcomes.map(({ steps }) => ({
    ...run,
    actions: [...run.actions, { task: postponed.task, kind: 'perform', steps, isBuffered: false }],
  }));
}

/** Returns a TSO run that shows a violation of serialisability; `undefined` if none can be made. */
export function serialisabilityWitness(
  program: EventProgram,
  machine: SerialMachine,
  items: readonly LogItem[],
  postingFenced: boolean,
): EventRun | undefined {
  const run = schedule(unfold(program, machine, items), {
    program,
    isTso: true,
    postingFenced,
    initialMemory: machine.initialMemory(),
  });
  return accepted(program, run, (so) =>
    replayEventRun(program, so, 'multi-tso', { postingFenced }),
  );
}
