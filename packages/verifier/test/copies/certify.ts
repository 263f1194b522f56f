import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  automataToJson,
  checkParameterized,
  type HappensBefore,
  type UnboundedModel,
  unboundedModel,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { certificateDigest } from '../../src/canonical-json.js';
import type { WrittenElement } from '../../src/copies/invariant.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A program with any number of threads and an expected verdict in a file beside the program. */
export interface ExpectedFile {
  readonly path: string;
  readonly text: string;
  readonly expected: { readonly verdict: string; readonly fences?: number };
}

/** Returns the expected files of the corpus and of the examples. */
export function expectedFiles(): readonly ExpectedFile[] {
  return ['corpus/parameterised', 'examples/any-number'].flatMap((folder) =>
    readdirSync(root + folder)
      .filter((name) => name.endsWith('.fw'))
      .map((name): ExpectedFile => {
        const path = `${folder}/${name}`;
        const beside = readFileSync(root + path.replace(/\.fw$/, '.expected.json'), 'utf8');
        const expected = JSON.parse(beside) as ExpectedFile['expected'];
        return { path, text: readFileSync(root + path, 'utf8'), expected };
      }),
  );
}

/**
 * Returns the program of a text; throws if the text has errors or no thread in any number of
 * copies.
 */
export function parameterizedOf(text: string): UnboundedModel {
  const { model, diagnostics } = parseNative(text);
  const parameterized = unboundedModel(model);
  if (parameterized) return parameterized;
  throw new Error(`${text}\n${diagnostics.map(({ message }) => message).join('\n')}`);
}

/** Returns the automata of a program as read from a file. */
export function automataOf(program: UnboundedModel): unknown {
  return JSON.parse(JSON.stringify(automataToJson(program)));
}

/** The body of a certificate that all instances are robust. */
export interface Body {
  readonly happensBefore: HappensBefore;
  readonly invariant: readonly WrittenElement[];
}

/**
 * Returns the prover's certificate for the program, as read from a file; the verdict if the program
 * is not `robust`.
 */
export async function proofOf(
  program: UnboundedModel,
  happensBefore: HappensBefore = 'standard',
): Promise<Body | string> {
  const limits = { maxStates: 50_000 };
  const { result, certificate } = await checkParameterized(program, {
    happensBefore,
    limits,
    certify: true,
  });
  if (!certificate) return result.verdict.kind;
  const { happensBefore: proved, invariant } = JSON.parse(JSON.stringify(certificate)) as Body;
  return { happensBefore: proved, invariant };
}

/** Returns a certificate of the given kind about the given automata, with a matching digest. */
export function sealed(kind: string, automata: unknown, body: object): unknown {
  const open = { format: 'fencewright-certificate', version: 3, kind, automata, ...body };
  return { ...open, digest: certificateDigest(open) };
}
