import { Budget } from '../../../core/src/base/budget.js';
import { parseNative } from '../../../core/src/frontends/native/parse-native.js';
import { proveAllInstances } from '../../../core/src/parameterized/certificate.js';
import { automataToJson } from '../../../core/src/program/automata-json.js';
import type { ParameterizedProgram } from '../../../core/src/program/parameterized-program.js';
import type { HappensBefore } from '../../../core/src/trace/trace.js';
import { certificateDigest } from '../../src/canonical-json.js';
import type { WrittenElement } from '../../src/copies/invariant.js';

/** The program that the text stands for; throws if it has errors or no thread in any number of copies. */
export function parameterizedOf(text: string): ParameterizedProgram {
  const { parameterized, diagnostics } = parseNative(text);
  if (parameterized) return parameterized;
  throw new Error(`${text}\n${diagnostics.map(({ message }) => message).join('\n')}`);
}

/** The automata of a program as they are read from a file. */
export function automataOf(program: ParameterizedProgram): unknown {
  return JSON.parse(JSON.stringify(automataToJson(program)));
}

/** The body of a certificate that all instances are robust. */
export interface Body {
  readonly happensBefore: HappensBefore;
  readonly invariant: readonly WrittenElement[];
}

/** What the prover writes for the program; a reason if it ends without a proof. Throws if an attack is found. */
export async function proofOf(
  program: ParameterizedProgram,
  happensBefore: HappensBefore = 'standard',
): Promise<Body | string> {
  const proof = await proveAllInstances(program, happensBefore, new Budget({ maxStates: 50_000 }));
  return typeof proof === 'string' ? proof : (JSON.parse(JSON.stringify(proof)) as Body);
}

/** A certificate of this kind about these automata, with the digest that fits it. */
export function sealed(kind: string, automata: unknown, body: object): unknown {
  const open = { format: 'fencewright-certificate', version: 2, kind, automata, ...body };
  return { ...open, digest: certificateDigest(open) };
}
