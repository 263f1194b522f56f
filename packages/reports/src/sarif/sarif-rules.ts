import type { ReportingDescriptor } from 'sarif';
import type { Advice, AdviceInWords } from '../words/advice.js';
import {
  type DiagnosticCode,
  diagnosticRegistry,
  type Severity,
} from '@fencewright/ground/source/diagnostic.js';

/** By severity of diagnostics, the level of SARIF. Source: SARIF 2.1.0, Sect. 3.27.10. */
export const sarifLevel: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** The id of the rule for a feasible attack. */
export const notRobustRule = 'not-robust';
/** The id of the rule for a search that ended without an answer. */
export const undecidedRule = 'undecided';

/** The id of the rule for a claim that TSO breaks. */
const breaksRule = 'breaks';
/** The id of the rule for a claim that fails under SC already. */
const wrongRule = 'wrong-under-sc';
/** The id of the rule for threads that wait for ever under TSO only. */
const hangsRule = 'hangs';
/** The id of the rule for threads that wait for ever without store buffers. */
export const deadlocksRule = 'deadlocks';
/** The id of the rule for a state that only TSO reaches. */
const differsRule = 'differs';
/** The id of the rule for memory orders that are too weak for C11. */
export const weakOrdersRule = 'weak-orders';

/**
 * The properties of rules for verdicts, by which viewers sort; code scanning on GitHub reads the
 * precision.
 */
const verdictProperties = {
  tags: ['concurrency', 'memory-model', 'x86-tso'],
  precision: 'very-high',
};

/** By first digit of a diagnostic code, the topic of the diagnostic. */
const tagOfDigit: Readonly<Record<string, string>> = {
  '1': 'input',
  '2': 'suspicious',
  '3': 'execution',
  '5': 'c',
};

const claimsHelp =
  'The manual explains answers about assertions, properties and states in docs/states.md.';

/** Returns the anchor that Markdown makes of a heading of the manual. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

const verdictRules: readonly ReportingDescriptor[] = [
  {
    id: notRobustRule,
    name: 'NotRobust',
    shortDescription: { text: 'a store buffer can break the program' },
    fullDescription: {
      text:
        'Under TSO, the memory model of x86, a store waits in a buffer while later loads of its thread read memory. Here that' +
        ' leads to an execution that no sequentially consistent machine has.',
    },
    defaultConfiguration: { level: 'error' },
  },
  {
    id: undecidedRule,
    name: 'Undecided',
    shortDescription: { text: 'a limit ended the search before it knew the answer' },
    fullDescription: {
      text: 'The program may be robust or not: the search reached a limit on states, memory or time, or was stopped.',
    },
    defaultConfiguration: { level: 'warning' },
  },
  {
    id: breaksRule,
    name: 'Breaks',
    shortDescription: { text: 'a store buffer breaks what the program claims' },
    fullDescription: {
      text: 'An assertion or a property holds on a machine without store buffers and fails under TSO.',
    },
    help: { text: `Fences for what is claimed can be computed. ${claimsHelp}` },
    defaultConfiguration: { level: 'error' },
  },
  {
    id: wrongRule,
    name: 'WrongUnderSc',
    shortDescription: { text: 'what the program claims fails without store buffers' },
    fullDescription: {
      text: 'An assertion or a property fails on a machine without store buffers already: no fence helps.',
    },
    help: { text: `Correct the algorithm or the claim first. ${claimsHelp}` },
    defaultConfiguration: { level: 'error' },
  },
  {
    id: hangsRule,
    name: 'Hangs',
    shortDescription: { text: 'a store buffer lets a thread wait for ever' },
    fullDescription: {
      text: 'Under TSO a thread can reach a place where it waits for ever, even if every later store reaches memory at once. Without store buffers the thread always goes on.',
    },
    help: { text: `Fences for progress can be computed. ${claimsHelp}` },
    defaultConfiguration: { level: 'error' },
  },
  {
    id: deadlocksRule,
    name: 'Deadlocks',
    shortDescription: { text: 'a thread waits for ever even without store buffers' },
    fullDescription: {
      text: 'Without store buffers a thread can reach a place where it waits for ever, although its code has an end, or all threads wait together. Fences do not help.',
    },
    help: { text: `Correct the order of locks, or the missing signal, first. ${claimsHelp}` },
    defaultConfiguration: { level: 'error' },
  },
  {
    id: differsRule,
    name: 'Differs',
    shortDescription: { text: 'store buffers lead to more states' },
    fullDescription: {
      text: 'Nothing that the program claims fails, but TSO reaches a state with empty buffers that a machine without store buffers does not.',
    },
    help: { text: `Fences take these states away. ${claimsHelp}` },
    defaultConfiguration: { level: 'warning' },
  },
  {
    id: weakOrdersRule,
    name: 'WeakOrders',
    shortDescription: { text: 'the memory orders are too weak for other machines than x86' },
    fullDescription: {
      text: 'C11 allows an execution that no order of all events explains: on ARM, POWER or RISC-V, or by a compiler, an access may see an old value.',
    },
    help: {
      text: 'The verb `fence` computes the cheapest orders. The answers are explained in the manual, in docs/c11.md.',
    },
    defaultConfiguration: { level: 'warning' },
  },
];

/** Returns a title as one word: `unknown name` as `UnknownName`. */
function pascalCase(title: string): string {
  return title
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

const diagnosticRules = Object.entries(diagnosticRegistry).map(
  ([code, { severity, title }]): ReportingDescriptor => ({
    id: code,
    name: pascalCase(title),
    shortDescription: { text: title },
    help: {
      text: `${code} is explained in the manual, in docs/diagnostics.md#${anchor(`${code}: ${title}`)}.`,
    },
    properties: { tags: [tagOfDigit[code.charAt(2)] ?? 'other'] },
    defaultConfiguration: { level: sarifLevel[severity] },
  }),
);

const rules: readonly ReportingDescriptor[] = [
  ...verdictRules.map((rule) => ({ ...rule, properties: verdictProperties })),
  ...diagnosticRules,
];

/** By verdict, the advice in its SARIF rule. */
const verdictAdvice: Readonly<Record<string, Advice>> = {
  [notRobustRule]: { kind: 'any-violation' },
  [undecidedRule]: { kind: 'any-limit' },
};

/**
 * Returns all SARIF rules: first those for verdicts, then one for each code of the diagnostic
 * registry.
 */
export function sarifRules(advise: AdviceInWords): ReportingDescriptor[] {
  return rules.map((rule): ReportingDescriptor => {
    const advice = verdictAdvice[rule.id];
    const text = advice && advise(advice);
    if (text === undefined) return rule;
    const { defaultConfiguration, ...rest } = rule;
    return { ...rest, help: { text }, ...(defaultConfiguration && { defaultConfiguration }) };
  });
}

/** Returns the index of a rule among `sarifRules`. */
export function ruleIndex(
  id:
    | DiagnosticCode
    | typeof notRobustRule
    | typeof undecidedRule
    | typeof breaksRule
    | typeof wrongRule
    | typeof hangsRule
    | typeof deadlocksRule
    | typeof differsRule
    | typeof weakOrdersRule,
): number {
  return rules.findIndex((rule) => rule.id === id);
}
