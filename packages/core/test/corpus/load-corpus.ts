import { finiteProgram } from '@fencewright/model/program/model.js';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Program } from '@fencewright/model/program/program.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * The facts in the file `name.expected.json` beside a program; from the literature or from another
 * tool, never the output of Fencewright.
 */
export interface Expectation {
  readonly verdict: 'robust' | 'not-robust';
  /** The size of a smallest fence set, each fence at cost 1. */
  readonly fences?: number;
  /** The program's row in [BDM13] Table 2. */
  readonly paper?: Readonly<Record<'T' | 'L' | 'I' | 'RQ' | 'NR1' | 'NR2' | 'R' | 'F', number>>;
  /** The properties of the program that fail under TSO only. */
  readonly violated?: readonly string[];
  /** Whether the final states under TSO equal the final states under SC. */
  readonly stateRobust?: boolean;
  readonly tsoTraces?: number;
  readonly nonrobustTraces?: number;
  readonly tsoStates?: number;
  readonly scStates?: number;
  readonly source: string;
}

/** A program of the corpus, not parsed yet. */
export interface CorpusFile {
  /** The path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly expected: Expectation;
}

export const folders = ['corpus/table2', 'corpus/figures', 'corpus/litmus', 'examples'] as const;

/** Returns the `.fw` files of a folder, by name. Throws if one has no expectation. */
export function loadCorpus(folder: (typeof folders)[number]): CorpusFile[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith('.fw'))
    .sort()
    .map((name) => {
      const path = `${folder}/${name}`;
      const expectation = readRepositoryFile(path.replace(/\.fw$/, '.expected.json'));
      return {
        path,
        text: readRepositoryFile(path),
        expected: JSON.parse(expectation) as Expectation,
      };
    });
}

/** Returns a text file, by its path from the root of the repository. */
export function readRepositoryFile(path: string): string {
  return readFileSync(root + path, 'utf8');
}

/**
 * Returns the program of a corpus file. Throws if the text has errors, which another test reports
 * in detail.
 */
export function parseCorpusFile({ path, text }: CorpusFile): Program {
  const { model } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(`${path} does not parse`);
  return program;
}
