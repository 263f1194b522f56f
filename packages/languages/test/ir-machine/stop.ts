/** Thrown for instructions without a rule in this machine: the program is not judged. */
export class NotKnown extends Error {}

/** Thrown for undefined behaviour and for traps of the hardware: the execution ends. */
export class Fault extends Error {}

/** Thrown if this machine does not follow the execution to its end. */
export class Beyond extends Error {}
