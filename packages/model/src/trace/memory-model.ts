import type { BufferedStore } from './machine-state.js';

/** The properties in which memory models differ. */
interface MemoryRules {
  /** Whether stores wait in the buffer of their thread; otherwise they reach memory at once. */
  readonly hasBuffers: boolean;
  /**
   * Whether the stores of a thread reach memory in the order of the program. Robustness, searches
   * over load buffers, and the search for threads that wait for ever (`IssuesAhead`) support only
   * models for which this is true.
   */
  readonly isFifo: boolean;
  /** The name of the processors with this memory model, as in `breaks on x86`. */
  readonly processors: string;
  /**
   * Returns the positions in a store buffer, whose oldest store is first, of the stores that may
   * reach memory next.
   */
  readonly leaving: (buffer: readonly BufferedStore[]) => readonly number[];
}

const [none, oldest]: readonly (readonly number[])[] = [[], [0]];

/**
 * The memory models: sequential consistency, and total store order with unbounded FIFO store
 * buffers ([BDM13] Table 1).
 */
export const memoryModels = {
  SC: {
    hasBuffers: false,
    isFifo: true,
    processors: 'processors without store buffers',
    leaving: () => none!,
  },
  TSO: {
    hasBuffers: true,
    isFifo: true,
    processors: 'x86',
    leaving: ({ length }) => (length > 0 ? oldest! : none!),
  },
} as const satisfies Readonly<Record<string, MemoryRules>>;

export type MemoryModel = keyof typeof memoryModels;

/** The name of a memory model with store buffers, which `reach` compares with SC. */
export type RelaxedModel = Exclude<MemoryModel, 'SC'>;

/** The memory models with store buffers. */
export const relaxedModels = (Object.keys(memoryModels) as MemoryModel[]).filter(
  (model): model is RelaxedModel => memoryModels[model].hasBuffers,
);

/** The memory models that searches over load buffers decide. */
export type BufferedModel = 'SC' | 'TSO';

/**
 * The memory models against which robustness is decided: TSO, C11, and C11 with `seq_cst` accesses
 * as `acq_rel`.
 */
export const robustnessModels = ['tso', 'c11', 'ra'] as const;

export type RobustnessModel = (typeof robustnessModels)[number];
