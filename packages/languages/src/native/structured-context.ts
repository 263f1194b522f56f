import type { Body, MilestoneId } from '@fencewright/model/program/event-program.js';
import type { AtomicStatement } from './syntax-statements.js';
import type { LabelDeclaration } from './collect-locals.js';
import type { HiddenRegisters } from './hidden-registers.js';
import type { ProblemList } from './problem-list.js';
import type { ThreadScope } from './scope.js';
import type { Marks, DraftLocation } from '@fencewright/model/program/automaton-builder.js';
import type { ThreadBuilder } from './thread-builder.js';

/** The points to which `break` and `continue` lead. */
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
  /** The labels that events wait for. */
  readonly milestones: ReadonlyMap<string, MilestoneId>;
  /** The marks that annotations around the statement give to its instructions. */
  readonly marks: Marks;
  /** The kind of body being lowered. */
  readonly role: 'thread' | Body['role'];
  /** The point at the end of the body. */
  readonly end: DraftLocation;
  readonly loop?: LoopTargets;
  readonly atomic?: AtomicStatement;
}
