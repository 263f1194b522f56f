import v8 from 'node:v8';

// V8 counts the bytecodes that a function has run, and compiles it with its optimising compiler beyond this many. It comes with a
// fifteenth of that. Most runs end within half a second: then the compiler's own threads took half of the CPU time and never
// earned it back. The inner loops of long runs are in WebAssembly, or optimised a moment later.
v8.setFlagsFromString('--interrupt-budget=1000000');
