export { hornText } from './api/horn-text.js';
