// Verdicts on programs of events. Every answer about events needs this code; the reports in
// events.ts are loaded separately.
export {
  criterionMeanings,
  criterionNames,
  whyEventsUnknown,
} from '@fencewright/reports/words/event-criteria.js';
export { decisive, eventVerdict } from '@fencewright/model/verdict/event-check-result.js';
