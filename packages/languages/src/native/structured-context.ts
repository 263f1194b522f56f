import type { Body, MilestoneId } from '@fencewright/model/program/event-program.js';
import type { AtomicStatement } from './syntax-statements.js';
import type { LabelDeclaration } from './collect-locals.js';
import type { HiddenRegisters } from './hidden-registers.js';
import type { ProblemList } from './problem-list.js';
import type { ThreadScope } from './scope.js';
import type { Marks, DraftLocation } from '@fencewright/model/program/automaton-builder.js';
import type { ThreadBuilder } from './thread-builder.js';

/** The points of the automaton to which `break` and `continue` lead. */
export interface LoopTargets {
  readonly exit: DraftLocation;
  readonly next: DraftLocation;
  readonly atomic: AtomicStatement | undefined;
}

/** The surroundings of a statement, needed for lowering the statement. */
export interface StatementContext {
  readonly scope: ThreadScope;
  readonly problems: ProblemList;
  readonly builder: ThreadBuilder;
  readonly hidden: HiddenRegisters;
  readonly labels: ReadonlyMap<string, LabelDeclaration & { readonly point: DraftLocation }>;
  /**
   * By label, the milestones of the body: labels that a task has to pass before an event starts.
   */
  readonly milestones: ReadonlyMap<string, MilestoneId>;
  /**
   * The marks (such as the cost of a fence) of the statement's instructions, from annotations
   * around the statement.
   */
  readonly marks: Marks;
  /** The kind of the body that is being lowered: a thread, an event or a procedure. */
  readonly role: 'thread' | Body['role'];
  /** The point of the automaton at the end of the body. */
  readonly end: DraftLocation;
  readonly loop?: LoopTargets;
  readonly atomic?: AtomicStatement;
}
