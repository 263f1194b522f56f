export { attackNeeded, hornText } from './api/horn-text.js';
