// Functions that put repairs into texts and price repairs: for editors, and for verifiers of
// certificates.
export type { CostChoice, CostsRead } from './api/cost-model.js';
export { certifiedRepairs, type CertifiedRepairs } from './api/certified-repairs.js';
export type { EditPurpose } from './api/edit-source.js';
export type { EditRefusal, EditedSource } from './api/edit-text.js';
export type { ChoosePlaces, TextEditor } from '@fencewright/model/program/front-end.js';
export { sizeCosts } from '@fencewright/repairs/fences/cost-models.js';
export {
  profileCosts,
  type ProfileOptions,
  type ExecutionCounts,
} from '@fencewright/repairs/fences/profile.js';
