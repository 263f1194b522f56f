// Edits that break 64-bit numbers: the representation, the operators, and the code that has to know
// whether a program has 64-bit numbers; see tools/mutation-check.mjs.

const values = 'packages/model/src/program/wide-values.ts';
const uses = 'packages/model/src/program/uses-wide-values.ts';
const evaluate = 'packages/model/src/program/evaluate.ts';
const faults = 'packages/model/src/analysis/possible-faults.ts';
const valueTests = ['packages/model/test/program/wide-values.test.ts'];
const useTests = ['packages/model/test/program/uses-wide-values.test.ts'];
const engineTests = ['packages/core/test/api/wide-programs.test.ts'];

const codes = [
  {
    name: '64 bits: the first number that needs a code has none',
    file: values,
    from: 'value >= -edge && value < edge',
    to: 'value >= -edge && value <= edge',
    tests: valueTests,
  },
  {
    name: '64 bits: the number before the least that needs no code has none',
    file: values,
    from: 'value >= -edge && value < edge',
    to: 'value >= -edge - 2 && value < edge',
    tests: valueTests,
  },
  {
    name: '64 bits: a code may be a number that stands for itself',
    file: values,
    from: 'return isItself(code) ? undefined : code;',
    to: 'return code;',
    tests: valueTests,
  },
  {
    name: '64 bits: numbers with the exponent of the largest without a code have none',
    file: values,
    from: '(exponent === taken ? free : exponent) << 52n',
    to: 'exponent << 52n',
    tests: valueTests,
  },
  {
    name: '64 bits: codes may be no numbers: their exponent is 2047',
    file: values,
    from: '[taken, free] = [1075n, 0n]',
    to: '[taken, free] = [1075n, 2047n]',
    tests: valueTests,
  },
  {
    name: '64 bits: the exponent that stands for another stands for itself',
    file: values,
    from: '(exponent === free ? taken : exponent) << 53n',
    to: 'exponent << 53n',
    tests: valueTests,
  },
  {
    name: '64 bits: numbers that doubles round stand for themselves',
    file: values,
    from: 'isItself(number) && BigInt(number) === signed',
    to: 'Number.isInteger(number)',
    tests: valueTests,
  },
];

const operators = [
  {
    name: '64 bits: an operand of 32 bits makes the operator one',
    file: evaluate,
    from: 'if (!isWord(left) || !isWord(right)) return applyBinaryToWide',
    to: 'if (!isWord(left) && !isWord(right)) return applyBinaryToWide',
    tests: valueTests,
  },
  {
    name: '64 bits: an operator of 32 bits takes what has more',
    file: evaluate,
    from: "    case '*%':\n    case '/%':\n    case '%%':\n    case '<<%':\n    case '>>%':\n    case '<%':\n    case '<=%':\n    case '>%':\n    case '>=%':\n      return fault('overflow');",
    to: "    case '*%':\n    case '/%':\n    case '%%':\n    case '<<%':\n    case '>>%':\n      return fault('overflow');\n    case '<%':\n    case '<=%':\n    case '>%':\n    case '>=%':\n      return applyWrapping(operator, left, right);",
    tests: valueTests,
  },
  {
    name: '64 bits: minus takes what has more than 32',
    file: evaluate,
    from: "if (operator === '-') return fault('overflow');",
    to: "if (operator === '-') return valueOf(-integerOfValue(value));",
    tests: valueTests,
  },
  {
    name: '64 bits: sums come round',
    file: evaluate,
    from: "case '+:':\n      return fitWide(left + right);",
    to: "case '+:':\n      return valueOf(left + right);",
    tests: valueTests,
  },
  {
    name: '64 bits: a shift to the right brings zeros in',
    file: evaluate,
    from: 'return valueOf(left >> wideShiftCount(right));',
    to: 'return valueOf(unsigned(left) >> wideShiftCount(right));',
    tests: valueTests,
  },
  {
    name: '64 bits: a quotient without sign has one',
    file: evaluate,
    from: 'unsigned(left) / unsigned(divisor(right))',
    to: 'left / divisor(right)',
    tests: valueTests,
  },
  {
    name: '64 bits: shift counts are taken modulo 64',
    file: evaluate,
    from: "return value < 0n || value > 63n ? fault('wide-overflow') : value;",
    to: 'return value & 63n;',
    tests: valueTests,
  },
  {
    name: '64 bits: comparisons without sign have one',
    file: evaluate,
    from: 'return unsigned(left) < unsigned(right) ? 1 : 0;',
    to: 'return left < right ? 1 : 0;',
    tests: valueTests,
  },
  {
    name: '64 bits: conversions without sign have one',
    file: evaluate,
    from: 'valueOf(isSigned ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer))',
    to: 'valueOf(BigInt.asIntN(bits, integer))',
    tests: valueTests,
  },
  {
    name: '64 bits: a code is an index',
    file: evaluate,
    from: "i < 0 || i >= length || !isWord(i) ? fault('index')",
    to: "i < 0 || i >= length ? fault('index')",
    tests: valueTests,
  },
];

const knowing = [
  {
    name: 'value sets: loads see only the values of the first round',
    file: 'packages/model/src/analysis/address-sets.ts',
    from: 'if (readsCell(instruction)) this.#isPending[from] = true;',
    to: "if (instruction.kind === 'rmw') this.#isPending[from] = true;",
    tests: ['packages/model/test/analysis/address-sets.test.ts'],
  },
  {
    name: 'value sets: a load reads nothing of its own thread',
    file: 'packages/model/src/analysis/memory-values.ts',
    from: 'if (order(thread, store, transition)) found',
    to: 'if (order(thread, store, transition) && false) found',
    tests: ['packages/model/test/analysis/one-copy-values.test.ts'],
  },
  {
    name: 'value sets: what a thread stores behind a load is read by it',
    file: 'packages/model/src/analysis/memory-values.ts',
    from: 'if (order(thread, store, transition)) found',
    to: 'found',
    tests: ['packages/model/test/analysis/one-copy-values.test.ts'],
  },
  {
    name: 'value sets: a load reads nothing of other threads',
    file: 'packages/model/src/analysis/memory-values.ts',
    from: 'if (other !== thread)',
    to: 'if (other === thread)',
    tests: ['packages/model/test/analysis/one-copy-values.test.ts'],
  },
  {
    name: 'liveness: registers are not live before the first read',
    file: 'packages/model/src/analysis/liveness.ts',
    from: 'if (lastLive[from] !== register && !access.defines(instruction, register))',
    to: 'if (lastLive[from] === register)',
    tests: ['packages/model/test/analysis/liveness.test.ts'],
  },
  {
    name: 'value sets: between joints, registers keep the sets of the first visit',
    file: 'packages/model/src/analysis/address-sets.ts',
    from: 'else known.forEach((_, register) => join(register));',
    to: '',
    tests: ['packages/model/test/analysis/address-sets.test.ts'],
  },
  {
    name: '64 bits: initial values are of 32',
    file: uses,
    from: 'program.symbols.some(({ initial }) => !initial.every(isWord)) ||',
    to: '',
    tests: useTests,
  },
  {
    name: '64 bits: an rmw that adds 64 bits is one of 32',
    file: uses,
    from: "instruction.kind === 'rmw' && mentionsWideValues(rmwMeaning(instruction.operation).written)",
    to: 'false',
    tests: useTests,
  },
  {
    name: '64 bits: what is sent along with a call is of 32',
    file: uses,
    from: 'return instruction.arguments.some(mentionsWideValues);',
    to: 'return false;',
    tests: useTests,
  },
  {
    name: '64 bits: properties speak of 32',
    file: uses,
    from: 'program.properties.some(({ condition }) => mentionsWideValues(condition)) ||',
    to: '',
    tests: useTests,
  },
  {
    name: '64 bits: u32 gives 32 with sign',
    file: uses,
    from: "return kind === 'unary' && (operator === 'i32' || operator === 'u32');",
    to: 'return false;',
    tests: useTests,
  },
  {
    name: '64 bits: all engines have them',
    file: 'packages/core/src/api/check.ts',
    from: 'return usesWideValues(program) || hasHeavyFences(program);',
    to: 'return hasHeavyFences(program);',
    tests: engineTests,
  },
  {
    name: '64 bits: certificates have them',
    file: 'packages/core/src/api/decide-robustness.ts',
    from: "if (usesWideValues(program)) return { uncertified: 'unsupported' };",
    to: '',
    tests: engineTests,
  },
  {
    name: '64 bits: certificates of states have them',
    file: 'packages/engines/src/load-buffers/state-certificate.ts',
    from: 'usesWideValues(program)',
    to: 'false',
    tests: engineTests,
  },
  {
    name: '64 bits: certificates of all instances have them',
    file: 'packages/core/src/api/check-parameterized.ts',
    from: 'if (usesWideValues(program.templates) || hasHeavyFences(program.templates))',
    to: 'if (Number.isNaN(0))',
    tests: engineTests,
  },
  {
    name: '64 bits: certificates of fences have them',
    file: 'packages/core/src/api/decide-fence.ts',
    from: 'if (certify && certificate && usesWideValues(program))',
    to: 'if (Number.isNaN(0))',
    tests: engineTests,
  },
  {
    name: '64 bits: certificates of fences for all instances have them',
    file: 'packages/core/src/api/fence.ts',
    from: "if (usesWideValues(templates)) return { ...result, uncertified: 'unsupported' };",
    to: '',
    tests: engineTests,
  },
  {
    name: '64 bits: certificates of fences against races have them',
    file: 'packages/core/src/api/trf.ts',
    from: '...(usesWideValues(program)',
    to: '...(Number.isNaN(0)',
    tests: engineTests,
  },
  {
    name: '64 bits: proofs have them',
    file: 'packages/proofs/src/steps/proof-program.ts',
    from: "if (usesWideValues(templates)) return { unsupported: { kind: 'wide-values' } };",
    to: '',
    tests: engineTests,
  },
  {
    name: '64 bits: a check asks for a proof about them',
    file: 'packages/core/src/api/decide-in-turns.ts',
    from: '    !usesWideValues(program) &&\n',
    to: '',
    tests: engineTests,
  },
  {
    name: '64 bits: a program with a domain has them',
    file: 'packages/languages/src/native/lower-program.ts',
    from: 'if (shared.domain && usesWideValues(program))',
    to: 'if (Number.isNaN(0))',
    tests: useTests,
  },
  {
    name: '64 bits: events have them',
    file: 'packages/languages/src/native/lower-program.ts',
    from: "  if (usesWideValues(program))\n    problems.add(notSupported(model.name?.span, 'events",
    to: "  if (Number.isNaN(0))\n    problems.add(notSupported(model.name?.span, 'events",
    tests: useTests,
  },
  {
    name: '64 bits: invariants speak of 32',
    file: uses,
    from: 'invariants.some(({ condition }) => mentionsWideValues(condition))',
    to: 'false',
    tests: useTests,
  },
];

const faulting = [
  {
    name: '64 bits: ~ has a code for all that it gives',
    file: faults,
    from: "return operator === '-' || (values.isWide && operator === '~');",
    to: "return operator === '-';",
    tests: ['packages/model/test/analysis/possible-faults.test.ts'],
  },
  {
    name: '64 bits: where values are not known, operators of 32 bits do not fault on more',
    file: faults,
    from: "set === 'any' ? isWide : !set.every((value) => isWord(value));",
    to: "set === 'any' ? false : !set.every((value) => isWord(value));",
    tests: ['packages/model/test/analysis/possible-faults.test.ts'],
  },
  {
    name: '64 bits: what any two give has a code',
    file: faults,
    from: "if (right === 'any' || (left === 'any' && isWide)) return true;",
    to: "if (right === 'any') return true;",
    tests: ['packages/model/test/analysis/possible-faults.test.ts'],
  },
  {
    name: '64 bits: operators do not fault on what has more than 32',
    file: faults,
    from: 'return pairFaults(operator, left, right, isWide);\n  switch',
    to: 'return false;\n  switch',
    tests: ['packages/model/test/analysis/possible-faults.test.ts'],
  },
  {
    name: '64 bits: where pairs are too many to be tried, none faults',
    file: faults,
    from: 'if (lefts.length * right.length > maxPairs) return true;',
    to: 'if (lefts.length * right.length > maxPairs) return false;',
    tests: ['packages/model/test/analysis/possible-faults.test.ts'],
    gap: 'only cells of an array at an index that may be outside of it are more than 64 values, and such an index is a fault by itself',
  },
];

/** Mutations of 64-bit numbers. */
export const wideMutations = [...codes, ...operators, ...knowing, ...faulting];
