import { endOfLine } from './ir-lines.js';
import { nameInLibrary } from './link-modules.js';
import { endingMain, runningLasts } from './listed-functions.js';

/** A definition of a function or a global in the text of a module. */
interface Part {
  readonly name: string;
  readonly module: number;
  readonly start: number;
  /** The offset after the last line of the definition. */
  readonly end: number;
}

/**
 * The offset after the last line of each skipped definition, by the offset of the definition's
 * start.
 */
export type SkippedParts = ReadonlyMap<number, number>;

/** Matches a definition whose linkage lets a linker leave out a name without references. */
const discardable =
  /^(?:define|@(?:"[^"]*"|[-\w$.]+) =) (?:internal|private|linkonce|linkonce_odr|available_externally)\b/;

/** Matches a section: code in a section may run without being referenced. */
const inSection = /\bsection "/;

/** The start of a definition at the top level of a module. */
const definition = /^(?:define\b.*?@|@)(?:"([^"]*)"|([-\w$.]+)).*$/gm;

/** Matches a reference to a function or global. */
const reference = /@(?:"([^"]*)"|([-\w$.]+))/g;

/**
 * Returns for each module the definitions without references, which need not be read. A linker may
 * leave out internal and `linkonce` definitions (LLVM Language Reference, "Linkage Types") that lie
 * in no section, and all functions of a library. The last of several modules is the library.
 * References are found in the text, by name, and are followed from `main` and from everything that
 * a linker keeps.
 */
export function unreferencedParts(texts: readonly string[]): readonly SkippedParts[] {
  const waiting = new Map<string, Part[]>();
  const kept: Part[] = [];
  texts.forEach((text, module) => {
    const isLibrary = module > 0 && module === texts.length - 1;
    for (const part of partsOf(text, module)) {
      const line = text.slice(part.start, endOfLine(text, part.start));
      const mayGo = (isLibrary && line.startsWith('define')) || discardable.test(line);
      if (!mayGo || inSection.test(line)) kept.push(part);
      else if (waiting.has(part.name)) waiting.get(part.name)!.push(part);
      else waiting.set(part.name, [part]);
    }
  });
  const follow = (name: string): void => {
    kept.push(...(waiting.get(name) ?? []));
    waiting.delete(name);
  };
  follow('main');
  for (const { name: of, module, start, end } of kept) {
    // The process alone calls these functions of the library.
    if (of === 'llvm.global_dtors') follow(runningLasts);
    if (of === '__cxa_thread_atexit') follow(endingMain);
    for (const [, quoted, plain] of texts[module]!.slice(start, end).matchAll(reference)) {
      const name = quoted ?? plain!;
      follow(name);
      follow(nameInLibrary(name));
    }
  }
  const left = [...waiting.values()].flat();
  return texts.map(
    (_, module) =>
      new Map(left.filter((part) => part.module === module).map(({ start, end }) => [start, end])),
  );
}

/** The definitions of a module, in the order of the text. */
function* partsOf(text: string, module: number): Generator<Part> {
  const lines = new RegExp(definition);
  for (let match = lines.exec(text); match; match = lines.exec(text)) {
    const [line, quoted, plain] = match;
    const { index: start } = match;
    let end = lines.lastIndex;
    if (!line.startsWith('@')) {
      const close = text.indexOf('\n}', start);
      // A function without an end is kept: the reader reports it.
      if (close < 0) continue;
      end = endOfLine(text, close + 1);
    }
    lines.lastIndex = end;
    yield { name: quoted ?? plain!, module, start, end };
  }
}
