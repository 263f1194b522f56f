import { definedRegister } from '@fencewright/model/analysis/liveness.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';

/**
 * Returns an inferred invariant with places of the text in place of names that stand in no text:
 * `a @ (within line 5)` for a hidden label, `(what a read at line 5)` for a hidden register.
 */
export function invariantInWords({ threads }: Program, text: string): string {
  const bound = new Map(
    [...text.matchAll(/(\w+): (\w+)(?=[,)])/g)].map(([, name, thread]) => [name!, thread!]),
  );
  const threadOf = (name: string): Thread | undefined =>
    threads.find((each) => each.name === (bound.get(name) ?? name));
  return text
    .replaceAll(/\b(\w+) @ (\w+)/g, (whole, name: string, label: string) => {
      const place = threadOf(name)?.locations.find((each) => each.hidden && each.name === label);
      if (!place?.span) return whole;
      const line = place.span.start.line + 1;
      return `${name} @ (${label === `L${line}` ? '' : 'within '}line ${line})`;
    })
    .replaceAll(/\b(\w+)\.(\w+)/g, (whole, name: string, register: string) => {
      const thread = threadOf(name);
      const id = thread?.registers.findIndex((each) => each.hidden && each.name === register) ?? -1;
      const setter = thread?.transitions.find(
        ({ instruction, origin }) => definedRegister(instruction) === id && origin.span,
      );
      const span = id < 0 ? undefined : setter?.origin.span;
      return span ? `(what ${name} read at line ${span.start.line + 1})` : whole;
    });
}
