// Edits that break operators that wrap; see tools/mutation-check.mjs.

const evaluation = 'packages/model/src/program/evaluate.ts';
const terms = 'packages/ground/src/smt/bits.ts';
const proofTerms = 'packages/proofs/src/steps/terms.ts';
const promela = 'packages/reference/src/promela/promela-expression.ts';
const verifierTerms = 'packages/verifier/src/proof/terms.ts';

const evaluated = ['packages/model/test/program/wrapping.test.ts'];
const asTerms = [
  'packages/proofs/test/chc/translate-expression.test.ts',
  'packages/proofs/test/bit-terms.test.ts',
];
const inPromela = ['packages/reference/test/explicit/promela-expression.test.ts'];

export const wrappingMutations = [
  {
    name: 'wrapping: a product is taken of rounded numbers',
    file: evaluation,
    from: 'return Math.imul(left, right);',
    to: 'return (left * right) | 0;',
    tests: evaluated,
  },
  {
    name: 'wrapping: a quotient is that of numbers with sign',
    file: evaluation,
    from: '((left >>> 0) / (right >>> 0)) | 0',
    to: '(left / right) | 0',
    tests: evaluated,
  },
  {
    name: 'wrapping: a shift to the right brings the sign in',
    file: evaluation,
    from: 'return (left >>> shiftCount(right)) | 0;',
    to: 'return left >> shiftCount(right);',
    tests: evaluated,
  },
  {
    name: 'wrapping: shift counts are taken modulo 32',
    file: evaluation,
    from: 'return left << shiftCount(right);',
    to: 'return left << right;',
    tests: evaluated,
  },
  {
    name: 'wrapping: numbers of 16 bits without sign have one',
    file: evaluation,
    from: 'return value & 0xffff;',
    to: 'return (value << 16) >> 16;',
    tests: evaluated,
  },
  {
    name: 'wrapping: the opposite of < without sign is >= with sign',
    file: 'packages/model/src/program/expression.ts',
    from: "'<%': '>=%',",
    to: "'<%': '>=',",
    tests: evaluated,
  },
  {
    name: 'wrapping: a remainder is thought to be bounded by a negative divisor',
    file: 'packages/model/src/analysis/value-set.ts',
    from: 'isWord(divisor) && divisor >= 0)',
    to: 'isWord(divisor))',
    tests: ['packages/model/test/analysis/value-set.test.ts'],
  },
  {
    name: 'wrapping: an order of numbers without sign is bounded by a negative number',
    file: 'packages/model/src/analysis/value-set.ts',
    from: 'if (relation.isUnsigned && least < 0) return;',
    to: '',
    tests: ['packages/model/test/analysis/value-set.test.ts'],
  },
  {
    name: 'wrapping: the least of several bounds is taken for all',
    file: 'packages/model/src/analysis/value-set.ts',
    from: 'const high = most -',
    to: 'const high = least -',
    tests: ['packages/model/test/analysis/value-set.test.ts'],
  },
  {
    name: 'value sets: a long set grows without end',
    file: 'packages/model/src/analysis/value-set.ts',
    from: 'return toValueSet([...a, ...b], limitFor(a, b));',
    to: 'return toValueSet([...a, ...b], Infinity);',
    tests: ['packages/model/test/analysis/value-set.test.ts'],
  },
  {
    name: 'wrapping: no division without sign is looked at for faults',
    file: 'packages/model/src/analysis/possible-faults.ts',
    from: "    case '/%':\n    case '%%':\n",
    to: '',
    edits: [
      ["    case '/%':\n    case '%%':\n      // Only", '      // Only'],
      [
        "    case '>=%':\n      return false;",
        "    case '>=%':\n    case '/%':\n    case '%%':\n      return false;",
      ],
    ],
    tests: ['packages/model/test/analysis/value-set.test.ts'],
  },
  {
    name: 'wrapping: terms have numbers without sign',
    file: terms,
    from: 'return minus(residue(plus(term, half), all), half);',
    to: 'return residue(term, all);',
    tests: asTerms,
  },
  {
    name: 'wrapping: remainders are dropped whose modulus is no multiple',
    file: terms,
    from: 'b.value > 0 && b.value % modulus === 0',
    to: 'b.value > 0',
    tests: asTerms,
  },
  {
    name: 'wrapping: a quotient in terms is that of a number with sign',
    file: terms,
    from: 'floorQuotient(unsigned(term), divisor);',
    to: 'floorQuotient(term, divisor);',
    tests: asTerms,
  },
  {
    name: 'wrapping: large remainders in terms keep no sign',
    file: terms,
    from: 'return divisor.value <= 2 ** 31 ? rest : wrappedTerm(rest, word);',
    to: 'return rest;',
    tests: asTerms,
  },
  {
    name: 'wrapping: proofs compare without sign as with sign',
    file: proofTerms,
    from: 'if (isUnsignedComparison(operator)) return unsignedComparison(operator, a, b);',
    to: "if (isUnsignedComparison(operator)) return apply(operator.replace('%', ''), a, b);",
    tests: ['packages/proofs/test/bit-terms.test.ts'],
  },
  {
    name: 'wrapping: no division without sign is a fault of Horn clauses',
    file: 'packages/proofs/src/chc/translate-expression.ts',
    from: 'value: wrappingTerm(operator, a, b) ?? context.anyInteger(),\n        fault: or(fault, equal(b, integer(0))),',
    to: 'value: wrappingTerm(operator, a, b) ?? context.anyInteger(),\n        fault,',
    tests: ['packages/proofs/test/chc/translate-expression.test.ts'],
  },
  {
    name: 'wrapping: Promela forgets the step of its estimate',
    file: promela,
    from: '${estimate} + ${isSmall})',
    to: '${estimate})',
    tests: inPromela,
  },
  {
    name: 'wrapping: Promela keeps a sign that is shifted to the right',
    file: promela,
    from: 'return `((${text} >> ${count}) & ~((-2) << (31 - ${count})))`;',
    to: 'return `(${text} >> ${count})`;',
    tests: inPromela,
  },
  {
    name: 'wrapping: X86 negates where it should extend a sign',
    file: 'packages/languages/src/litmus/x86-writer.ts',
    from: 'if (instruction) this.#step(instruction(target));\n      else this.#refuseOperator(value.operator);',
    to: 'this.#step((instruction ?? ((name) => `NOT ${name}`))(target));',
    tests: ['packages/languages/test/litmus/print-litmus.test.ts'],
  },
  {
    name: 'verifier: remainders are dropped whose modulus is too small',
    file: verifierTerms,
    from: 'loose && loose.bits >= bits ? loose.same : a',
    to: 'loose ? loose.same : a',
    tests: ['packages/core/test/verified-proofs/wrapping.test.ts'],
  },
  {
    name: 'verifier: large quotients and remainders keep no sign',
    file: verifierTerms,
    from: 'return most < 1n << 31n ? result : word(result);',
    to: 'return result;',
    project: 'verifier',
    tests: ['wrapping.test.ts'],
  },
  {
    name: 'verifier: comparisons without sign are those with sign',
    file: 'packages/verifier/src/operators.ts',
    from: 'return BigInt.asUintN(32, value);',
    to: 'return value;',
    project: 'verifier',
    tests: ['wrapping.test.ts'],
  },
];
