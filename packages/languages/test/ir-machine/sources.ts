import type { RandomText } from './random-text.js';
import { labelledKinds, randomLabelledC } from './random-labelled-c.js';
import { randomC, randomShapedC } from './random-c-text.js';
import { randomCpp } from './random-cpp-text.js';
import { randomShapedCpp } from './random-shaped-cpp.js';
import { cppShapes } from './cpp-shapes.js';
import { cShapeKinds } from './c-shapes.js';

/**
 * A kind of random programs: its share of the runs, and the parts that successive programs contain.
 */
export interface Source {
  readonly name: string;
  readonly share: number;
  readonly make: (seed: number) => RandomText;
  readonly shapes: readonly string[];
}

/** The kinds of random C and C++ programs that the tests compare. */
export const sources = {
  c: { name: 'C', share: 0.4, make: (seed) => randomC(seed), shapes: [] },
  cShapes: { name: 'C of the shapes', share: 0.4, make: randomShapedC, shapes: cShapeKinds },
  labelled: {
    name: "C of CBMC's dialect",
    share: 0.1,
    make: randomLabelledC,
    shapes: labelledKinds,
  },
  cpp: { name: 'C++', share: 0.1, make: randomCpp, shapes: ['store buffering'] },
  cppShapes: {
    name: 'C++ of the shapes',
    // Each takes as long as five in C.
    share: 0.1,
    make: randomShapedCpp,
    shapes: [...cppShapes.map(({ kind }) => kind), 'b: std::thread of a function'],
  },
} satisfies Record<string, Source>;

/** The minimum share of programs that must contain each part. */
export const enough = 0.03;
