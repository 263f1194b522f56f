import { isReserved } from '@fencewright/core/text';
import { quoteArgument } from '@fencewright/core/words';

/** Returns a program's name made from a file name: `TryLock` for `try-lock`. */
export function programNamed(fileName: string): string {
  const words = fileName.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(name) && !isReserved(name) ? name : `Program${name}`;
}

/**
 * Returns the text of an example program in the usual layout: two threads that try to enter, and an
 * assertion and a property, both broken by store buffers. Two fences repair the program.
 */
export function programTemplate(name: string, file: string): string {
  const argument = quoteArgument(file);
  return `// Two threads, and a room for one: each raises its flag and enters if the other's is down.
//
//   fencewright ${argument}            what holds, and whether store buffers matter
//   fencewright explain ${argument}    the execution that breaks it, step by step
//   fencewright fence ${argument}      the cheapest fences that mend it
program ${name}

// Shared memory: 0 at the start, unless given as in \`limit = 3\`.
var flag[2], owner

thread left {
  // A register, which is the thread's own.
  local other;
  // A store: it waits in the store buffer of its processor while the thread goes on.
  flag[0] = 1;
  // A load. With \`fence;\` before it, it would wait until all stores have reached memory.
  other = flag[1];
  if (other == 0) {
  // A label: properties can speak of it.
  inside:
    owner = 1;
    assert(owner == 1);
  }
}

thread right {
  local other;
  flag[1] = 1;
  other = flag[0];
  if (other == 0) {
  inside:
    owner = 2;
    assert(owner == 2);
  }
}

property oneInside: never (left @ inside && right @ inside)
`;
}
