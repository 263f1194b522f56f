import {
  type Diagnostic,
  inspectedProgram,
  type Limits,
  type WrittenRepair,
  repairItems,
  type RepairMode,
  type UnknownReason,
} from '@fencewright/core';
import { choiceNamed, costModelOf, textEditorOf } from '@fencewright/core/edit';
import type { CostChoice } from '../cost-choice.js';
import type { LoadedFile } from '../load-program.js';
import { readSource } from '../read-source.js';

/** What the text of a program says about the repairs of a certificate, or why it cannot be known. */
export type RepairsInText =
  | { readonly kind: 'repairs'; readonly repairs: readonly WrittenRepair[] }
  /** The certificate is about no repairs of a program. */
  | { readonly kind: 'none' }
  | { readonly kind: 'usage'; readonly message: string }
  /** The limits did not allow to find out the costs. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  | {
      readonly kind: 'failure';
      readonly file: string;
      readonly source?: string;
      readonly diagnostics: readonly Diagnostic[];
    };

const modes: readonly unknown[] = ['fence', 'xchg', 'any', 'minimise', 'minimise-locked'];

/** The kinds that are about repairs for a property name a mode or have none; there, fences at ends of threads count. */
const kindsWithEnds: readonly unknown[] = ['property-fences'];

/** The costs to verify with, or why they cannot be had. */
function chooseCosts(named: unknown, given: CostChoice | undefined): CostChoice | string {
  const name = typeof named === 'string' ? named : '';
  if (given) return given;
  return (
    choiceNamed(name) ??
    (name === 'file'
      ? 'the costs of this certificate come from a file: give it with --cost FILE'
      : { kind: 'size' })
  );
}

/** The repairs of the kind that a certificate is about, with their costs, of which there is a place in the text of a program. */
export async function repairsInText(
  certificate: unknown,
  { model, format = 'native', source = '' }: LoadedFile,
  given: CostChoice | undefined,
  limits: Limits,
): Promise<RepairsInText> {
  const said = Object(certificate) as Readonly<Record<string, unknown>>;
  const { kind, mode = 'fence', costModel } = said;
  if (costModel === undefined || !modes.includes(mode)) return { kind: 'none' };
  if (!model || model.kind === 'open') return { kind: 'none' };
  const subject = inspectedProgram(model);
  const choice = chooseCosts(costModel, given);
  if (typeof choice === 'string') return { kind: 'usage', message: choice };
  const file = choice.kind === 'file' ? choice.file : '';
  const known = choice.kind === 'file' ? await readSource(file) : choice;
  if (known.kind === 'failure') return { kind: 'failure', file, diagnostics: [known.diagnostic] };
  const read = await costModelOf(known, subject, limits);
  if (read.kind === 'unknown') return read;
  if (read.kind === 'failure')
    return { kind: 'failure', file, source: read.text, diagnostics: read.diagnostics };
  const editor = await textEditorOf(format, source, subject);
  const repairs = repairItems(
    subject,
    {
      mode: mode as RepairMode,
      costs: read.costs,
      canFence: (thread, location) => editor.placesOf(thread, location).length > 0,
    },
    kindsWithEnds.includes(kind) && !isAboutAssertions(said),
  );
  return { kind: 'repairs', repairs };
}

/** Whether assertions are all that the repairs are for: then no end of a thread is spoken of. */
function isAboutAssertions({ properties }: Readonly<Record<string, unknown>>): boolean {
  return (
    Array.isArray(properties) &&
    properties.every((goal: unknown) => (Object(goal) as { kind?: unknown }).kind === 'assertions')
  );
}
