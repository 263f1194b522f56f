import { statSync } from 'node:fs';

/** Whether an operand contains pattern characters. */
export function isPattern(operand: string): boolean {
  return /[*?[{]/.test(operand);
}

/** Returns the kind of file with a given name; links are followed. */
export function kindOf(operand: string): 'file' | 'folder' | 'nothing' {
  try {
    return statSync(operand).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}

/** Whether an operand is a folder or a pattern, which name any number of files. */
export function standsForFiles(operand: string): boolean {
  if (operand === '-') return false;
  const kind = kindOf(operand);
  return kind === 'folder' || (kind === 'nothing' && isPattern(operand));
}
