import { quoteName, type ResultOf } from '@fencewright/core';
import { certificateScript } from '@fencewright/core/prove';
import { exitCodes } from '../exit-codes.js';
import type { FileReport } from '../file-report.js';
import { noCertificate } from '../certificate-report.js';
import { solverOption } from '../options/advanced.js';
import { searchOptions, watch } from '../options/common.js';
import { flag, text, texts, type ValuesOf } from '../options/declare.js';
import { reportOnProof } from '../proof-outcome.js';
import { fileVerb } from '../file-verb.js';
import { writeWhole } from '../write-whole.js';

const options = {
  ...searchOptions,
  property: texts(
    '--property <name>',
    'also prove that this invariant or property holds under TSO; may be repeated',
  ),
  infer: flag(
    '--infer',
    'find invariants and abstractions if needed, and print the program with them',
  ),
  movers: flag(
    '--movers',
    'also say of each access whether it moves right, left, both ways or not',
  ),
  certificate: text('--certificate <file>', 'file for the proof, for verify-certificate'),
  script: text('--script <file>', 'file for the SMT-LIB queries'),
  solver: solverOption(),
  watch,
};

type ProveValues = ValuesOf<typeof options>;

/**
 * Writes the certificate and the script of a proof to the files that the user named. Returns the
 * error message of the first failed write; `undefined` if no write failed.
 */
async function writeProof(
  file: string,
  { about, certificate: sealed, questions }: ResultOf<'prove'>,
  { certificate, script }: ProveValues,
): Promise<string | undefined> {
  if (certificate !== undefined && sealed) {
    const problem = await writeWhole(certificate, `${JSON.stringify(sealed, undefined, 1)}\n`);
    if (problem !== undefined) return problem;
  }
  if (script === undefined || !questions) return undefined;
  const head = [`${about.templates.name} (${quoteName(file)})`, 'verdict: proved'];
  return writeWhole(script, certificateScript(questions, head));
}

function failure(file: string, message: string): FileReport {
  return {
    exitCode: exitCodes.usage,
    stdout: '',
    stderr: message,
    json: { file, verdict: 'error', cause: 'tool', diagnostics: [] },
  };
}

export const proveVerb = fileVerb<typeof options, 'prove'>({
  name: 'prove',
  options,
  examples: [
    ['fencewright prove ticket.fw', 'proves robustness for any data and any number of threads'],
    ['fencewright prove --infer ticket.fw', 'looks for the missing invariants, too'],
  ],
  complaint: ({ certificate, script }, files) => {
    if (files.length === 1) return undefined;
    const given = Object.entries({ certificate, script }).find(([, value]) => value !== undefined);
    return given && `--${given[0]} is for one file`;
  },
  request: ({ property: properties, infer, movers, solver, certificate, script }) => ({
    question: {
      kind: 'prove',
      ...(properties && { properties }),
      ...(infer && { infer }),
      ...(movers && { movers }),
      ...(solver && { solver }),
      certify: certificate !== undefined,
      keepsQuestions: script !== undefined,
    },
  }),
  print: async (read, answer, run, values) => {
    const problem = await writeProof(read.file, answer, values);
    if (problem !== undefined) return failure(read.file, problem);
    const report = await reportOnProof(read, answer, run, !values.infer);
    const { certificate, script } = values;
    const missing = [
      ...(certificate !== undefined && !answer.certificate ? [certificate] : []),
      ...(script !== undefined && !answer.questions ? [script] : []),
    ].map((file) => noCertificate(file, 'nothing was proved'));
    return { ...report, stderr: report.stderr + missing.join('') };
  },
});
