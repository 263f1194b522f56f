export { c11Html } from '@fencewright/reports/html/c11-html.js';
export { explainHtml, type ExplainPage } from '@fencewright/reports/html/explain-html.js';
export { reachHtml, type ReachPage } from '@fencewright/reports/html/reach-html.js';
export {
  eventExplainHtml,
  eventReachHtml,
  eventsHtml,
  type EventPage,
} from '@fencewright/reports/html/event-html.js';
export type { Caption } from '@fencewright/reports/graph/graph-svg.js';
export { witnessToDot } from '@fencewright/reports/graph/graph-dot.js';
export { witnessToSvg } from '@fencewright/reports/html/witness-svg.js';
export { runToSvg } from '@fencewright/reports/graph/event-lanes-svg.js';
export { callTreesToDot } from '@fencewright/reports/graph/call-trees-dot.js';
export { runOfAnswer } from './api/run-of-answer.js';
