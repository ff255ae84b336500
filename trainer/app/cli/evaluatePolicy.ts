/** `coach evaluate --policy URL`: a policy behind a server on a tool file's tasks, kept as a run folder. */
import { basename, resolve } from 'node:path';
import { lostCalls } from '../../evaluation/lostCalls';
import { evaluateRemote, type RemoteSuccess } from '../../evaluation/evaluateRemote';
import { shortPath } from '../../base/shortPath';
import type { Note, TellNote } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import type { Task } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { sleepFor } from '../../rewards/judge/judge';
import { remotePolicy, remoteSettings, type RemotePolicy, type RemoteSettings } from '../../rollout/policy/remote';
import { redactorFor } from '../../store/redaction/redactor';
import { hashFiles, hashText } from '../../store/runs/hashes';
import { createRun, type RunWriter } from '../../store/runs/runFolder';
import { workspaceOf } from '../../store/runs/workspace';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { loadedTools } from '../loadedTools';
import { findTools } from '../prepare/tools';
import { withMockTools } from '../mockTools';
import { makeTasks } from '../prepare/tasks';
import { openHosts } from '../prepare/hosts';
import { splitFor } from '../prepare/splits';
import { withShownTools } from '../retrieval/shownSettings';
import { parseSettings, withLimits } from '../settings';
import { settingsFromPairs } from '../settingText';
import { rewardOf } from './rewardOption';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { numberOf, valueOf, type Arguments, type CommandContext } from './command';
import { sayProgress, saySuccess } from './measured';

export async function evaluatePolicy(args: Arguments, context: CommandContext): Promise<number> {
  const { cwd, dependencies, out, environment, signal, now } = context;
  const settings = serverOf(args, environment);
  const replyTokens = numberOf(args, 'max-tokens', { least: 1, isInteger: true }) ?? null;
  const given = configOf(args, settings, cwd);
  const note: TellNote = (level, _, message) => out.warn(`${level === 'warning' ? 'Warning: ' : ''}${message}`);
  const workspace = workspaceOf(given.toolFile, cwd);
  const around = { workspace, cwd, note, dependencies, signal };
  const found = await loadedTools({
    ...around,
    config: given,
    found: await findTools(given.toolFile, cwd, dependencies, note, given.toolNetwork),
  });
  const asked = withShownTools(given, found.tools);
  const made = await makeTasks({ ...around, config: asked, found, isToMeasure: true });
  const config = withMockTools(asked, made.mocked);
  const making = { ...around, config };
  const { heldOut: tasks, train } =
    config.tasks === undefined ? splitFor(config, made, found.tools) : { heldOut: made.tasks, train: [] };
  const policy = await remotePolicy(settings, { sleep: sleepFor, now });
  await policy.check(signal);
  const shown = await dependencies.shownTools(config, found.tools, { train });
  const inertia = await dependencies.inertia(config, { cwd, own: null, measured: tasks });
  const run = createRun({
    workspace,
    label: `evaluate ${basename(config.toolFile).replace(/\.\w+$/, '')}`,
    tools: found.tools,
    tasks: { train: [], validation: [], heldOut: tasks },
    now,
    redactor: redactorFor(config, () => dependencies.modelFolder('nano', cwd)),
    manifest: { ...manifestOf(config, found, tasks, made.source, settings), ...(shown ? { shownBy: shown.by } : {}) },
  });
  let hosts: ToolHosts | null = null;
  try {
    hosts = await openHosts({ ...making, found, ask: async () => 'unavailable' });
    if (shown) run.append({ type: 'noted', ...shown.note });
    if (inertia) run.append({ type: 'noted', ...inertia.note });
    run.append({ type: 'phaseStarted', phase: 'before', total: tasks.length });
    const told: Pick<Trace, 'turns'>[] = [];
    const { result, unanswered } = await evaluateRemote({
      policy,
      tasks,
      tools: found.tools,
      shown: shown?.shown,
      inertia: inertia?.inertia,
      hosts,
      config: withLimits(config),
      replyTokens,
      atOnce: settings.concurrency,
      runId: run.id,
      signal,
      now,
      onTrace(trace, done) {
        told.push(trace);
        run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
        run.append({ type: 'progressed', done, total: tasks.length });
        sayProgress(out, done, tasks.length);
      },
    });
    if (!signal.aborted) run.append({ type: 'evaluated', which: 'before', name: 'held-out', result });
    const lost = lostCalls(told);
    for (const one of [...notes(policy, { result, unanswered }), ...(lost ? [lost] : [])]) {
      run.append({ type: 'noted', ...one });
      note(one.level, one.code, one.message);
    }
    run.append({ type: 'runStopped', step: 0 });
    if (signal.aborted) return 130;
    saySuccess(out, result);
    out.progress(`Traces: ${shortPath(run.dir, cwd)}`);
    return 0;
  } catch (error) {
    failed(run, error);
    throw error;
  } finally {
    shown?.close();
    inertia?.close();
    run.close();
    await hosts?.close();
  }
}

/** Server, model and key. @throws UserError where one is missing, or is no such thing */
function serverOf(args: Arguments, environment: CommandContext['environment']): RemoteSettings {
  if (args.positionals.length > 0)
    throw new UserError(
      'config',
      `--policy names what is measured, and ${args.positionals[0]} names another`,
      'Leave out one of the two.',
    );
  const model = valueOf(args, 'policy-model');
  if (model === undefined)
    throw new UserError(
      'config',
      'coach evaluate --policy needs --policy-model NAME',
      "As the server's /models lists it.",
    );
  return remoteSettings(valueOf(args, 'policy')!, model, environment['COACH_POLICY_KEY']);
}

function configOf(args: Arguments, { model }: RemoteSettings, cwd: string): RunConfig {
  const toolFile = valueOf(args, 'tools');
  if (toolFile === undefined)
    throw new UserError(
      'config',
      'coach evaluate --policy needs --tools FILE',
      'For example: coach evaluate --policy http://127.0.0.1:8080/v1 --policy-model NAME --tools examples/email/tools.ts',
    );
  const [tasks, toolPolicy] = [valueOf(args, 'tasks'), valueOf(args, 'tool-policy')];
  const rewards = rewardOf(args);
  return parseSettings({
    toolFile: resolve(cwd, toolFile),
    method: 'sft',
    steps: 1,
    model,
    ...settingsFromPairs(args.values['set'] ?? []),
    ...(tasks === undefined ? {} : { tasks: resolve(cwd, tasks) }),
    ...(toolPolicy === undefined ? {} : { toolPolicy }),
    ...(rewards === undefined ? {} : { rewards }),
  });
}

const manifestOf = (
  config: RunConfig,
  { tools, files }: Discovered,
  tasks: readonly Task[],
  taskSource: string,
  { baseUrl, model }: RemoteSettings,
): Parameters<typeof createRun>[0]['manifest'] => ({
  config,
  evaluated: { url: baseUrl, model },
  toolNames: tools.map(({ name }) => name),
  taskCounts: { train: 0, validation: 0, heldOut: tasks.length },
  taskSource,
  engine: { name: 'none', why: `${model} at ${baseUrl} was asked: nothing was trained`, threads: 0, rejected: [] },
  node: process.version,
  versions: {},
  hashes: { tools: hashFiles(files), tasks: hashText(JSON.stringify(tasks)) },
});

/** What it took, and which tasks are not measured. */
function notes({ id, version, spent, hidesTools }: RemotePolicy, { result, unanswered }: RemoteSuccess): Note[] {
  const took =
    `${id} at ${version}: ${spent.requests} requests, ${spent.promptTokens} + ` + `${spent.completionTokens} tokens`;
  const asked: Note[] = [{ level: 'info', code: 'policyAsked', message: took }];
  if (hidesTools)
    asked.push({
      level: 'warning',
      code: 'toolsNotShown',
      message:
        `${id} never saw the tools: its prompts, as the server counts them, are too short for them. ` +
        'Start the server with a chat template that takes tools, or measure a model that has one',
    });
  if (unanswered.length === 0) return asked;
  const of = result.n + unanswered.length;
  const message = `${unanswered.length} of ${of} tasks got no answer and are not counted: ${unanswered[0]!.why}`;
  return [...asked, { level: 'warning', code: 'tasksUnanswered', message }];
}

function failed(run: RunWriter, error: unknown): void {
  const known = error instanceof UserError ? error : new UserError('policy', String(error));
  run.append({ type: 'runFailed', error: known.toTrainerError() });
}
