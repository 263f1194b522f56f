// Verdicts on programs of events: code for every answer, unlike the reports in events.ts.
export {
  criterionMeanings,
  criterionNames,
  whyEventsUnknown,
} from '@fencewright/reports/words/event-criteria.js';
export { decisive, eventVerdict } from '@fencewright/model/verdict/event-check-result.js';
