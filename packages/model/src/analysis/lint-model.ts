import { inspectedProgram, type Model } from '../program/model.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { lintEvents } from './lint-events.js';
import { lintProgram } from './lint-program.js';

/** Warnings about likely slips, in a program of any kind. */
export function lintModel(model: Model): readonly Diagnostic[] {
  return model.kind === 'events' ? lintEvents(model.program) : lintProgram(inspectedProgram(model));
}
