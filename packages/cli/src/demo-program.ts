/** The program of `demo`: store buffering, as in examples/store-buffering.fw. */
export const demoProgram = `// Store buffering, the shortest program that goes wrong on x86. Each thread announces itself and
// then looks for the other. In any interleaving at least one of them sees the other. On x86 a store
// waits in the store buffer of its processor while later loads go to memory: both can read 0.
program StoreBuffering

var x, y

thread left {
  local sawRight;
  x = 1;
  sawRight = y;
}

thread right {
  local sawLeft;
  y = 1;
  sawLeft = x;
}

property someoneSees: finally (left.sawRight == 1 || right.sawLeft == 1)
`;
