import type { Limits } from '@fencewright/ground/base/budget.js';
import { writePlaces, type WrittenFence } from '@fencewright/repairs/events/certificate.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { inspectedProgram, type Model } from '@fencewright/model/program/model.js';
import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { WrittenRepair } from '@fencewright/repairs/fences/certificate.js';
import type { Property } from '@fencewright/model/program/program.js';
import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { choiceNamed, type CostChoice, costModelOf } from './cost-model.js';
import { defaults } from './defaults.js';
import { eventCosts, eventPlaces, type PlaceOptions } from './event-places.js';
import { repairItems } from './fence.js';
import { frontEndOf } from '@fencewright/languages/read/front-ends.js';
import type { ProgramText } from './question.js';
import { placesOf, textEditorOf } from './text-editor.js';

/**
 * What the text of a program says about the repairs of a certificate, or why it cannot be known.
 */
export type CertifiedRepairs =
  | {
      readonly kind: 'repairs';
      readonly items: readonly (WrittenRepair | WrittenFence)[];
      /** The name of what the costs come from. */
      readonly costModel: string;
    }
  /** The certificate is about no repairs of a program. */
  | { readonly kind: 'none' }
  /** The costs come from a document that was not given. */
  | { readonly kind: 'costs-needed' }
  /** The limits did not allow to find out the costs. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  /** The document that was to give the costs is wrong. */
  | {
      readonly kind: 'failure';
      readonly text: string;
      readonly diagnostics: readonly Diagnostic[];
    };

const modes: readonly unknown[] = ['fence', 'xchg', 'any', 'minimise', 'minimise-locked'];

/**
 * The kinds that are about repairs for properties; there, fences at ends of threads count, and
 * those at labels that properties look at stand before them.
 */
const kindsOfGoals: readonly unknown[] = ['property-fences'];

/**
 * The costs that a certificate names, unless others are given; nothing where a document has them.
 */
function chooseCosts(named: unknown, given: CostChoice | undefined): CostChoice | undefined {
  if (given) return given;
  const name = typeof named === 'string' ? named : '';
  return choiceNamed(name) ?? (name === 'file' ? undefined : defaults.costs);
}

/**
 * The repairs of the kind that a certificate is about, with their costs, of which there is a place
 * in the text of a program: what its verifier cannot know by itself. `given` are costs instead of
 * those that it names, `compiled` the editor of a text that a compiler has to read.
 */
export async function certifiedRepairs(
  certificate: unknown,
  model: Model,
  { format, source }: ProgramText,
  given: CostChoice | undefined,
  limits: Limits,
  compiled?: TextEditor,
): Promise<CertifiedRepairs> {
  const said = Object(certificate) as Readonly<Record<string, unknown>>;
  const { kind, mode = 'fence', costModel } = said;
  if (costModel === undefined || !modes.includes(mode) || model.kind === 'open')
    return { kind: 'none' };
  const choice = chooseCosts(costModel, given);
  if (!choice) return { kind: 'costs-needed' };
  if (model.kind === 'events') return eventRepairs(model.program, { format, source }, choice);
  const subject = inspectedProgram(model);
  const read = await costModelOf(choice, subject, limits);
  if (read.kind !== 'costs') return read;
  const editor = compiled ?? (await textEditorOf(format, source, subject));
  const options = {
    mode: mode as RepairMode,
    costs: read.costs,
    ...placesOf(editor, mode as RepairMode),
  };
  const isSeen = (one: Property): boolean => kindsOfGoals.includes(kind) && isNamedIn(said, one);
  const seen = subject.properties.filter(isSeen);
  return {
    kind: 'repairs',
    items: repairItems(subject, options, seen),
    costModel: read.costs.name,
  };
}

/** The same for a program of events, of which nothing is run to find out costs. */
async function eventRepairs(
  program: EventProgram,
  { format, source }: ProgramText,
  choice: CostChoice,
): Promise<CertifiedRepairs> {
  if (choice.kind === 'profile') return { kind: 'none' };
  const read = eventCosts(choice, program);
  if (read.kind === 'failure') return read;
  const editor = await frontEndOf(format).editEvents?.(source);
  if (!editor) return { kind: 'none' };
  const canFence: PlaceOptions['canFence'] = (...where) => editor.placesOf(...where).length > 0;
  return {
    kind: 'repairs',
    items: writePlaces(eventPlaces(program, { costs: read.costs, canFence })),
    costModel: read.costs.name,
  };
}

/** Whether a property is one of those that the repairs are for. */
function isNamedIn({ properties }: Readonly<Record<string, unknown>>, { name }: Property): boolean {
  return (
    Array.isArray(properties) &&
    properties.some((goal: unknown) => {
      const named = Object(goal) as { readonly kind?: unknown; readonly name?: unknown };
      return named.kind === 'property' && named.name === name;
    })
  );
}
