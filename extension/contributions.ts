/** Every id that package.json contributes, once. test/extension/contributions.test.ts holds both equal. */

export const EXTENSION_ID = 'agent-coach.agent-coach';
export const CONFIGURATION = 'agentCoach';

/** Commands of extension/preferences/. */
export const preferenceCommands = {
  markPairs: 'agentCoach.markPairs',
  openPair: 'agentCoach.openPair',
  aIsBetter: 'agentCoach.aIsBetter',
  bIsBetter: 'agentCoach.bIsBetter',
  tie: 'agentCoach.tie',
  bothBad: 'agentCoach.bothBad',
  skipPair: 'agentCoach.skipPair',
  undoMark: 'agentCoach.undoMark',
  rewriteAnswer: 'agentCoach.rewriteAnswer',
  addReason: 'agentCoach.addReason',
  goodStep: 'agentCoach.goodStep',
  badStep: 'agentCoach.badStep',
  openTraceText: 'agentCoach.openTraceText',
  /** (runId, two trace ids): any two answers as a pair */
  markTraces: 'agentCoach.markTraces',
  takeBack: 'agentCoach.takeBack',
  openPreferences: 'agentCoach.openPreferences',
  trainOnPreferences: 'agentCoach.trainOnPreferences',
  importPreferences: 'agentCoach.importPreferences',
  exportPreferences: 'agentCoach.exportPreferences',
} as const;
export type PreferenceCommandId = (typeof preferenceCommands)[keyof typeof preferenceCommands];

export const commands = {
  ...preferenceCommands,
  trainOnFile: 'agentCoach.trainOnFile',
  trainOnEditorTools: 'agentCoach.trainOnEditorTools',
  listServerTools: 'agentCoach.listServerTools',
  previewTasks: 'agentCoach.previewTasks',
  makeTool: 'agentCoach.makeTool',
  applyMadeTool: 'agentCoach.applyMadeTool',
  stopRun: 'agentCoach.stopRun',
  resumeRun: 'agentCoach.resumeRun',
  openRun: 'agentCoach.openRun',
  openPanel: 'agentCoach.openPanel',
  openTrace: 'agentCoach.openTrace',
  tryIt: 'agentCoach.tryIt',
  learnFromTraces: 'agentCoach.learnFromTraces',
  /** of a run, what was looked at */
  trainOnLessons: 'agentCoach.trainOnLessons',
  openTaskTrace: 'agentCoach.openTaskTrace',
  beforeAfter: 'agentCoach.beforeAfter',
  runAgain: 'agentCoach.runAgain',
  makeTask: 'agentCoach.makeTask',
  chooseTraces: 'agentCoach.chooseTraces',
  showAllTraces: 'agentCoach.showAllTraces',
  filterTraces: 'agentCoach.filterTraces',
  clearTraceFilter: 'agentCoach.clearTraceFilter',
  followTraces: 'agentCoach.followTraces',
  refreshTools: 'agentCoach.refreshTools',
  refreshRuns: 'agentCoach.refreshRuns',
  insertExampleTool: 'agentCoach.insertExampleTool',
  openTool: 'agentCoach.openTool',
  openAdapterFolder: 'agentCoach.openAdapterFolder',
  openRunFolder: 'agentCoach.openRunFolder',
  exportAdapter: 'agentCoach.exportAdapter',
  openSettings: 'agentCoach.openSettings',
  setJudgeKey: 'agentCoach.setJudgeKey',
  setHubToken: 'agentCoach.setHubToken',
  fetchModel: 'agentCoach.fetchModel',
  showLog: 'agentCoach.showLog',
} as const;
export type CommandId = (typeof commands)[keyof typeof commands];

export const views = {
  tools: 'agentCoach.tools',
  runs: 'agentCoach.runs',
  traces: 'agentCoach.traces',
  preferences: 'agentCoach.preferences',
} as const;
export const VIEW_CONTAINER = 'agentCoach';
export const PANEL_TYPE = 'agentCoach.panel';
/** Tool files that are offered to the editor. */
export const MCP_PROVIDER = 'agentCoach.offeredFiles';
/** Evaluation tasks in the Testing view. */
export const TEST_CONTROLLER = 'agentCoach.evaluation';
/** Custom editor of trace files. */
export const TRACE_EDITOR = 'agentCoach.traceFile';
/** Comment threads on trace documents. */
export const COMMENTS = 'agentCoach.reasons';
/** Read-only documents: traces, and files with a made tool. */
export const schemes = { trace: 'coach-trace', made: 'coach-made' } as const;

/** Of the judge, in the order of the settings page; its key is a secret and no setting. */
export const judgeKeys = [
  'judge.baseUrl',
  'judge.model',
  'judge.mode',
  'judge.votes',
  'judge.concurrency',
  'judge.timeoutSeconds',
  'judge.replyTokens',
  'judge.budgetTokens',
  'judge.budgetUsd',
  'judge.usdPerMillionPromptTokens',
  'judge.usdPerMillionCompletionTokens',
] as const;

export const writerKeys = ['writer.baseUrl', 'writer.model', 'writer.tasks'] as const;

/** Settings without their prefix. */
export const settingKeys = [
  'method',
  'model',
  'steps',
  'toolPolicy',
  'toolNetwork',
  'rewards',
  'taskCount',
  'seed',
  'engine',
  'device',
  'threads',
  'nodePath',
  'codeLens',
  'diagnostics',
  'blindPairs',
  'redact',
  'redactPatterns',
  'guardSchema',
  'guardValues',
  'guardAnswers',
  'memoryCheck',
  'training',
  'mcpServers',
  'offerTools',
  ...judgeKeys,
  'judgeAgreementBar',
  ...writerKeys,
] as const;
export type SettingKey = (typeof settingKeys)[number];

/** Context keys that `when` clauses in package.json read. */
export const contexts = {
  /** paths of the files that hold tools; read as `resourcePath in agentCoach.toolFiles` */
  toolFiles: 'agentCoach.toolFiles',
  /** the first discovery has ended, so an empty view means that there is nothing */
  discovered: 'agentCoach.discovered',
  hasTools: 'agentCoach.hasTools',
  /** there are MCP servers, started or not */
  hasServers: 'agentCoach.hasServers',
  hasRuns: 'agentCoach.hasRuns',
  /** a run has ended and says before and after */
  hasResult: 'agentCoach.hasResult',
  running: 'agentCoach.running',
  /** the panel shows a pair that waits for a mark */
  pairOpen: 'agentCoach.pairOpen',
  /** and the keys go to it */
  pairFocus: 'agentCoach.pairFocus',
  hasOpenPairs: 'agentCoach.hasOpenPairs',
  hasPreferences: 'agentCoach.hasPreferences',
  canUndoMark: 'agentCoach.canUndoMark',
  tracesFiltered: 'agentCoach.tracesFiltered',
  /** one moment was chosen; the list does not follow the run */
  tracesPinned: 'agentCoach.tracesPinned',
} as const;
