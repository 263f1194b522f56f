import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import { claimOf, robustIn, type Statement } from '../claim.js';
import { supposedOfFaults } from '../may-fault.js';
import { type Claims, type Conclusion, readClaims } from '../proof/claims.js';
import { derive } from '../proof/derive.js';
import type { PropertyCheck } from '../proof/properties.js';
import type { Obligation } from '../proof/question.js';
import { type Answers, askSolver, knownSolvers } from '../proof/solvers.js';
import { type KindReport, rejected } from '../report.js';
import type { CertificateBody, VerifyOptions } from '../check.js';
import { countOf } from '../words.js';

/** The maximum number of findings that a report writes out. */
const mostFindings = 10;

/**
 * Checks a proof by `prove`. The obligations are derived anew from automata and claims, and put to
 * SMT solvers. Every solver named by the caller, or every solver found if none is named, has to
 * confirm all obligations.
 */
export async function checkProof(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
  options: VerifyOptions,
): Promise<KindReport> {
  const claims = readClaims(automata, body);
  const { obligations, properties } = derive(automata, claims);
  const { solvers = knownSolvers, signal, maxMemory } = options;
  const asked = await Promise.all(
    [...new Set(solvers)].map((solver) =>
      askSolver(solver, obligations, {
        milliseconds: budget.milliseconds,
        ...(maxMemory !== undefined && { maxMemory }),
        ...(signal && { signal }),
      }),
    ),
  );
  const there = asked.filter(({ isMissing }) => !isMissing);
  if (options.solvers && there.length < asked.length)
    return { kind: 'unknown', reason: `there is no ${missing(asked)} on the PATH` };
  if (there.length === 0)
    return { kind: 'unknown', reason: `there is no SMT solver on the PATH: ${missing(asked)}` };
  return judge(automata, claims, obligations, properties, there);
}

function missing(asked: readonly Answers[]): string {
  return asked.flatMap(({ solver, isMissing }) => (isMissing ? [solver] : [])).join(' and no ');
}

function judge(
  automata: Automata,
  claims: Claims,
  obligations: readonly Obligation[],
  properties: readonly PropertyCheck[],
  asked: readonly Answers[],
): KindReport {
  const refuted: string[] = [];
  const open: string[] = [];
  obligations.forEach(({ claim, wanted }, i) => {
    const answers = asked.map(({ solver, answers: all }) => ({
      solver,
      answer: all[i] ?? 'unknown',
    }));
    const against = answers.filter(({ answer }) => answer !== wanted && answer !== 'unknown');
    const silent = answers.filter(({ answer }) => answer === 'unknown');
    const by = (some: typeof answers): string => some.map(({ solver }) => solver).join(' and ');
    if (against.length > 0) {
      const others = answers.filter(({ answer }) => answer === wanted);
      refuted.push(
        `refuted by ${by(against)}: ${claim}${others.length > 0 ? `; but shown by ${by(others)}` : ''}`,
      );
    } else if (silent.length > 0) open.push(`${by(silent)} cannot tell: ${claim}`);
  });
  if (refuted.length > 0) return rejected(...some(refuted));
  const left = properties.flatMap((check) => ('notChecked' in check ? [check.notChecked] : []));
  const problems = asked.flatMap(({ solver, problem }) =>
    problem === undefined ? [] : [`${solver}: ${problem}`],
  );
  const shown = properties.filter((check) => 'obligations' in check).map(({ name }) => name);
  const claim = claimOf(statementOf(claims.conclusion), { properties: shown });
  const assumes = [unbounded, ...supposedOfFaults(automata)];
  const by = `${countOf(obligations.length, 'obligation')}, each shown by ${asked.map(({ solver }) => solver).join(' and by ')}`;
  if (open.length > 0)
    return {
      kind: 'partly',
      claim: claimOf(claim.says, { properties: claims.properties }),
      checked: [
        `${obligations.length - open.length} of ${countOf(obligations.length, 'obligation')}`,
      ],
      notChecked: [...problems, ...some(open), ...left],
      assumes,
    };
  const proves = [...whatFollows(automata, { ...claims, properties: shown }), by];
  return left.length > 0
    ? { kind: 'partly', claim, checked: proves, notChecked: left, assumes }
    : { kind: 'accepted', claim, proves, assumes };
}

function some(all: readonly string[]): readonly string[] {
  if (all.length <= mostFindings) return all;
  return [...all.slice(0, mostFindings), `and ${all.length - mostFindings} more`];
}

function whatFollows({ threads }: Automata, claims: Claims): readonly string[] {
  const { conclusion, properties, abstractions } = claims;
  const many = threads.flatMap(({ name, unbounded }) => (unbounded ? [name] : []));
  const replaced = abstractions.map((each) => {
    const { name } = threads[each.thread]!;
    return each.kind === 'read'
      ? `${name}'s load (transition ${each.load})`
      : `${name}'s locked instruction (transition ${each.rmw})`;
  });
  const scope = many.length > 0 ? `; for any number of copies of ${many.join(' and ')}` : '';
  return [
    `${inWords(conclusion)}${scope}`,
    ...(replaced.length > 0 ? [`the abstraction allows more for: ${replaced.join(', ')}`] : []),
    ...properties.map(
      (name) =>
        `${name} holds in every state that TSO reaches with all buffers empty and the bus lock free`,
    ),
  ];
}

/**
 * The assumption of every proof: the numbers of the program, unlike those of processors, have no
 * bounds.
 */
const unbounded = 'data are integers without bounds, and no sum overflows';

function statementOf(conclusion: Conclusion): Statement {
  return conclusion.kind === 'robust' ? robustIn(conclusion.happensBefore) : conclusion.kind;
}

function inWords(conclusion: Conclusion): string {
  switch (conclusion.kind) {
    case 'robust':
      return conclusion.happensBefore === 'standard'
        ? 'robust: every TSO execution has the happens-before of an SC execution (standard, and by values)'
        : 'robust: every TSO execution has the happens-before of an SC execution (by values)';
    case 'same-states':
      return 'TSO reaches no state with empty buffers that SC does not reach';
    case 'abstraction':
      return 'every state with empty buffers that TSO reaches with plain accesses, SC reaches with the abstractions';
  }
}
