import type { Conversion, WrappingOperator } from '@fencewright/model/program/expression.js';
import type { Domain } from '@fencewright/model/program/program.js';

/** The C functions for wrapping operators, by operator. */
export const wrappingSupport = {
  '+%': 'wrap_add',
  '-%': 'wrap_sub',
  '*%': 'wrap_mul',
  '/%': 'wrap_div',
  '%%': 'wrap_rem',
  '<<%': 'wrap_shl',
  '>>%': 'wrap_shr',
  '<%': 'is_below',
  '<=%': 'is_at_most',
  '>%': 'is_above',
  '>=%': 'is_at_least',
} as const satisfies Readonly<Record<WrappingOperator, string>>;
type WrappingSupport = (typeof wrappingSupport)[WrappingOperator];

/** The functions that convert to narrow integer types, by conversion. */
export const conversionSupport = {
  i8: 'to_i8',
  u8: 'to_u8',
  i16: 'to_i16',
  u16: 'to_u16',
} as const satisfies Readonly<Record<Exclude<Conversion, 'i32' | 'u32'>, string>>;
type ConversionSupport = (typeof conversionSupport)[keyof typeof conversionSupport];

/** The support functions that a text may need before its threads. */
export type Support =
  | 'fault'
  | 'at_index'
  | 'at_address'
  | 'in_domain'
  | 'shift_left'
  | 'shift_right'
  | 'remainder_of'
  | WrappingSupport
  | ConversionSupport
  | 'assume'
  | 'choose'
  | 'blocks';

/** The numbers of the program that occur in the printed support functions. */
interface SupportScope {
  readonly domain?: Domain | undefined;
  /** The first and the last address in the C array that represents memory. */
  readonly addresses?: Domain | undefined;
}

const bounds = ({ low, high }: Domain, name: string): string =>
  `${numberInC(low)} <= ${name} && ${name} <= ${numberInC(high)}`;

/** Returns a number as text in C; the smallest number cannot be written directly. */
export function numberInC(value: number): string {
  return value === -(2 ** 31) ? '(-2147483647 - 1)' : String(value);
}

/** Returns the lines of the function that applies a C operator to unsigned numbers. */
function wrapping(name: WrappingSupport, operator: string): readonly string[] {
  const isShift = operator === '<<' || operator === '>>';
  const right = isShift ? 'right' : '(unsigned)right';
  return [
    `static int ${name}(int left, int right) {`,
    ...(isShift ? ['  assert(0 <= right && right <= 31);'] : []),
    ...(operator === '/' || operator === '%' ? ['  assert(right != 0);'] : []),
    `  return (int)((unsigned)left ${operator} ${right});`,
    '}',
  ];
}

function converting(name: ConversionSupport, type: string): readonly string[] {
  return [`static int ${name}(int value) {`, `  return (${type})value;`, '}'];
}

const checks: readonly (readonly [Support, (scope: SupportScope) => readonly string[]])[] = [
  ['fault', () => ['static int fault(void) {', '  assert(!"fault");', '  return 0;', '}']],
  [
    'at_index',
    () => [
      'static int at_index(int index, int length) {',
      '  assert(0 <= index && index < length);',
      '  return index;',
      '}',
    ],
  ],
  [
    'at_address',
    ({ addresses = { low: 0, high: 0 } }) => [
      'static int at_address(int address) {',
      `  assert(${bounds(addresses, 'address')});`,
      '  return address;',
      '}',
    ],
  ],
  [
    'in_domain',
    ({ domain = { low: 0, high: 0 } }) => [
      'static int in_domain(int value) {',
      `  assert(${bounds(domain, 'value')});`,
      '  return value;',
      '}',
    ],
  ],
  [
    'shift_left',
    () => [
      'static int shift_left(int value, int count) {',
      '  assert(0 <= count && count <= 31);',
      '  int factor = count == 31 ? 0 : 1 << count;',
      '  assert(factor != 0 || value == 0 || value == -1);',
      '  return factor == 0 ? value & (-2147483647 - 1) : value * factor;',
      '}',
    ],
  ],
  [
    'shift_right',
    () => [
      'static int shift_right(int value, int count) {',
      '  assert(0 <= count && count <= 31);',
      '  return value >> count;',
      '}',
    ],
  ],
  [
    'remainder_of',
    () => [
      'static int remainder_of(int value, int divisor) {',
      '  return divisor == -1 ? 0 : value % divisor;',
      '}',
    ],
  ],
  ['wrap_add', () => wrapping('wrap_add', '+')],
  ['wrap_sub', () => wrapping('wrap_sub', '-')],
  ['wrap_mul', () => wrapping('wrap_mul', '*')],
  ['wrap_div', () => wrapping('wrap_div', '/')],
  ['wrap_rem', () => wrapping('wrap_rem', '%')],
  ['wrap_shl', () => wrapping('wrap_shl', '<<')],
  ['wrap_shr', () => wrapping('wrap_shr', '>>')],
  ['is_below', () => wrapping('is_below', '<')],
  ['is_at_most', () => wrapping('is_at_most', '<=')],
  ['is_above', () => wrapping('is_above', '>')],
  ['is_at_least', () => wrapping('is_at_least', '>=')],
  ['to_i8', () => converting('to_i8', 'signed char')],
  ['to_u8', () => converting('to_u8', 'unsigned char')],
  ['to_i16', () => converting('to_i16', 'short')],
  ['to_u16', () => converting('to_u16', 'unsigned short')],
];

interface Word {
  readonly needs: Support;
  readonly declared: string;
  readonly run: readonly string[];
}

/**
 * Functions known to verifiers of C, declared for verifiers and defined for runs: a run that waits
 * for ever ends with status 3.
 */
const words: readonly Word[] = [
  {
    needs: 'assume',
    declared: 'void __VERIFIER_assume(int condition);',
    run: [
      'static void __VERIFIER_assume(int condition) {',
      '  if (condition) return;',
      '  puts("blocked");',
      '  fflush(stdout);',
      '  _Exit(3);',
      '}',
    ],
  },
  {
    needs: 'choose',
    declared: [
      '#if __has_include(<fencewright.h>)',
      'int __fencewright_nondet(int low, int high);',
      '#define choose __fencewright_nondet',
      '#else',
      'void __VERIFIER_assume(int condition);',
      'int __VERIFIER_nondet_int(void);',
      'static int choose(int low, int high) {',
      '  int value = __VERIFIER_nondet_int();',
      '  __VERIFIER_assume(low <= value && value <= high);',
      '  return value;',
      '}',
      '#endif',
    ].join('\n'),
    run: [
      '__attribute__((constructor)) static void seed_choices(void) {',
      '  srand((unsigned)time(NULL) ^ ((unsigned)getpid() << 8));',
      '}',
      'static int choose(int low, int high) {',
      '  return (int)(low + rand() % ((long long)high - low + 1));',
      '}',
    ],
  },
  {
    needs: 'blocks',
    declared: [
      'void __VERIFIER_atomic_begin(void);',
      'void __VERIFIER_atomic_end(void);',
      '#define BUS(access) access',
    ].join('\n'),
    run: [
      '/* Whoever is in no block waits before each access for whoever is in one. */',
      'static pthread_mutex_t bus = PTHREAD_MUTEX_INITIALIZER;',
      'static _Thread_local int holds_bus;',
      'static void __VERIFIER_atomic_begin(void) {',
      '  __VERIFIER_assume(!holds_bus);',
      '  pthread_mutex_lock(&bus);',
      '  holds_bus = 1;',
      '}',
      '__attribute__((unused)) static void __VERIFIER_atomic_end(void) {',
      '  __VERIFIER_assume(holds_bus);',
      '  holds_bus = 0;',
      '  pthread_mutex_unlock(&bus);',
      '}',
      '#define BUS(access)                        \\',
      '  do {                                     \\',
      '    if (!holds_bus)                        \\',
      '      pthread_mutex_lock(&bus);            \\',
      '    access;                                \\',
      '    if (!holds_bus)                        \\',
      '      pthread_mutex_unlock(&bus);          \\',
      '  } while (0)',
    ],
  },
];

function wordLines(used: ReadonlySet<Support>): readonly string[] {
  const needed = words.filter(({ needs }) => used.has(needs));
  if (needed.length === 0) return [];
  return [
    '/* Verifiers know these words; in a run, choices are made by chance. */',
    '#if defined VERIFIER || __has_include(<fencewright.h>)',
    ...needed.map(({ declared }) => declared),
    '#else',
    ...[
      '#include <stdlib.h>',
      ...(used.has('choose') ? ['#include <time.h>', '#include <unistd.h>'] : []),
    ],
    ...needed.flatMap(({ run }) => run),
    '#endif',
    '',
  ];
}

/**
 * Returns the lines of the requested support functions, and of the support functions that these
 * call.
 */
export function supportLines(asked: ReadonlySet<Support>, scope: SupportScope): readonly string[] {
  const used = new Set(asked);
  if (used.has('blocks')) used.add('assume');
  const called = checks.flatMap(([name, lines]) => (used.has(name) ? lines(scope) : []));
  return [...wordLines(used), ...(called.length > 0 ? [...called, ''] : [])];
}
