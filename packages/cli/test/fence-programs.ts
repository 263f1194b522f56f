// Programs for the tests of `fence`, small and with known fence sets.

/** Peterson's lock: needs two fences, one in each thread. */
export const peterson = `program Peterson
var flag[2], turn
thread t0 {
  while (true) {
    flag[0] = 1;
    turn = 1;             // after you
    while (flag[1] == 1 && turn == 1) { }
  cs:
    skip;
    flag[0] = 0;
  }
}
thread t1 {
  while (true) {
    flag[1] = 1;
    turn = 0;
    while (flag[0] == 1 && turn == 0) { }
  cs:
    skip;
    flag[1] = 0;
  }
}
property mutex: never (t0 @ cs && t1 @ cs)
`;

/**
 * Dekker's lock, with a step between the store to the own flag and the load of the other flag: the
 * fence may stand before the step or in the loop.
 */
export const dekker = `program Dekker
var flag[2], turn
${[0, 1]
  .map(
    (me) => `thread t${me} {
  local tries;
  while (true) {
    flag[${me}] = 1;
  raised: tries = 1;
  look: while (flag[${1 - me}] == 1) {
      if (turn != ${me}) {
        flag[${me}] = 0;
      waits: while (turn != ${me}) { }
        flag[${me}] = 1;
      again: tries = 2;
      }
    }
  cs:
    skip;
    turn = ${1 - me};
    flag[${me}] = 0;
  }
}`,
  )
  .join('\n')}
property mutex: never (t0 @ cs && t1 @ cs)
`;

/** Store buffering in which no fence is allowed where one is needed. */
export const unfenceable = `program Unfenceable
var x, y
thread t1 { local r; x = 1; @nofence r = y; }
thread t2 { local r; y = 1; fence; r = x; }
`;

/** Two places for a fence in each thread, of different costs. */
export const priced = `program Priced
var x, y
thread t1 { local r; x = 1; early: @cost(3) r = 0; late: @cost(2) r = y; }
thread t2 { local r; y = 1; early: @cost(2) r = 0; late: @cost(3) r = x; }
`;

/** A robust program with more fences than necessary. */
export const spare = `program Spare
var x, y
thread a { local r; x = 1; fence; fence; r = y; } // one will do
thread b { local s; xchg(y, 1); fence; s = x; }
`;

/**
 * A program in which mutual exclusion needs fences for the flags only, but robustness also needs
 * fences where both threads publish their results.
 */
export const chatty = `program Chatty
var flag[2], said[2]
${[0, 1]
  .map(
    (me) => `thread t${me} {
  local other;
  flag[${me}] = 1;
  if (flag[${1 - me}] == 0) { cs: skip; }
  said[${me}] = 1;
  other = said[${1 - me}];
}`,
  )
  .join('\n')}
property mutex: never (t0 @ cs && t1 @ cs)
property last: exists (t0.other == 1 && t1.other == 1)
`;
