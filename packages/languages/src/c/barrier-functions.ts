import type { Origin, Program } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { linesOf } from '@fencewright/ground/source/text-edit.js';
import { assemblyAt, fenceAt } from './fence-in-text.js';
import { callAt, scan, type ScannedC } from './find-call.js';
import { headersBeside } from './headers-of.js';

/**
 * The texts of a program in C, by the name of the file; the text to be edited has the name
 * `undefined`.
 */
type CTexts = ReadonlyMap<string | undefined, string>;

/**
 * The barrier functions of a program: functions and macros without operands that do nothing but
 * fence.
 */
export interface BarrierFunctions {
  readonly names: ReadonlySet<string>;
  /**
   * The names among `names` whose calls can only be statements, and no parts of expressions: macros
   * whose text is assembly, or a loop around the fence.
   */
  readonly statements: ReadonlySet<string>;
  /** The name of the function whose body is a fence, by file and offset of the fence. */
  readonly bodies: ReadonlyMap<string, string>;
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

/** A macro without operands. */
interface Macro {
  readonly name: string;
  /** Whether the text of the macro is one fence. */
  readonly isFence: boolean;
  /** The name that the text of the macro calls; `undefined` if the text is no call. */
  readonly called: string | undefined;
}

/** Matches `do { fence; } while (0)`: the text of a macro that is a statement and no expression. */
const onlyStatement = /^do\s*\{([^;{}]*);\s*\}\s*while\s*\(\s*0\s*\)$/;

/**
 * Returns the macro without operands that a directive defines; `undefined` for another directive.
 */
function macroOf(directive: string, names: ReadonlySet<string>): Macro | undefined {
  const [, name, body] = /^#\s*define\s+([\w$]+)\(\s*\)\s*([^]*)$/.exec(directive) ?? [];
  if (name === undefined || body === undefined) return undefined;
  const whole = body.replaceAll(/\\\r?\n/g, ' ').trim();
  const inner = onlyStatement.exec(whole)?.[1];
  const scanned = scan(inner?.trim() ?? whole);
  const range = fenceAt(scanned, 0, names);
  const isAssembly = range !== undefined && assemblyAt(scanned, 0) !== undefined;
  return {
    name,
    isFence: range?.end === scanned.tokens.at(-1)?.end,
    called: isAssembly || inner !== undefined ? undefined : callAt(scanned, 0)?.name,
  };
}

/**
 * Returns the names of the macros whose text is a statement and no expression, or calls such a
 * macro.
 */
function statementMacros(macros: readonly Macro[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let known = -1; known < found.size;) {
    known = found.size;
    for (const { name, called } of macros)
      if (called === undefined || found.has(called)) found.add(name);
  }
  return found;
}

const keyOf = (file: string | undefined, offset: number): string => JSON.stringify([file, offset]);

/**
 * Finds the barrier functions of a program, including functions that call barrier functions. A
 * macro with several definitions is a barrier only if each definition is a barrier.
 */
export function barrierFunctions(texts: CTexts): BarrierFunctions {
  const scanned = [...texts].map(([file, text]) => [file, scan(text)] as const);
  const names = new Set<string>();
  const bodies = new Map<string, string>();
  let macros: readonly Macro[] = [];
  for (let known = -1; known < names.size;) {
    known = names.size;
    macros = scanned.flatMap(([, { tokens }]) =>
      tokens.flatMap(({ kind, text }) =>
        kind === 'directive' ? (macroOf(text, names) ?? []) : [],
      ),
    );
    const others = new Set(macros.flatMap(({ name, isFence }) => (isFence ? [] : [name])));
    for (const { name } of macros) if (!others.has(name)) names.add(name);
    for (const [file, c] of scanned)
      for (const [index, { text }] of c.tokens.entries()) {
        const found = text === '{' ? functionWithBody(c, index, names) : undefined;
        if (!found) continue;
        names.add(found.name);
        bodies.set(keyOf(file, found.fence), found.name);
      }
  }
  const statements = statementMacros(macros.filter(({ name }) => names.has(name)));
  return { names, statements, bodies };
}

/**
 * Returns the program with the fences of barrier functions at the calls of these functions, so that
 * each call is a fence of its own.
 */
export function withFencesAtCalls(
  texts: CTexts,
  { names, bodies }: BarrierFunctions,
  program: Program,
): Program {
  if (bodies.size === 0) return program;
  const scanned = new Map([...texts].map(([file, text]) => [file, scan(text)]));
  const lines = new Map([...texts].map(([file, text]) => [file, linesOf(text)]));
  const offsetOf = ({ source, start }: Span): number | undefined => {
    const line = lines.get(source?.name)?.[start.line];
    return line && line.start + start.column;
  };
  const atCall = (origin: Origin): Origin => {
    const { span, calls: [call, ...outer] = [], ...rest } = origin;
    const body = span && offsetOf(span);
    const place = call?.span && offsetOf(call.span);
    if (body === undefined || place === undefined) return origin;
    const name = bodies.get(keyOf(span!.source?.name, body));
    const c = scanned.get(call!.span!.source?.name)!;
    if (name === undefined || callAt(c, place)?.name !== name || !fenceAt(c, place, names))
      return origin;
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

/**
 * Returns the texts of a program: the text to be changed, the files with instructions, and the
 * headers included by these texts from the same folder. `read` returns the text of a file.
 */
export function programTexts(
  file: string,
  source: string,
  { threads }: Program,
  read: (file: string) => string | undefined,
): CTexts {
  const texts = new Map<string | undefined, string>([[undefined, source]]);
  for (const { transitions } of threads)
    for (const { origin } of transitions)
      for (const { span } of [origin, ...(origin.calls ?? [])])
        if (span?.source) texts.set(span.source.name, span.source.text);
  // A map goes on through the entries that are added meanwhile.
  for (const [name = file, text] of texts) {
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    for (const header of headersBeside(scan(text).tokens)) {
      const beside = texts.has(folder + header) ? undefined : read(folder + header);
      if (beside !== undefined) texts.set(folder + header, beside);
    }
  }
  return texts;
}
