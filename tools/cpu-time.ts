import { readdirSync, readFileSync } from 'node:fs';

/** Returns the words of a process's line in `/proc` from the third on; none if it has ended. */
function wordsOf(process: string): readonly string[] {
  try {
    const line = readFileSync(`/proc/${process}/stat`, 'utf8');
    // The second word is the name of the program in brackets, which may contain blanks.
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Returns the sum of numbers of a process's line that count ticks of 10 ms, in seconds. */
function seconds(words: readonly string[], from: number, to: number): number {
  return words.slice(from - 3, to - 2).reduce((sum, word) => sum + Number(word) / 100, 0);
}

/**
 * Returns the CPU time in seconds of the child processes, and of those of their children that have
 * ended; 0 if the system does not report CPU time.
 */
export function cpuOfPrograms(): number {
  if (process.platform !== 'linux') return 0;
  // The words 14 and 15 are the CPU time of a process, 16 and 17 that of its ended children.
  const ended = seconds(wordsOf('self'), 16, 17);
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(wordsOf)
    .filter((words) => Number(words[1]) === process.pid)
    .map((words) => seconds(words, 14, 17));
  return living.reduce((sum, each) => sum + each, ended);
}
