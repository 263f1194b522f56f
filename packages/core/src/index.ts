export type { NamedAttacks } from './api/attack-by-name.js';
export type { NetOutputFormat, PrintNetOptions } from './api/attacks-as-net.js';
export {
  checkParameterized,
  type ParameterizedCheckOptions,
  type ParameterizedCheck,
} from './api/check-parameterized.js';
export { check, type CheckEngine, type CheckOptions } from './api/check.js';
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
export {
  frontEndOf,
  frontEnds,
  type InputFormat,
  needsCompiler,
} from '@fencewright/languages/read/front-ends.js';
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
export { parseText } from '@fencewright/languages/read/parse-text.js';
export { readText } from '@fencewright/languages/read/read-text.js';
export { reach, type ReachOptions } from './api/reach.js';
export type { ReductionName } from './api/reductions.js';
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
export { decodeData, encodeData, type EncodedData } from '@fencewright/ground/base/data-codec.js';
export {
  Budget,
  type Exhaustion,
  type Progress,
  type Limits,
} from '@fencewright/ground/base/budget.js';
export { canonicalJson } from '@fencewright/ground/base/canonical-json.js';
export { startTimer, timeSignal } from '@fencewright/ground/base/timer.js';
export { InternalError, unreachable } from '@fencewright/ground/base/unreachable.js';
export {
  automataToJson,
  eventAutomataToJson,
  type JsonAutomata,
  type JsonEventAutomata,
} from '@fencewright/model/program/automata-json.js';
export {
  formatCell,
  type SymbolTable,
  type RegisterTable,
} from '@fencewright/model/program/format.js';
export type { SealedCertificate } from '@fencewright/model/program/seal-certificate.js';
export { reasonInWords } from '@fencewright/reports/words/reason-in-words.js';
export { sentence } from '@fencewright/reports/words/sentence.js';
export { scopeInWords } from '@fencewright/reports/words/scope-in-words.js';
export {
  benchTable,
  type FenceCount,
  type BenchRow,
} from '@fencewright/reports/text/bench-table.js';
export { verdictLine, checkReport } from '@fencewright/reports/text/check.js';
export { verdictMeaning } from '@fencewright/reports/words/verdict-meaning.js';
export {
  deadlockHeadline,
  type Headline,
  headlineInWords,
  leadOf,
} from '@fencewright/reports/words/headline.js';
export { advisesFences } from '@fencewright/reports/words/hint-on-check.js';
export { differenceOf } from '@fencewright/reports/words/opening.js';
export type {
  ExplainedAttacks,
  AttackExecution,
} from '@fencewright/model/verdict/explained-attacks.js';
export { diagnosticsText } from '@fencewright/reports/text/diagnostics.js';
export { explainReport, type ExplainOptions } from '@fencewright/reports/text/explain.js';
export { explainedReport } from '@fencewright/reports/text/explained.js';
export {
  happensBeforeGraph,
  type GraphNode,
  type GraphEdge,
  type HappensBeforeGraph,
} from '@fencewright/reports/graph/happens-before-graph.js';
export { fenceFindings, type FenceFindings } from '@fencewright/reports/words/fence-findings.js';
export { fenceToJson } from '@fencewright/reports/json/fence-json.js';
export { fenceReport } from '@fencewright/reports/text/fence.js';
export {
  extensionsInWords,
  formatByExtension,
  type FileFormat,
} from '@fencewright/ground/source/file-format.js';
export {
  quoteName,
  quoteSource,
  quoteArgument,
  printableLine,
} from '@fencewright/ground/source/quote-name.js';
export { diagnosticToJson } from '@fencewright/reports/json/json-parts.js';
export { jsonFormatVersion } from '@fencewright/reports/json/json-format-version.js';
export { checkToJson, reachToJson } from '@fencewright/reports/json/json.js';
export { reachAllToJson } from '@fencewright/reports/json/reach-all-json.js';
export {
  type ReachAllOutcome,
  reachAllOutcome,
} from '@fencewright/reports/words/reach-all-outcome.js';
export {
  inputErrorCase,
  checkToJunit,
  junitReport,
  type JunitCase,
} from '@fencewright/reports/sarif/junit.js';
export { c11Finding, type C11Finding } from '@fencewright/reports/sarif/c11-finding.js';
export { markdownSummary } from '@fencewright/reports/sarif/markdown-summary.js';
export { c11InOneLine } from '@fencewright/reports/words/c11-line.js';
export { headlineText } from '@fencewright/reports/words/headline.js';
export { countOf, formatBytes, enumerate } from '@fencewright/ground/base/number-words.js';
export { plainPalette, type Paint, type Palette } from '@fencewright/reports/text/palette.js';
export { reachOutcome, type ReachOutcome } from '@fencewright/reports/words/reach-outcome.js';
export type {
  AssertionVerdict,
  ComparedAssertion,
} from '@fencewright/model/verdict/reach-result.js';
export type { OpenReason } from '@fencewright/model/verdict/open-reason.js';
export type {
  AnsweredInstances,
  Claim,
  StateAnswer,
} from '@fencewright/model/verdict/state-answer.js';
export { answeredInstances } from '@fencewright/model/verdict/answer-over-all.js';
export {
  claimVerdicts,
  type ClaimTruth,
  type ClaimVerdict,
} from '@fencewright/model/verdict/claim-verdicts.js';
export type { OverAll } from '@fencewright/model/verdict/all-instances-reach.js';
export { claimsExistence } from '@fencewright/model/program/property.js';
export {
  answerInWords,
  answerLine,
  answerWord,
} from '@fencewright/reports/words/answer-in-words.js';
export {
  placedHang,
  type PlacedHang,
  spanOfWaiting,
} from '@fencewright/reports/words/hang-in-words.js';
export {
  deadlocksIn,
  type DeadlockFindings,
  type HangFindings,
} from '@fencewright/model/verdict/hang.js';
export { reachReport } from '@fencewright/reports/text/reach.js';
export { reachAllReport } from '@fencewright/reports/text/reach-all.js';
export { trfReport, trfToJson } from '@fencewright/reports/text/trf.js';
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
} from '@fencewright/model/program/model.js';
export type { ParameterizedSteps } from '@fencewright/engines/parameterized/decide-parameterized.js';
export {
  instantiate,
  type InstantiatedProgram,
  type Choices,
} from '@fencewright/model/program/instantiate.js';
export {
  undecidedResult,
  checkToSarif,
  diagnosticsToSarif,
  isRemark,
  type SarifSubject,
} from '@fencewright/reports/sarif/sarif-results.js';
export { sarifLog, type SarifFindings } from '@fencewright/reports/sarif/sarif.js';
export { sameAutomata, sameEventAutomata } from '@fencewright/model/program/same-automata.js';
export type { PlainKind } from '@fencewright/model/program/instruction.js';
export type { RelaxedModel, RobustnessModel } from '@fencewright/model/trace/memory-model.js';
export { sameAccesses } from '@fencewright/model/semantics/same-accesses.js';
export { searchPart } from '@fencewright/engines/search/attacker-part.js';
export type {
  AttackerPart,
  AttackerPool,
  PartOutcome,
} from '@fencewright/engines/search/attacker-part.js';
export {
  syntaxError,
  unknownName,
  duplicateName,
  notText,
  wrongOperand,
  notSupported,
  nestedTooDeeply,
  unreadableFile,
  overflow,
  type Severity,
  type Diagnostic,
  type DiagnosticCode,
} from '@fencewright/ground/source/diagnostic.js';
export {
  aboutHardware,
  saidByClang,
  unusableClang,
} from '@fencewright/ground/source/c-diagnostics.js';
export { configuredBy } from '@fencewright/ground/source/configured-by.js';
export { nearestName } from '@fencewright/ground/source/nearest-name.js';
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
  negation,
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
} from '@fencewright/model/program/expression.js';
export type {
  ThreadId,
  LocationId,
  TransitionId,
  RegisterId,
  SymbolId,
} from '@fencewright/model/program/ids.js';
export type { isLocal, drainsBuffer, Instruction } from '@fencewright/model/program/instruction.js';
export type { ChoosePlaces, FrontEnd, TextEditor } from '@fencewright/model/program/front-end.js';
export {
  libraryFunctions,
  type ResultSource,
} from '@fencewright/languages/llvm-ir/library-functions.js';
export { outsideNames, wholeChoice } from '@fencewright/languages/llvm-ir/outside-choices.js';
export type { Assumption } from '@fencewright/model/program/assumption.js';
export type { ParseResult } from '@fencewright/model/program/parse-result.js';
export type { PrintResult } from '@fencewright/model/program/print-result.js';
export type {
  SharedSymbol,
  Register,
  Location,
  Origin,
  OutsideC11,
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
} from '@fencewright/model/program/program.js';
export type { SourceRepair, RepairedText } from '@fencewright/model/program/source-repair.js';
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
} from '@fencewright/reports/json/json-schema.js';
export type { Advice, AdviceInWords } from '@fencewright/reports/words/advice.js';
export type { Subject } from '@fencewright/reports/words/subject.js';
export type { Templates } from '@fencewright/model/program/templates.js';
export type {
  ModelCheckerFailure,
  Verification,
  VerifierOptions,
  Verifier,
  ModelCheckerOptions,
  ModelChecker,
} from '@fencewright/ground/solvers/model-checker.js';
export { LineIndex } from '@fencewright/ground/source/line-index.js';
export { spanAt, type Position, type Span } from '@fencewright/ground/source/span.js';
export type { Action, Computation } from '@fencewright/model/trace/computation.js';
export type { BufferedStore, MachineState } from '@fencewright/model/trace/machine-state.js';
export type { Instrumented } from '@fencewright/reference/instrument/instrument.js';
export type { HappensBefore } from '@fencewright/model/trace/trace.js';
export type { Attack, AttackVerdict, DecidedAttack } from '@fencewright/model/verdict/attack.js';
export type {
  PropertyVerdict,
  FailedAssertion,
  ModelReach,
  ReachResult,
} from '@fencewright/model/verdict/reach-result.js';
export type { ProofRow } from '@fencewright/reports/text/proof-table.js';
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
} from '@fencewright/model/verdict/prove-result.js';
export type {
  TriangularRace,
  TrfVerdict,
  TrfRepair,
  TrfResult,
} from '@fencewright/model/verdict/triangular-race.js';
export type { DataRace, RaceFindings, RacingAccess } from '@fencewright/model/verdict/data-race.js';
export type { Replay } from '@fencewright/model/verdict/replay.js';
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
  PhaseStates,
  Scope,
  TemplateCount,
  CheckStatistics,
  CheckResult,
} from '@fencewright/model/verdict/verdict.js';
export { repairedProgram } from '@fencewright/repairs/fences/apply-repair.js';
export type {
  writeRepairs,
  certifyRepairs,
  WrittenRepair,
  RepairClaim,
} from '@fencewright/repairs/fences/certificate.js';
export type {
  PricedRepair,
  Repair,
  RepairMode,
  TextRepair,
} from '@fencewright/model/program/repair.js';
export type { CostModel } from '@fencewright/repairs/fences/repair-problem.js';
export type {
  allAssertions,
  RepairReason,
  FenceVerdict,
  FenceResult,
  NoRepairProof,
} from '@fencewright/model/verdict/fence-result.js';
export type {
  Body,
  BodyId,
  EventInstances,
  EventInstruction,
  EventProgram,
  PostedTo,
} from '@fencewright/model/program/event-program.js';
export type {
  EventAction,
  EventRun,
  Site,
  Task,
  TaskId,
} from '@fencewright/model/trace/event-run.js';
export type {
  EventRelation,
  EventViolation,
  RunEdge,
} from '@fencewright/model/trace/event-violation.js';
export type {
  Against,
  Criterion,
  CriterionVerdict,
  EventBoundHit,
  EventCheckResult,
  EventWitness,
  WhyEventsUnknown,
} from '@fencewright/model/verdict/event-check-result.js';
export type { EventSemantics } from '@fencewright/model/events/machine.js';
export type {
  EventReachResult,
  EventSemanticsReach,
} from '@fencewright/model/verdict/event-reach-result.js';
export type { EventFenceFindings } from '@fencewright/reports/words/event-fence-findings.js';
export type {
  EventFenceReason,
  EventFenceResult,
  EventFenceVerdict,
  FencePlace,
  PricedPlace,
} from '@fencewright/model/verdict/event-fence-result.js';
export type { EventFencesInText } from './api/result.js';
export type { EventSubject } from '@fencewright/reports/words/event-subject.js';
export type { EventsQuestion, EventWishes } from './api/question.js';
export type { ThreadWish } from './api/result.js';
