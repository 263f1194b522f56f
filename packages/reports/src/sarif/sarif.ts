import type { Artifact, Log, Notification, Result } from 'sarif';
import type { Assumption } from '@fencewright/model/program/assumption.js';
import type { AdviceInWords } from '../words/advice.js';
import { sarifRules } from './sarif-rules.js';

/** The findings of a run for one file; plain data. */
export interface SarifFindings {
  readonly uri: string;
  readonly results: readonly Result[];
  /** The assumptions of the results; absent if none. */
  readonly assumptions?: readonly Assumption[];
  /** A fault of the tool. */
  readonly internalError?: string;
}

function notificationOf({ uri, internalError }: SarifFindings): Notification[] {
  if (internalError === undefined) return [];
  return [
    {
      level: 'error',
      message: { text: `internal error: ${internalError}` },
      locations: [{ physicalLocation: { artifactLocation: { uri } } }],
    },
  ];
}

/** A file with the assumptions of its results. */
function artifactOf(uri: string, findings: readonly SarifFindings[]): Artifact {
  const assumptions = findings
    .filter((one) => one.uri === uri)
    .flatMap((one) => one.assumptions ?? []);
  return {
    location: { uri },
    roles: ['analysisTarget'],
    ...(assumptions.length > 0 && {
      properties: { assumptions: assumptions.map(({ name, text }) => ({ name, text })) },
    }),
  };
}

/**
 * A run over some files as a SARIF log: one run, with every file as an artifact, including files
 * without results. Source: SARIF 2.1.0.
 */
export function sarifLog(
  version: string,
  findings: readonly SarifFindings[],
  advise: AdviceInWords = () => undefined,
): Log {
  const notifications = findings.flatMap(notificationOf);
  const uris = [...new Set(findings.map(({ uri }) => uri))];
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Fencewright', version, rules: sarifRules(advise) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: notifications.length === 0,
            ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
          },
        ],
        artifacts: uris.map((uri) => artifactOf(uri, findings)),
        results: findings.flatMap(({ results }) => [...results]),
      },
    ],
  };
}
