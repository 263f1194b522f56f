import { exitCodes } from '../exit-codes.js';
import { type BatchResult, mapTexts } from './job-result.js';

const codes: readonly unknown[] = Object.values(exitCodes);

type Validator = (value: unknown) => boolean;

const isText: Validator = (value) => typeof value === 'string';
const isNumber: Validator = (value) => typeof value === 'number' && Number.isFinite(value);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf =
  (check: Validator): Validator =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isAbsentOr =
  (check: Validator): Validator =>
  (value) =>
    value === undefined || check(value);

const isDiagnostic: Validator = (value) =>
  isRecord(value) && isText(value.message) && isAbsentOr(isText)(value.severity);

/**
 * Functions that check the members of a result used by reports, by name. All further members are
 * written unchanged.
 */
const members: Readonly<Record<string, Validator>> = {
  file: isText,
  program: isAbsentOr(isText),
  verdict: isAbsentOr(isText),
  outcome: isAbsentOr(isText),
  reason: isAbsentOr(isText),
  detail: isAbsentOr(isText),
  cause: isAbsentOr(isText),
  diagnostics: isAbsentOr(isListOf(isDiagnostic)),
  stats: isAbsentOr(
    (value) =>
      isRecord(value) &&
      ['states', 'milliseconds'].every((name) => isAbsentOr(isNumber)(value[name])),
  ),
  seeds: isAbsentOr((value) => isRecord(value) && Object.values(value).every(isListOf(isNumber))),
};

function isShaped(data: unknown): data is BatchResult {
  if (!isRecord(data) || !codes.includes(data.exitCode)) return false;
  const { json, ci } = data;
  return (
    isRecord(json) &&
    Object.entries(members).every(([name, check]) => check(json[name])) &&
    isAbsentOr((value) => isRecord(value) && isRecord(value.sarif) && isRecord(value.junit))(ci)
  );
}

/** Matches characters that act as terminal commands. */
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * Returns data, possibly written by others, as a result, without characters that act as terminal
 * commands; `undefined` if the data does not have the form of a result.
 */
export function soundResult(data: unknown): BatchResult | undefined {
  if (!isShaped(data)) return undefined;
  return mapTexts(data, (text) => text.replaceAll(controls, '\ufffd'));
}
