import type { ResultOf } from '@fencewright/core';
import { ordersFindings, ordersReport, ordersToJson } from '@fencewright/core/c11';
import { subjectOf } from './advice-in-words.js';
import { changedText, nameInDiff, type Telling } from './fence-findings.js';
import type { ReadFile } from './finding.js';
import type { CValues } from './repeated-arguments.js';

/** Returns the report on the cheapest memory orders of a file's program. */
export function ordersTelling(
  given: ReadFile,
  { about, orders }: ResultOf<'orders'>,
  values: CValues,
): Telling {
  const { file, source } = changedText(given);
  const found = ordersFindings(source, orders, nameInDiff(file));
  const findings = given.other ? { ...found, changed: file } : found;
  return {
    kind: orders.result.verdict.kind,
    missing: [],
    report: (palette) => ordersReport(subjectOf(given, about, values), findings, palette),
    json: (diagnostics) => ordersToJson(given.file, about, findings, diagnostics),
  };
}
