import {
  type Diagnostic,
  type EditRefusal,
  enumerate,
  failureDiagnostic,
  notSupported,
  type OutputFormat,
  type OutsideC11,
  type PropertyProblem,
  type Refusal,
  type ThreadWish,
  unknownName,
  wrongOperand,
} from '@fencewright/core';
import { type advancedOptions, byOldSwitch } from './options/advanced.js';
import type { ValuesOf } from './options/declare.js';

/** The options of a verb that the message about a refused question may mention. */
export type Wishes = Partial<ValuesOf<typeof advancedOptions>> & {
  readonly engine?: string;
  readonly model?: string;
  readonly repair?: string;
  readonly minimise?: true;
};

/**
 * Returns the message for a refused question, in terms of the options given or available; `subject`
 * is the verb or format that refuses.
 */
export function refusalInWords(
  refusal: Refusal,
  subject: string,
  values: Wishes,
): readonly Diagnostic[] {
  switch (refusal.kind) {
    case 'any-number':
      return [anyNumberRefused(refusal.part === 'properties' ? 'fence --for' : subject)];
    case 'events':
      return [
        notSupported(
          undefined,
          `${subject} needs a program of threads; this program is made of events`,
          values.model === undefined || values.model === 'tso'
            ? "use 'check', 'explain', 'reach', 'fence' or 'events'"
            : 'leave --model out: programs of events are decided for TSO',
        ),
      ];
    case 'not-of-events':
      return refusal.wishes.map((wish) => {
        const message = `${threadOptionOf(wish, values)} does not apply to programs of events`;
        return notSupported(undefined, message, 'leave it out');
      });
    case 'only-events':
      return refusal.wishes.length === 0
        ? [
            notSupported(
              undefined,
              `${subject} is about programs of events`,
              "use 'check' or 'reach'",
            ),
          ]
        : refusal.wishes.map((wish) => {
            const option = wish === 'engine' ? '--engine two-threads' : `--${wish}`;
            const message = `${option} does not apply to programs of threads`;
            return notSupported(undefined, message, 'leave it out');
          });
    case 'only-against-tso':
      return [
        notSupported(
          undefined,
          `${tsoOptions[refusal.wish]} is about robustness against TSO alone`,
          refusal.wish === 'engine'
            ? 'write --against tso, or leave --against out'
            : 'write --against tso, and leave --engine out',
        ),
      ];
    case 'only-proofs':
      return [onlyProofs(subject, refusal.parts)];
    case 'no-choice': {
      const hint = 'leave it out, or give numbers of copies: --copies t=2 (--threads t=2 in C)';
      return refusal.wishes.map((wish) => {
        const option = optionOf(wish, values);
        const message = `${option} does not apply to any number of copies: [*]`;
        return notSupported(undefined, message, hint);
      });
    }
    case 'heavy-fences':
      return [noHeavyFences(refusal.wish ? threadOptionOf(refusal.wish, values) : subject)];
    case 'heavy-repairs':
      return [noHeavyRepairs(refusal.part)];
    case 'no-orders':
      return [refusal.outside ? outsideC11(refusal.outside) : noOrders(refusal.isRepair)];
    case 'missing':
      return [failureDiagnostic({ kind: 'missing', program: refusal.program })];
    case 'properties':
      return refusal.problems.map(problemInWords);
    case 'attack-needed':
      return [attackNeeded(refusal.format)];
    case 'attack':
    case 'condition':
    case 'costs':
      return refusal.diagnostics;
  }
}

/** Returns the error for a part of a text that has no meaning in C11. */
function outsideC11({ span, reason }: OutsideC11): Diagnostic {
  switch (reason) {
    case 'assembler':
      return notSupported(
        span,
        'instructions of a processor have no memory orders of C11',
        'write the litmus test in C, or leave --model out',
      );
    case 'kernel':
      return notSupported(
        span,
        'this function has the memory model of the Linux kernel, not that of C11',
        'write functions of <stdatomic.h>, such as atomic_load_explicit',
      );
    case 'operator':
      return notSupported(
        span,
        'an operator on an atomic variable is seq_cst in C, and plain in tools for litmus tests',
        'write atomic_load_explicit or atomic_store_explicit with an order',
      );
  }
}

/**
 * Returns the error for a text in a format without memory orders. `isRepair`: the user asked for
 * changes of orders to be written into the text.
 */
function noOrders(isRepair: boolean): Diagnostic {
  return notSupported(
    undefined,
    isRepair
      ? 'fence --model c11 writes memory orders into C, C++ and the native language only'
      : '--model c11 reads memory orders from C, C++, LLVM IR, litmus tests in C and the native language only',
    'write the program as .fw, with load(x, acquire) and store(x, 1, release)',
  );
}

const tsoOptions = {
  engine: '--engine two-threads',
  allAttacks: '--all-attacks',
  attack: '--attack',
} as const;

/**
 * Returns the error for a program with any number of copies; `what` is a verb or a format that
 * needs a fixed number of threads.
 */
function anyNumberRefused(what: string): Diagnostic {
  return notSupported(
    undefined,
    `${what} needs a number of copies for each thread`,
    'write a number instead of [*], or give a number: --copies t=2 (--threads t=2 in C)',
  );
}

/**
 * Returns the error for repairs that cannot be heavy fences, or for a program with heavy fences.
 */
function noHeavyRepairs(part: 'any-number' | 'goal' | 'format'): Diagnostic {
  switch (part) {
    case 'any-number':
      return notSupported(
        undefined,
        'fence does not support heavy fences for any number of copies: [*]',
        'give numbers of copies: --copies t=2',
      );
    case 'goal':
      return notSupported(
        undefined,
        'fence --for does not support heavy fences',
        'leave --for out: heavy fences are found for robustness',
      );
    case 'format':
      return notSupported(
        undefined,
        'heavy fences are written into the native language only',
        'convert the program (fencewright convert --to native), ask about the result, and write membarrier by hand where the answer has a heavy fence: docs/asymmetric.md',
      );
  }
}

/** Returns the error for a program with heavy fences; `what` is a verb, a format or an option. */
function noHeavyFences(what: string): Diagnostic {
  const hint =
    "use 'check', 'explain', 'fence', 'reach' or 'trf', or write a fence in place of the heavy fence";
  return notSupported(undefined, `${what} does not support heavy fences`, hint);
}

/**
 * Returns the error for a model that only proofs can treat; `parts` are the parts of the program
 * that `verb` cannot treat.
 */
function onlyProofs(verb: string, parts: readonly string[]): Diagnostic {
  return notSupported(
    undefined,
    `${verb} cannot search the states of this program: ${parts.join('; ')}`,
    "use 'fencewright prove', or write bounds and numbers of copies",
  );
}

/**
 * Returns the error for a missing attack: the format can express only a question about an attack or
 * an instrumented program.
 */
function attackNeeded(format: OutputFormat): Diagnostic {
  return format === 'smt2'
    ? notSupported(
        undefined,
        `the format ${format} holds a question about an attack`,
        'name an attack: --attack thread:store:load, or --attack any',
      )
    : notSupported(
        undefined,
        'a net describes an attack',
        'give --attack thread:store:load, or --attack any',
      );
}

/** Returns an option for programs of threads, as the user wrote it. */
function threadOptionOf(wish: ThreadWish, values: Wishes): string {
  switch (wish) {
    case 'engine':
    case 'solver':
      return optionOf(wish, values);
    case 'happensBefore':
      return '--hb value';
    case 'without': {
      const [first = ''] = byOldSwitch(values);
      return first === '' ? '--without' : `--no-${first}`;
    }
    case 'allAttacks':
      return '--all-attacks';
    case 'fewestDelays':
      return '--minimal delays';
    case 'replayAll':
      return '--replay-all';
    case 'kernel':
      return '--kernel';
    case 'handOverAfter':
      return '--hand-over-after';
    case 'certify':
      return '--certificate';
    case 'triesProof':
      return '--prove';
    case 'buffer':
    case 'model':
    case 'threads':
      return `--${wish}`;
    case 'mode':
      return values.minimise ? '--minimise' : `--repair ${values.repair ?? ''}`;
    case 'costs':
      return '--cost profile';
    case 'properties':
      return '--for';
  }
}

/** Returns an option, as the user wrote it. */
function optionOf(
  wish: Extract<Refusal, { kind: 'no-choice' }>['wishes'][number],
  values: Wishes,
): string {
  const { engine = '', solver = '' } = values;
  switch (wish) {
    case 'engine':
      return `--engine ${engine}`;
    case 'solver':
      return `--solver ${solver}`;
    case 'buffer':
    case 'model':
      return `--${wish}`;
    case 'certify':
      return '--certificate';
    case 'fewestDelays':
      return '--minimal delays';
    default:
      return byOldSwitch(values).includes(wish) ? `--no-${wish}` : `--without ${wish}`;
  }
}

// The names come from the command line, so there is no position in the file.
const nowhere = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };
const withoutPlace = ({ span: _, ...diagnostic }: Diagnostic): Diagnostic => diagnostic;

/** Returns the error for a name given with `--for` or `--property`. */
function problemInWords(problem: PropertyProblem): Diagnostic {
  switch (problem.kind) {
    case 'ambiguous': {
      const { name, span = nowhere } = problem.property;
      const message = `--for '${name}' is ambiguous: a property has this name`;
      return wrongOperand(span, message, 'give the property another name');
    }
    case 'no-assertions':
      return withoutPlace(
        wrongOperand(nowhere, 'the program has no assertions', 'write assert(e); in a thread'),
      );
    case 'unknown': {
      const { what, name, known } = problem;
      const list =
        known.length === 0 ? `the program has no ${what}` : `there is ${enumerate(known)}`;
      return withoutPlace(unknownName(nowhere, what, name, known, list));
    }
    case 'existence': {
      const { kind, span = nowhere } = problem.property;
      const message = `no fence can be found for a '${kind}' property`;
      return wrongOperand(
        span,
        message,
        'give --for a property that says never, finally or exists',
      );
    }
  }
}

/** Returns the reason why the text of a program was not changed, as diagnostics. */
export function editRefusalInWords(refusal: EditRefusal): readonly Diagnostic[] {
  if (refusal.kind !== 'labels-move') return refusal.diagnostics;
  const failing = refusal.properties.join(', ');
  return [
    notSupported(
      undefined,
      `the fences in the text move labels, and then ${failing} fails`,
      'label the statement inside of the loop, or ask for exchanges: --repair xchg',
    ),
  ];
}
