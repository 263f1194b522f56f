export { explainHtml, type ExplainPage } from './reports/html/explain-html.js';
export { reachHtml, type ReachPage } from './reports/html/reach-html.js';
