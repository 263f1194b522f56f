export { explainHtml, type ExplainPage } from './reports/html/explain-html.js';
export { reachHtml, type ReachPage } from './reports/html/reach-html.js';
export {
  eventExplainHtml,
  eventReachHtml,
  eventsHtml,
  type EventPage,
} from './reports/html/event-html.js';
export { runToSvg } from './reports/graph/event-lanes-svg.js';
export { callTreesToDot } from './reports/graph/call-trees-dot.js';
