import { answerMutations } from './answer-mutations.mjs';
import { eventTsoMutations } from './event-tso-mutations.mjs';
import { eventTwoThreadMutations } from './event-two-thread-mutations.mjs';
import { cMutations } from './c-mutations.mjs';
import { closureMutations } from './closure-mutations.mjs';
import { copiesMutations } from './copies-mutations.mjs';
import { explorationMutations } from './exploration-mutations.mjs';
import { fleetMutations } from './fleet-mutations.mjs';
import { hangMutations } from './hang-mutations.mjs';
import { lspMutations } from './lsp-mutations.mjs';
import { eventFenceMutations } from './event-fence-mutations.mjs';
import { eventMutations } from './event-mutations.mjs';
import { eventSemanticsMutations } from './event-semantics-mutations.mjs';
import { referenceMutations } from './mutations.mjs';
import { pairMutations } from './pair-mutations.mjs';
import { proofMutations } from './proof-mutations.mjs';
import { pairCertificateMutations } from './pair-certificate-mutations.mjs';
import { raceMutations } from './race-mutations.mjs';
import { repairMutations } from './repair-mutations.mjs';
import { robustCertificateMutations } from './robust-certificate-mutations.mjs';
import { searchMutations } from './search-mutations.mjs';
import { anyNumberMutations } from './any-number-mutations.mjs';
import { stateCertificateMutations } from './state-certificate-mutations.mjs';
import { stateMutations } from './state-mutations.mjs';
import { verifierEventMutations } from './verifier-event-mutations.mjs';
import { verifierKindMutations } from './verifier-kind-mutations.mjs';
import { verifierMutations } from './verifier-mutations.mjs';
import { wideMutations } from './wide-mutations.mjs';
import { wrappingMutations } from './wrapping-mutations.mjs';

/** Every mutation there is. */
export const allMutations = [
  ...referenceMutations,
  ...searchMutations,
  ...cMutations,
  ...closureMutations,
  ...pairMutations,
  ...proofMutations,
  ...verifierMutations,
  ...copiesMutations,
  ...pairCertificateMutations,
  ...robustCertificateMutations,
  ...verifierKindMutations,
  ...verifierEventMutations,
  ...answerMutations,
  ...eventTsoMutations,
  ...eventSemanticsMutations,
  ...eventMutations,
  ...eventTwoThreadMutations,
  ...eventFenceMutations,
  ...explorationMutations,
  ...hangMutations,
  ...raceMutations,
  ...stateMutations,
  ...stateCertificateMutations,
  ...anyNumberMutations,
  ...wrappingMutations,
  ...wideMutations,
  ...repairMutations,
  ...lspMutations,
  ...fleetMutations,
];
