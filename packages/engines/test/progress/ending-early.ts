import type { SeededRandom } from '@fencewright/ground/base/random.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';

/**
 * Returns the program with a random end of the process. The process ends once a certain thread has
 * ended, which may hold the bus lock for ever, or once several threads have ended.
 */
export function endingEarly(program: Program, random: SeededRandom): Program {
  const threads = [...program.threads.keys()];
  const pick = (): number => random.below(threads.length);
  const awaits = threads.filter(() => random.below(3) === 0).map((thread) => ({ thread }));
  if (random.below(4) === 0) return { ...program, processEnds: [{ awaits }] };
  const last = pick();
  const { locations, transitions } = program.threads[last]!;
  const ends = [...locations.keys()].filter((place) =>
    transitions.every(({ from }) => from !== place),
  );
  const [location] = ends;
  if (location === undefined) return program;
  if (random.below(2) === 0)
    return { ...program, processEnds: [{ at: { thread: last, location }, awaits }] };
  const exit = locations.length;
  const exits: Thread = {
    ...program.threads[last]!,
    locations: [...locations, { name: 'exit', hidden: false }],
    transitions: [
      ...transitions,
      // The process ends at the end of the last thread, or at a random location of this thread.
      {
        from: random.below(2) === 0 ? location : random.below(locations.length),
        to: exit,
        instruction: { kind: 'lock' },
        origin: {},
      },
    ],
  };
  return {
    ...program,
    threads: program.threads.with(last, exits),
    processEnds: [{ at: { thread: last, location: exit }, awaits: [] }],
  };
}
