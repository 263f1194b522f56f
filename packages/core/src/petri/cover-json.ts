import type { Configuration, Run } from './counter-system.js';
import type { CoverCertificate } from './cover-certificate.js';
import { refuteCoverCertificate } from './cover-certificate.js';
import { entriesOf, type Marking, markingOf, omega } from './marking.js';
import { type Net, toSystem } from './net.js';
import { replayRun } from './replay-run.js';

/** Tokens by the name of their place; `any` for as many as one likes. */
export type JsonTokens = Readonly<Record<string, number | 'any'>>;

export interface JsonConfiguration {
  /** Absent for plain nets. */
  readonly control?: string;
  readonly tokens: JsonTokens;
}

export interface JsonCoverCertificate {
  readonly format: 'fencewright-cover-certificate';
  readonly version: 1;
  readonly kind: CoverCertificate['kind'];
  readonly elements: readonly JsonConfiguration[];
  readonly weights?: readonly JsonTokens[];
}

function tokensToJson({ places }: Net, marking: Marking): Record<string, number | 'any'> {
  return Object.fromEntries(
    entriesOf(marking).map(([place, count]) => [
      places[place] ?? String(place),
      count === omega ? 'any' : count,
    ]),
  );
}

function configurationToJson(net: Net, { control, marking }: Configuration) {
  const tokens = tokensToJson(net, marking);
  const name = net.controls.length > 1 ? net.controls[control] : undefined;
  return name === undefined ? { tokens } : { control: name, tokens };
}

/** What a rule is called: by its name, or its number in the file, from 1. */
export function ruleName({ rules }: Net, id: number): string {
  return rules[id]?.name ?? `rule ${id + 1}`;
}

/** The run with what it leads through. */
export function runToJson(net: Net, run: Run) {
  const after = replayRun(toSystem(net), run) ?? [];
  return {
    initial: configurationToJson(net, run.initial),
    steps: run.steps.map(({ id }, i) => ({
      rule: ruleName(net, id),
      after: configurationToJson(net, after[i + 1] ?? run.initial),
    })),
  };
}

/** The certificate by the names of the net. */
export function coverCertificateToJson(net: Net, certificate: CoverCertificate) {
  const { kind, elements } = certificate;
  return {
    format: 'fencewright-cover-certificate' as const,
    version: 1 as const,
    kind,
    elements: elements.map((element) => configurationToJson(net, element)),
    ...(certificate.kind === 'basis' && {
      weights: certificate.weights.map((weights) => tokensToJson(net, weights)),
    }),
  };
}

/** Whether a value has the form of a certificate of this kind. */
export function isCoverCertificate(value: unknown): value is JsonCoverCertificate {
  if (typeof value !== 'object' || value === null) return false;
  const { format, version, kind, elements, weights } = value as Record<string, unknown>;
  return (
    format === 'fencewright-cover-certificate' &&
    version === 1 &&
    (kind === 'invariant' || kind === 'basis') &&
    Array.isArray(elements) &&
    elements.every(isConfiguration) &&
    (weights === undefined || (Array.isArray(weights) && weights.every(areTokens)))
  );
}

function isConfiguration(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { control, tokens } = value as Record<string, unknown>;
  return (control === undefined || typeof control === 'string') && areTokens(tokens);
}

function areTokens(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (count) => count === 'any' || (Number.isSafeInteger(count) && (count as number) >= 0),
    )
  );
}

/** What is wrong with a written certificate for a net, in words; empty if it proves that no target can be covered. */
export function verifyCoverCertificate(net: Net, value: unknown): readonly string[] {
  if (!isCoverCertificate(value)) return ['this is no certificate for a net in a form known here'];
  const places = new Map(net.places.map((name, place) => [name, place]));
  const controls = new Map(net.controls.map((name, control) => [name, control]));
  const unknown = new Set<string>();
  const find = (map: ReadonlyMap<string, number>, name: string): number => {
    const found = map.get(name);
    if (found === undefined) unknown.add(name);
    return found ?? 0;
  };
  const toMarking = (tokens: JsonTokens): Marking =>
    markingOf(
      Object.entries(tokens).map(
        ([name, count]) => [find(places, name), count === 'any' ? omega : count] as const,
      ),
    );
  const elements = value.elements.map(({ control, tokens }) => ({
    control: control === undefined ? 0 : find(controls, control),
    marking: toMarking(tokens),
  }));
  const weights = (value.weights ?? []).map(toMarking);
  if (unknown.size > 0) return [...unknown].map((name) => `the net has no '${name}'`);
  const certificate: CoverCertificate =
    value.kind === 'basis' ? { kind: 'basis', elements, weights } : { kind: 'invariant', elements };
  const flaw = refuteCoverCertificate(net, toSystem(net), certificate);
  return flaw === undefined ? [] : [flaw];
}
