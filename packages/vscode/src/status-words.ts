/** The status of a text's check, as the server reports it. */
export interface ServerStatus {
  readonly uri: string;
  readonly version: number;
  readonly state: 'stale' | 'checking' | 'robust' | 'not-robust' | 'unknown' | 'error';
  readonly detail: string;
  readonly states: number;
}

const words = {
  stale: '$(circle-outline) not checked',
  checking: '$(sync~spin) checking',
  robust: '$(pass) robust',
  'not-robust': '$(warning) not robust',
  unknown: '$(question) unknown',
  error: '$(error) not a program',
} as const;

/**
 * Returns the status of a text's check for the status bar; a fixed remark if the status is about
 * another version, and `undefined` without a status.
 */
export function statusWords(status: ServerStatus | undefined, version: number): string | undefined {
  if (!status) return undefined;
  if (status.version !== version) return words.stale;
  const detail = status.state === 'unknown' && status.detail !== '' ? `: ${status.detail}` : '';
  return words[status.state] + detail;
}
