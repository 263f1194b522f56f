import type { TextEdit } from '@fencewright/ground/source/text-edit.js';
import type { NodeBase } from './syntax-node.js';
import type { BlockSyntax, StatementSyntax } from './syntax-statements.js';
import { nestedStatements } from './collect-locals.js';
import { awaitLocations, computeGaps } from './insertion-points.js';
import { assignmentEdits, exchangeCallEdits, exchangeEdits } from './repair-native-instruction.js';
import { insertFenceStatements, removeFenceStatement } from './repair-native-layout.js';
import { fenceWord, type ThreadRepair } from './repair-native-thread.js';
import type { Gap, TextFlow } from './text-flow.js';

/** Returns the edits that repair a thread in the structured form. */
export function editStructured(
  repair: ThreadRepair,
  flow: TextFlow,
  body: BlockSyntax,
): readonly TextEdit[] {
  const { text, thread } = repair;
  const statements = statementsByStart(body);
  const gaps = chooseGaps(repair, flow);
  const edits: TextEdit[] = [];
  const changed = new Set<number>();
  for (const item of repair.repairs) {
    if (item.kind === 'fence' || changed.has(item.transition)) continue;
    changed.add(item.transition);
    const start = thread.transitions[item.transition]?.origin.span?.start;
    const statement = start && statements.get(`${start.line}:${start.column}`);
    const own = statement && editStatement(text, item.kind, statement, gaps);
    if (own) edits.push(...own);
    else repair.refuse(item);
  }
  const fenceIn = (gap: Gap): string => [...gaps.get(gap)!.values()].join('; ');
  return [...insertFenceStatements(text, [...gaps.keys()], fenceIn), ...edits];
}

/** Returns the innermost statement at each start of a statement. */
export function statementsByStart(body: BlockSyntax): ReadonlyMap<string, StatementSyntax> {
  const statements = new Map<string, StatementSyntax>();
  const visit = (statement: StatementSyntax): void => {
    const { line, column } = statement.span.start;
    statements.set(`${line}:${column}`, statement);
    nestedStatements(statement).forEach(visit);
  };
  body.statements.forEach(visit);
  return statements;
}

/**
 * Returns the gaps of the text that get fences; for each gap, the words of its fences (such as
 * `fence`), by number of the heavy fence at the location, or 0 for other fences.
 */
function chooseGaps(repair: ThreadRepair, flow: TextFlow): Map<Gap, Map<number, string>> {
  const chosen = new Map<Gap, Map<number, string>>();
  const fences = repair.repairs.flatMap((item) => (item.kind === 'fence' ? [item] : []));
  const behind = fences.some(({ before }) => !before) && computeGaps(flow);
  const before = fences.some((item) => item.before) && computeGaps(flow, true);
  const awaits = awaitLocations(flow);
  for (const item of fences) {
    const all = item.before ? before : behind;
    const isPossible = item.heavy === undefined || !awaits.has(item.location);
    const gaps = all && isPossible ? all.get(item.location) : undefined;
    if (!gaps) repair.refuse(item);
    const points = repair.choosePoints(item.location);
    gaps?.forEach((gap, index) => {
      if (points && !points.includes(index)) return;
      const words = chosen.get(gap) ?? new Map<number, string>();
      chosen.set(gap, words.set(item.heavy ?? 0, fenceWord(item)));
    });
  }
  return chosen;
}

/**
 * Returns the edits for an exchange at a statement, or for removing a fence; `undefined` if the
 * statement does not permit the change. If a fence is to be inserted beside a fence to be removed,
 * the old fence is kept, and the gap taken from `gaps`.
 */
function editStatement(
  text: string,
  kind: 'xchg' | 'remove',
  statement: StatementSyntax,
  gaps: Map<Gap, unknown>,
): readonly TextEdit[] | undefined {
  switch (statement.kind) {
    case 'KeywordStatement': {
      if (kind === 'xchg' || !statement.keyword.endsWith('fence')) return undefined;
      const beside = [...gaps.keys()].filter((gap) => isBeside(gap, statement));
      for (const gap of beside) gaps.delete(gap);
      return beside.length > 0 ? [] : removeFenceStatement(text, statement);
    }
    case 'CallStatement':
      return kind === 'remove'
        ? assignmentEdits(text, statement, '=')
        : exchangeCallEdits(statement);
    case 'AssignStatement':
    case 'MemoryStatement':
      return kind === 'xchg' ? exchangeEdits(text, statement) : undefined;
    default:
      return undefined;
  }
}

/** Whether nothing but labels and annotations is between the gap and the statement. */
function isBeside(gap: Gap, statement: NodeBase): boolean {
  if (gap.statement === statement) return true;
  const around = statement.parent;
  switch (around?.kind) {
    case 'AnnotatedStatement':
      return isBeside(gap, around);
    case 'LabelledStatement':
      return gap.kind === 'after' && isBeside(gap, around);
    default:
      return false;
  }
}
