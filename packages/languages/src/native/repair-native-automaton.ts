import type { LocationId } from '@fencewright/model/program/ids.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import {
  type TextEdit,
  insertion,
  lineAt,
  lineBreakOf,
  replacement,
} from '@fencewright/ground/source/text-edit.js';
import type { Automaton, LabelledInstruction } from './syntax.js';
import {
  assignmentEdits,
  exchangeCallEdits,
  blanksBefore,
  exchangeEdits,
} from './repair-native-instruction.js';
import { fenceWord, type ThreadRepair } from './repair-native-thread.js';

/**
 * Returns the edits that repair a thread in the automaton form; its transitions are its
 * instructions, in the order of the text.
 */
export function editAutomaton(
  repair: ThreadRepair,
  { instructions }: Automaton,
): readonly TextEdit[] {
  const taken = new Set(repair.thread.locations.map(({ name }) => name));
  const fenced = new Map<LocationId, Map<number, FenceItem>>();
  const changed = new Set<number>();
  const edits: TextEdit[] = [];
  for (const item of repair.repairs) {
    if (item.kind === 'fence') {
      const items = fenced.get(item.location) ?? new Map<number, FenceItem>();
      fenced.set(item.location, items.set(item.heavy ?? 0, item));
    } else if (!changed.has(item.transition)) {
      changed.add(item.transition);
      const labelled = instructions[item.transition];
      const own = labelled && instructionEdits(repair.text, item.kind, labelled);
      if (own) edits.push(...own);
      else repair.refuse(item);
    }
  }
  for (const [location, items] of fenced)
    if (repair.choosePoints(location)?.length !== 0)
      edits.push(...fenceEdits(repair, [...items.values()], instructions, taken));
  return edits;
}

type FenceItem = SourceRepair & { readonly kind: 'fence' };

/**
 * Returns the edits that put fences at a label, by [BDM13] Sect. 7: `l: inst` becomes `l: mfence;
 * goto lf` and `lf: inst`, for every instruction at `l`.
 */
function fenceEdits(
  { text, thread, refuse }: ThreadRepair,
  items: readonly FenceItem[],
  instructions: readonly LabelledInstruction[],
  taken: Set<string>,
): readonly TextEdit[] {
  const [item] = items as readonly [FenceItem];
  const name = thread.locations[item.location]?.name;
  const labels = instructions.map(({ label }) => label).filter((label) => label.text === name);
  const [first] = labels;
  if (!first || item.before)
    return entryFenceEdits({ text, refuse }, item, name, instructions, taken);
  const { start } = first;
  const line = lineAt(text, start);
  const isAlone = blanksBefore(text, start) === line.start;
  let fresh = first.text;
  const fences = items.map((one) => {
    const own = fresh;
    fresh = freshName(taken, `${first.text}_fenced`);
    taken.add(fresh);
    const fence = `${own}: ${fenceWord(one).replace(/^fence$/, 'mfence')}; goto ${fresh};`;
    return isAlone ? text.slice(line.start, start) + fence + lineBreakOf(text) : `${fence} `;
  });
  return [
    insertion(isAlone ? line.start : start, fences.join('')),
    ...labels.map((label) => replacement(label.start, label.end, fresh)),
  ];
}

/**
 * Returns the edits that put a fence at the thread's end, or before a label: jumps to the old label
 * lead to a new label, with `mfence; goto` the old one.
 */
function entryFenceEdits(
  { text, refuse }: Pick<ThreadRepair, 'text' | 'refuse'>,
  item: FenceItem,
  name: string | undefined,
  instructions: readonly LabelledInstruction[],
  taken: Set<string>,
): readonly TextEdit[] {
  const targets = instructions.map(({ target }) => target).filter((target) => target.text === name);
  const [first] = targets;
  const last = instructions.at(-1);
  if (!first || !last) {
    refuse(item);
    return [];
  }
  const fresh = freshName(taken, `${first.text}_fenced`);
  taken.add(fresh);
  const { start, end } = last;
  const blanks = text.slice(blanksBefore(text, start), start);
  const isAlone = lineAt(text, start).start === start - blanks.length;
  const gap = isAlone ? lineBreakOf(text) + blanks : ' ';
  return [
    insertion(end, `${gap}${fresh}: mfence; goto ${first.text};`),
    ...targets.map((target) => replacement(target.start, target.end, fresh)),
  ];
}

function freshName(taken: ReadonlySet<string>, wish: string): string {
  let name = wish;
  for (let number = 2; taken.has(name); number++) name = `${wish}${number}`;
  return name;
}

function instructionEdits(
  text: string,
  kind: 'xchg' | 'remove',
  { instruction }: LabelledInstruction,
): readonly TextEdit[] | undefined {
  if (!instruction) return undefined;
  const { start, end } = instruction;
  switch (instruction.kind) {
    case 'PlainInstruction':
      return kind === 'remove' && instruction.keyword.endsWith('fence')
        ? [replacement(start, end, 'skip')]
        : undefined;
    case 'CallInstruction':
      return kind === 'remove'
        ? assignmentEdits(text, instruction, '<-')
        : exchangeCallEdits(instruction);
    case 'AssignInstruction':
    case 'MemoryInstruction':
      return kind === 'xchg' ? exchangeEdits(text, instruction) : undefined;
    default:
      return undefined;
  }
}
