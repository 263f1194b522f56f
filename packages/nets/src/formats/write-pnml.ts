import { countAt, emptyMarking, entriesOf, omega } from '@fencewright/ground/petri/marking.js';
import type { Net } from '@fencewright/ground/petri/net.js';
import { toPlainNet } from '@fencewright/ground/petri/one-hot.js';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const grammar = 'http://www.pnml.org/version-2009/grammar';

/**
 * Writes a net in PNML, the P/T nets of ISO/IEC 15909-2; controls become places. A place with any
 * number of tokens has a transition that produces tokens. PNML cannot express targets: a comment
 * lists them.
 */
export function writePnml(given: Net): string {
  const net = toPlainNet(given);
  const { marking } = net.initial;
  const places = net.places.map((name, place) => {
    const count = countAt(marking, place);
    const tokens = count === omega ? countAt(net.least ?? emptyMarking, place) : count;
    const start = tokens > 0 ? `<initialMarking><text>${tokens}</text></initialMarking>` : '';
    return `<place id="p${place}"><name><text>${escaped(name)}</text></name>${start}</place>`;
  });
  const feeds = entriesOf(marking).filter(([, count]) => count === omega);
  const transitions = [
    ...net.rules.map(({ id, name, pre, post }) => ({
      name: name ?? `rule ${id}`,
      pre: entriesOf(pre),
      post: entriesOf(post),
    })),
    ...feeds.map(([place]) => ({
      name: `more of ${net.places[place]!}`,
      pre: [],
      post: [[place, 1] as const],
    })),
  ];
  let arcs = 0;
  const arc = (source: string, target: string, weight: number): string =>
    `<arc id="a${arcs++}" source="${source}" target="${target}"><inscription><text>${weight}</text></inscription></arc>`;
  const body = transitions.flatMap(({ name, pre, post }, t) => [
    `<transition id="t${t}"><name><text>${escaped(name)}</text></name></transition>`,
    ...pre.map(([place, weight]) => arc(`p${place}`, `t${t}`, weight)),
    ...post.map(([place, weight]) => arc(`t${t}`, `p${place}`, weight)),
  ]);
  const targets = net.targets.map((target) =>
    entriesOf(target.marking)
      .map(([place, count]) => `p${place} >= ${count}`)
      .join(', '),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<pnml xmlns="${grammar}/pnml">`,
    `<!-- to be covered: ${targets.join('; or ')} -->`,
    `<net id="net" type="${grammar}/ptnet"><page id="page">`,
    ...places,
    ...body,
    '</page></net>',
    '</pnml>',
    '',
  ].join('\n');
}
