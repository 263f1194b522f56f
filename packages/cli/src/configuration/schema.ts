import type { RobustnessModel } from '@fencewright/core';
import { robustnessModels } from '@fencewright/core/words';
import { InvalidArgumentError } from 'commander';
import { failOnWords, type FailOnWord } from '../options/fail-on.js';
import { inputFormats, type InputFormat } from '../formats.js';
import { parseArgumentCount, assumption } from '../options/outside.js';

/**
 * A rule for a value of the configuration, in the part of JSON Schema that this program supports.
 */
export type ValueRule = {
  readonly description?: string;
  /**
   * Returns the error in a text, if JSON Schema cannot express the rule; `undefined` for a correct
   * text.
   */
  readonly complaint?: (text: string) => string | undefined;
} & (
  | {
      readonly type: 'object';
      readonly properties: Readonly<Record<string, ValueRule>>;
      readonly required?: readonly string[];
      readonly additionalProperties: false;
    }
  | {
      readonly type: 'object';
      /** The pattern that the keys have to match. */
      readonly propertyNames: { readonly pattern: string };
      readonly additionalProperties: ValueRule;
    }
  | { readonly type: 'array'; readonly items: ValueRule }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'number'; readonly exclusiveMinimum: number }
  | { readonly type: 'string'; readonly enum?: readonly string[]; readonly minLength?: number }
);

/**
 * Returns a function that returns the error in a text: the error of `read`, the parser of the
 * corresponding option.
 */
const complaintOf =
  (read: (text: string) => unknown) =>
  (text: string): string | undefined => {
    try {
      read(text);
      return undefined;
    } catch (error) {
      if (error instanceof InvalidArgumentError) return error.message;
      throw error;
    }
  };

const text = (description: string): ValueRule => ({ description, type: 'string', minLength: 1 });
const texts = (description: string): ValueRule => ({
  description,
  type: 'array',
  items: { type: 'string', minLength: 1 },
});
const countFromOne = (description: string): ValueRule => ({
  description,
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});
const group = (
  description: string,
  properties: Readonly<Record<string, ValueRule>>,
  required?: readonly string[],
): ValueRule => ({
  description,
  type: 'object',
  properties,
  ...(required && { required }),
  additionalProperties: false,
});

/** The settings for C, of all programs and of one. */
const cRules = {
  include: texts('clang -I: folders with headers, relative to this file'),
  define: texts('clang -D: macros, NAME or NAME=VALUE'),
  std: text('clang -std=: the version of the language'),
  args: {
    ...text('--args: the value of argc, N or MIN..MAX'),
    complaint: complaintOf(parseArgumentCount),
  },
  assume: {
    description: '--assume: results of functions, NAME=VALUE or NAME=MIN..MAX',
    type: 'array',
    items: { type: 'string', minLength: 1, complaint: complaintOf(assumption) },
  },
} as const satisfies Readonly<Record<string, ValueRule>>;

/**
 * The rule for configuration files, from which the published schema is made. No setting names a
 * program to run, or passes arguments to a program unchanged.
 */
export const configurationRule: ValueRule = group(
  'Defaults of fencewright for options that the command line leaves out.',
  {
    $schema: text('for editors'),
    limits: group('for each file', {
      maxStates: countFromOne('--max-states: states'),
      effort: countFromOne('--effort: work, in states'),
      maxMemory: countFromOne('--max-memory: MiB'),
      timeout: { description: '--timeout: seconds', type: 'number', exclusiveMinimum: 0 },
    }),
    formats: {
      description: 'formats of further file names, by extension: {".lit": "litmus"}',
      type: 'object',
      propertyNames: { pattern: '^\\.[^./\\\\]+$' },
      additionalProperties: { type: 'string', enum: inputFormats },
    },
    c: group('how C is compiled', cRules),
    programs: {
      description: 'programs in C of several files, or with settings of their own',
      type: 'array',
      items: group(
        'a program; its settings replace those of "c"',
        {
          file: text('the file with the threads, relative to this file'),
          link: texts('--link: further files of the program, relative to this file'),
          ...cRules,
        },
        ['file'],
      ),
    },
    failOn: {
      description: '--fail-on: findings that make a check fail, besides the usual ones',
      type: 'array',
      items: { type: 'string', enum: failOnWords },
    },
    model: {
      description: '--model: the memory model of check and fence; the editor answers for C11, too',
      type: 'string',
      enum: robustnessModels,
    },
  },
);

type CSettings = {
  readonly include?: readonly string[];
  readonly define?: readonly string[];
  readonly std?: string;
  readonly args?: string;
  readonly assume?: readonly string[];
};

/** A program in C with settings of its own, in a configuration file. */
export interface ProgramSettings extends CSettings {
  readonly file: string;
  readonly link?: readonly string[];
}

/**
 * A program in C with settings of its own: the absolute path of its file, the settings by the names
 * of options, and the entry of the configuration.
 */
export interface ConfiguredProgram {
  readonly file: string;
  readonly values: Omit<ProgramSettings, 'file'>;
  readonly place: string;
  readonly given: Partial<ProgramSettings>;
}

/** The content of a valid configuration file. */
export interface ConfigurationFile {
  readonly limits?: {
    readonly maxStates?: number;
    readonly effort?: number;
    readonly maxMemory?: number;
    readonly timeout?: number;
  };
  readonly formats?: Readonly<Record<string, InputFormat>>;
  readonly c?: CSettings;
  readonly programs?: readonly ProgramSettings[];
  readonly failOn?: readonly FailOnWord[];
  readonly model?: RobustnessModel;
}

/** Returns the published JSON Schema of configuration files. */
export function configurationSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'fencewright.json',
    ...configurationRule,
  };
}
