import type { ThreadModel } from '@fencewright/model/program/model.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import { type Spawned, type SpawnedThreads, SpawnRefusal } from './spawned-threads.js';
import type { Round, World } from './world.js';

/**
 * The number of lowered copies of a thread that represent any number of copies: memory shared by
 * two copies is shared by all copies.
 */
const enough = 2;

const lowered = ({ count }: SpawnedThreads): number => (count === 'any' ? enough : count);

/** The numbers of the threads that run a given function. */
function idsOf(world: World, threads: SpawnedThreads): readonly number[] {
  return Array.from({ length: lowered(threads) }, (_, copy) =>
    world.threadOf(`counted ${threads.function.name} ${copy}`, 0),
  );
}

/** Adds to a round the threads for whose functions the user has given numbers of threads. */
export function startCounted(round: Round, { threads }: Spawned): void {
  for (const each of threads)
    for (const id of idsOf(round.world, each)) {
      if (each.count === 'any') round.world.uncounted.add(id);
      round.starts.set(id, {
        id,
        by: 0,
        function: each.function,
        argument: each.argument,
        isOnTrunk: true,
        origin: each.origin,
      });
    }
}

/** Throws `SpawnRefusal` if threads use memory that `main` uses while threads run. */
export function judgeMemory({ facts }: World, { memory }: Spawned): void {
  for (const { address, size, name, origin } of memory) {
    const isShared = [...facts.cells.values()].some(
      (cell) => cell.address < address + size && address < cell.address + Math.max(...cell.sizes),
    );
    if (isShared || facts.isAnyAnywhere)
      throw new SpawnRefusal(
        origin,
        `'main' uses '${name}' while its threads run, and its threads use '${name}' too`,
        'with given numbers of threads, main may only start and join threads, and use memory of its own',
      );
  }
}

/** The code of a thread as text, without the thread's name and position among copies. */
const codeOf = ({ registers, locations, initial, transitions }: Thread): string =>
  JSON.stringify([
    registers,
    locations,
    initial,
    transitions.map(({ from, to, instruction }) => [from, to, instruction]),
  ]);

/**
 * The program of counted threads, or thread templates if some threads come in any number. Throws
 * `SpawnRefusal` if copies of an unbounded thread differ.
 */
export function countedModel({ threads }: Spawned, program: Program): ThreadModel {
  if (threads.every(({ count }) => count !== 'any')) return { kind: 'finite', program };
  const templates: Thread[] = [];
  const unbounded: number[] = [];
  let next = 0;
  for (const each of threads) {
    const own = program.threads.slice(next, next + lowered(each));
    next += own.length;
    if (each.count !== 'any') {
      templates.push(...own);
      continue;
    }
    const [first, second] = own as [Thread, Thread];
    if (codeOf(first) !== codeOf(second))
      throw new SpawnRefusal(
        each.origin,
        `threads that run '${each.function.name}' have memory of their own, so their number has to be fixed`,
        `give a number, for example ${each.function.name}=3`,
      );
    const { copy, ...template } = first;
    unbounded.push(templates.length);
    templates.push({ ...template, name: copy?.template ?? template.name });
  }
  // Threads created by other threads are created once.
  templates.push(...program.threads.slice(next));
  return { kind: 'unbounded', templates: { ...program, threads: templates }, unbounded };
}
