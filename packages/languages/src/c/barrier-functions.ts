import type { Origin, Program } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { linesOf } from '@fencewright/ground/source/text-edit.js';
import { fenceAt } from './fence-in-text.js';
import { callAt, scan, type ScannedC } from './find-call.js';

/** The barrier functions of a text: functions, and macros, without operands, that only fence. */
export interface BarrierFunctions {
  readonly names: ReadonlySet<string>;
  /** The name of the function, by the offset of the fence that is its body. */
  readonly bodies: ReadonlyMap<number, string>;
}

/** Returns the function whose body begins at a token, if its body is one fence. */
function functionWithBody(
  c: ScannedC,
  open: number,
  names: ReadonlySet<string>,
): { readonly name: string; readonly fence: number } | undefined {
  const { tokens, partner } = c;
  const first = tokens[open + 1];
  const parameters = partner.get(open - 1);
  const name = parameters === undefined ? undefined : tokens[parameters - 1];
  if (tokens[open - 1]?.text !== ')' || name?.kind !== 'word' || !first) return undefined;
  const operands = tokens.slice(parameters! + 1, open - 1);
  if (operands.some(({ text }) => text !== 'void')) return undefined;
  const end = fenceAt(c, first.start, names)?.end;
  const last = tokens.findIndex(({ start }) => end !== undefined && start >= end);
  const isWhole = tokens[last]?.text === ';' && partner.get(open) === last + 1;
  return isWhole ? { name: name.text, fence: first.start } : undefined;
}

/** Returns the name of a macro that a directive defines, if the macro is one fence. */
function fencingMacro(directive: string, names: ReadonlySet<string>): string | undefined {
  const [, name, body] = /^#\s*define\s+([\w$]+)\(\s*\)\s*([^]*)$/.exec(directive) ?? [];
  if (name === undefined || body === undefined) return undefined;
  const scanned = scan(body.replaceAll(/\\\r?\n/g, ' ').trim());
  return fenceAt(scanned, 0, names)?.end === scanned.tokens.at(-1)?.end ? name : undefined;
}

/** Finds the barrier functions of a text, including those that call other barrier functions. */
export function barrierFunctions(c: ScannedC): BarrierFunctions {
  const names = new Set<string>();
  const bodies = new Map<number, string>();
  for (let known = -1; known < names.size;) {
    known = names.size;
    for (const [index, { kind, text }] of c.tokens.entries()) {
      if (kind === 'directive') {
        const macro = fencingMacro(text, names);
        if (macro !== undefined) names.add(macro);
      }
      const found = text === '{' ? functionWithBody(c, index, names) : undefined;
      if (!found) continue;
      names.add(found.name);
      bodies.set(found.fence, found.name);
    }
  }
  return { names, bodies };
}

/**
 * Returns the program with the fences of barrier functions at the calls of these functions, so that
 * each call is a fence of its own. Calls in other files leave a fence where it is.
 */
export function withFencesAtCalls(source: string, program: Program): Program {
  const c = scan(source);
  const { names, bodies } = barrierFunctions(c);
  if (bodies.size === 0) return program;
  const lines = linesOf(source);
  const offsetOf = (span: Span | undefined): number | undefined => {
    const line = span && !span.source ? lines[span.start.line] : undefined;
    return line && line.start + span!.start.column;
  };
  const atCall = (origin: Origin): Origin => {
    const { span, calls: [call, ...outer] = [], ...rest } = origin;
    const body = offsetOf(span);
    const place = offsetOf(call?.span);
    const name = body === undefined ? undefined : bodies.get(body);
    if (name === undefined || place === undefined) return origin;
    if (callAt(c, place)?.name !== name || !fenceAt(c, place, names)) return origin;
    return atCall({ ...rest, span: call!.span!, ...(outer.length > 0 && { calls: outer }) });
  };
  const threads = program.threads.map((thread) => ({
    ...thread,
    transitions: thread.transitions.map((step) =>
      step.instruction.kind === 'fence' ? { ...step, origin: atCall(step.origin) } : step,
    ),
  }));
  return { ...program, threads };
}
