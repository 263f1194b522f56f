export * from './reports/html/explain-html.js';
export * from './reports/html/reach-html.js';
