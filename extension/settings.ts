/**
 * VS Code's configuration as a run reads it. What a value may be is checked where it is used: RunConfig parses in the
 * trainer.
 */
import * as vscode from 'vscode';
import type {
  DeviceChoice,
  EngineChoice,
  Method,
  RunConfigInput,
  ToolNetwork,
  ToolPolicy,
} from '../trainer/protocol/runConfig';
import { CONFIGURATION, type judgeKeys, type writerKeys, type SettingKey } from './contributions';

/** What is left as it is by default is absent, and the trainer's default holds. */
export type JudgeChoices = Pick<
  RunConfigInput,
  | 'judgeUrl'
  | 'judgeModel'
  | 'judgeMode'
  | 'judgeVotes'
  | 'judgeConcurrency'
  | 'judgeTimeoutMs'
  | 'judgeReplyTokens'
  | 'judgeBudgetTokens'
  | 'judgeBudgetUsd'
  | 'judgeAgreementBar'
  | 'judgeUsdPerMillionPromptTokens'
  | 'judgeUsdPerMillionCompletionTokens'
>;

export type WriterChoices = Pick<RunConfigInput, 'writerUrl' | 'writerModel' | 'writerTasks'>;

export interface Settings {
  method: Method;
  model: string;
  steps: number;
  toolPolicy: ToolPolicy | 'auto';
  toolNetwork: ToolNetwork;
  rewards: string;
  taskCount: number;
  seed: number;
  engine: EngineChoice;
  device: DeviceChoice;
  threads: number;
  nodePath: string;
  codeLens: boolean;
  diagnostics: boolean;
  blindPairs: boolean;
  judge: JudgeChoices;
  writer: WriterChoices;
  redact: boolean;
  redactPatterns: string[];
  guardSchema: boolean;
  guardValues: boolean;
  guardAnswers: boolean;
  memoryCheck: boolean;
  /** whatever else a run can be set to; checked by the trainer */
  training: Partial<RunConfigInput>;
  /** as `servers` of an mcp.json has them; checked by the service */
  mcpServers: Record<string, unknown>;
  /** to the editor, as MCP servers */
  offerTools: boolean;
}

export function readSettings(resource?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(CONFIGURATION, resource);
  // each has a default in package.json
  const read = <K extends SettingKey & keyof Settings>(key: K): Settings[K] => configuration.get(key) as Settings[K];
  return {
    method: read('method'),
    model: read('model'),
    steps: read('steps'),
    toolPolicy: read('toolPolicy'),
    toolNetwork: read('toolNetwork'),
    rewards: read('rewards'),
    taskCount: read('taskCount'),
    seed: read('seed'),
    engine: read('engine'),
    device: read('device'),
    threads: read('threads'),
    nodePath: read('nodePath'),
    codeLens: read('codeLens'),
    diagnostics: read('diagnostics'),
    blindPairs: read('blindPairs'),
    judge: judgeChoices(configuration),
    writer: writerChoices(configuration),
    redact: read('redact'),
    redactPatterns: read('redactPatterns'),
    guardSchema: read('guardSchema'),
    guardValues: read('guardValues'),
    guardAnswers: read('guardAnswers'),
    memoryCheck: read('memoryCheck'),
    training: read('training'),
    mcpServers: read('mcpServers'),
    offerTools: read('offerTools'),
  };
}

/** undefined where it is left as it is by default */
function reader(configuration: vscode.WorkspaceConfiguration) {
  return <T>(key: (typeof judgeKeys)[number] | (typeof writerKeys)[number] | 'judgeAgreementBar'): T | undefined => {
    const value = configuration.get<T | null>(key);
    const standard = configuration.inspect(key)?.defaultValue;
    return value === null || value === undefined || value === standard ? undefined : value;
  };
}

const withoutAbsent = <T extends object>(choices: T): T =>
  Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined)) as T;

function writerChoices(configuration: vscode.WorkspaceConfiguration): WriterChoices {
  const given = reader(configuration);
  return withoutAbsent<WriterChoices>({
    writerUrl: given('writer.baseUrl'),
    writerModel: given('writer.model'),
    writerTasks: given('writer.tasks'),
  });
}

function judgeChoices(configuration: vscode.WorkspaceConfiguration): JudgeChoices {
  const given = reader(configuration);
  const seconds = given<number>('judge.timeoutSeconds');
  const choices: JudgeChoices = {
    judgeUrl: given('judge.baseUrl'),
    judgeModel: given('judge.model'),
    judgeMode: given('judge.mode'),
    judgeVotes: given('judge.votes'),
    judgeConcurrency: given('judge.concurrency'),
    judgeTimeoutMs: seconds === undefined ? undefined : seconds * 1000,
    judgeReplyTokens: given('judge.replyTokens'),
    judgeBudgetTokens: given('judge.budgetTokens'),
    judgeBudgetUsd: given('judge.budgetUsd'),
    judgeAgreementBar: given('judgeAgreementBar'),
    judgeUsdPerMillionPromptTokens: given('judge.usdPerMillionPromptTokens'),
    judgeUsdPerMillionCompletionTokens: given('judge.usdPerMillionCompletionTokens'),
  };
  return withoutAbsent(choices);
}

/** What a run of these settings is started with. */
export function toRunConfig(toolFile: string, settings: Settings): RunConfigInput {
  const {
    judge,
    writer,
    method,
    model,
    steps,
    rewards,
    taskCount,
    seed,
    engine,
    device,
    threads,
    toolPolicy,
    toolNetwork,
    redact,
    redactPatterns,
    guardSchema,
    guardValues,
    guardAnswers,
    memoryCheck,
    training,
  } = settings;
  const guards = {
    ...(guardSchema ? {} : { guardSchema }),
    ...(guardValues ? { guardValues } : {}),
    ...(guardAnswers ? { guardAnswers } : {}),
  };
  return {
    ...training,
    toolFile,
    method,
    model,
    steps,
    rewards,
    taskCount,
    seed,
    engine,
    device,
    threads,
    ...judge,
    ...writer,
    ...guards,
    ...(toolPolicy === 'auto' ? {} : { toolPolicy }),
    ...(toolNetwork === 'allow' ? {} : { toolNetwork }),
    ...(memoryCheck ? {} : { memoryCheck }),
    ...(redact ? {} : { redact }),
    ...(redactPatterns.length === 0 ? {} : { redactPatterns }),
  };
}

export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(CONFIGURATION)) listener();
  });
}
