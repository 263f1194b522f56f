import type { Configuration, CoveringRun } from '@fencewright/ground/petri/counter-system.js';
import type { CoverCertificate } from '@fencewright/ground/petri/cover-certificate.js';
import { entriesOf, type Marking, omega } from '@fencewright/ground/petri/marking.js';
import { type Net, toSystem } from '@fencewright/ground/petri/net.js';
import { replayRun } from '@fencewright/ground/petri/replay-run.js';

/** The number of tokens on each place, by the name of the place; `any` for arbitrarily many. */
export type JsonTokens = Readonly<Record<string, number | 'any'>>;

export interface JsonConfiguration {
  /** The name of the control state of the configuration; absent for plain nets. */
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

/** The label of a rule: its name, or its number in the file, from 1. */
export function ruleName({ rules }: Net, id: number): string {
  return rules[id]?.name ?? `rule ${id + 1}`;
}

/** Converts a run to JSON, with its intermediate configurations. */
export function runToJson(net: Net, run: CoveringRun) {
  const after = replayRun(toSystem(net), run) ?? [];
  return {
    initial: configurationToJson(net, run.initial),
    steps: run.steps.map(({ id }, i) => ({
      rule: ruleName(net, id),
      after: configurationToJson(net, after[i + 1] ?? run.initial),
    })),
  };
}

/** Converts a certificate to JSON, with the names of the net. */
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
