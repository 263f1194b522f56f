/**
 * A program that is wrong only with store buffers: a store of main is buffered while the task that
 * main has posted loads.
 */
export const overtaking = `program Overtaking
var x, y
event e() { local r; x = 1; r = y; async[any] p(); }
procedure p() { local r; y = 1; r = x; }
events e()
`;

/**
 * A robust program that hands a value to a task: only one task stores to the only shared variable.
 */
export const handing = `program Handing
var got
event e(v) { async[any] p(v); }
procedure p(v) { got = v; }
events e(7)
property gets: finally (got == 7)
`;

/** A program that is wrong without store buffers, too: two tasks increment one variable. */
export const counting = `program Counting
var n
event click() { async[any] add(); }
procedure add() { local r; r = n; n = r + 1; }
events click() * 2
property both: finally (n == 2)
`;

/**
 * A program in which the store of an event is buffered past a posting of another event: only the
 * order of tasks on main makes a cycle.
 */
export const ordered = `program Ordered
var x
event put() { x = 1; }
event look() { async[any] p(); }
procedure p() { local r; r = x; }
events put(), look()
`;

/** A program with unboundedly many tasks: each task posts two others. */
export const spreading = `program Spreading
var x
event e() { x = 1; async[any] p(); }
procedure p() { async[any] p(); async[any] p(); }
events e()
`;

/** A program whose tasks store and load any number of times, in the background. */
export const reading = `program Reading
var x, y
event e() { async[any] p(); }
procedure p() { local r; x = 1; r = y; }
events e() *
`;

/** A program with a store to an address without a cell. */
export const outside = `program Outside
var x[2]
event e(i) { x[i] = 1; }
events e(5)
`;

export const eventFiles = {
  'overtaking.fw': overtaking,
  'handing.fw': handing,
  'counting.fw': counting,
  'ordered.fw': ordered,
  'spreading.fw': spreading,
  'reading.fw': reading,
  'outside.fw': outside,
};
