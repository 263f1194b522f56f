/** What this machine has no rule for: the program is not judged. */
export class NotKnown extends Error {}

/** What the C standard leaves undefined, or the hardware traps: the execution ends there. */
export class Fault extends Error {}

/** An execution that this machine does not follow to its end. */
export class Beyond extends Error {}
