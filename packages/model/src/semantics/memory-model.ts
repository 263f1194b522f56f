import type { BufferedStore } from '../trace/machine-state.js';

/** The properties in which memory models differ. */
interface MemoryRules {
  /** Whether stores wait in the buffer of their thread; otherwise they reach memory at once. */
  readonly hasBuffers: boolean;
  /** The places in a buffer, oldest store first, of the stores that may reach memory next. */
  readonly leaving: (buffer: readonly BufferedStore[]) => readonly number[];
}

const [none, oldest]: readonly (readonly number[])[] = [[], [0]];

/**
 * The memory models: sequential consistency, and total store order with unbounded FIFO store
 * buffers ([BDM13] Table 1).
 */
export const memoryModels = {
  SC: { hasBuffers: false, leaving: () => none! },
  TSO: { hasBuffers: true, leaving: ({ length }) => (length > 0 ? oldest! : none!) },
} as const satisfies Readonly<Record<string, MemoryRules>>;

/** The name of a memory model. */
export type MemoryModel = keyof typeof memoryModels;

/** The memory models that searches over load buffers decide. */
export type BufferedModel = 'SC' | 'TSO';
