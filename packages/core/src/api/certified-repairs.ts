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
import { eventCosts, eventPlaces, type FencePlaceOptions } from './event-places.js';
import { repairItems } from './fence.js';
import { frontEndOf } from '@fencewright/languages/read/front-ends.js';
import type { ProgramText } from './question.js';
import { fencePlacesOf, textEditorOf } from './text-editor.js';

/**
 * The repairs that can be written into the certificate's program text, with costs; or the reason
 * why they are unknown.
 */
export type CertifiedRepairs =
  | {
      readonly kind: 'repairs';
      readonly items: readonly (WrittenRepair | WrittenFence)[];
      /** The name of the cost model that determines the costs of the repairs. */
      readonly costModel: string;
    }
  /** The certificate is not about repairs of a program. */
  | { readonly kind: 'none' }
  /**
   * The certificate takes its costs from a document, and the caller did not supply the document.
   */
  | { readonly kind: 'costs-needed' }
  /** The limits were reached before the costs of the repairs were known. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  /** The cost document is invalid. */
  | {
      readonly kind: 'failure';
      readonly text: string;
      readonly diagnostics: readonly Diagnostic[];
    };

const modes: readonly unknown[] = [
  ...(['fence', 'xchg', 'asymmetric', 'any', 'minimise', 'minimise-locked'] as const),
];

/**
 * The kinds of certificates about repairs that establish properties. Such repairs may include
 * fences at the ends of threads, and place a fence before a label that a property observes.
 */
const kindsOfGoals: readonly unknown[] = ['property-fences'];

/**
 * Returns `given`, if the caller gave costs, or else the costs that the certificate names;
 * `undefined` if the certificate takes its costs from a document.
 */
function chooseCosts(named: unknown, given: CostChoice | undefined): CostChoice | undefined {
  if (given) return given;
  const name = typeof named === 'string' ? named : '';
  return choiceNamed(name) ?? (name === 'file' ? undefined : defaults.costs);
}

/**
 * Returns the repairs, with costs, that can be written into the certificate's program text. The
 * verifier cannot compute these facts itself. `given` replaces the cost model named in the
 * certificate; `compiled` is the editor of the text, for a text that only a compiler can read.
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
    ...fencePlacesOf(editor, mode as RepairMode),
  };
  const isSeen = (one: Property): boolean => kindsOfGoals.includes(kind) && isNamedIn(said, one);
  const seen = subject.properties.filter(isSeen);
  return {
    kind: 'repairs',
    items: repairItems(subject, options, seen, kind === 'fences' && !options.noHeavyFences),
    costModel: read.costs.name,
  };
}

/**
 * Finds the repairs of a program of events as `certifiedRepairs` does for threads. Costs measured
 * in random runs are not available.
 */
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
  const canFence: FencePlaceOptions['canFence'] = (...where) =>
    editor.placesOf(...where).length > 0;
  return {
    kind: 'repairs',
    items: writePlaces(eventPlaces(program, { costs: read.costs, canFence })),
    costModel: read.costs.name,
  };
}

/** Whether the certificate names the property as one of its goals. */
function isNamedIn({ properties }: Readonly<Record<string, unknown>>, { name }: Property): boolean {
  return (
    Array.isArray(properties) &&
    properties.some((goal: unknown) => {
      const named = Object(goal) as { readonly kind?: unknown; readonly name?: unknown };
      return named.kind === 'property' && named.name === name;
    })
  );
}
