import { SeededRandom } from '@fencewright/ground/base/random.js';

/** A C structure of two fields. */
interface Shape {
  readonly name: string;
  /** The types of the two fields of the structure; pointers point to `object`. */
  readonly fields: readonly [string, string];
}

const shapes: readonly Shape[] = [
  { name: 'words', fields: ['unsigned', 'unsigned'] },
  { name: 'halves', fields: ['unsigned short', 'short'] },
  { name: 'padded', fields: ['char', 'unsigned'] },
  { name: 'tagged', fields: ['struct object *', 'unsigned long'] },
  { name: 'counted', fields: ['struct object *', 'unsigned'] },
  { name: 'backwards', fields: ['long', 'struct object *'] },
];

/** The features that the tests count in random programs. */
export const features = [
  ...['relaxed store', 'locked store', 'load', 'part', 'exchange', 'compare', 'branch', 'fence'],
  ...['copy', ...shapes.map(({ name }) => name)],
] as const;
export type Feature = (typeof features)[number];

/** The number of results that a program stores in `out`. */
export const outputs = 6;

/**
 * Returns a C program whose threads access whole structures. With `TWIN` defined, each line does
 * the same with a plain integer instead of the structure: the fields, 0 to 3, are the digits of the
 * integer.
 */
export function randomStructureC(seed: number): {
  readonly text: string;
  readonly used: ReadonlySet<Feature>;
} {
  const random = new SeededRandom(seed);
  const below = (n: number): number => random.below(n);
  const used = new Set<Feature>();
  const use = (feature: string): void => {
    used.add(feature);
  };
  const cells = Array.from({ length: 2 }, (_, i) => {
    const shape = shapes[below(shapes.length)]!;
    use(shape.name);
    return { name: `c${i}`, shape };
  });
  const isPointer = (type: string): boolean => type.endsWith('*');
  const asField = (type: string, value: string): string =>
    isPointer(type) ? `POINTER(${value})` : value;
  const asNumber = (type: string, value: string): string =>
    isPointer(type) ? `NUMBER(${value})` : `(int)${value}`;
  const head: string[] = [
    '#include <pthread.h>',
    '#include <stdatomic.h>',
    '#ifdef TWIN',
    ...cells.flatMap(({ name }) => [
      `typedef unsigned ${name}_t;`,
      `static unsigned make_${name}(int a, int b) { return a + 4 * b; }`,
      `static int ${name}_a(unsigned v) { return v % 4; }`,
      `static int ${name}_b(unsigned v) { return v / 4; }`,
      `#define part_${name}(p) (*(volatile unsigned *)&(p) / 4)`,
    ]),
    '#else',
    'struct object { int field; } objects[4];',
    '#define POINTER(n) ((n) ? &objects[n] : (struct object *)0)',
    '#define NUMBER(p) ((p) ? (int)((p) - objects) : 0)',
    ...cells.flatMap(({ name, shape }) => {
      const [first, second] = shape.fields;
      return [
        `typedef struct { ${first} a; ${second} b; } ${name}_t;`,
        `static ${name}_t make_${name}(int a, int b) {`,
        `  return (${name}_t){ ${asField(first, 'a')}, ${asField(second, 'b')} };`,
        '}',
        `static int ${name}_a(${name}_t v) { return ${asNumber(first, 'v.a')}; }`,
        `static int ${name}_b(${name}_t v) { return ${asNumber(second, 'v.b')}; }`,
        `#define part_${name}(p) ${asNumber(second, `((volatile ${name}_t *)&(p))->b`)}`,
      ];
    }),
    '#endif',
    ...cells.map(({ name }) => `_Atomic ${name}_t ${name};`),
    'atomic_int flag;',
    `int out[${outputs}];`,
  ];
  let out = 0;
  const statement = (depth: number): string[] => {
    const { name } = cells[below(cells.length)]!;
    const order = below(4) === 0 ? 'memory_order_seq_cst' : 'memory_order_relaxed';
    const field = (): string => `${below(4)}`;
    switch (below(depth > 0 ? 8 : 9)) {
      case 0:
      case 1:
        use(order.endsWith('relaxed') ? 'relaxed store' : 'locked store');
        return [`atomic_store_explicit(&${name}, make_${name}(${field()}, ${field()}), ${order});`];
      case 2: {
        use('load');
        return [
          `v_${name} = atomic_load_explicit(&${name}, memory_order_acquire);`,
          `sum = ${name}_a(v_${name}) + 4 * ${name}_b(v_${name});`,
        ];
      }
      case 3:
        use('part');
        return [`sum = part_${name}(${name});`];
      case 4:
        use('exchange');
        return [
          `v_${name} = atomic_exchange(&${name}, make_${name}(${field()}, ${name}_a(v_${name})));`,
        ];
      case 5:
        use('compare');
        return [
          below(2) === 0 ? `v_${name} = make_${name}(${field()}, 0);` : '',
          `if (atomic_compare_exchange_strong(&${name}, &v_${name}, make_${name}(${field()}, ${name}_b(v_${name})))) sum = 1;`,
          `else sum = ${name}_a(v_${name});`,
        ].filter((line) => line !== '');
      case 6:
        if (below(3) > 0) {
          return [
            below(2) === 0
              ? 'atomic_store_explicit(&flag, 1, memory_order_relaxed);'
              : 'sum = atomic_load_explicit(&flag, memory_order_relaxed);',
          ];
        }
        use('fence');
        return ['atomic_thread_fence(memory_order_seq_cst);'];
      case 7:
        use('copy');
        return [`${name}_t w${out++} = v_${name}; v_${name} = w${out - 1};`];
      default:
        use('branch');
        return [
          `if (sum % 4 < 2) {`,
          ...statement(depth + 1),
          `} else {`,
          ...statement(depth + 1),
          '}',
        ];
    }
  };
  /**
   * Returns the statements of a thread: mostly a store that may be buffered during a later load of
   * another cell.
   */
  const statements = (thread: number): readonly string[] => {
    if (below(4) === 0) return Array.from({ length: 3 + below(2) }, () => statement(0)).flat();
    const [mine, other] = [cells[thread]!.name, cells[1 - thread]!.name];
    const isPart = below(3) === 0;
    use('relaxed store');
    use(isPart ? 'part' : 'load');
    return [
      ...(below(2) === 0 ? statement(0) : []),
      `atomic_store_explicit(&${mine}, make_${mine}(${1 + below(3)}, ${1 + below(3)}), memory_order_relaxed);`,
      ...(below(2) === 0 ? statement(0) : []),
      isPart
        ? `sum = part_${other}(${other});`
        : `v_${other} = atomic_load_explicit(&${other}, memory_order_relaxed);`,
      ...(below(3) === 0 ? statement(0) : []),
    ];
  };
  const body = [0, 1].flatMap((thread) => [
    `static void *t${thread}(void *unused) {`,
    '  int sum = 0;',
    ...cells.map(({ name }) => `  ${name}_t v_${name} = make_${name}(0, 0);`),
    ...statements(thread),
    `  out[${3 * thread}] = sum;`,
    ...cells.map(
      ({ name }, i) =>
        `  out[${3 * thread + 1 + i}] = ${name}_a(v_${name}) + 4 * ${name}_b(v_${name});`,
    ),
    '  return 0;',
    '}',
  ]);
  const main = [
    'int main(void) {',
    '  pthread_t one, other;',
    '  pthread_create(&one, 0, t0, 0);',
    '  pthread_create(&other, 0, t1, 0);',
    '  pthread_join(one, 0);',
    '  pthread_join(other, 0);',
    '}',
  ];
  return { text: [...head, ...body, ...main, ''].join('\n'), used };
}
