import {
  fenceReport,
  fenceToJson,
  type FencesInText,
  type FenceVerdict,
  quoteName,
  quoteSource,
  type RepairMode,
  type ResultOf,
} from '@fencewright/core';
import { subjectOf } from '../advice-in-words.js';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { changedText, fileFenceFindings, nameInDiff, type Telling } from '../fence-findings.js';
import { diagnosticsOutput, type FileReport } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import { advancedOptions } from '../options/advanced.js';
import { engine, hb, searchOptions, timeoutsOption, timeoutsWish } from '../options/common.js';
import { costOptions, costsOf } from '../options/costs.js';
import {
  choiceOr,
  common,
  conflicting,
  flag,
  rare,
  text,
  texts,
  type ValuesOf,
} from '../options/declare.js';
import { against, eventOptions, eventWishes } from '../options/events.js';
import { isAboutC11, memoryModel, orderTarget } from '../options/memory-model.js';
import { terminalPalette } from '../palette.js';
import { editRefusalInWords } from '../refusal-in-words.js';
import { formatOf, frontEndOf, needsCompiler } from '../formats.js';
import { fileVerb } from '../file-verb.js';
import type { RunSettings } from '../run-settings.js';
import { noCertificate, whyNoProof } from '../certificate-report.js';
import { type ReadText, writeWhole } from '../write-whole.js';

const options = {
  ...searchOptions,
  maxStates: rare(searchOptions.maxStates),
  effort: rare(searchOptions.effort),
  engine: rare(engine),
  hb,
  against,
  timeouts: timeoutsOption,
  ...eventOptions,
  ...costOptions(
    'the cost to minimise: the number of fences (size), their executions in random runs (profile), or costs by label' +
      ' in a JSON file: {"l1": 5, "t2:l3": 2, "default": 1} (default: size)',
  ),
  repair: common(
    choiceOr<'fence' | 'xchg' | 'asymmetric' | 'any'>(
      '--repair <kind>',
      'the repairs: fences, locked exchanges in place of stores, fences and heavy fences (asymmetric), or any of them',
      ['fence', 'xchg', 'asymmetric', 'any'],
      'fence',
    ),
  ),
  minimise: common(
    conflicting(flag('--minimise', 'find the fences that can be removed'), 'repair'),
  ),
  lockedStores: flag(
    '--locked-stores',
    'with --minimise: exchanges whose result is unused may become stores',
  ),
  for: common(
    texts(
      '--for <property>',
      'repair this property under TSO, in place of robustness; may be repeated. assertions: all assertions hold, also with --model c11. progress: no thread waits for ever that does not under SC. states: progress, and the program comes to rest in the same states as under SC. final-states: the program ends in the same states as under SC',
    ),
  ),
  output: common(text('-o, --output <file>', 'file for the program with the fences; - is stdout')),
  write: common(
    conflicting(flag('--write', 'replace the file by the program with the fences'), 'output'),
  ),
  certificate: common(text('--certificate <file>', 'file for the proof, for verify-certificate')),
  model: rare(memoryModel),
  target: orderTarget,
  without: advancedOptions.without,
};

type FenceValues = ValuesOf<typeof options>;

/** Returns the goals that are not supported with --model c11. */
function foreignGoals({ for: goals = [] }: FenceValues): readonly string[] {
  return goals.filter((goal) => goal !== 'assertions');
}

/**
 * Returns the complaint about a given option that is not supported with, or without, --model c11;
 * `undefined` if there is none.
 */
function refusedBesidesModel(values: FenceValues): string | undefined {
  if (!isAboutC11(values.model)) {
    if (values.minimise && values.for)
      return "'--minimise' cannot be used with option '--for <property>' unless --model c11 is given";
    return values.target === undefined ? undefined : '--target needs --model c11';
  }
  const [goal] = foreignGoals(values);
  if (goal !== undefined)
    return `--for ${goal} is for --model tso: write --for assertions, or ask for robustness without --for`;
  const given = [
    values.certificate !== undefined && '--certificate',
    values.repair !== 'fence' && '--repair',
    values.lockedStores && '--locked-stores',
    values.hb === 'value' && '--hb',
    values.engine !== 'search' && '--engine',
    values.without && '--without',
  ].find((name) => name);
  return given ? `${given} is for --model tso` : undefined;
}

/**
 * Returns the subject of the report. If `--write` has put fences into the file, the advised command
 * that asks what fails without fences says that the change has to be taken back first.
 */
function afterWriting<S extends ReturnType<typeof subjectOf>>(
  subject: S,
  { write }: FenceValues,
  text: string | undefined,
): S {
  const { advise } = subject;
  if (!write || text === undefined) return subject;
  return {
    ...subject,
    advise: (advice: Parameters<NonNullable<typeof advise>>[0]) =>
      advise?.(advice.kind === 'ask-for-need' ? { ...advice, isWritten: true } : advice),
  };
}

/**
 * Returns the complaint about an option that only the engine `search` supports; `undefined` if
 * there is none.
 */
function refusedBesidesEngine(values: FenceValues): string | undefined {
  if (values.engine === 'search') return undefined;
  const given = [
    values.repair !== 'fence' && `--repair ${values.repair}`,
    values.minimise && '--minimise',
    values.for && '--for',
    values.hb === 'value' && '--hb value',
    values.without && '--without',
  ].find((name) => name);
  return given ? `${given} is for --engine search` : undefined;
}

function complaint(values: FenceValues, files: readonly string[]): string | undefined {
  const refused = refusedBesidesModel(values) ?? refusedBesidesEngine(values);
  if (refused !== undefined) return refused;
  if (files.length > 1 && values.output !== undefined)
    return '-o names one file to write: --write puts the fences of several into each';
  if (files.length > 1 && values.certificate !== undefined)
    return '--certificate names one file to write: ask about one program at a time';
  return files.map((file) => complaintAbout(values, file)).find((one) => one !== undefined);
}

/** Returns the error in the options for one of the files; `undefined` if there is none. */
function complaintAbout(values: FenceValues, file: string): string | undefined {
  if (values.lockedStores && !values.minimise) return '--locked-stores needs --minimise';
  if (values.write && file === '-') return '--write cannot write to standard input: use -o';
  const format = values.from ?? formatOf(file);
  if ((values.write || values.output !== undefined) && format && !frontEndOf(format).edit)
    return 'fences are found for LLVM IR but cannot be written into the file: insert the fences by hand at the lines in the report';
  if (values.hb === 'value') {
    if (values.for) return '--hb value is about robustness, which --for does not ask for';
    if (values.repair !== 'fence' || values.lockedStores)
      return '--hb value goes with fences only: a value that an exchange reads counts, so an exchange in place of a store may do harm';
  }
  if (values.json && values.output === '-') return '--json and -o - cannot share standard output';
  return undefined;
}

const modeOf = ({ repair, minimise, lockedStores }: FenceValues): RepairMode =>
  minimise ? (lockedStores ? 'minimise-locked' : 'minimise') : repair;

const exitCodeOf: Readonly<Record<FenceVerdict['kind'], ExitCode>> = {
  found: exitCodes.robust,
  impossible: exitCodes.notRobust,
  'property-fails': exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

/** The parts of an answer that go to output files. */
interface WrittenFences {
  readonly fences: Pick<FencesInText, 'text' | 'refusal'>;
}

/** Returns words on the uses of a file that a program links or includes. */
function whoElseHas(file: string): string {
  const isLinked = needsCompiler(formatOf(file) ?? 'native');
  return isLinked ? 'is linked to the program' : 'may be included by other programs, too';
}

/** Returns the sentence that the text of `read` with the change is in the file `output`. */
function changedIn(output: string, { file }: ReadText, other: boolean): string {
  if (output !== file)
    return `${other ? `the text of ${quoteSource(file)} with the change` : 'the program'} is in ${quoteName(output)}`;
  return other
    ? `the change is written into ${quoteSource(file)}, which ${whoElseHas(file)}`
    : `the change is written into ${quoteName(file)}`;
}

/**
 * Writes the output files that the user named; returns a line about each file written, and the
 * error messages.
 */
async function writeFiles(
  {
    fences,
    certificate: made,
  }: Pick<ResultOf<'fence' | 'event-fence'>, 'certificate'> & WrittenFences,
  {
    output,
    certificate,
  }: { readonly output: string | undefined; readonly certificate: string | undefined },
  read: ReadText,
  mark: string,
  isOther: boolean,
): Promise<{ readonly done: string[]; readonly failed: string[] }> {
  const files: [done: string, file: string, text: string | undefined][] = [];
  if (output !== undefined && output !== '-') {
    const text = fences.text === undefined ? undefined : mark + fences.text;
    files.push([changedIn(output, read, isOther), output, text]);
  }
  if (certificate !== undefined) {
    const text = made && `${JSON.stringify(made, null, 1)}\n`;
    files.push([`the certificate is in ${quoteName(certificate)}`, certificate, text]);
  }
  const done: string[] = [];
  const failed: string[] = [];
  for (const [sentence, file, text] of files) {
    if (text === undefined) continue;
    const failure = await writeWhole(file, text, read);
    if (failure !== undefined) failed.push(failure);
    else if (file === read.file && text === read.text) done.push(`${quoteName(file)} is unchanged`);
    else done.push(sentence);
  }
  return { done, failed };
}

/**
 * Returns the reason for a missing certificate, if the user asked for a certificate and fences were
 * found; otherwise an empty list.
 */
function missingCertificate(
  { fences, certificate, uncertified }: ResultOf<'fence'>,
  file: string | undefined,
): string[] {
  if (file === undefined || fences.result.verdict.kind !== 'found' || certificate) return [];
  return [noCertificate(file, whyNoProof(uncertified))];
}

async function reportOnFences(
  given: ReadFile,
  answer: Pick<ResultOf<'fence' | 'event-fence'>, 'certificate'> & {
    readonly fences: WrittenFences['fences'] & {
      readonly result: Pick<FencesInText['result'], 'diagnostics'>;
    };
  },
  run: RunSettings,
  values: FenceValues,
  { kind, missing, report, json }: Telling,
): Promise<FileReport> {
  const { fences } = answer;
  const { file, source, byteOrderMark: mark = '' } = changedText(given);
  const output = values.write ? file : values.output;
  const refusals = fences.refusal ? editRefusalInWords(fences.refusal) : [];
  const { certificate } = values;
  const read = { file, text: mark + source };
  const isOther = given.other !== undefined;
  const { done, failed } = await writeFiles(answer, { output, certificate }, read, mark, isOther);
  if (isOther && output !== file)
    done.push(`the change concerns ${quoteSource(file)}, which ${whoElseHas(file)}`);
  if (values.write && certificate !== undefined && answer.certificate && fences.text !== undefined)
    done.push(
      `the certificate is about ${quoteName(file)} before the change: to check it against the text, keep a copy of that text`,
    );
  const isOwnFault = fences.refusal?.kind === 'rejected';
  const codes = [
    exitCodeOf[kind],
    ...(refusals.length > 0 ? [isOwnFault ? exitCodes.internal : exitCodes.input] : []),
    ...(failed.length > 0 ? [exitCodes.usage] : []),
    ...(missing.length > 0 ? [exitCodes.unknown] : []),
  ];
  const isPiped = output === '-';
  const palette = terminalPalette(isPiped ? run.colours.stderr : run.colours.stdout);
  const notes = done.length > 0 ? `\n${done.join('\n')}\n` : '';
  const shown = report(palette) + notes;
  const errors =
    diagnosticsOutput(given, [...fences.result.diagnostics, ...refusals], run) +
    [...failed, ...missing].join('');
  return {
    exitCode: worstOf(codes),
    stdout: isPiped ? (fences.text === undefined ? '' : mark + fences.text) : shown,
    stderr: isPiped ? errors + shown : errors,
    json: json([...given.diagnostics, ...refusals]),
  };
}

/**
 * The verb `fence`: finds a cheapest set of fences, and puts the fences into the program's text.
 */
export const fenceVerb = fileVerb<typeof options, 'fence' | 'event-fence' | 'orders'>({
  name: 'fence',
  options,
  examples: [
    ['fencewright fence lock.c', 'shows the cheapest fences as a diff'],
    ['fencewright fence --minimise --write lock.c', 'removes the fences that are not needed'],
    ['fencewright fence --model c11 queue.fw', 'shows the cheapest memory orders as a diff'],
    [
      'fencewright fence --model c11 --for assertions queue.c',
      'those with which its assertions hold',
    ],
  ],
  complaint,
  request: (values) => {
    const { costs, costsFile } = costsOf(values);
    const { model, target } = values;
    if (isAboutC11(model))
      return {
        question: {
          ...{ kind: 'orders', model, change: values.minimise ? 'lower' : 'raise' },
          ...(target && { target }),
          ...(values.for && { goal: 'assertions' }),
          ...(costs && { costs }),
        },
        ...(costsFile !== undefined && { costsFile }),
      };
    return {
      question: {
        kind: 'fence',
        ...(costs && { costs }),
        ...timeoutsWish(values),
        ...eventWishes(values),
        happensBefore: values.hb,
        engine: values.engine,
        mode: modeOf(values),
        ...(values.for && { properties: values.for }),
        certify: values.certificate !== undefined,
        ...(values.without && { without: values.without }),
      },
      ...(costsFile !== undefined && { costsFile }),
    };
  },
  print: async (given, answer, run, values) => {
    if (answer.kind === 'orders') {
      const { ordersTelling } = await import('../orders-outcome.js');
      const written = { fences: answer.orders };
      return reportOnFences(given, written, run, values, ordersTelling(given, answer, values));
    }
    if (answer.kind === 'event-fence') {
      const { about, fences } = answer;
      const { eventFenceFindings, eventFenceReport, eventFenceToJson } =
        await import('@fencewright/core/events');
      const { eventSubjectOf } = await import('../event-outcome.js');
      const findings = eventFenceFindings(given.source, fences, nameInDiff(given.file));
      return reportOnFences(given, answer, run, values, {
        kind: fences.result.verdict.kind,
        missing:
          answer.uncertified === undefined || values.certificate === undefined
            ? []
            : [
                noCertificate(
                  values.certificate,
                  'certificates know no events that wait for a place',
                ),
              ],
        report: (palette) => eventFenceReport(eventSubjectOf(given, about), findings, palette),
        json: (diagnostics) => eventFenceToJson(given.file, about, findings, diagnostics),
      });
    }
    const { about, fences } = answer;
    const findings = fileFenceFindings(given, fences);
    return reportOnFences(given, answer, run, values, {
      kind: fences.result.verdict.kind,
      missing: missingCertificate(answer, values.certificate),
      report: (palette) =>
        fenceReport(
          afterWriting(subjectOf(given, about, values), values, fences.text),
          findings,
          palette,
        ),
      json: (diagnostics) => fenceToJson(given.file, about, findings, diagnostics),
    });
  },
});
