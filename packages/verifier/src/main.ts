import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Expectation, expectationForms, readExpectation } from './expectation.js';
import { JsonTooLarge, readJson } from './read-json.js';
import { exitCodeOf, reportText } from './report-text.js';
import { complaintAboutSolvers } from './proof/solvers.js';
import type { VerifyLimits } from './budget.js';
import { verifyCertificate } from './verify.js';

const usage = `usage: fencewright-verify PROOF [AUTOMATA.json]
  --timeout SECONDS   --max-states N   --effort N   --max-memory MEGABYTES   --solvers z3,cvc5
  --expect NAME=VALUE, repeated as often as wanted: what PROOF has to say, one of
    ${expectationForms.join('\n    ')}
AUTOMATA.json is what 'fencewright convert --to automata' prints of the program; without it the answer is about the automata in PROOF.
Exit codes: 0 it holds, 10 it does not, or is not what is expected, 5 checked in part, 64 wrong usage, 65 not a certificate.
`;

const options = {
  timeout: { type: 'string' },
  'max-states': { type: 'string' },
  effort: { type: 'string' },
  'max-memory': { type: 'string' },
  solvers: { type: 'string' },
  expect: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

class UsageError extends Error {}

function numberOf(name: string, value: string | undefined, unit: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || !(number > 0))
    throw new UsageError(`--${name} takes a positive number`);
  return number * unit;
}

function expectationOf(text: string): Expectation {
  const read = readExpectation(text);
  if (!read) throw new UsageError(`--expect takes no '${text}'`);
  return read;
}

function settingsOf(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const timeout = numberOf('timeout', values.timeout, 1000);
  const maxStates = numberOf('max-states', values['max-states'], 1);
  const effort = numberOf('effort', values.effort, 1);
  const maxMemory = numberOf('max-memory', values['max-memory'], 2 ** 20);
  const wrong = complaintAboutSolvers(values.solvers?.split(',') ?? []);
  if (wrong !== undefined) throw new UsageError(`--solvers: ${wrong}`);
  const [proof, automata, more] = positionals;
  if (!values.help && (proof === undefined || more !== undefined))
    throw new UsageError('one or two files are needed');
  return {
    help: values.help === true,
    proof: proof ?? '',
    automata,
    limits: {
      ...(timeout !== undefined && { timeout }),
      ...(maxStates !== undefined && { maxStates }),
      ...(effort !== undefined && { effort }),
      ...(maxMemory !== undefined && { maxMemory }),
      ...(values.solvers !== undefined && { solvers: values.solvers.split(',') }),
      ...(values.expect && { expect: values.expect.map(expectationOf) }),
    },
  };
}

async function readFrom(file: string, { maxMemory }: VerifyLimits): Promise<unknown> {
  return readJson(await readFile(file, 'utf8'), maxMemory);
}

async function run(args: readonly string[]): Promise<number> {
  let settings;
  try {
    settings = settingsOf(args);
  } catch (error) {
    process.stderr.write(`fencewright-verify: ${(error as Error).message}\n${usage}`);
    return 64;
  }
  const { help, proof, automata, limits } = settings;
  if (help) {
    process.stdout.write(usage);
    return 0;
  }
  let files;
  try {
    files = [
      await readFrom(proof, limits),
      automata === undefined ? undefined : await readFrom(automata, limits),
    ];
  } catch (error) {
    if (error instanceof JsonTooLarge) {
      process.stdout.write(reportText(proof, { kind: 'unknown', reason: error.message }));
      return 5;
    }
    process.stderr.write(`fencewright-verify: ${(error as Error).message}\n`);
    return 65;
  }
  const report = await verifyCertificate(files[0], files[1], limits);
  process.stdout.write(reportText(proof, report));
  return exitCodeOf(report);
}

process.exitCode = await run(process.argv.slice(2));
