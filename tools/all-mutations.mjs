import { answerMutations } from '../packages/core/mutations/answer-mutations.mjs';
import { eventSequentialMutations } from '../packages/engines/mutations/event-sequential-mutations.mjs';
import { eventTsoMutations } from '../packages/engines/mutations/event-tso-mutations.mjs';
import { eventTwoThreadMutations } from '../packages/engines/mutations/event-two-thread-mutations.mjs';
import { c11Mutations } from '../packages/engines/mutations/c11-mutations.mjs';
import { cMutations } from '../packages/languages/mutations/c-mutations.mjs';
import { closureMutations } from '../packages/engines/mutations/closure-mutations.mjs';
import { c11CertificateMutations } from '../packages/verifier/mutations/c11-certificate-mutations.mjs';
import { copiesMutations } from '../packages/verifier/mutations/copies-mutations.mjs';
import { explorationMutations } from '../packages/engines/mutations/exploration-mutations.mjs';
import { fenceMutations } from '../packages/cli/mutations/fence-mutations.mjs';
import { fleetMutations } from '../packages/cli/mutations/fleet-mutations.mjs';
import { heavyFenceMutations } from '../packages/engines/mutations/heavy-fence-mutations.mjs';
import { heavyCertificateMutations } from '../packages/verifier/mutations/heavy-certificate-mutations.mjs';
import { hangMutations } from '../packages/engines/mutations/hang-mutations.mjs';
import { orderMutations } from '../packages/repairs/mutations/order-mutations.mjs';
import { litmusOrderMutations } from '../packages/languages/mutations/litmus-order-mutations.mjs';
import { nativeMutations } from '../packages/languages/mutations/native-mutations.mjs';
import { lspMutations } from '../packages/lsp/mutations/lsp-mutations.mjs';
import { eventFenceMutations } from '../packages/repairs/mutations/event-fence-mutations.mjs';
import { eventMutations } from '../packages/engines/mutations/event-mutations.mjs';
import { eventSemanticsMutations } from '../packages/model/mutations/event-semantics-mutations.mjs';
import { referenceMutations } from '../packages/reference/mutations/reference-mutations.mjs';
import { pairMutations } from '../packages/engines/mutations/pair-mutations.mjs';
import { proofMutations } from '../packages/proofs/mutations/proof-mutations.mjs';
import { pairCertificateMutations } from '../packages/verifier/mutations/pair-certificate-mutations.mjs';
import { raceMutations } from '../packages/engines/mutations/race-mutations.mjs';
import { repairMutations } from '../packages/repairs/mutations/repair-mutations.mjs';
import { flatNetMutations } from '../packages/repairs/mutations/flat-net-mutations.mjs';
import { robustCertificateMutations } from '../packages/verifier/mutations/robust-certificate-mutations.mjs';
import { searchMutations } from '../packages/engines/mutations/search-mutations.mjs';
import { anyNumberMutations } from '../packages/engines/mutations/any-number-mutations.mjs';
import { stateCertificateMutations } from '../packages/verifier/mutations/state-certificate-mutations.mjs';
import { stateMutations } from '../packages/engines/mutations/state-mutations.mjs';
import { symmetryMutations } from '../packages/engines/mutations/symmetry-mutations.mjs';
import { verifierEventMutations } from '../packages/verifier/mutations/verifier-event-mutations.mjs';
import { verifierKindMutations } from '../packages/verifier/mutations/verifier-kind-mutations.mjs';
import { verifierMutations } from '../packages/verifier/mutations/verifier-mutations.mjs';
import { wideMutations } from '../packages/model/mutations/wide-mutations.mjs';
import { wrappingMutations } from '../packages/model/mutations/wrapping-mutations.mjs';

/** All mutations. */
export const allMutations = [
  ...referenceMutations,
  ...searchMutations,
  ...heavyFenceMutations,
  ...heavyCertificateMutations,
  ...cMutations,
  ...c11Mutations,
  ...litmusOrderMutations,
  ...nativeMutations,
  ...closureMutations,
  ...pairMutations,
  ...symmetryMutations,
  ...proofMutations,
  ...verifierMutations,
  ...copiesMutations,
  ...pairCertificateMutations,
  ...robustCertificateMutations,
  ...verifierKindMutations,
  ...verifierEventMutations,
  ...answerMutations,
  ...eventSequentialMutations,
  ...eventTsoMutations,
  ...eventSemanticsMutations,
  ...eventMutations,
  ...eventTwoThreadMutations,
  ...eventFenceMutations,
  ...explorationMutations,
  ...hangMutations,
  ...raceMutations,
  ...stateMutations,
  ...c11CertificateMutations,
  ...stateCertificateMutations,
  ...anyNumberMutations,
  ...wrappingMutations,
  ...wideMutations,
  ...repairMutations,
  ...flatNetMutations,
  ...orderMutations,
  ...lspMutations,
  ...fenceMutations,
  ...fleetMutations,
];
