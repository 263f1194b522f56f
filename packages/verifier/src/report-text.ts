import type { Report } from './report.js';

/**
 * The exit code for a report: 0 accepted, 10 rejected, 5 partly or unknown, 65 not a certificate.
 */
export function exitCodeOf({ kind }: Report): 0 | 5 | 10 | 65 {
  switch (kind) {
    case 'accepted':
      return 0;
    case 'rejected':
      return 10;
    case 'partly':
    case 'unknown':
      return 5;
    case 'not-a-certificate':
      return 65;
  }
}

export interface TextOptions {
  /** The program that was given. */
  readonly program?: string;
  readonly strong?: (text: string) => string;
  readonly verdict?: (text: string) => string;
}

/** What a report says of the certificate `file`, in lines. */
export function reportText(
  file: string,
  report: Report,
  { program: about = 'the automata in it', strong = same, verdict = same }: TextOptions = {},
): string {
  const title = strong(file);
  const head = (says: string): string => `${title} ${verdict(says)} for ${about}:`;
  switch (report.kind) {
    case 'accepted':
      return lines(head('holds'), ...report.proves.map((line) => `  ${line}`));
    case 'rejected':
      return lines(
        head('does not hold'),
        ...report.findings.map((line, i) => `  ${i + 1}. ${line}`),
      );
    case 'partly':
      return lines(
        head('was checked in part'),
        ...report.checked.map((line) => `  checked: ${line}`),
        ...report.notChecked.map((line) => `  not checked: ${line}`),
      );
    case 'unknown':
      return lines(`${title} ${verdict('could not be checked')} for ${about}: ${report.reason}`);
    case 'not-a-certificate':
      return lines(`${title} ${verdict('is not a certificate')}: ${report.reason}`);
  }
}

function same(text: string): string {
  return text;
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
