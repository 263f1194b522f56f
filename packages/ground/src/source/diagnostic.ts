import { type ModelLimit, modelLimits } from './model-limits.js';
import type { Span } from './span.js';
import { nearestName } from './nearest-name.js';
import { countOf } from '../base/number-words.js';

export type Severity = 'error' | 'warning' | 'info';

/** A message to the user about the input. Made only by the constructors of this file. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /**
   * The place in the text that the message is about; absent if the message is about the whole file.
   */
  readonly span?: Span;
  readonly message: string;
  /** Advice for the user on what to do about the message. */
  readonly hint?: string;
  /** A second place of the source that the message refers to, with a message about it. */
  readonly related?: { readonly span: Span; readonly message: string };
  /**
   * A key for the message's advice, for interfaces with better words for the advice. `name-target`:
   * the user should name the target to be covered, in addition to the file.
   */
  readonly advice?: 'name-target';
}

/**
 * All codes of messages with their subjects, in one place: documentation and exports are generated
 * from this list.
 */
export const diagnosticRegistry = {
  FW1001: { severity: 'error', title: 'syntax error' },
  FW1002: { severity: 'error', title: 'unknown name' },
  FW1003: { severity: 'error', title: 'duplicate name' },
  FW1004: { severity: 'error', title: 'empty input' },
  FW1005: { severity: 'error', title: 'not a text file' },
  FW1006: { severity: 'error', title: 'division by zero' },
  FW1007: { severity: 'error', title: 'number outside the 32-bit range' },
  FW1008: { severity: 'error', title: 'index outside the array' },
  FW1009: { severity: 'error', title: 'value outside the domain' },
  FW1010: { severity: 'error', title: 'statement in a wrong place' },
  FW1011: { severity: 'error', title: 'wrong kind of operand' },
  FW1012: { severity: 'error', title: 'not supported by this version' },
  FW1013: { severity: 'error', title: 'file cannot be read' },
  FW1014: { severity: 'info', title: 'more errors than shown' },
  FW1015: { severity: 'error', title: 'not an attack of the program' },
  FW1016: { severity: 'error', title: 'operation that cannot fail without effect' },
  FW1017: { severity: 'info', title: 'settings of a configuration' },
  FW2001: { severity: 'warning', title: 'unreachable label' },
  FW2002: { severity: 'warning', title: 'label without a way out' },
  FW2003: { severity: 'warning', title: 'register read but never written' },
  FW2004: { severity: 'warning', title: 'store to an unknown address' },
  FW2005: { severity: 'info', title: 'directive ignored' },
  FW2006: { severity: 'info', title: 'left out of the converted program' },
  FW2007: { severity: 'warning', title: 'attack ruled out by control flow' },
  FW2008: { severity: 'warning', title: 'abstraction that leaves something out' },
  FW2009: { severity: 'warning', title: 'access that no execution runs' },
  FW2010: { severity: 'warning', title: 'thread that never reaches its end' },
  FW2011: { severity: 'info', title: 'property that looks at memory while stores wait' },
  FW2012: { severity: 'warning', title: 'procedure that nothing runs' },
  FW2013: { severity: 'warning', title: 'event without an instance' },
  FW2014: { severity: 'warning', title: 'access that races with a task of its own' },
  FW2015: { severity: 'warning', title: 'call that never returns' },
  FW3001: { severity: 'error', title: 'arithmetic overflow during execution' },
  FW3002: { severity: 'error', title: 'division by zero during execution' },
  FW3003: { severity: 'error', title: 'stored value leaves the domain' },
  FW3004: {
    severity: 'error',
    title: 'index leaves the array during execution',
  },
  FW3005: { severity: 'error', title: 'unbounded choice' },
  FW3007: { severity: 'error', title: 'address beyond the cells of the engine' },
  FW3008: { severity: 'error', title: 'execution that C leaves undefined or C++ ends' },
  FW3009: { severity: 'error', title: 'execution beyond the model' },
  FW3010: { severity: 'warning', title: 'data race' },
  FW3011: { severity: 'warning', title: 'use of freed memory' },
  FW4001: { severity: 'error', title: 'a program that the engine needs is missing' },
  FW4002: { severity: 'error', title: 'a program that the engine needs has failed' },
  FW5001: { severity: 'error', title: 'error that clang reports' },
  FW5002: { severity: 'warning', title: 'warning of clang' },
  FW5003: { severity: 'error', title: 'clang is missing, or cannot be used' },
  FW5004: { severity: 'info', title: 'what a result about C is about' },
  FW5005: { severity: 'info', title: 'the end of main is left out' },
  FW5007: { severity: 'warning', title: 'heavy fence that does nothing' },
  FW5008: { severity: 'info', title: 'result of a heavy fence is ignored' },
  FW5009: { severity: 'warning', title: 'light side without a compiler barrier' },
  FW5010: { severity: 'error', title: 'edit that the compiler rejects' },
} as const satisfies Record<string, { severity: Severity; title: string }>;

export type DiagnosticCode = keyof typeof diagnosticRegistry;

/** Makes a message with the severity that belongs to its code. */
export function make(
  code: DiagnosticCode,
  span: Span | undefined,
  message: string,
  hint?: string,
): Diagnostic {
  const { severity } = diagnosticRegistry[code];
  return { code, severity, ...(span && { span }), message, ...(hint !== undefined && { hint }) };
}

export function syntaxError(span: Span, message: string, hint?: string): Diagnostic {
  return make('FW1001', span, message, hint);
}

/**
 * Reports an unknown name; `what` is the kind of the missing name ("label"). The hint is the
 * nearest of `candidates`, or `otherwise` if none is near.
 */
export function unknownName(
  span: Span,
  what: string,
  name: string,
  candidates: Iterable<string>,
  otherwise = what.startsWith('label')
    ? `write '${name}:' before the statement that is meant`
    : `declare the ${what} first`,
): Diagnostic {
  const nearest = nearestName(name, candidates);
  return make(
    'FW1002',
    span,
    `no ${what} is named '${name}'`,
    nearest === undefined ? otherwise : `did you mean '${nearest}'?`,
  );
}

export function duplicateName(span: Span, what: string, name: string, first?: Span): Diagnostic {
  return make(
    'FW1003',
    span,
    `${what} '${name}' is declared twice`,
    first
      ? `first declared in line ${first.start.line + 1}; rename one of them`
      : 'rename one of them',
  );
}

/** Reports an empty file; `expected` is the hint: the minimum content of a file in the format. */
export function emptyInput(expected: string): Diagnostic {
  return make('FW1004', undefined, 'the input is empty', expected);
}

/**
 * Reports an input that is not a text in UTF-8; `encoding` is the encoding that it seems to have,
 * by the name that `iconv` gives it.
 */
export function notText(encoding?: string): Diagnostic {
  return encoding === undefined
    ? make('FW1005', undefined, 'the input is not a text file', 'give a program as UTF-8 text')
    : make(
        'FW1005',
        undefined,
        `the text is not UTF-8, but ${encoding} as it seems`,
        `convert it: iconv -f ${encoding} -t UTF-8`,
      );
}

export function constantDivisionByZero(span: Span): Diagnostic {
  return make('FW1006', span, 'division by zero', 'the divisor is the constant 0');
}

export function numberTooLarge(span: Span, text: string): Diagnostic {
  return make('FW1007', span, `${text} does not fit in 32 bits`, 'use -2147483648 to 2147483647');
}

/** Reports a number that does not fit in 64 bits. */
export function wideNumberTooLarge(span: Span, text: string): Diagnostic {
  return make('FW1007', span, `${text} does not fit in 64 bits`, 'use -2^63 to 2^63 - 1');
}

export function wideNumberWithoutCode(span: Span, text: string): Diagnostic {
  return make(
    'FW1007',
    span,
    `${text} is one of the few 64-bit numbers that cannot be represented`,
    'use another',
  );
}

export function indexOutOfBounds(
  span: Span,
  name: string,
  index: number,
  length: number,
): Diagnostic {
  return make(
    'FW1008',
    span,
    `index ${index} is outside '${name}'`,
    `'${name}' has ${countOf(length, 'cell')}, numbered from 0`,
  );
}

export function outsideDomain(span: Span, value: number, low: number, high: number): Diagnostic {
  return make(
    'FW1009',
    span,
    `${value} lies outside the domain ${low}..${high}`,
    'widen the domain',
  );
}

export function misplaced(span: Span, message: string, hint?: string): Diagnostic {
  return make('FW1010', span, message, hint);
}

export function wrongOperand(span: Span, message: string, hint?: string): Diagnostic {
  return make('FW1011', span, message, hint);
}

/** Reports a weak form of an operation that has none; `name` is the operation without `weak_`. */
export function cannotBeWeak(span: Span, name: string): Diagnostic {
  return make(
    'FW1016',
    span,
    `${name} cannot be weak: the operation never fails and returns the value of the cell`,
    'only cas (giving 0) and xchg (giving the value to be stored) may fail without effect',
  );
}

export function notSupported(span: Span | undefined, message: string, hint?: string): Diagnostic {
  return make('FW1012', span, message, hint);
}

/** Reports brackets nested too deeply; `span` is the first bracket beyond the limit, if known. */
export function nestedTooDeeply(span?: Span): Diagnostic {
  const hint = 'split the expression or statement: use registers or labels';
  return notSupported(span, 'the program is nested too deeply', hint);
}

export function unreadableFile(message: string, hint?: string): Diagnostic {
  return make('FW1013', undefined, message, hint);
}

export function moreErrors(count: number): Diagnostic {
  return make(
    'FW1014',
    undefined,
    `${countOf(count, 'more error')} ${count === 1 ? 'is' : 'are'} not shown`,
    'mend the first ones and run again',
  );
}

export function unreachableLabel(
  span: Span | undefined,
  thread: string,
  label: string,
): Diagnostic {
  return make(
    'FW2001',
    span,
    `label '${label}' of thread '${thread}' cannot be reached`,
    'check the spelling of the labels that should lead here',
  );
}

export function labelWithoutWayOut(
  span: Span | undefined,
  thread: string,
  label: string,
): Diagnostic {
  return make(
    'FW2002',
    span,
    `thread '${thread}' ends at label '${label}', before its last instruction`,
    'if the thread should go on there, an instruction for this label is missing',
  );
}

export function readNeverWritten(
  span: Span | undefined,
  thread: string,
  register: string,
): Diagnostic {
  return make(
    'FW2003',
    span,
    `register '${register}' of thread '${thread}' is read but never written`,
    'the register is always 0 here',
  );
}

export function unknownStoreAddress(span: Span | undefined, thread: string): Diagnostic {
  return make(
    'FW2004',
    span,
    `this store of thread '${thread}' goes to an address that is known only when the store executes`,
    'the access may reach any cell; make sure that this is intended',
  );
}

/**
 * Reports a read abstraction that does not allow all values that a load could read; the abstraction
 * reads `cell` and sets `register`.
 */
export function unsoundGuess(span: Span | undefined, register: string, cell: string): Diagnostic {
  return make(
    'FW2008',
    span,
    `this condition of havoc excludes values that '${register} = ${cell}' could read, so nothing is proved with this condition`,
    `allow every value of the cell: havoc ${register} with ${register} == ${cell} || ...`,
  );
}

/**
 * Reports accesses that no execution runs: `access` is the first, `others` the number of the rest.
 */
export function neverRuns(
  span: Span | undefined,
  thread: string,
  access: string,
  others: number,
): Diagnostic {
  const more = others === 0 ? '' : `, nor ${others} more of its accesses`;
  return make(
    'FW2009',
    span,
    `no execution runs '${access}' of thread '${thread}'${more}`,
    'this code never runs, so nothing was checked about it: see what the thread waits for before this line, or which assertion it never passes',
  );
}

export function neverEnds(span: Span | undefined, thread: string): Diagnostic {
  return make(
    'FW2010',
    span,
    `thread '${thread}' has an end, and no execution reaches it`,
    'see what the thread waits for, or which assertion it never passes; a thread that runs for ever on purpose needs no end',
  );
}

export function looksBesideBuffers(span: Span | undefined, name: string): Diagnostic {
  return make(
    'FW2011',
    span,
    `property '${name}' looks at threads and at memory at once: under TSO, stores of these threads may still wait in their buffers`,
    'to look only at states without waiting stores of a thread t, add drained(t)',
  );
}

export function procedureNeverRuns(span: Span | undefined, name: string): Diagnostic {
  return make(
    'FW2012',
    span,
    `nothing runs the procedure '${name}'`,
    'call the procedure, post it with async[any], or remove it',
  );
}

export function eventWithoutInstance(span: Span | undefined, name: string): Diagnostic {
  return make(
    'FW2013',
    span,
    `the event '${name}' has no instance`,
    `name the event after 'events': ${name}(...), or ${name}(...) * for any number`,
  );
}

/**
 * Reports a race of a task with a task that it has posted: `access` comes after the posting of the
 * task `procedure`.
 */
export function racesWithOwnTask(
  span: Span | undefined,
  access: string,
  procedure: string,
): Diagnostic {
  return make(
    'FW2014',
    span,
    `'${access}' races with the task '${procedure}' posted before: on a single thread, the access always comes first`,
    'post the task after the access',
  );
}

export function neverReturns(span: Span | undefined, name: string): Diagnostic {
  return make(
    'FW2015',
    span,
    `a call of '${name}' never returns: every path of the function calls the function again`,
    'let a branch return before the call',
  );
}

export function ignoredDirective(span: Span, directive: string): Diagnostic {
  return make('FW2005', span, `'${directive}' is ignored`, 'memory needs no declared size');
}

/** Reports an overflow; `what` is the event, as a clause. */
export function overflow(span: Span | undefined, what: string, when: string): Diagnostic {
  return make(
    'FW3001',
    span,
    `${what} here, ${when}`,
    'executions beyond this point were not explored',
  );
}

export function runtimeDivisionByZero(span: Span | undefined, when: string): Diagnostic {
  return make('FW3002', span, `division by zero here, ${when}`, 'guard the division');
}

/**
 * Reports an execution with undefined behaviour in C, or an end by `std::terminate` in C++; `said`
 * is the library's message about the fault.
 */
export function undefinedInC(
  what: 'no-object' | 'no-value' | 'index' | 'trap' | 'terminated',
  span: Span | undefined,
  when: string,
  said = 'std::terminate is called',
): Diagnostic {
  const [message, hint] = {
    'no-object': ['this access is outside of all objects', 'check where the pointer comes from'],
    'no-value': [
      'this access reads uninitialised memory',
      'initialise the memory before other threads see it',
    ],
    index: ['an index leaves its array here', 'enlarge the array or guard the index'],
    trap: ['control reaches code that must never run', 'return a value on every path'],
    terminated: [said, 'C++ ends the program there, as abort does'],
  }[what] as [string, string];
  return make('FW3008', span, `${message}, ${when}`, hint);
}

/**
 * Reports that the model of a program ends although an execution continues; `said` is the message
 * for a limit without a message of its own, and `advice` replaces the usual advice.
 */
export function beyondModel(
  what: ModelLimit,
  span: Span | undefined,
  when: string,
  said = 'the library ends here',
  advice?: string,
): Diagnostic {
  const { message = said, hint: usual } = modelLimits[what];
  const hint = advice ?? usual;
  return make('FW3009', span, `${message}, ${when}`, hint);
}

export function leavesDomain(span: Span | undefined, when: string): Diagnostic {
  return make('FW3003', span, `a stored value leaves the domain here, ${when}`, 'widen the domain');
}

export function leavesArray(span: Span | undefined, when: string): Diagnostic {
  return make(
    'FW3004',
    span,
    `an index leaves its array here, ${when}`,
    'enlarge the array or guard the index',
  );
}

export function unboundedChoice(span: Span | undefined): Diagnostic {
  return make(
    'FW3005',
    span,
    'this choice is unbounded, so the states cannot be listed',
    "give a range: havoc r in 0..3; a 'domain' of few values does the same for all choices",
  );
}

export function farAddress(span: Span | undefined, when: string): Diagnostic {
  return make(
    'FW3007',
    span,
    `an address lies beyond the cells of this engine, ${when}`,
    'the engine has a cell for every address known in advance; the engine search has no such limit',
  );
}

/**
 * Reports that a program is not installed; `debianPackage` is the package with the program, if
 * known.
 */
export function missingProgram(program: string, debianPackage?: string): Diagnostic {
  const install =
    debianPackage === undefined ? '' : `, with 'apt install ${debianPackage}' on Debian and Ubuntu`;
  return make(
    'FW4001',
    undefined,
    `the engine needs '${program}', which is not on the PATH`,
    `install it${install}; or use the engine search, which needs no other program; Z3 is included as WebAssembly`,
  );
}

/** Reports that an external program failed; `output` is the output of the program. */
export function programFailed(program: string, output: string): Diagnostic {
  const words = output === '' ? 'without a message' : `saying: ${output}`;
  return make(
    'FW4002',
    undefined,
    `'${program}' failed, ${words}`,
    'run the program by itself to see whether it works; the engine search needs no other program',
  );
}

/**
 * Reports a part of a program that the target format cannot express, so that the converted program
 * lacks it; `message` names the part.
 */
export function leftOut(span: Span | undefined, message: string, hint: string): Diagnostic {
  return make('FW2006', span, message, hint);
}

/** Reports text that does not have the form of an attack's name; `name` is this text. */
export function malformedAttack(name: string, problem: string): Diagnostic {
  const hint =
    "give the thread and the labels or lines of a store and a load, as in 't1:l0:l1', or 'any'";
  return make('FW1015', undefined, `there is no attack '${name}': ${problem}`, hint);
}

/**
 * Returns a hint that lists the name nearest to the unknown one, or all names; `none` if there are
 * none.
 */
function knownNamesHint(name: string, candidates: readonly string[], none: string): string {
  const nearest = nearestName(name, candidates);
  if (nearest !== undefined) return `did you mean '${nearest}'?`;
  return candidates.length > 0 ? `there is ${candidates.join(', ')}` : none;
}

/**
 * Reports an unknown part in the name of an attack: a thread, or the place of a store or load in
 * `thread`.
 */
export function unknownAttackPart(
  what: 'thread' | 'store' | 'load',
  name: string,
  candidates: readonly string[],
  thread?: string,
): Diagnostic {
  const message =
    what === 'thread'
      ? `no thread is named '${name}'`
      : `thread '${thread}' has no ${what} at a label or line '${name}'`;
  return make('FW1015', undefined, message, knownNamesHint(name, candidates, `it has no ${what}`));
}

/** Reports text that does not have the form of a name for an attack on a program of events. */
export function malformedEventAttack(name: string): Diagnostic {
  const hint =
    "give a procedure or event, and the labels or lines of one of its stores and of the overtaking access, as in 'e:4:6'";
  return make('FW1015', undefined, `'${name}' is not of the form task:store:end`, hint);
}

/**
 * Reports an unknown part in the name of an attack on a program of events; `task` contains the
 * store.
 */
export function unknownEventAttackPart(
  what: 'procedure or event' | 'store' | 'load or posting',
  name: string,
  candidates: readonly string[],
  task?: string,
): Diagnostic {
  const message =
    what === 'procedure or event'
      ? `no ${what} is named '${name}'`
      : `there is no ${what} at a label or line '${name}'${task === undefined ? '' : ` in '${task}'`}`;
  return make(
    'FW1015',
    undefined,
    message,
    knownNamesHint(name, candidates, `there is no ${what}`),
  );
}

export function attackRuledOut(name: string): Diagnostic {
  return make(
    'FW2007',
    undefined,
    `control flow alone rules out the attack '${name}'`,
    'on every path from the store to the load something drains the store buffer: the goal cannot be reached',
  );
}

/**
 * Reports an unknown word, like `unknownName`, for words fixed by the language: if none of `words`
 * is near, the hint is `otherwise`, which lists them by default.
 */
export function unknownWord(
  span: Span,
  what: string,
  name: string,
  words: readonly string[],
  otherwise = `there is ${words.join(', ')}`,
): Diagnostic {
  return unknownName(span, what, name, words, otherwise);
}
