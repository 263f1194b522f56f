import type { Marks } from '@fencewright/model/program/automaton-builder.js';
import { unknownWord, wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import { evaluateConstant } from './evaluate-constant.js';
import type { Annotation, DecimalLiteral, ExpressionSyntax } from './syntax-expressions.js';
import type { ProblemList } from './problem-list.js';
import { readTerm } from './read-term.js';
import { type SharedScope, lookUpShared } from './scope.js';

const plainMarks: Readonly<Record<'nofence' | 'luck' | 'timeout' | 'choice', Marks>> = {
  nofence: { nofence: true },
  luck: { luck: 'chance' },
  timeout: { luck: 'time-out' },
  choice: { luck: 'choice' },
};

export const annotationNames: readonly string[] = ['cost', ...Object.keys(plainMarks)];

/**
 * Returns the marks (such as the cost of a fence) of a statement: the marks `outer` of its
 * surroundings, changed by its annotations.
 */
export function readAnnotations(
  annotations: readonly Annotation[],
  outer: Marks,
  shared: SharedScope,
  problems: ProblemList,
): Marks {
  let marks = outer;
  for (const annotation of annotations) {
    const span = annotation.span;
    switch (annotation.name.text) {
      case 'nofence':
      case 'luck':
      case 'timeout':
      case 'choice': {
        const { text } = annotation.name;
        if (annotation.value)
          problems.add(wrongOperand(span, `@${text} takes no value`, `write @${text}`));
        marks = { ...marks, ...plainMarks[text] };
        break;
      }
      case 'cost':
        marks = { ...marks, cost: readCost(annotation, shared, problems) };
        break;
      default:
        problems.add(unknownWord(span, 'annotation', annotation.name.text, annotationNames));
    }
  }
  return marks;
}

/** Returns the cost that an annotation gives; 1 after an error. */
function readCost(annotation: Annotation, shared: SharedScope, problems: ProblemList): number {
  const usage = 'write a positive number: @cost(5), @cost(0.5)';
  if (!annotation.value) {
    problems.add(wrongOperand(annotation.span, '@cost needs a value', usage));
    return 1;
  }
  const cost =
    annotation.value.kind === 'DecimalLiteral'
      ? decimalOf(annotation.value, problems)
      : constantOf(annotation.value, shared, problems);
  if (cost === undefined || cost > 0) return cost ?? 1;
  problems.add(wrongOperand(annotation.value.span, `a fence cannot cost ${cost}`, usage));
  return 1;
}

/** Returns the value of a number with decimals; `undefined` after a reported error. */
function decimalOf({ text, span }: DecimalLiteral, problems: ProblemList): number | undefined {
  // A number with so few digits is printed as it was written.
  if (/^(0|[1-9][0-9]{0,8})\.[0-9]{1,6}$/.test(text)) return Number(text);
  const hint = 'write at most nine digits, a point, and at most six digits: 0.5';
  problems.add(wrongOperand(span, `'${text}' is not a cost`, hint));
  return undefined;
}

/** Returns the value of a constant expression; `undefined` after a reported error. */
function constantOf(
  value: ExpressionSyntax,
  shared: SharedScope,
  problems: ProblemList,
): number | undefined {
  const term = readTerm(value, problems);
  const scope = {
    lookUp: (name: string) => lookUpShared(shared, name),
    candidates: () => shared.constants.keys(),
  };
  return term && evaluateConstant(term, scope, problems);
}
