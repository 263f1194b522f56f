import { checkPlaces, type PlacesCheck } from './address-numbers.js';
import { type MainEntry, mainEntry } from './main-entry.js';
import type { SourcePlaces } from './places.js';
import { Unsupported } from './unsupported.js';
import type { World } from './world.js';

/** An operation of `main` that is refused, as an operand equals an address of the memory layout. */
interface Refused {
  /** The number of operations that were checked before. */
  readonly index: number;
  readonly left: bigint;
  readonly right: bigint;
}

/** A world, and the result of running `main` in it. */
interface Entered {
  readonly world: World;
  readonly main: MainEntry;
}

/**
 * Runs `main` in a fresh world. A number that is no address may equal one by chance, such as a
 * hash. The operations refused for their operands are compared with those of a run in a world with
 * another memory layout: operands that are equal in both layouts depend on no address, and the
 * operation is no reason for a refusal. `fresh` makes the world of the last run last.
 */
export function enterMain(
  fresh: () => World,
  elsewhere: () => World,
  places: SourcePlaces,
): Entered {
  const [first, refused] = run(fresh, places, () => false);
  if (refused.length === 0 || firstOfAddress(elsewhere, places, refused)) return first;
  const [all, others] = run(fresh, places, () => true);
  const found = firstOfAddress(elsewhere, places, others);
  return found ? run(fresh, places, (index) => index < found.index)[0] : all;
}

/**
 * Runs `main`. The run goes on behind a refused operation if `goesOn` says so for its index.
 * Returns the refused operations as well.
 */
function run(
  fresh: () => World,
  places: SourcePlaces,
  goesOn: (index: number) => boolean,
): readonly [Entered, readonly Refused[]] {
  const world = fresh();
  const refused: Refused[] = [];
  let index = -1;
  const check: PlacesCheck = (memory, operation, bits, left, right) => {
    index += 1;
    try {
      checkPlaces(memory, operation, bits, left, right);
    } catch (problem) {
      refused.push({ index, left, right });
      if (!goesOn(index)) throw problem;
    }
  };
  return [{ world, main: mainEntry(world, places, check) }, refused];
}

/**
 * The first of the refused operations whose operands differ in a world with another memory layout;
 * `undefined` if there is none.
 */
function firstOfAddress(
  elsewhere: () => World,
  places: SourcePlaces,
  refused: readonly Refused[],
): Refused | undefined {
  let [index, place] = [-1, 0];
  const check: PlacesCheck = (_memory, _operation, _bits, left, right) => {
    index += 1;
    const next = refused[place];
    if (next && index < next.index) return;
    if (next?.left !== left || next.right !== right) throw new Unsupported('the comparison ends');
    place += 1;
  };
  try {
    mainEntry(elsewhere(), places, check);
  } catch (problem) {
    // The objects may not fit into the rest of memory.
    if (!(problem instanceof Unsupported)) throw problem;
  }
  return refused[place];
}
