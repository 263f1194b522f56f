import type { ProgramSketch, Sketch } from './sketch.js';

/** Returns a statement and the statements inside of it. */
function withInner(one: Sketch): readonly Sketch[] {
  return one.kind === 'if' ? [one, ...one.then.flatMap(withInner)] : [one];
}

/**
 * Returns the features of a program: the kind of each statement with its order, `cas KIND ORDER
 * FAILURE` for a `cas`, `stores r` for a stored register, and the numbers of threads and cells.
 */
export function featuresOf({ cells, threads }: ProgramSketch): ReadonlySet<string> {
  const statements = threads.flat().flatMap(withInner);
  return new Set([
    `${threads.length} threads`,
    `${cells.length} cells`,
    ...statements.flatMap((one) => [
      ...('value' in one && one.value === 'r' ? ['stores r'] : []),
      ...(one.kind === 'cas' ? [`fails ${one.failure}`] : []),
      one.kind === 'if'
        ? 'if'
        : one.kind === 'cas'
          ? `${one.waits ? 'cas that waits' : 'cas'} ${one.order}`
          : one.kind === 'plain-load' || one.kind === 'plain-store'
            ? one.kind
            : `${one.kind} ${one.order}`,
    ]),
  ]);
}

/** Counts programs by their features. */
export class FeatureCounts {
  private readonly programs = new Map<string, number>();

  add(sketch: ProgramSketch): void {
    for (const name of featuresOf(sketch))
      this.programs.set(name, (this.programs.get(name) ?? 0) + 1);
  }

  /** Returns the number of programs with each feature, by name. */
  all(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.programs].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
