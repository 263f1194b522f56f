export * from './reports/html/explain-html.js';
