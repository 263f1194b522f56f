// What puts repairs into texts and prices them: for editors, and for who verifies certificates.
export {
  costName,
  choiceNamed,
  costModelOf,
  type CostChoice,
  type CostsRead,
} from './api/cost-model.js';
export { certifiedRepairs, type CertifiedRepairs } from './api/certified-repairs.js';
export { editSource, type EditPurpose } from './api/edit-source.js';
export type { EditRefusal, EditedSource } from './api/edit-text.js';
export { textEditorOf } from './api/text-editor.js';
export type { ChoosePlaces, TextEditor } from '@fencewright/model/program/front-end.js';
export { sizeCosts, labelCosts } from '@fencewright/repairs/fences/cost-models.js';
export {
  countExecutions,
  profileCosts,
  type ProfileOptions,
  type ExecutionCounts,
} from '@fencewright/repairs/fences/profile.js';
export { repairTrencherText } from '@fencewright/languages/trencher/repair-trencher.js';
