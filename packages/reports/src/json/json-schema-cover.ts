// The documents of `cover`, see json-schema.ts.
import { z } from 'zod';
import { cause, count, diagnostic, reason } from './json-schema-findings.js';

const tokens = z
  .record(z.string(), z.union([count, z.literal('any')]))
  .describe('by place: its tokens, "any" for as many as one likes; places without are left out');

const configuration = z
  .object({ control: z.string().describe('absent for plain nets').optional(), tokens })
  .meta({ id: 'Configuration' });

const coverCertificate = z
  .object({
    format: z.literal('fencewright-cover-certificate'),
    version: z.literal(1),
    kind: z
      .enum(['invariant', 'basis'])
      .describe(
        'elements cover the start and all that follows, and no target; or no step leads into what lies above the elements',
      ),
    elements: z.array(configuration),
    weights: z
      .array(tokens)
      .describe('of a basis: sums of tokens that no rule raises; what weighs more is left out')
      .optional(),
  })
  .meta({ id: 'CoverCertificate' });

export const coverResult = z
  .object({
    file: z.string(),
    verdict: z.enum(['coverable', 'not-coverable', 'unknown', 'error']),
    cause: cause.optional(),
    reason: reason.optional(),
    statistics: z
      .object({
        places: count,
        controls: count,
        rules: count,
        engine: z.enum(['both', 'forward', 'backward']),
        forward: count.describe('nodes of the forward search'),
        backward: count.describe('elements of the backward search'),
        milliseconds: z.number().min(0),
      })
      .optional(),
    run: z
      .object({
        initial: configuration,
        steps: z.array(z.object({ rule: z.string(), after: configuration })),
      })
      .describe('leads to a target; absent where it would be too long')
      .optional(),
    certificate: coverCertificate.optional(),
    diagnostics: z.array(diagnostic),
  })
  .meta({ id: 'CoverResult' });
