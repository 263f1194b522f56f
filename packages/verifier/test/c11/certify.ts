import { automataToJson, decide, finiteProgram, type Program } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { certificateDigest } from '../../src/canonical-json.js';
import type { Report } from '../../src/report.js';
import { verifyCertificate } from '../../src/verify.js';
import { closedCover } from '../by-definition.js';

export type Model = 'c11' | 'ra';

/** The states of a certificate, with the members that forgeries change. */
export interface Cover {
  classes: number[][][];
  watched: number[];
  cells: number[];
  views: number[][];
  threadRows: number[][];
  cellRows: number[][];
  states: number[][];
}

export function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(`${text}\n${diagnostics.map(({ message }) => message).join('\n')}`);
  return program;
}

/** Returns the states that `check` certifies; the verdict if the program is not robust. */
export async function certified(program: Program, model: Model): Promise<Cover | string> {
  const question = { kind: 'c11', model, certify: true } as const;
  const answer = await decide({ kind: 'finite', program }, question, { maxStates: 50_000 });
  if (answer.kind !== 'c11') return answer.kind;
  if (!answer.certificate) return answer.result.verdict.kind;
  const written = JSON.parse(JSON.stringify(answer.certificate)) as Record<string, unknown>;
  const { format: _f, version: _v, kind: _k, digest: _d, automata: _a, ...body } = written;
  return body as unknown as Cover;
}

/** Returns all states of a program in the form of a certificate, robust or not. */
export function closedStates(program: Program, model: Model, forwards = true): Cover {
  return JSON.parse(JSON.stringify(closedCover(program, model, forwards))) as Cover;
}

/** Returns the verifier's report on the certificate with these states and a matching digest. */
export function judge(program: Program, cover: object): Promise<Report> {
  const open = {
    ...{ format: 'fencewright-certificate', version: 3, kind: 'c11-robust' },
    automata: JSON.parse(JSON.stringify(automataToJson(program, 'kept'))) as object,
    ...cover,
  };
  const sealed = { ...open, digest: '' };
  return verifyCertificate(
    { ...open, digest: certificateDigest(sealed) },
    automataToJson(program, 'kept'),
    {},
  );
}
