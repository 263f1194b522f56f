export * from './api/horn-text.js';
