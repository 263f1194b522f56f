declare const brand: unique symbol;

/**
 * A dense, zero-based index into one table. Its type prevents use as an index into another table.
 */
type Id<Name extends string> = number & { readonly [brand]?: Name };

/** Index into `Program.threads`. */
export type ThreadId = Id<'thread'>;
/** Index into `Thread.locations`. */
export type LocationId = Id<'location'>;
/** Index into `Thread.transitions`; with a `ThreadId` it names an instruction of the program. */
export type TransitionId = Id<'transition'>;
/** Index into `Thread.registers`. */
export type RegisterId = Id<'register'>;
/** Index into `Program.symbols`. */
export type SymbolId = Id<'symbol'>;
