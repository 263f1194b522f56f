import {
  type Diagnostic,
  duplicateName,
  nearestName,
  type Span,
  unknownName,
  wrongOperand,
} from '@fencewright/core';
import {
  type LocatedJson,
  type LocatedMember,
  parseLocatedJson,
  plainJson,
} from './located-json.js';
import { type ConfigurationFile, configurationRule, type ValueRule } from './schema.js';

const article = { object: 'an object', array: 'an array', integer: 'a whole number' } as const;

/** Returns in words the values that a rule of the configuration allows. */
function expected(rule: ValueRule): string {
  switch (rule.type) {
    case 'integer':
      return `${article.integer} from ${rule.minimum} on`;
    case 'number':
      return `a number above ${rule.exclusiveMinimum}`;
    case 'string':
      return rule.enum ? `one of ${rule.enum.join(', ')}` : 'a text that is not empty';
    default:
      return article[rule.type];
  }
}

function wrongValue(span: Span, place: string, rule: ValueRule, given?: string): Diagnostic {
  const nearest =
    given !== undefined && rule.type === 'string' && rule.enum
      ? nearestName(given, rule.enum)
      : undefined;
  const hint = nearest === undefined ? undefined : `did you mean '${nearest}'?`;
  return wrongOperand(span, `${place} has to be ${expected(rule)}`, hint);
}

function checkScalar(value: string | number | boolean | null, rule: ValueRule): boolean {
  switch (rule.type) {
    case 'integer':
      return (
        typeof value === 'number' &&
        Number.isInteger(value) &&
        value >= rule.minimum &&
        value <= rule.maximum
      );
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && value > rule.exclusiveMinimum;
    case 'string':
      return (
        typeof value === 'string' &&
        (rule.enum?.includes(value) ?? true) &&
        value.length >= (rule.minLength ?? 0)
      );
    default:
      return false;
  }
}

function checkMembers(
  members: readonly LocatedMember[],
  rule: Extract<ValueRule, { type: 'object' }>,
  place: string,
  whole: Span,
): Diagnostic[] {
  const seen = new Map<string, Span>();
  const { required = [] } = 'properties' in rule ? rule : {};
  const absent = required.filter((name) => !members.some(({ key }) => key === name));
  const missing = absent.map((name) => wrongOperand(whole, `${place} needs '${name}'`));
  const wrong = members.flatMap(({ key, keySpan, value }): Diagnostic[] => {
    const first = seen.get(key);
    if (first) return [duplicateName(keySpan, 'key', key, first)];
    seen.set(key, keySpan);
    if (!('properties' in rule)) {
      if (new RegExp(rule.propertyNames.pattern, 'u').test(key))
        return checkValue(value, rule.additionalProperties, `'${key}'`);
      return [wrongOperand(keySpan, `'${key}' is no extension`, 'write one with its dot: ".lit"')];
    }
    const { properties } = rule;
    if (Object.hasOwn(properties, key)) return checkValue(value, properties[key]!, `'${key}'`);
    const names = Object.keys(properties);
    return [unknownName(keySpan, 'key', key, names, `${place} has ${names.join(', ')}`)];
  });
  return [...missing, ...wrong];
}

function checkValue(located: LocatedJson, rule: ValueRule, place: string): Diagnostic[] {
  if (located.kind === 'object' && rule.type === 'object')
    return checkMembers(located.members, rule, place, located.span);
  if (located.kind === 'array' && rule.type === 'array')
    return located.items.flatMap((item) => checkValue(item, rule.items, `each item of ${place}`));
  if (located.kind === 'scalar' && checkScalar(located.value, rule)) {
    const complaint = rule.complaint?.(String(located.value));
    return complaint === undefined ? [] : [wrongOperand(located.span, `${place}: ${complaint}`)];
  }
  const given =
    located.kind === 'scalar' && typeof located.value === 'string' ? located.value : undefined;
  return [wrongValue(located.span, place, rule, given)];
}

/** Parses and checks a configuration; returns all errors if there are any. */
export function readConfiguration(
  text: string,
): { readonly configuration: ConfigurationFile } | { readonly diagnostics: readonly Diagnostic[] } {
  const parsed = parseLocatedJson(text);
  if ('error' in parsed) return { diagnostics: [parsed.error] };
  const diagnostics = checkValue(parsed.value, configurationRule, 'the configuration');
  return diagnostics.length > 0
    ? { diagnostics }
    : { configuration: plainJson(parsed.value) as ConfigurationFile };
}
