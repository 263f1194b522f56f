import { diceOf } from './dice.js';

/** A C function in a random program, its operation, and the type of its result. */
interface FloatCase {
  readonly name: string;
  readonly operation: string;
  readonly result: 'double' | 'float' | 'integer';
}

const doubles = [
  ...['0.0', '-0.0', '1.0', '-1.0', '0.1', '-0.3', '1e308', '-1.7e308', '4.9e-324', '2.5e-310'],
  ...['__builtin_inf()', '-__builtin_inf()', '__builtin_nan("")', '9007199254740993.0'],
  ...['9223372036854775808.0', '-9223372036854775808.0', '18446744073709551616.0', '2147483648.0'],
  ...['-2147483649.0', '16777217.0', '255.5', '-0.75', '3.4028235677973366e38', '1e-46', '7e-46'],
];
const integers = [
  ...['0', '1', '-1', '16777217', '9007199254740993', '9007199254740995', '33554435', '255'],
  ...['0x7fffffffffffffff', '-0x7fffffffffffffff-1', '0x8000000000000400', '0xffffffffffffffff'],
  ...['0x4000004000000001', '0x4000004000000000', '0x400000c000000000', '0x4000003fffffffff'],
];
const operators = ['+', '-', '*', '/'];
const comparisons = ['==', '!=', '<', '<=', '>', '>='];
const ordered = ['__builtin_isunordered', '__builtin_islessgreater', '!__builtin_isless'];
const integerTypes = ['signed char', 'unsigned short', 'int', 'unsigned', 'long', 'unsigned long'];

/**
 * A text in C with functions that each do one operation on floating-point numbers, and under `MAIN`
 * a `main` that prints what each returns. A result is given by its bits, extended to 64 bits.
 */
export function randomFloats(
  seed: number,
  count: number,
): { readonly text: string; readonly cases: readonly FloatCase[] } {
  const { below, pick } = diceOf(seed);
  const cases: FloatCase[] = [];
  const lines: string[] = [
    'typedef unsigned long bits;',
    'static bits of_double(double x) { bits b; __builtin_memcpy(&b, &x, 8); return b; }',
    'static bits of_float(float x) { unsigned b; __builtin_memcpy(&b, &x, 4); return b; }',
  ];
  const number = (): string =>
    below(3) > 0 ? pick(doubles) : `${below(2) ? '-' : ''}${below(4000)}.0 / ${1 + below(64)}`;
  for (let i = 0; i < count; i++) {
    const type = below(2) ? 'double' : 'float';
    const name = `f${i}`;
    const locals = `${type} a = ${number()}, b = ${number()};`;
    const integer = `${pick(integerTypes)} n = ${pick(integers)};`;
    const [operation, body, result] = ((): readonly [string, string, FloatCase['result']] => {
      switch (below(6)) {
        case 0:
        case 1: {
          const operator = pick(operators);
          return [operator, `${locals} return of_${type}(a ${operator} b);`, type];
        }
        case 2: {
          if (below(2)) {
            const relation = pick(comparisons);
            return [relation, `${locals} return a ${relation} b;`, 'integer'];
          }
          const relation = pick(ordered);
          return [relation, `${locals} return ${relation}(a, b);`, 'integer'];
        }
        case 3:
          return ['to float', `${integer} return of_${type}((${type})n);`, type];
        case 4: {
          const to = pick(integerTypes);
          // Defined where the result is the number without its fraction.
          return ['to integer', `${locals} return (bits)(${to})a;`, 'integer'];
        }
        default: {
          if (below(2)) return ['negate', `${locals} return of_${type}(-a);`, type];
          const to = type === 'double' ? 'float' : 'double';
          return ['resize', `${locals} return of_${to}((${to})a);`, to];
        }
      }
    })();
    lines.push(`bits ${name}(void) { ${body} }`);
    cases.push({ name, operation, result });
  }
  lines.push('#ifdef MAIN', 'int printf(const char *, ...);', 'int main(void) {');
  for (const { name } of cases) lines.push(`  printf("%lu\\n", ${name}());`);
  lines.push('}', '#endif', '');
  return { text: lines.join('\n'), cases };
}
