import type { Artifact, Log, Notification, Result } from 'sarif';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Assumption } from '@fencewright/model/program/assumption.js';
import type { AdviceInWords } from '../words/advice.js';
import { sarifRules } from './sarif-rules.js';

/** The findings of a run about a file, as plain data. */
export interface SarifFindings {
  readonly uri: string;
  readonly results: readonly Result[];
  /** The assumptions made by the results; absent if there are none. */
  readonly assumptions?: readonly Assumption[];
  /** Remarks about the run of the tool on the file, not about the program. */
  readonly remarks?: readonly Diagnostic[];
  /** The message about a fault of the tool itself; absent if there was none. */
  readonly internalError?: string;
}

function notificationsOf({ uri, internalError, remarks = [] }: SarifFindings): Notification[] {
  const locations = [{ physicalLocation: { artifactLocation: { uri } } }];
  const said = remarks.map(({ code, message }): Notification => {
    return { level: 'note', descriptor: { id: code }, message: { text: message }, locations };
  });
  if (internalError === undefined) return said;
  const text = `internal error: ${internalError}`;
  return [...said, { level: 'error', message: { text }, locations }];
}

/** Returns a file as a SARIF artifact, with the assumptions of its results. */
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
 * Returns the SARIF log of a run over some files: one run, with every file as an artifact,
 * including files without results. Source: SARIF 2.1.0.
 */
export function sarifLog(
  version: string,
  findings: readonly SarifFindings[],
  advise: AdviceInWords = () => undefined,
): Log {
  const notifications = findings.flatMap(notificationsOf);
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
            executionSuccessful: notifications.every(({ level }) => level !== 'error'),
            ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
          },
        ],
        artifacts: uris.map((uri) => artifactOf(uri, findings)),
        results: findings.flatMap(({ results }) => [...results]),
      },
    ],
  };
}
