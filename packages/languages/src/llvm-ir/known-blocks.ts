import { atEachAddress } from './asked-values.js';
import { libraryAssumptions } from './assumed.js';
import { knownNumber, plain, knownSize, type KnownFunction } from './known-function.js';
import type { Lowering } from './lowering.js';
import { endState, newState } from './thread-states.js';
import { nothing, numberValue, type LoweredValue } from './value.js';

function alignmentOf(value: LoweredValue | undefined): number {
  return knownNumber(value, 'the alignment of a block has to be known');
}

/** Runs `run` with the address and the size of each block that begins at a pointer. */
function atEachBlock(
  lowering: Lowering,
  pointer: LoweredValue,
  run: (address: LoweredValue, size: number) => LoweredValue,
): LoweredValue {
  return atEachAddress(lowering, pointer, 0, '.block', (address) => {
    const size = lowering.round.world.blocks.sizeAt(
      knownNumber(address, 'the block has to be known'),
    );
    if (size === undefined) return lowering.end({ kind: 'fault', reason: 'no-object' });
    return run(address, size);
  });
}

/** The models of the functions on blocks of memory. */
export const knownOfBlocks: ReadonlyMap<string, KnownFunction> = new Map<string, KnownFunction>([
  [newState, plain(({ memory }, [size]) => memory.blocks.reserveApart(size!))],
  [endState, plain(() => undefined)],
  ['__fencewright_malloc', plain(({ memory }, [size]) => memory.blocks.reserve(size!, false))],
  [
    '__fencewright_malloc_aligned',
    plain(({ memory }, [alignment, size]) =>
      memory.blocks.reserve(size!, false, alignmentOf(alignment)),
    ),
  ],
  [
    '__fencewright_malloc_zero',
    plain(({ memory }, [alignment, size]) =>
      memory.blocks.reserve(size!, true, alignmentOf(alignment)),
    ),
  ],
  [
    '__fencewright_is_block',
    plain(({ lowering }, [block, size]) => {
      const wanted = knownNumber(size, 'the size of a block has to be known');
      return atEachBlock(lowering, block!, (_, found) => numberValue(found === wanted ? 1 : 0));
    }),
  ],
  [
    'calloc',
    plain(({ memory }, [count, size]) => {
      const message = 'the size of a block has to be known';
      const total = knownSize(count, message) * knownSize(size, message);
      return memory.blocks.reserve(numberValue(total), true);
    }),
  ],
  [
    '__fencewright_block_size',
    plain(({ lowering }, [block]) => {
      lowering.round.world.assumed.note(libraryAssumptions.moved);
      return atEachBlock(lowering, block!, (_, size) => numberValue(size));
    }),
  ],
  [
    '__fencewright_copy_block',
    plain(({ lowering, memory }, [to, block]) =>
      atEachBlock(lowering, block!, (from, size) => {
        memory.bytes.copy(to!, from, numberValue(size));
        return nothing;
      }),
    ),
  ],
  [
    '__fencewright_free',
    plain(({ memory }, [block]) => {
      memory.blocks.free(block!);
      return undefined;
    }),
  ],
]);
