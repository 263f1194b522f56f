declare const brand: unique symbol;

/**
 * A dense, zero-based index into one table. Its type prevents use as an index into another table.
 */
type Id<Name extends string> = number & { readonly [brand]?: Name };

/** The number of a thread: an index into `Program.threads`. */
export type ThreadId = Id<'thread'>;
/** The number of a location: an index into `Thread.locations`. */
export type LocationId = Id<'location'>;
/** Index into `Thread.transitions`; with a `ThreadId` it names an instruction of the program. */
export type TransitionId = Id<'transition'>;
/** The number of a register: an index into `Thread.registers`. */
export type RegisterId = Id<'register'>;
/** The number of a shared variable: an index into `Program.symbols`. */
export type SymbolId = Id<'symbol'>;
