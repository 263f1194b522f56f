import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Configuration } from '@fencewright/ground/petri/counter-system.js';
import { ruleName } from './cover-json.js';
import type { CoverAnswer } from './decide-cover.js';
import { entriesOf, omega } from '@fencewright/ground/petri/marking.js';
import { type Net, toSystem } from '@fencewright/ground/petri/net.js';
import { replayRun } from '@fencewright/ground/petri/replay-run.js';
import { weigh, weightsText } from '@fencewright/ground/petri/weights.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/**
 * The maximum number of steps or elements listed in the report; further ones are only counted, but
 * the JSON document lists all.
 */
const shown = 40;

function configurationText(net: Net, { control, marking }: Configuration): string {
  const tokens = entriesOf(marking).map(([place, count]) => {
    const name = net.places[place] ?? String(place);
    return count === omega ? `any ${name}` : count === 1 ? name : `${count} ${name}`;
  });
  const where = net.controls.length > 1 ? `${net.controls[control] ?? control}: ` : '';
  return `${where}${tokens.join(', ') || 'no tokens'}`;
}

const reasons = {
  states: 'the limit on states was reached',
  work: 'the limit on work was reached',
  memory: 'the limit on memory was reached',
  time: 'the time limit was reached',
  cancelled: 'the run was interrupted',
  unsupported: 'a number of tokens exceeds 2^53',
} as const;

function runLines(
  net: Net,
  { verdict }: { verdict: CoverAnswer['verdict'] & { readonly kind: 'coverable' } },
): readonly string[] {
  const { run } = verdict;
  if (!run) return ['', 'The run is too long to print.'];
  const after = replayRun(toSystem(net), run) ?? [];
  const steps = run.steps.slice(0, shown).map(({ id }, i) => {
    const next = after[i + 1];
    return `  ${ruleName(net, id)}${next ? `  ->  ${configurationText(net, next)}` : ''}`;
  });
  const more = run.steps.length - steps.length;
  return [
    '',
    `From ${configurationText(net, run.initial)}, ${countOf(run.steps.length, 'step')}:`,
    ...steps,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function certificateLines(
  net: Net,
  { verdict }: { verdict: CoverAnswer['verdict'] & { readonly kind: 'not-coverable' } },
): readonly string[] {
  const { certificate } = verdict;
  const { elements } = certificate;
  const lines = elements.slice(0, shown).map((element) => `  ${configurationText(net, element)}`);
  const more = elements.length - lines.length;
  const rest = more > 0 ? [`  and ${more} more`] : [];
  if (certificate.kind === 'invariant')
    return ['', 'Every reachable configuration is covered by one of', ...lines, ...rest];
  const weights = certificate.weights.map((weight) => {
    return `  ${weightsText(net, weight)} <= ${weigh(weight, net.initial.marking)}`;
  });
  return [
    '',
    'Every configuration from which a target can be covered covers one of',
    ...lines,
    ...rest,
    ...(weights.length > 0 ? ['or violates one of', ...weights] : []),
    'and so does every configuration before it.',
  ];
}

/**
 * Formats the answer as text: the verdict first, then the run or the certificate. `paint` colours
 * the verdict.
 */
export function coverReport(
  title: string,
  net: Net,
  answer: CoverAnswer,
  milliseconds: number,
  paint: (text: string, kind: CoverAnswer['verdict']['kind']) => string,
): string {
  const { verdict, states } = answer;
  const { kind } = verdict;
  const size = `${countOf(net.places.length, 'place')}, ${countOf(net.rules.length, 'rule')}`;
  const work = [
    `${countOf(states.forward, 'node')} forwards`,
    `${countOf(states.backward, 'element')} backwards`,
    `${milliseconds.toFixed(1)} ms`,
  ].join(', ');
  const head = (words: string, details: readonly string[]): string =>
    [`${title}: ${paint(words, kind)}`, `${size}; ${work}`, ...details, ''].join('\n');
  switch (verdict.kind) {
    case 'coverable':
      return head('coverable (unsafe)', runLines(net, { verdict }));
    case 'not-coverable':
      return head('not coverable (safe)', certificateLines(net, { verdict }));
    case 'unknown':
      return head('unknown', [reasons[verdict.reason]]);
    default:
      return unreachable(verdict);
  }
}
