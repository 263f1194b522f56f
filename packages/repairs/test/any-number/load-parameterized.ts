import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseNative } from '@fencewright/languages/native/parse-native.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The expected facts of a program with any number of copies. */
export interface ParameterizedExpectation {
  readonly verdict: 'robust' | 'not-robust';
  /**
   * A smallest instance that is not robust: the number of copies of each template, or of all
   * templates together.
   */
  readonly instance?: Readonly<Record<string, number>>;
  readonly copies?: number;
  /**
   * The expected verdict on each claim about all instances, by name of the property; `assert` for
   * all assertions.
   */
  readonly claims?: Readonly<Record<string, 'holds' | 'breaks' | 'wrong-under-sc'>>;
  /** The number of fences, each at cost 1, that make all instances robust. */
  readonly fences?: number;
  readonly source: string;
}

export interface ParameterizedFile {
  readonly path: string;
  readonly text: string;
  readonly program: UnboundedModel;
  readonly expected: ParameterizedExpectation;
}

const folders = ['corpus/parameterised', 'examples/any-number'];

/**
 * Returns the programs with any number of copies, by name. Throws if a program has errors or no
 * expectation.
 */
export function loadParameterized(): ParameterizedFile[] {
  return folders.flatMap(loadFolder);
}

function loadFolder(folder: string): ParameterizedFile[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith('.fw'))
    .sort()
    .map((name) => {
      const path = `${folder}/${name}`;
      const text = readFileSync(root + path, 'utf8');
      const { model } = parseNative(text);
      const parameterized = unboundedModel(model);
      if (!parameterized) throw new Error(`${path} is no program with any number of threads`);
      const expectation = readFileSync(root + path.replace(/\.fw$/, '.expected.json'), 'utf8');
      return {
        path,
        text,
        program: parameterized,
        expected: JSON.parse(expectation) as ParameterizedExpectation,
      };
    });
}
