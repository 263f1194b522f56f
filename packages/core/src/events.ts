// Reports on programs of events, for who has some.
export { eventReachReport } from './reports/text/event-reach.js';
export { eventsReport } from './reports/text/events.js';
export { eventReachOutcome } from './reports/words/event-reach-outcome.js';
export { eventCheckReport } from './reports/text/event-check.js';
export { eventCheckToJunit, eventCheckToSarif } from './reports/sarif/event-findings.js';
export { eventsFindings, type EventsFinding } from './reports/words/events-findings.js';
export {
  eventCheckToJson,
  eventReachToJson,
  eventRunToJson,
  eventsToJson,
} from './reports/json/event-json.js';
export {
  criterionMeanings,
  criterionNames,
  whyEventsUnknown,
} from './reports/words/event-criteria.js';
export { decisive, eventVerdict } from './verdict/event-check-result.js';
export { eventFenceReport } from './reports/text/event-fence.js';
export { eventFenceToJson } from './reports/json/event-fence-json.js';
export { eventFenceFindings } from './reports/words/event-fence-findings.js';
