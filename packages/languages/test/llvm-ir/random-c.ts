import { diceOf } from './dice.js';

const types = [
  ['signed char', 8],
  ['unsigned char', 8],
  ['short', 16],
  ['unsigned short', 16],
  ['int', 32],
  ['unsigned', 32],
  ['long', 64],
  ['unsigned long', 64],
  ['_Bool', 1],
] as const;

/**
 * A C program that fills `out[0..23]` in `run()`: random integer expressions of all widths, over
 * locals, fields of structs and bit fields, through calls, loops, `switch` and pointers. No
 * division by zero or shift that is undefined; signed overflow has to wrap (`-fwrapv`).
 */
export function randomC(seed: number): string {
  const { below } = diceOf(seed);
  const typeName = () => types[below(types.length)]![0];
  const leaf = (): string => {
    switch (below(6)) {
      case 0:
        return `${below(300) - 150}`;
      case 1:
        return [
          '2147483647',
          '(-2147483647 - 1)',
          '4294967295u',
          '255',
          '-1L',
          '0x8000000000000000u',
        ][below(6)]!;
      case 2:
        return `s.f${below(types.length)}`;
      case 3:
        return `a[${below(3)}].f${below(types.length)}`;
      case 4:
        return `p->b${below(2)}`;
      default:
        return `v${below(types.length)}`;
    }
  };
  const expression = (depth: number): string => {
    if (depth === 0) return leaf();
    const [l, r] = [expression(depth - 1), expression(below(depth))];
    switch (below(9)) {
      case 0:
        return `(${l} ${['+', '-', '*'][below(3)]} ${r})`;
      case 1:
        return `(${l} ${['&', '|', '^'][below(3)]} ${r})`;
      case 2:
        return `(${l} ${['/', '%'][below(2)]} ((${r} & 7) + 1))`;
      case 3:
        return `((int)(${l}) ${['<<', '>>'][below(2)]} (${r} & 31))`;
      case 4:
        return `((unsigned long)(${l}) ${['<<', '>>'][below(2)]} (${r} & 63))`;
      case 5:
        return `(${l} ${['<', '<=', '>', '>=', '==', '!='][below(6)]} ${r})`;
      case 6:
        return `(${l} ? ${r} : ${expression(below(depth))})`;
      case 7:
        return `(${typeName()})(${l})`;
      default:
        return `${['~', '-', '!'][below(3)]}(${l})`;
    }
  };
  const fields = types.map(([name], i) => `${name} f${i};`).join(' ');
  const locals = types
    .map(([name], i) => `  ${name} v${i} = (${name})${below(2 ** 31) - 2 ** 30};\n`)
    .join('');
  const statement = (i: number): string => {
    const variable = `v${below(types.length)}`;
    switch (below(5)) {
      case 0:
        return `  for (int i = 0; i < ${1 + below(4)}; i++) ${variable} += ${expression(2)};\n`;
      case 1:
        return `  switch (${expression(1)} & 3) { case 0: ${variable}++; break; case 1: case 3: ${variable} = ${expression(2)}; default: ${variable} ^= 5; }\n`;
      case 2:
        return `  a[(${expression(1)} & 1) + 1].f${below(types.length)} = ${expression(2)}; p = &a[${below(3)}];\n`;
      case 3:
        return `  s.b${below(2)} = ${expression(2)}; ${variable} = call[${below(2)}](${expression(1)}, ${expression(1)});\n`;
      default:
        return `  a[${i % 3}] = s; ${variable} = ${expression(3)};\n`;
    }
  };
  const body = Array.from(
    { length: 24 },
    (_, i) => `${statement(i)}  out[${i}] = (unsigned long)(${expression(3)});\n`,
  ).join('');
  return `struct s { ${fields} unsigned b0 : 5; int b1 : 7; };
static struct s a[3] = {{1, 2, .f6 = -3}, {.f3 = 65535}};
unsigned long out[24];
static long add(int x, unsigned char y) { return x + y; }
static long mix(int x, unsigned char y) { return x > 0 && y < 100 || x == -y ? x ^ y : -x; }
static long (*const call[2])(int, unsigned char) = {add, mix};
void run(void) {
  struct s s = a[0], *p = &s;
${locals}${body}}
#ifdef MAIN
int printf(const char *, ...);
int main(void) { run(); for (int i = 0; i < 24; i++) printf("%lu\\n", out[i]); return 0; }
#endif
`;
}
