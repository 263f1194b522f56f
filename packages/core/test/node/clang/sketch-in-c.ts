import {
  isPlainCell,
  type ProgramSketch,
  type Sketch,
} from '../../../../engines/test/c11/sketch.js';

const order = (name: string): string => `memory_order_${name}`;

function inC(sketch: Sketch): string {
  switch (sketch.kind) {
    case 'load':
      return `r = atomic_load_explicit(&${sketch.cell}, ${order(sketch.order)});`;
    case 'plain-load':
      return `r = ${sketch.cell};`;
    case 'store':
      return `atomic_store_explicit(&${sketch.cell}, ${sketch.value}, ${order(sketch.order)});`;
    case 'plain-store':
      return `${sketch.cell} = ${sketch.value};`;
    case 'xchg':
      return `r = atomic_exchange_explicit(&${sketch.cell}, ${sketch.value}, ${order(sketch.order)});`;
    case 'fetch_add':
      return `r = atomic_fetch_add_explicit(&${sketch.cell}, ${sketch.value}, ${order(sketch.order)});`;
    case 'cas': {
      const orders = `${order(sketch.order)}, ${order(sketch.failure)}`;
      const call = `atomic_compare_exchange_strong_explicit(&${sketch.cell}, &e, ${sketch.value}, ${orders})`;
      const once = `e = ${sketch.expected};`;
      return sketch.waits ? `do { ${once} } while (!${call});` : `${once} r = ${call};`;
    }
    case 'await':
      return `while (atomic_load_explicit(&${sketch.cell}, ${order(sketch.order)}) != ${sketch.value}) ;`;
    case 'fence':
      return `atomic_thread_fence(${order(sketch.order)});`;
    case 'if':
      return `if (r == ${sketch.equals}) { ${sketch.then.map(inC).join(' ')} }`;
  }
}

/**
 * Returns the program in C: `main` starts and joins a function for each thread. `isSeen`: each
 * thread stores what it has read last to a variable that nobody else accesses.
 */
export function sketchInC({ cells, threads }: ProgramSketch, isSeen = false): string {
  const names = threads.map((_, thread) => `t${thread}`);
  const all = (call: (name: string) => string): string => names.map(call).join(' ');
  return [
    '#include <pthread.h>',
    '#include <stdatomic.h>',
    ...cells.map((cell) => `${isPlainCell(cell) ? 'int' : 'atomic_int'} ${cell};`),
    ...(isSeen ? threads.map((_, thread) => `int out${thread};`) : []),
    ...threads.map(
      (statements, thread) =>
        `void *t${thread}(void *u) { int r = 0, e = 0; (void)r; (void)e;\n  ${statements.map(inC).join('\n  ')}\n  ${isSeen ? `out${thread} = r; ` : ''}return 0; }`,
    ),
    `int main(void) { pthread_t ${names.map((name) => `p${name}`).join(', ')};`,
    `  ${all((name) => `pthread_create(&p${name}, 0, ${name}, 0);`)}`,
    `  ${all((name) => `pthread_join(p${name}, 0);`)} }`,
  ].join('\n');
}
