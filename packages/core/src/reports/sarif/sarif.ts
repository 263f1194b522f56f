import type { Log, Notification, Result } from 'sarif';
import type { AdviceInWords } from '../words/advice.js';
import { sarifRules } from './sarif-rules.js';

/** What a run has to say about one file; plain data. */
export interface SarifFindings {
  readonly uri: string;
  readonly results: readonly Result[];
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

/**
 * A run over some files as a SARIF log: one run, with every file as an artifact, those without
 * results too. Source: SARIF 2.1.0.
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
        artifacts: uris.map((uri) => ({ location: { uri }, roles: ['analysisTarget'] })),
        results: findings.flatMap(({ results }) => [...results]),
      },
    ],
  };
}
