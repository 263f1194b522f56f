import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { labelCosts, type PricedText, sizeCosts } from '@fencewright/repairs/fences/cost-models.js';
import { profileCosts } from '@fencewright/repairs/fences/profile.js';
import type { CostModel } from '@fencewright/repairs/fences/repair-problem.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  type Diagnostic,
  unknownName,
  unreadableFile,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import { nearestName } from '@fencewright/ground/source/nearest-name.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';

/** A choice of the cost model, as plain data. */
export type CostChoice =
  | { readonly kind: 'size' }
  /** The cost of a repair is the number of times that random runs execute its location. */
  | { readonly kind: 'profile'; readonly seed: number; readonly runs: number }
  /** Costs by label, in a JSON document. */
  | { readonly kind: 'text'; readonly text: string };

/**
 * Returns the name of a cost model for results and certificates. The name determines the costs,
 * except `file`, which also needs the document.
 */
export function costName(choice: CostChoice): string {
  switch (choice.kind) {
    case 'size':
      return 'size';
    case 'profile':
      return `profile (seed ${choice.seed}, runs ${choice.runs})`;
    case 'text':
      return 'file';
  }
}

/**
 * Returns the cost choice for a name; `undefined` for `file`, whose costs are in a document, and
 * for unknown names.
 */
export function choiceNamed(
  name: string,
): Exclude<CostChoice, { readonly kind: 'text' }> | undefined {
  if (name === 'size') return { kind: 'size' };
  const [, seed, runs] = /^profile \(seed (\d{1,15}), runs (\d{1,9})\)$/.exec(name) ?? [];
  return seed === undefined || runs === undefined
    ? undefined
    : { kind: 'profile', seed: Number(seed), runs: Number(runs) };
}

/** The costs, an error in the cost document, or the limit that ended the random runs. */
export type CostsRead =
  | { readonly kind: 'costs'; readonly costs: CostModel }
  | { readonly kind: 'unknown'; readonly name: string; readonly reason: UnknownReason }
  | {
      readonly kind: 'failure';
      readonly text: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** The key of a cost file for all labels without a key. */
const defaultKey = 'default';
/** The key of a cost file for exchanges at all labels without a key. */
const exchangeDefaultKey = 'xchg:default';
/** The key of a cost file for heavy fences at all labels without a key. */
const heavyDefaultKey = 'heavy:default';
/** The keys of a cost file that name no label. */
const defaultKeys: readonly string[] = [defaultKey, exchangeDefaultKey, heavyDefaultKey];

/**
 * Returns the position of a key in the text of a JSON file. A key that the file writes with escapes
 * is not found; the result is then the start of the file.
 */
function spanOfKey(text: string, key: string): Span {
  const quoted = JSON.stringify(key);
  const at = text.indexOf(quoted);
  if (at < 0) return { start: { line: 0, column: 0 }, end: { line: 0, column: 1 } };
  const lines = text.slice(0, at).split('\n');
  const start = { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
  return { start, end: { line: start.line, column: start.column + quoted.length } };
}

/**
 * Returns all names for labels that a cost file may use. A thread with several copies has one name,
 * as a fence in its text is one for all copies.
 */
function labelNames({ threads }: PricedText): ReadonlySet<string> {
  return new Set(
    threads.flatMap(({ name, copy, locations }) =>
      locations
        .flatMap((location) => [location.name, `${copy?.template ?? name}:${location.name}`])
        .flatMap((label) => [label, `xchg:${label}`, `heavy:${label}`]),
    ),
  );
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(text: string): { readonly object: JsonObject } | { readonly error: string } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { object: value as JsonObject }
      : { error: 'costs have to be a JSON object' };
  } catch (error) {
    return { error: `this is not JSON: ${(error as Error).message}` };
  }
}

function unknownLabel(span: Span, key: string, names: ReadonlySet<string>): Diagnostic {
  const diagnostic = unknownName(span, 'label', key, names);
  if (nearestName(key, names) !== undefined) return diagnostic;
  return {
    ...diagnostic,
    hint: 'write "label" or "thread:label", as the JSON of a check names them',
  };
}

/**
 * Reads costs by label. Keys are `label`, `thread:label`, or `default` for labels not named; the
 * prefixes `xchg:` and `heavy:` restrict a key to exchanges and heavy fences.
 */
function parseCosts(
  text: string,
  program: PricedText,
): { readonly costs: ReadonlyMap<string, number> } | { readonly diagnostics: Diagnostic[] } {
  const parsed = parseObject(text);
  if ('error' in parsed) {
    const hint = 'write an object of costs: {"l1": 5, "t2:l3": 2.5, "default": 1}';
    return { diagnostics: [unreadableFile(parsed.error, hint)] };
  }
  const names = labelNames(program);
  const costs = new Map<string, number>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, cost] of Object.entries(parsed.object)) {
    const span = spanOfKey(text, key);
    if (!defaultKeys.includes(key) && !names.has(key))
      diagnostics.push(unknownLabel(span, key, names));
    else if (typeof cost !== 'number')
      diagnostics.push(
        wrongOperand(span, `the cost of label '${key}' is not a number`, 'write a positive number'),
      );
    else if (!(cost > 0) || !Number.isFinite(cost))
      diagnostics.push(
        wrongOperand(span, `label '${key}' cannot cost ${cost}`, 'write a positive number'),
      );
    else costs.set(key, cost);
  }
  return diagnostics.length > 0 ? { diagnostics } : { costs };
}

/** Returns the costs by label in a document, or the errors in the document. */
export function readCosts(
  text: string,
  program: PricedText,
): Exclude<CostsRead, { kind: 'unknown' }> {
  const parsed = parseCosts(text, program);
  if ('diagnostics' in parsed) return { kind: 'failure', text, ...parsed };
  const { costs } = parsed;
  const byDefault = costs.get(defaultKey);
  const general =
    byDefault === undefined
      ? sizeCosts(program)
      : { name: 'default', fence: () => byDefault, xchg: () => byDefault };
  const ofExchange = costs.get(exchangeDefaultKey);
  const ofHeavy = costs.get(heavyDefaultKey);
  const otherwise: CostModel = {
    ...general,
    ...(ofExchange !== undefined && { xchg: () => ofExchange }),
    ...(ofHeavy !== undefined && { heavy: () => ofHeavy }),
  };
  const byLabel = new Map([...costs].filter(([key]) => !defaultKeys.includes(key)));
  return { kind: 'costs', costs: labelCosts(program, byLabel, otherwise) };
}

/** Returns the costs of a program's repairs in the chosen cost model. */
export async function costModelOf(
  choice: CostChoice,
  program: Program,
  limits: Limits,
): Promise<CostsRead> {
  switch (choice.kind) {
    case 'size':
      return { kind: 'costs', costs: sizeCosts(program) };
    case 'profile': {
      const name = costName(choice);
      const costs = await profileCosts(program, choice, new Budget(limits));
      if (typeof costs === 'string') return { kind: 'unknown', name, reason: costs };
      return { kind: 'costs', costs: { ...costs, name } };
    }
    case 'text':
      return readCosts(choice.text, program);
  }
}
