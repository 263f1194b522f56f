import type { Report } from './report.js';

/**
 * Returns the exit status for a report: 0 accepted, 10 rejected or unexpected, 5 partly checked or
 * unknown, 65 not a certificate.
 */
export function exitCodeOf({ kind }: Report): 0 | 5 | 10 | 65 {
  switch (kind) {
    case 'accepted':
      return 0;
    case 'rejected':
    case 'unexpected':
      return 10;
    case 'partly':
    case 'unknown':
      return 5;
    case 'not-a-certificate':
      return 65;
  }
}

interface TextOptions {
  /**
   * The given program, as named in the report. If absent, the report names `the automata in it`.
   */
  readonly program?: string;
  readonly strong?: (text: string) => string;
  readonly verdict?: (text: string) => string;
}

/**
 * Formats the report on the certificate `file` as lines of text. A name from the certificate never
 * spans several lines, whatever characters the name has.
 */
export function reportText(
  file: string,
  report: Report,
  { program: about = 'the automata in it', strong = same, verdict = same }: TextOptions = {},
): string {
  const title = strong(file);
  const head = (says: string): string => `${title} ${verdict(says)} for ${about}:`;
  const all = (label: string, texts: readonly string[]): readonly string[] =>
    texts.map((text) => `  ${label}${inOneLine(text)}`);
  const numbered = (texts: readonly string[]): readonly string[] =>
    texts.map((text, i) => `  ${i + 1}. ${inOneLine(text)}`);
  switch (report.kind) {
    case 'accepted':
      return lines(
        head('holds'),
        ...all('', report.proves),
        ...all('assumes: ', report.assumes),
        `  the program has the digest ${report.program}`,
      );
    case 'rejected':
      return lines(head('does not hold'), ...numbered(report.findings));
    case 'unexpected':
      return lines(head('is not what was expected'), ...numbered(report.findings));
    case 'partly':
      return lines(
        head('was checked in part'),
        ...all('checked: ', report.checked),
        ...all('not checked: ', report.notChecked),
        ...all('assumes: ', report.assumes),
      );
    case 'unknown':
      return lines(
        `${title} ${verdict('could not be checked')} for ${about}: ${inOneLine(report.reason)}`,
      );
    case 'not-a-certificate':
      return lines(`${title} ${verdict('is not a certificate')}: ${inOneLine(report.reason)}`);
  }
}

/**
 * Matches characters that must not reach a terminal: control characters, line separators, and marks
 * that change the direction of a text.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function inOneLine(text: string): string {
  return text.replace(unprintable, (sign) => {
    return `\\u{${sign.codePointAt(0)!.toString(16)}}`;
  });
}

function same(text: string): string {
  return text;
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
