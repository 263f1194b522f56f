import { formatCell, type Instruction, type Program } from '@fencewright/core';
import type { NameSymbol } from '@fencewright/core/text';
import { type Hover, MarkupKind } from 'vscode-languageserver';
import { type Document, programOf } from './document.js';
import { attackedStores, type Findings } from './findings.js';
import { occurrenceAt, occurrencesOf, ownerOf } from './names.js';
import { holds, toPosition, toRange } from './places.js';
import { meaningOfWord } from './words.js';

/** Returns the memory order of an access in words, if the text names one. */
function ordered({ order }: { readonly order?: string }): string {
  return order ? ` (${order})` : '';
}

/** Returns the effect of an instruction on memory, in words; `undefined` if there is none. */
function accessInWords(
  program: Program,
  owner: Program['threads'][number],
  instruction: Instruction,
): string | undefined {
  switch (instruction.kind) {
    case 'store':
    case 'load':
      return `a ${instruction.kind} of ${formatCell(program, owner, instruction.address)}${ordered(instruction)}`;
    case 'rmw': {
      const cell = formatCell(program, owner, instruction.address);
      return `${instruction.operation.name} on ${cell}, at once${ordered(instruction)}`;
    }
    case 'fence':
      return 'a fence';
    case 'heavy-fence':
      return 'a heavy fence, which empties the store buffers of all threads';
    case 'lock':
    case 'unlock':
      return `${instruction.kind} of the bus`;
    case 'assume':
    case 'assert':
      return 'a test';
    case 'skip':
      return (
        instruction.fence && `a fence (${instruction.fence}), which x86 needs no instruction for`
      );
    case 'assign':
    case 'havoc':
      return undefined;
  }
}

/**
 * Returns the accesses of the statement at a place in words, in the order of execution, each once.
 */
function accessesAt(document: Document, line: number, character: number): readonly string[] {
  const program = programOf(document);
  if (!program) return [];
  const place = toPosition({ line, character });
  const said: string[] = [];
  for (const owner of program.threads)
    for (const { origin, instruction } of owner.transitions) {
      if (!origin.span || origin.span.source || !holds(origin.span, place)) continue;
      const words = accessInWords(program, owner, instruction);
      if (words !== undefined && !said.includes(words)) said.push(words);
    }
  return said;
}

function attacksAt(
  document: Document,
  findings: Findings,
  line: number,
  character: number,
): readonly string[] {
  const place = toPosition({ line, character });
  return attackedStores(programOf(document), findings.attacks).flatMap(({ thread, store, loads }) =>
    loads.flatMap((load) =>
      holds(store.span, place) || holds(load.span, place)
        ? [
            `${thread} can delay the store of ${store.cell} (line ${store.span.start.line + 1}) past the load of ${load.cell} (line ${load.span.start.line + 1})`,
          ]
        : [],
    ),
  );
}

/** Returns the loads and stores of a shared variable, by thread, event or procedure. */
function usesOf({ names, text }: Document, symbol: number): readonly string[] {
  const bodies = names.occurrences.filter(
    (one) =>
      one.role === 'declaration' &&
      one.symbol !== undefined &&
      ['thread', 'event', 'procedure'].includes(names.symbols[one.symbol]!.kind),
  );
  const by = { load: new Set<string>(), store: new Set<string>() };
  for (const { role, start } of occurrencesOf(names, symbol)) {
    if (role !== 'load' && role !== 'store') continue;
    const body = bodies.findLast((one) => one.start < start);
    const rest = body && text.slice(body.end, start);
    if (body && rest !== undefined && !/^\s*(property|invariant)\b/m.test(rest))
      by[role].add(body.name);
  }
  return (['load', 'store'] as const).flatMap((role) =>
    by[role].size === 0
      ? []
      : [`${role === 'load' ? 'loaded' : 'stored'} by ${[...by[role]].join(', ')}`],
  );
}

function symbolInWords(document: Document, id: number, symbol: NameSymbol): readonly string[] {
  const { kind, name, declaration } = symbol;
  const owner = ownerOf(document.names, symbol);
  const of = owner ? ` of ${owner.name}` : '';
  const line = declaration ? `, declared in line ${declaration.start.line + 1}` : '';
  const shared = programOf(document)?.symbols.find((one) => one.name === name);
  const isShared = kind === 'shared variable' && shared !== undefined;
  const initial = isShared
    ? [
        `initially ${shared.isArray ? `{ ${shared.initial.slice(0, 16).join(', ')} }` : shared.initial[0]}`,
      ]
    : [];
  return [
    `${kind} \`${name}\`${of}${line}`,
    ...initial,
    ...(kind === 'shared variable' ? usesOf(document, id) : []),
  ];
}

/** Returns the facts about the code at a place. */
export function hoverAt(
  document: Document,
  findings: Findings | undefined,
  { line, character }: { readonly line: number; readonly character: number },
): Hover | null {
  const parts: string[][] = [];
  const occurrence = occurrenceAt(document, { line, character });
  const symbol = occurrence?.symbol;
  const known = symbol === undefined ? undefined : document.names.symbols[symbol];
  const word = wordAtPlace(document.text, line, character);
  if (known && known.kind !== 'builtin') parts.push([...symbolInWords(document, symbol!, known)]);
  else if (document.format === 'native' && word !== undefined) {
    const meaning = meaningOfWord(word);
    if (meaning !== undefined) parts.push([`**${word}**: ${meaning}`]);
  }
  const accesses = accessesAt(document, line, character);
  if (accesses.length > 0) parts.push([`Here: ${accesses.join(', then ')}`]);
  if (accesses.length > 0 && findings?.fences?.lines.some((one) => one.line === line))
    parts.push(['The cheapest fences that make the program robust have one before this line']);
  const attacks = findings ? attacksAt(document, findings, line, character) : [];
  if (attacks.length > 0) parts.push([...attacks]);
  if (parts.length === 0) return null;
  return {
    contents: {
      kind: MarkupKind.Markdown,
      value: parts.map((lines) => lines.join('\n\n')).join('\n\n---\n\n'),
    },
    ...(occurrence && { range: toRange(occurrence.span) }),
  };
}

/** Returns the word at a place of a text; `undefined` if there is none. */
function wordAtPlace(text: string, line: number, character: number): string | undefined {
  const content = text.split(/\r\n|\n|\r/, line + 1)[line] ?? '';
  for (const { 0: word, index } of content.matchAll(/[A-Za-z_][\w'′]*/g))
    if (index <= character && character <= index + word.length) return word;
  return undefined;
}
