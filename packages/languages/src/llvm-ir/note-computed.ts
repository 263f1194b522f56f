import { evaluateSet } from '@fencewright/model/analysis/value-set.js';
import { isAligned, isInside, possibleCells } from './address-guards.js';
import type { Analysed } from './assemble-program.js';
import { blockOfMark, type BlockMark } from './block-marks.js';
import { type AccessStep, accessKindOf, blockMarkOf, doesOf, isStoring } from './step.js';
import type { Round } from './world.js';

/**
 * The mark that the step sets to record that a `malloc` block is freed; `undefined` if the step
 * frees none.
 */
function markThatIsSet(step: AccessStep): BlockMark | undefined {
  if (step.kind !== 'store' || step.value.kind !== 'constant') return undefined;
  return step.value.value === 1 ? step.blockMark : undefined;
}

/** Adds to the facts the possible values that steps ask for. */
function noteAnswers({ world, sites }: Round, { program, closure, questions }: Analysed): void {
  for (const { step, thread, transition } of questions) {
    const site = sites.get(step);
    const { from, instruction } = program.threads[thread]!.transitions[transition]!;
    const before = closure.registers[thread]?.[from];
    if (site === undefined || instruction.kind !== 'assign') continue;
    const values = before ? evaluateSet(instruction.value, before, program.symbols) : [];
    world.facts.noteValues(site, values);
  }
}

/** Adds to the facts the possible values of computed addresses. */
export function noteComputed(round: Round, program: Analysed): void {
  const { world, sites, computed } = round;
  const { sets, accesses } = program;
  noteAnswers(round, program);
  const { blocks, facts } = world;
  for (const { id, step, origin, thread, transition } of accesses.values()) {
    const isStored = isStoring(step);
    const known = sets[thread]?.[transition] ?? [];
    const mark = markThatIsSet(step);
    // An access to a mark hits only marks.
    const addresses =
      known === 'any' && blockMarkOf(step) !== undefined ? possibleCells(world, step) : known;
    const site = sites.get(step);
    if (addresses === 'any') facts.touchAnywhere(id, step.size, isStored, origin);
    else {
      if (site !== undefined) computed.push({ site, size: step.size, addresses });
      for (const address of addresses)
        if (!isInside(world, step, address)) continue;
        else if (!isAligned(round, step, address)) facts.noteMisaligned(site!);
        else {
          if (mark !== undefined) blocks.noteMarked(blockOfMark(address, mark), mark);
          facts.touch(id, address, step.size, { isStored, isComputed: true });
          facts.notePlace(address, step.size, origin);
          if (accessKindOf(step) === 'atomic') facts.noteWhole(address, step.size);
          facts.noteTaken(id, { address, size: step.size }, doesOf(step), origin, true);
        }
    }
  }
  facts.askBases();
}
