// What puts repairs into texts and prices them: for editors, and for who verifies certificates.
export * from './api/cost-model.js';
export * from './api/edit-source.js';
export * from './api/text-editor.js';
export * from './fences/cost-models.js';
export * from './fences/profile.js';
export * from './frontends/trencher/repair-trencher.js';
