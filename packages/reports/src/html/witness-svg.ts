import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { attackSentence } from '../text/attack-in-words.js';
import { printableLine } from '@fencewright/ground/source/quote-name.js';
import { titleOf } from '../text/check.js';
import { verdictMeaning } from '../words/verdict-meaning.js';
import type { Subject } from '../words/subject.js';
import { graphSvg } from '../graph/graph-svg.js';
import { happensBeforeGraph } from '../graph/happens-before-graph.js';

/** Returns the happens-before graph of a witness as an SVG picture that can be read alone. */
export function witnessToSvg(
  subject: Subject,
  witness: Witness,
  happensBefore: HappensBefore,
): string {
  const { program } = subject;
  const meaning = verdictMeaning[happensBefore]['not-robust'];
  return graphSvg(program, happensBeforeGraph(program, witness, happensBefore), {
    title: `${printableLine(program.name) || titleOf(subject)} is not robust`,
    sentence: `${attackSentence(program, witness)} ${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`,
  });
}
