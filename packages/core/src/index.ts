export { lintModel } from './analysis/lint-model.js';
export { lintProgram } from './analysis/lint-program.js';
export { attacksByName, type NamedAttacks } from './api/attack-by-name.js';
export { printAttacksAsNet, type NetOutputFormat } from './api/attacks-as-net.js';
export {
  checkParameterized,
  type ParameterizedCheckOptions,
  type ParameterizedCheck,
} from './api/check-parameterized.js';
export { check, type CheckOptions } from './api/check.js';
export { decide } from './api/decide.js';
export { endedEarly } from './api/ended-early.js';
export type { Known, WhyEnded } from './api/known.js';
export { defaults } from './api/defaults.js';
export { failureDiagnostic } from './api/failure-diagnostic.js';
export {
  repairItems,
  fence,
  fenceParameterized,
  type FenceOptions,
  type ParameterizedFenceOptions,
  type ParameterizedFenceAnswer,
} from './api/fence.js';
export type { FenceAnswer } from './api/fence-answer.js';
export { frontEndOf, frontEnds, type InputFormat } from './api/front-ends.js';
export {
  isSameResult,
  type Job,
  type JobJson,
  jobKey,
  type JobResult,
  type RandomJob,
  type RandomPrograms,
  type TextJob,
} from './api/job.js';
export { parseText } from './api/parse-text.js';
export { reach, type ReachOptions } from './api/reach.js';
export { optionsWithout, type ReductionName } from './api/reductions.js';
export { replay } from './api/replay.js';
export { decodeResult, encodeResult, type EncodedResult } from './api/result-codec.js';
export { trf, type TrfOptions, type TrfAnswer } from './api/trf.js';
export type {
  costName,
  choiceNamed,
  costModelOf,
  CostChoice,
  CostsRead,
} from './api/cost-model.js';
export type { editSource, EditPurpose } from './api/edit-source.js';
export type { EditRefusal, EditedSource } from './api/edit-text.js';
export type { CompiledText, Environment } from './api/environment.js';
export type { OutputFormat, ProgramFormat } from './api/output-formats.js';
export type { propertyProblems, PropertyProblem } from './api/property-problems.js';
export type {
  RobustnessQuestion,
  ProgramText,
  CheckQuestion,
  ExplainQuestion,
  BenchQuestion,
  ReachQuestion,
  TrfQuestion,
  FenceQuestion,
  ConvertQuestion,
  ProveQuestion,
  Question,
  SolverChoice,
} from './api/question.js';
export type {
  Refusal,
  Settlement,
  RobustnessResult,
  FencesInText,
  Result,
  ResultOf,
} from './api/result.js';
export { decodeData, encodeData, type EncodedData } from './base/data-codec.js';
export { Budget, type Exhaustion, type Progress, type Limits } from './base/budget.js';
export { canonicalJson } from './base/canonical-json.js';
export { startTimer, timeSignal } from './base/timer.js';
export { InternalError, unreachable } from './base/unreachable.js';
export {
  expressionToJson,
  automataToJson,
  eventAutomataToJson,
  type JsonAutomata,
  type JsonEventAutomata,
} from './program/automata-json.js';
export {
  symbolAt,
  formatAddress,
  formatExpression,
  formatCell,
  formatInstruction,
  formatRmw,
  type SymbolTable,
  type RegisterTable,
} from './program/format.js';
export type { SealedCertificate } from './program/seal-certificate.js';
export { reasonInWords } from './reports/words/reason-in-words.js';
export { scopeInWords } from './reports/words/scope-in-words.js';
export { benchTable, type FenceCount, type BenchRow } from './reports/text/bench-table.js';
export {
  titleOf,
  meaningOf,
  underHappensBefore,
  verdictLine,
  statisticsLines,
  cycleLines,
  checkSummary,
  caveatLines,
  checkReport,
} from './reports/text/check.js';
export type { ExplainedAttacks, AttackExecution } from './verdict/explained-attacks.js';
export { placeOf, diagnosticText, diagnosticsText } from './reports/text/diagnostics.js';
export { eventsToDot, programToDot, quoteDot } from './reports/graph/dot.js';
export { explainReport, type ExplainOptions } from './reports/text/explain.js';
export { explainedReport } from './reports/text/explained.js';
export { witnessToDot } from './reports/graph/graph-dot.js';
export { graphSvg, type Caption } from './reports/graph/graph-svg.js';
export { witnessToSvg } from './reports/html/witness-svg.js';
export {
  accessText,
  happensBeforeGraph,
  type GraphNode,
  type GraphEdge,
  type HappensBeforeGraph,
} from './reports/graph/happens-before-graph.js';
export {
  fenceFindings,
  isMinimising,
  repairLines,
  type FenceFindings,
} from './reports/words/fence-findings.js';
export { fenceToJson } from './reports/json/fence-json.js';
export { fenceReport } from './reports/text/fence.js';
export { extensionsInWords, formatByExtension, type FileFormat } from './source/file-format.js';
export { deepBracket } from './source/deep-bracket.js';
export {
  isUnprintable,
  quoteName,
  quoteArgument,
  commentText,
  printableLine,
} from './source/quote-name.js';
export { diagnosticToJson } from './reports/json/json-parts.js';
export { jsonFormatVersion } from './reports/json/json-format-version.js';
export { checkToJson, reachToJson } from './reports/json/json.js';
export { reachAllToJson } from './reports/json/reach-all-json.js';
export { type ReachAllOutcome, reachAllOutcome } from './reports/words/reach-all-outcome.js';
export {
  inputErrorCase,
  checkToJunit,
  junitReport,
  type JunitCase,
} from './reports/sarif/junit.js';
export { markdownSummary } from './reports/sarif/markdown-summary.js';
export {
  formatCount,
  countOf,
  formatDuration,
  formatBytes,
  enumerate,
} from './base/number-words.js';
export { plainPalette, type Paint, type Palette } from './reports/text/palette.js';
export { reachOutcome, type ReachOutcome } from './reports/words/reach-outcome.js';
export {
  compareAssertions,
  type AssertionVerdict,
  type ComparedAssertion,
} from './verdict/reach-result.js';
export type { OpenReason } from './verdict/open-reason.js';
export type { AnsweredInstances, Claim, StateAnswer } from './verdict/state-answer.js';
export { answeredInstances } from './verdict/answer-over-all.js';
export { claimVerdicts, type ClaimTruth, type ClaimVerdict } from './verdict/claim-verdicts.js';
export type { OverAll } from './verdict/all-instances-reach.js';
export { claimsOf } from './verdict/claims-of.js';
export { claimsExistence } from './program/property.js';
export {
  answerInWords,
  answerLine,
  answerWord,
  claimInWords,
} from './reports/words/answer-in-words.js';
export { reachReport } from './reports/text/reach.js';
export { reachAllReport } from './reports/text/reach-all.js';
export { trfReport, trfToJson } from './reports/text/trf.js';
export {
  templatesOf,
  finiteProgram,
  unboundedModel,
  openModel,
  eventModel,
  threadModel,
  inspectedProgram,
  type FiniteModel,
  type UnboundedModel,
  type OpenModel,
  type EventModel,
  type ThreadModel,
  type Model,
} from './program/model.js';
export { instanceCells, openParts, readsSelf } from './program/open-parts.js';
export type { ParameterizedSteps } from './parameterized/decide-parameterized.js';
export {
  copyName,
  copyOf,
  instantiate,
  type Instance,
  type Choices,
} from './program/instantiate.js';
export {
  undecidedResult,
  diagnosticResult,
  checkToSarif,
  diagnosticsToSarif,
  type SarifSubject,
} from './reports/sarif/sarif-results.js';
export { sarifLog, type SarifFindings } from './reports/sarif/sarif.js';
export { sameAutomata, sameEventAutomata } from './program/same-automata.js';
export { sameAccesses } from './semantics/same-accesses.js';
export { searchPart } from './search/attacker-part.js';
export type { AttackerPart, AttackerPool, PartOutcome } from './search/attacker-part.js';
export {
  diagnosticRegistry,
  syntaxError,
  unknownName,
  duplicateName,
  emptyInput,
  notText,
  constantDivisionByZero,
  numberTooLarge,
  indexOutOfBounds,
  outsideDomain,
  misplaced,
  wrongOperand,
  cannotBeWeak,
  notSupported,
  nestedTooDeeply,
  unreadableFile,
  moreErrors,
  unreachableLabel,
  labelWithoutWayOut,
  readNeverWritten,
  unknownStoreAddress,
  unsoundGuess,
  neverRuns,
  neverEnds,
  looksBesideBuffers,
  ignoredDirective,
  overflow,
  runtimeDivisionByZero,
  leavesDomain,
  leavesArray,
  unboundedChoice,
  farAddress,
  missingProgram,
  programFailed,
  leftOut,
  malformedAttack,
  unknownAttackPart,
  attackRuledOut,
  unknownWord,
  type Severity,
  type Diagnostic,
  type DiagnosticCode,
} from './source/diagnostic.js';
export { aboutHardware, saidByClang, unusableClang } from './source/c-diagnostics.js';
export { configuredBy } from './source/configured-by.js';
export { nearestName } from './source/nearest-name.js';
export { unifiedDiff } from './source/unified-diff.js';
export type {
  selfRegister,
  constant,
  registerValue,
  binary,
  unary,
  innerOf,
  forEachPart,
  mapParts,
  mapLeaves,
  hasPart,
  forEachRegister,
  readsRegister,
  keyOf,
  isSame,
  opposites,
  not,
  negate,
  areOpposite,
  UnaryOperator,
  BinaryOperator,
  Constant,
  Unary,
  Binary,
  Expression,
  ThreadLeaf,
  Inner,
} from './program/expression.js';
export type { ThreadId, LocationId, TransitionId, RegisterId, SymbolId } from './program/ids.js';
export type { isLocal, drainsBuffer, Instruction } from './program/instruction.js';
export type { ChoosePlaces, FrontEnd, TextEditor } from './program/front-end.js';
export { libraryFunctions, type Source } from './frontends/llvm-ir/library-functions.js';
export { outsideNames, wholeChoice } from './frontends/llvm-ir/outside-choices.js';
export type { Assumption } from './program/assumption.js';
export type { ParseResult } from './program/parse-result.js';
export type { PrintResult } from './program/print-result.js';
export type {
  SharedSymbol,
  Register,
  Location,
  Origin,
  Transition,
  ThreadCopy,
  Thread,
  StateLeaf,
  StateExpression,
  Property,
  InvariantLeaf,
  InvariantExpression,
  InvariantBinder,
  Invariant,
  Domain,
  Program,
} from './program/program.js';
export type { SourceRepair, RepairedText } from './program/source-repair.js';
export type {
  documentSchema,
  jsonSchema,
  JsonDocument,
  JsonCheckResult,
  JsonReachResult,
  JsonFenceResult,
  JsonTrfResult,
  JsonCoverResult,
  JsonProveResult,
  JsonRepair,
  JsonDiagnostic,
  JsonStep,
  JsonWitness,
  JsonMachineState,
  JsonModelReach,
} from './reports/json/json-schema.js';
export type { Advice, AdviceInWords } from './reports/words/advice.js';
export type { Subject } from './reports/words/subject.js';
export type { Templates } from './program/templates.js';
export type {
  ModelCheckerFailure,
  Verification,
  VerifierOptions,
  Verifier,
  CompileOptions,
  ModelChecker,
} from './solvers/model-checker.js';
export { LineIndex } from './source/line-index.js';
export { spanAt, type Position, type Span } from './source/span.js';
export type { Action, Computation } from './trace/computation.js';
export type { BufferedStore, MachineState } from './trace/machine-state.js';
export type { Instrumented } from './instrument/instrument.js';
export type { HappensBefore } from './trace/trace.js';
export type { Attack, AttackVerdict, DecidedAttack } from './verdict/attack.js';
export {
  knowsEnds,
  type PropertyVerdict,
  type FailedAssertion,
  type ModelReach,
  type ReachResult,
} from './verdict/reach-result.js';
export type { ProofRow } from './reports/text/proof-table.js';
export type {
  InstructionName,
  NamedValue,
  MoverConflict,
  StoreArgument,
  StoreProof,
  InvariantProof,
  AbstractionProof,
  Conclusion,
  InstanceViolation,
  ProveVerdict,
  StateComparison,
  SearchExtent,
  SearchedInstance,
  Confrontation,
  ProvedProperty,
  ProveResult,
} from './verdict/prove-result.js';
export type {
  TriangularRace,
  TrfVerdict,
  TrfRepair,
  TrfResult,
} from './verdict/triangular-race.js';
export type { DataRace, RaceFindings, RacingAccess } from './verdict/data-race.js';
export type { Replay } from './verdict/replay.js';
export type {
  UnknownReason,
  CycleEdge,
  Witness,
  ErrorCause,
  Verdict,
  FaultFindings,
  VacuityFindings,
  EngineName,
  EnginePhases,
  Scope,
  TemplateCount,
  CheckStatistics,
  CheckResult,
} from './verdict/verdict.js';
export { repairedProgram } from './fences/apply-repair.js';
export type {
  writeRepairs,
  certifyRepairs,
  WrittenRepair,
  RepairClaim,
} from './fences/certificate.js';
export type { PricedRepair, Repair, RepairMode, TextRepair } from './program/repair.js';
export type { CostModel } from './fences/repair-problem.js';
export type {
  allAssertions,
  RepairReason,
  FenceVerdict,
  FenceResult,
} from './verdict/fence-result.js';
export type {
  Body,
  BodyId,
  EventInstances,
  EventInstruction,
  EventProgram,
  PostedTo,
} from './program/event-program.js';
export type { EventAction, EventRun, Site, Task, TaskId } from './trace/event-run.js';
export type { EventRelation, EventViolation, RunEdge } from './trace/event-violation.js';
export type {
  Against,
  Criterion,
  CriterionVerdict,
  EventBoundHit,
  EventCheckResult,
  EventWitness,
  WhyEventsUnknown,
} from './verdict/event-check-result.js';
export type { EventSemantics } from './events/semantics/machine.js';
export type { EventReachResult, EventSemanticsReach } from './verdict/event-reach-result.js';
export type { EventFenceFindings } from './reports/words/event-fence-findings.js';
export type {
  EventFenceReason,
  EventFenceResult,
  EventFenceVerdict,
  FencePlace,
  PricedPlace,
} from './verdict/event-fence-result.js';
export type { EventFencesInText } from './api/result.js';
export type { EventSubject } from './reports/words/event-subject.js';
export type { EventsQuestion, EventWishes } from './api/question.js';
export type { ThreadWish } from './api/result.js';
