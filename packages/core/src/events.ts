// Reports on programs of events, loaded on demand.
export { eventReachReport } from '@fencewright/reports/text/event-reach.js';
export { eventsReport } from '@fencewright/reports/text/events.js';
export { eventReachOutcome } from '@fencewright/reports/words/event-reach-outcome.js';
export { eventCheckReport } from '@fencewright/reports/text/event-check.js';
export { eventCheckToJunit, eventCheckToSarif } from '@fencewright/reports/sarif/event-findings.js';
export { eventsFindings, type EventsFinding } from '@fencewright/reports/words/events-findings.js';
export {
  eventCheckToJson,
  eventReachToJson,
  eventRunToJson,
  eventsToJson,
} from '@fencewright/reports/json/event-json.js';
export { eventFenceReport } from '@fencewright/reports/text/event-fence.js';
export { eventFenceToJson } from '@fencewright/reports/json/event-fence-json.js';
export { eventFenceFindings } from '@fencewright/reports/words/event-fence-findings.js';
