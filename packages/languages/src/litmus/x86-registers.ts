/**
 * The two notations of x86: `X86` with the destination first, `X86_64` in AT&T's order with the
 * source first.
 */
export type X86Architecture = 'X86' | 'X86_64';

const legacy: ReadonlyMap<string, string> = new Map(
  ['ax', 'bx', 'cx', 'dx', 'si', 'di', 'bp', 'sp'].flatMap((name) => [
    [`e${name}`, name],
    [`r${name}`, name],
  ]),
);

/**
 * Matches registers of 8 and 16 bits: they are parts of a register, and writing one leaves the
 * remaining bits unchanged.
 */
const narrow = /^(?:[abcd][lhx]|(?:si|di|bp|sp)l?|r(?:[89]|1[0-5])[wb])$/;

/**
 * Returns the canonical name of a register of 32 or 64 bits, whatever its spelling and with or
 * without `%`: `EAX` in X86, `rax` in X86_64. `undefined` if there is no such register.
 */
export function canonicalRegister(architecture: X86Architecture, name: string): string | undefined {
  const lower = name.toLowerCase().replace(/^%/, '');
  const pair = legacy.get(lower);
  if (pair !== undefined) return architecture === 'X86' ? `E${pair.toUpperCase()}` : `r${pair}`;
  return /^r(?:[89]|1[0-5])d?$/.test(lower) ? lower.replace(/d$/, '') : undefined;
}

/** The number of bits of a register or a cell that an instruction uses. */
export type Width = 32 | 64;

/**
 * Returns the number of bits given by a register's spelling: `EAX` and `r8d` are 32 of the 64 bits
 * of `RAX` and `r8`.
 */
export function registerWidth(name: string): Width {
  return /^%?(?:e|r\d+d$)/i.test(name) ? 32 : 64;
}

/** Whether the name denotes an 8-bit or 16-bit part of a register. */
export function isNarrowRegister(name: string): boolean {
  return narrow.test(name.toLowerCase().replace(/^%/, ''));
}
