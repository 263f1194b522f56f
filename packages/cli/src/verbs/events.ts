import { eventsReport, eventsToJson } from '@fencewright/core/events';
import { eventSubjectOf, reportOnEventCheck } from '../event-outcome.js';
import { fileVerb } from '../file-verb.js';
import {
  countOptions,
  htmlReport,
  inputOptions,
  jobs,
  json,
  limitOptions,
  quiet,
} from '../options/common.js';
import { criteria, eventOptions, eventWishes } from '../options/events.js';
import { pictureComplaint, withPictures } from '../pictures.js';
import { version } from '../version.js';

const options = {
  ...inputOptions,
  json,
  quiet,
  ...limitOptions,
  jobs,
  copies: countOptions.copies,
  instances: countOptions.instances,
  ...eventOptions,
  against: criteria,
  html: htmlReport('the answers, what follows from them, and a run'),
};

/**
 * The verb `events`: prints the results of the complete method for programs of events on one page.
 */
export const eventsVerb = fileVerb<typeof options, 'events'>({
  name: 'events',
  options,
  examples: [
    ['fencewright events app.fw', 'answers all questions about a program of events'],
    [
      'fencewright events --against determinism,serialisability app.fw',
      'asks whether tasks inside of an event, and whole events, can be ordered',
    ],
    [
      'fencewright events --copies click=1..3 app.fw',
      'the same for one to three instances of an event',
    ],
  ],
  complaint: pictureComplaint,
  request: ({ against, ...values }) => ({
    question: { kind: 'events', ...eventWishes(values), ...(against && { criteria: against }) },
  }),
  print: async (read, answer, run, { html }) => {
    const { about, check, reach } = answer;
    const subject = eventSubjectOf(read, about);
    const draw = async (): Promise<string> => {
      const { eventsHtml } = await import('@fencewright/core/page');
      return eventsHtml(subject, { check, reach }, { diagnostics: read.diagnostics, version });
    };
    const pictures = [{ what: 'the page', file: html, draw }];
    const report = {
      ...reportOnEventCheck(subject, check, run, ''),
      json: eventsToJson(read.file, about, answer, read.diagnostics),
    };
    return withPictures(report, pictures, run, (palette) =>
      eventsReport(subject, check, reach, palette),
    );
  },
});
