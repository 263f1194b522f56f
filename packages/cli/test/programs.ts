// Small programs for the tests of the command line.

/** Store buffering: a program that is not robust. */
export const storeBuffering = `program SB
var x, y
thread t1 { local r; x = 1; r = y; }
thread t2 { local r; y = 1; r = x; }
property oneSeesTheOther: finally (t1.r == 1 || t2.r == 1)
`;

/** Store buffering with fences: robust, which a check finds without a search. */
export const fenced = `program Fenced
var x, y
thread t1 { local r; x = 1; fence; r = y; }
thread t2 { local r; y = 1; fence; r = x; }
`;

/**
 * A program that is not robust, but is robust for value happens-before: both stores to `y` write 1.
 */
export const sameStores = `program Same
var x, y
thread t1 { x = 1; y = 1; }
thread t2 { local r; y = 1; r = x; }
`;

/**
 * A program without an answer: no search ends, as the counter grows for ever, and no closure shows
 * that the counter never gets below 0.
 */
export const endless = `program Endless
var x, y
thread counter { loop { x = x + 1; fence; if (x < 0) { y = 0; fence; } } }
thread reader { local r; loop { y = r; r = x; } }
`;

/**
 * A program whose check takes longer than any test: many threads, no attack, no cell owned by one
 * thread, and a growing number against which closures do not help.
 */
export const huge = `program Huge
var z, n, ${Array.from({ length: 12 }, (_, i) => `x${i}`).join(', ')}
thread count { local i; loop { i = n; n = i + 1; } }
thread clock { local i; loop { z = 1; z = 0; i = n; if (i < 0) { i = x0; } } }
${Array.from(
  { length: 12 },
  (_, i) => `thread s${i} { local r; loop { x${i} = 1; r = z; x${i} = ${i + 2}; r = z; } }
thread r${i} { local r; loop { r = x${i}; } }`,
).join('\n')}
`;

/** A robust program whose threads have equal code. */
export const alike = `program Alike
var x
${[0, 1, 2, 3].map((i) => `thread t${i} { local r; r = fetch_add(x, 1); x = r; r = x; }`).join('\n')}
`;

/** A program in which one thread divides by a value that another thread changes to 0. */
export const dividing = `program Dividing
var x = 1, y
thread t1 { local r; r = x; y = 1 / r; }
thread t2 { local r; x = 0; r = y; }
`;

/** Store buffering in the format of Trencher. */
export const trencher = `thread a
initial s
transition s t write 1 0
transition t u read r 1
end
thread b
initial s
transition s t write 1 1
transition t u read r 0
end
`;
