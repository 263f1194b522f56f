import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { TemplateAutomata } from './template-automata.js';

/**
 * Returns all ways to distribute `total` copies among the templates, each as the numbers of copies
 * that `instantiate` takes. The order is fixed: even distributions come first.
 */
export function countsOfTotal(
  { templates, unbounded }: Templates,
  total: number,
): readonly (readonly number[])[] {
  const vectors = spread(unbounded.length, total).sort((a, b) => Math.max(...a) - Math.max(...b));
  return vectors.map((vector) =>
    templates.threads.map((_, thread) => {
      const at = unbounded.indexOf(thread);
      return at < 0 ? 1 : vector[at]!;
    }),
  );
}

function spread(parts: number, total: number): number[][] {
  if (parts === 0) return total === 0 ? [[]] : [];
  return Array.from({ length: total + 1 }, (_, first) =>
    spread(parts - 1, total - first).map((rest) => [first, ...rest]),
  ).flat();
}

/**
 * Returns the total number of copies of the unbounded templates, of which `counts` has the number
 * for each.
 */
export function totalOf({ unbounded }: Templates, counts: readonly number[]): number {
  return unbounded.reduce((sum, thread) => sum + (counts[thread] ?? 0), 0);
}

/**
 * Returns, for each template, a number of copies, such that the instance has the required number of
 * threads of each class (threads with equal code). If several templates have one code, all copies
 * are of `preferred`, or else of the first of them.
 */
export function copiesFor(
  { program, classes }: TemplateAutomata,
  threads: readonly number[],
  preferred?: ThreadId,
): readonly number[] {
  const counts = program.templates.threads.map(() => 0);
  classes.forEach(({ single, unbounded }, own) => {
    const first = unbounded.find((thread) => thread === preferred) ?? unbounded[0];
    if (first !== undefined) counts[first] = Math.max(0, threads[own]! - single);
  });
  return counts;
}
