import type { CostChoice, ProgramText, Question, RobustnessQuestion } from '@fencewright/core';
import type { Settings } from './settings.js';
import type { FileVerb } from './file-verb.js';

/** How robustness is to be decided. */
function robustness(settings: Settings): RobustnessQuestion {
  const { engine, notion, allAttacks, without, search, solver } = settings;
  const { queryJobs: jobs, handOverAfter, json, ci } = settings;
  return {
    ...search,
    engine,
    notion,
    allAttacks,
    listsAttacks: allAttacks || json || ci !== undefined,
    without,
    jobs,
    handOverAfter,
    ...(solver && { solver }),
  };
}

/** What a verb asks of the model of a text. */
export function questionOf(
  verb: FileVerb,
  settings: Settings,
  text: ProgramText,
  costs?: CostChoice,
): Question {
  const { pictures, certificate, proof = {}, solver, fence, notion } = settings;
  if (verb === 'prove' || (verb === 'bench' && settings.suite === 'reduction'))
    return {
      kind: 'prove',
      ...(proof.properties && { properties: proof.properties }),
      ...(proof.infer && { infer: true }),
      ...(solver && { solver }),
      certify: proof.certificate !== undefined,
      keepsQuestions: proof.script !== undefined,
    };
  switch (verb) {
    case 'check': {
      // Of the instances that were asked for only a search is asked.
      const triesProof = settings.triesProof === true && settings.copies === undefined;
      const certify = certificate !== undefined;
      return { kind: 'check', ...robustness(settings), certify, triesProof };
    }
    case 'explain':
      return {
        kind: 'explain',
        ...robustness(settings),
        ...(pictures?.html !== undefined && { fencesIn: text }),
      };
    case 'bench':
      return { kind: 'bench', ...robustness(settings), countsFences: settings.countFences };
    case 'reach': {
      const { buffer } = settings;
      return { kind: 'reach', ...(buffer !== undefined && { buffer }) };
    }
    case 'trf':
      return { kind: 'trf', repair: settings.trfFences ?? false };
    case 'fence':
      return {
        kind: 'fence',
        text,
        notion,
        ...(fence && { mode: fence.mode }),
        ...(costs && { costs }),
        ...(fence?.properties && { properties: fence.properties }),
        certify: fence?.certificate !== undefined,
      };
  }
}
