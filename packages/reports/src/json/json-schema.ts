// The one definition of the JSON documents: the published schema and the types of json.ts both come
// from here. zod is loaded by the generator of the schema and by tests only; everything else
// imports types from this file.
import { z } from 'zod';
import { relaxedModels } from '@fencewright/model/trace/memory-model.js';
import { attackStages } from '@fencewright/model/verdict/attack.js';
import { jsonFormatVersion } from './json-format-version.js';
import {
  type c11GraphParts,
  c11Schema,
  type orderChange,
  ordersSchema,
} from './json-schema-c11.js';
import { coverResult } from './json-schema-cover.js';
import {
  assumptionsSchema,
  cause,
  count,
  diagnostic,
  faults,
  instructionRef,
  line,
  races,
  reason,
  vacuous,
} from './json-schema-findings.js';
import {
  type criterion,
  eventCheckParts,
  eventFenceParts,
  eventReachParts,
  eventReason,
  type eventRunParts,
  type eventSide,
} from './json-schema-events.js';
import { proveResult } from './json-schema-proofs.js';
import { claimsOverAll, hangs, modelReach, stateAnswerSchema } from './json-schema-reach.js';
import { type machineState, step, witness } from './json-schema-runs.js';

const attackStage = z.enum(attackStages);

const statistics = z.object({
  threads: count,
  labels: count,
  instructions: count,
  states: count.describe('stored states of all searches together'),
  bytes: count.describe('bytes of all tables, when they were largest'),
  queries: count.describe('reachability queries'),
  milliseconds: z.number().min(0),
  engine: z.string(),
  phases: z
    .object({
      generating: z.number().min(0),
      compiling: z.number().min(0),
      verifying: z.number().min(0),
    })
    .describe('engine spin: where the time went, in milliseconds')
    .optional(),
  phaseStates: z
    .object({ sequential: count, delaying: count, path: count })
    .describe('engine search: stored states of the three phases of an attack')
    .optional(),
  attacks: z.object({
    total: count,
    byCfg: count,
    infeasible: count,
    feasible: count,
    settledBy: z
      .partialRecord(attackStage, count)
      .describe('how many each stage settled, feasible or not; engine search')
      .optional(),
  }),
});

const attack = z.object({
  thread: z.string(),
  store: instructionRef,
  load: instructionRef,
  verdict: z.enum(['feasible', 'infeasible', 'by-cfg', 'unknown']),
  settledBy: attackStage.describe('what settled it; engine search').optional(),
});

const execution = witness
  .extend({ name: z.string().describe('thread:store:load, as explain and convert take it') })
  .meta({ id: 'Execution' });

const copies = z
  .record(z.string(), count)
  .describe('by template: its number of copies; by event: its number of instances');

const scope = z
  .discriminatedUnion('instances', [
    z.object({ instances: z.literal('all'), templates: z.array(z.string()) }),
    z.object({ instances: z.literal('one'), copies }),
  ])
  .describe(
    'for threads in any number of copies: whether the verdict is about all numbers, or the instance that the witness is of',
  );

const checkResult = z
  .object({
    file: z.string(),
    program: z.string().optional(),
    assumptions: assumptionsSchema.optional(),
    copies: copies.describe('the numbers that were asked for').optional(),
    scope: scope.optional(),
    invariant: count
      .describe('elements of the inductive invariant that proves the verdict robust')
      .optional(),
    verdict: z.enum(['robust', 'not-robust', 'unknown', 'error']),
    cause: cause.optional(),
    happensBefore: z
      .enum(['standard', 'value'])
      .describe('the notion that the verdict is about; absent where the program could not be read')
      .optional(),
    reason: eventReason.describe('only for the verdict unknown').optional(),
    detail: z.string().describe('more on the reason').optional(),
    ...eventCheckParts,
    ...eventReachParts,
    findings: z.array(z.string()).describe('events only: what follows, in words').optional(),
    stats: statistics.describe('absent where the program could not be read').optional(),
    settledBy: z
      .enum(['proof', 'horn-clauses'])
      .describe('what gave the verdict, where the search gave none and a proof was to be tried')
      .optional(),
    attacks: z
      .array(attack)
      .describe(
        'the attacks that were decided or tried; absent where the program could not be read',
      )
      .optional(),
    witness: witness.describe('only for the verdict not-robust').optional(),
    executions: z
      .array(execution)
      .describe(
        'explain only, where attacks were asked for: one that carries each feasible attack out, in the order of the program, as far as they were looked for',
      )
      .optional(),
    faults: faults.optional(),
    vacuous: vacuous.optional(),
    races: races.optional(),
    answer: stateAnswerSchema
      .describe('where the program claims something, or it was asked for')
      .optional(),
    cutShort: eventReason
      .describe(
        'what ended the work when the verdict was known: what is said beside it may be incomplete',
      )
      .optional(),
    notLookedAt: z
      .object({
        properties: z.array(z.string()),
        assertions: count.describe('how many the text has'),
      })
      .describe('what the program claims and a check of robustness says nothing about: ask reach')
      .optional(),
    c11: c11Schema
      .describe('of checks against C11, and beside all answers on a program in C')
      .optional(),
    diagnostics: z.array(diagnostic),
    internalError: z.string().describe('a fault of the tool itself').optional(),
    fenceCount: count
      .describe('bench only: how many fences the smallest set that makes the program robust has')
      .optional(),
  })
  .meta({ id: 'CheckResult' });

const repair = z
  .object({
    kind: z
      .enum(['fence', 'heavy-fence', 'xchg', 'keep'])
      .describe('a fence, a heavy fence, an exchange in place of a store, or something that stays'),
    thread: z.string(),
    label: z.string().describe('the control location, unique in its thread'),
    file: z
      .string()
      .describe('the file of the place, if it is not the file that was read')
      .optional(),
    line: line.optional(),
    lines: z
      .array(line)
      .describe('all lines where a fence is inserted for this label, if there are several')
      .optional(),
    also: z
      .array(z.object({ thread: z.string(), label: z.string() }))
      .describe(
        'the other locations of the program that are this place of its text: code in line there, or run by other threads',
      )
      .optional(),
    cost: z.number().positive(),
  })
  .meta({ id: 'Repair' });

const clause = z
  .object({
    repairs: z.array(repair).describe('every sufficient set contains one of these'),
    attack: z
      .object({ thread: z.string(), store: instructionRef, load: instructionRef })
      .describe('the delay that makes it so')
      .optional(),
    computation: z.array(step).describe('a TSO computation that only these repairs prevent'),
  })
  .meta({ id: 'Clause' });

const fenceResult = z
  .object({
    file: z.string(),
    program: z.string().optional(),
    assumptions: assumptionsSchema.optional(),
    copies: copies.describe('the numbers that were asked for').optional(),
    verdict: z
      .enum(['robust', 'not-robust', 'holds', 'violated', 'unknown', 'error'])
      .describe(
        'of the program as it is; holds and violated: of the properties that were asked for, under TSO',
      ),
    cause: cause.optional(),
    outcome: z
      .enum(['found', 'impossible', 'property-fails', 'unknown', 'error'])
      .describe('of the search for a set; absent where the program could not be read')
      .optional(),
    reason: eventReason.describe('only for the outcome unknown').optional(),
    happensBefore: z
      .enum(['standard', 'value'])
      .describe('the notion of robustness; absent where properties are to hold')
      .optional(),
    mode: z.enum(['fence', 'xchg', 'asymmetric', 'any', 'minimise', 'minimise-locked']).optional(),
    costModel: z.string().optional(),
    properties: z
      .array(z.string())
      .describe('those that were asked for; "assertions": all assertions of the program')
      .optional(),
    fences: z
      .array(repair)
      .describe(
        'the chosen set: what is to be inserted, or, where fences are minimised, what has to stay',
      )
      .optional(),
    cost: z.number().min(0).describe('of the chosen set').optional(),
    forRobustness: z
      .object({ repairs: count, cost: z.number().min(0) })
      .describe('only of fences for properties: what robustness takes, if that was found out')
      .optional(),
    optimal: z.boolean().describe('whether no cheaper set is sufficient').optional(),
    bound: z.number().min(0).describe('every sufficient set costs at least this').optional(),
    clauses: z.array(clause).optional(),
    removable: z.array(repair).describe('only where fences are minimised: what can go').optional(),
    light: z
      .array(z.object({ thread: z.string(), label: z.string(), line: line.optional() }))
      .describe('where heavy fences spare fences: an order to the compiler is enough there')
      .optional(),
    saving: z
      .number()
      .min(0)
      .describe('only where fences are minimised: the cost of what can go')
      .optional(),
    witness: witness.describe('only for impossible: the attack that cannot be stopped').optional(),
    property: z
      .string()
      .describe('only for property-fails; "assertions" where an assertion fails')
      .optional(),
    failsUnder: z
      .enum(['SC', 'TSO'])
      .describe('only for property-fails; SC: already there, so that no repair helps')
      .optional(),
    computation: z.array(step).describe('only for property-fails').optional(),
    orders: ordersSchema.describe('only of repairs by memory orders').optional(),
    diff: z.string().describe('what the source text has to become, as a unified diff').optional(),
    changed: z
      .string()
      .describe('the header or linked file that diff changes, if it is not the file itself')
      .optional(),
    races: races.optional(),
    stats: z
      .object({
        threads: count,
        labels: count,
        instructions: count,
        states: count,
        rounds: count.describe('searches for an attack that the chosen set does not stop'),
        clauses: count,
        milliseconds: z.number().min(0),
      })
      .optional(),
    ...eventFenceParts(repair),
    diagnostics: z.array(diagnostic),
    internalError: z.string().describe('a fault of the tool itself').optional(),
  })
  .meta({ id: 'FenceResult' });

const reachResult = z
  .object({
    file: z.string(),
    program: z.string().optional(),
    assumptions: assumptionsSchema.optional(),
    copies: copies.describe('the numbers that were asked for').optional(),
    verdict: z
      .enum(['same', 'different', 'unknown', 'error', 'holds', 'wrong-under-sc'])
      .describe(
        'of any number of copies: different where TSO breaks a claim; wrong-under-sc where one fails without store buffers; holds where neither is so, and final states are not compared',
      ),
    scope: scope.optional(),
    claims: claimsOverAll.describe('of any number of copies').optional(),
    shown: z
      .object({
        copies,
        sameFinalStates: z.enum(['yes', 'no', 'unknown']),
        answer: stateAnswerSchema,
        sc: modelReach,
        tso: modelReach,
      })
      .describe('of any number of copies: an instance in which a claim fails')
      .optional(),
    cause: cause.optional(),
    reason: reason
      .describe(
        'only where nothing is known: the run was cancelled before this file, or time or memory ran out',
      )
      .optional(),
    ...eventReachParts,
    sameFinalStates: z.enum(['yes', 'no', 'unknown']).optional(),
    notShown: z
      .array(z.string())
      .describe('the values that final states do not show: with them there were too many states')
      .optional(),
    robustness: z
      .enum(['robust', 'not-robust', 'unknown'])
      .describe(
        'asked where no final state was seen under TSO only; not-robust beside yes: traces differ, final states agree',
      )
      .optional(),
    answer: stateAnswerSchema
      .describe('absent where the program could not be read, and for programs of events')
      .optional(),
    hangs: hangs.describe('who waits for ever; absent where answer is').optional(),
    races: races.optional(),
    model: z
      .enum(relaxedModels)
      .describe('the memory model compared with SC: what it reaches is in tso')
      .optional(),
    sc: modelReach.optional(),
    tso: modelReach.optional(),
    milliseconds: z.number().min(0).optional(),
    diagnostics: z.array(diagnostic),
    internalError: z.string().describe('a fault of the tool itself').optional(),
  })
  .meta({ id: 'ReachResult' });

const trfResult = z
  .object({
    file: z.string(),
    program: z.string().optional(),
    assumptions: assumptionsSchema.optional(),
    verdict: z.enum(['free', 'race', 'unknown', 'error']),
    cause: cause.optional(),
    reason: reason.optional(),
    states: count.optional(),
    milliseconds: z.number().min(0).optional(),
    race: z
      .object({
        computation: z.array(step).describe('an SC computation that ends with the race'),
        earlierStore: count.describe('index of the store that may still be buffered'),
        load: count.describe('index of the racing load'),
        other: count.describe('index of the racing access of another thread'),
      })
      .optional(),
    fences: z
      .array(z.object({ thread: z.string(), label: z.string(), line: line.optional() }))
      .describe('where fences are asked for: a cheapest set that leaves no triangular race')
      .optional(),
    cost: z.number().optional(),
    optimal: z.boolean().optional(),
    repairUnknown: reason
      .describe(
        'where fences are asked for: why it was not found out which fences leave no triangular race',
      )
      .optional(),
    diagnostics: z.array(diagnostic),
    internalError: z.string().describe('a fault of the tool itself').optional(),
  })
  .meta({ id: 'TrfResult' });

const head = {
  tool: z.literal('fencewright'),
  version: z.string(),
  formatVersion: z
    .literal(jsonFormatVersion)
    .describe('of this document; absent before 1. Fields may be added to a version'),
};

/**
 * The JSON schema of the document that every verb can print: one result for each file, in the order
 * given.
 */
export const documentSchema = z
  .discriminatedUnion('command', [
    z.object({
      ...head,
      command: z.enum(['check', 'explain', 'bench', 'events']),
      results: z.array(checkResult),
    }),
    z.object({ ...head, command: z.literal('reach'), results: z.array(reachResult) }),
    z.object({ ...head, command: z.literal('prove'), results: z.array(proveResult) }),
    z.object({ ...head, command: z.literal('fence'), results: z.array(fenceResult) }),
    z.object({ ...head, command: z.literal('trf'), results: z.array(trfResult) }),
    z.object({ ...head, command: z.literal('cover'), results: z.array(coverResult) }),
  ])
  .meta({ title: 'Fencewright results', description: 'What a verb prints as JSON.' });

export type JsonDocument = z.infer<typeof documentSchema>;
export type JsonCheckResult = z.infer<typeof checkResult>;
export type JsonOrderChange = z.infer<typeof orderChange>;
export type JsonC11Graph = z.infer<z.ZodObject<typeof c11GraphParts>>;
export type JsonCriterion = z.infer<typeof criterion>;
export type JsonEventRun = z.infer<z.ZodObject<typeof eventRunParts>>;
export type JsonEventSide = z.infer<typeof eventSide>;
export type JsonReachResult = z.infer<typeof reachResult>;
export type JsonFenceResult = z.infer<typeof fenceResult>;
export type JsonTrfResult = z.infer<typeof trfResult>;
export type JsonCoverResult = z.infer<typeof coverResult>;
export type JsonProveResult = z.infer<typeof proveResult>;
export type JsonRepair = z.infer<typeof repair>;
export type JsonDiagnostic = z.infer<typeof diagnostic>;
export type JsonStep = z.infer<typeof step>;
export type JsonWitness = z.infer<typeof witness>;
export type JsonMachineState = z.infer<typeof machineState>;
export type JsonModelReach = z.infer<typeof modelReach>;

/** Returns the published JSON schema (dialect 2020-12) of the document. */
export function jsonSchema(): object {
  return z.toJSONSchema(documentSchema, { target: 'draft-2020-12' });
}
