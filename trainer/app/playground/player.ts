/**
 * Tries a run's model on prompts and tasks, beside its base model: base, any checkpoint, the adapter. Model, engine and
 * tool hosts stay open between tries, so that
 * the second one is quick. One try at a time; nothing is trained.
 */
import { loadBaseModel, type BaseModel } from '../../model/weights/baseModel';
import { loadCheckpoint } from '../../model/weights/checkpoint';
import { modelConfig } from '../../model/weights/describeModel';
import { shortenAs } from '../budget/shorten';
import type { Engine } from '../../model/engine/engine';
import { lanesFor } from '../../evaluation/evaluate';
import { trainedWeightsOf, type TrainedWeights } from '../../model/weights/trainedWeights';
import { DecoderGraphs } from '../../model/decoding/decoderGraphs';
import type { CausalLM } from '../../model/network/causalLM';
import { trainedShape } from '../../model/network/loraShape';
import { checkToolTokens } from '../../model/tokenizer/toolTokens';
import { createTrainable } from '../../model/network/trained';
import type { Trainable } from '../../model/network/trainable';
import { findTools } from '../prepare/tools';
import { openHosts } from '../prepare/hosts';
import type { Played, PlayRequest, Version } from '../../protocol/play';
import type { Budget } from '../../protocol/budget';
import { UserError } from '../../protocol/result';
import type { LimitedConfig } from '../../protocol/runConfig';
import type { Task, ToolSchema } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { Random } from '../../base/random';
import { parseRewards } from '../../rewards/parseRewards';
import { scoreGroup } from '../../rewards/score';
import { environmentsOf } from '../../rollout/environment/runEnvironment';
import { rollOut } from '../../rollout/group';
import { runPolicy, type LocalPolicy } from '../../rollout/policy/local';
import { samplingOf } from '../../rollout/policy/sampling';
import type { EpisodeRequest, Rollout } from '../../rollout/record';
import type { Dependencies } from '../dependencies';
import type { OpenShownTools } from '../retrieval/openShownTools';
import type { ShownTools } from '../../tools/retrieval/shownTools';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { readTaskSplits, readTools, requireManifest } from '../../store/runs/readRun';
import { workspaceOf } from '../../store/runs/workspace';
import { withLimits } from '../settings';
import { writeVerdicts } from '../../rollout/verdicts/verdicts';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { versionStep } from './versions';

export interface PlayerOptions {
  /** the run's folder */
  dir: string;
  cwd: string;
  dependencies: Pick<Dependencies, 'discover' | 'modelFolder' | 'openEngine' | 'openHosts' | 'shownTools'>;
  now(): number;
  /** whether a tool may really run */
  ask(tool: string, args: unknown): Promise<'yes' | 'no' | 'unavailable'>;
}

type Policies = { base: LocalPolicy | null; trained: { policy: LocalPolicy; learnt: Trainable } | null };

export class Player {
  private readonly policies: Policies = { base: null, trained: null };
  private hosts: { policy: PlayRequest['toolPolicy']; hosts: ToolHosts } | null = null;
  private notes: string[] = [];

  private constructor(
    private readonly options: PlayerOptions,
    private readonly config: LimitedConfig,
    private readonly runId: string,
    private readonly found: Discovered,
    private readonly tools: readonly ToolSchema[],
    private readonly opened: OpenShownTools | null,
    private readonly planned: Budget | undefined,
    private readonly base: BaseModel,
    private readonly engine: Engine,
    notes: readonly string[],
  ) {
    this.notes = [...notes];
  }

  /**
   * @throws UserError where the run, its tools or its model can't be used any more. What the run was limited to, and
   * what of its tools' text it saw, holds here, too
   */
  static async open(options: PlayerOptions): Promise<Player> {
    const { dir, cwd, dependencies } = options;
    const { config: recorded, id, budget, shownBy } = requireManifest(dir, { readOnly: true });
    const config = withLimits(recorded);
    const notes: string[] = [];
    const found = await findTools(
      config.toolFile,
      cwd,
      dependencies,
      (_level, _code, message) => void notes.push(message),
      config.toolNetwork,
    );
    const names = (list: readonly { name: string }[]) =>
      list
        .map(({ name }) => name)
        .sort()
        .join(', ');
    const [before, now] = [names(readTools(dir)), names(found.tools)];
    if (before !== now)
      notes.push(`The tools are not those that the run was trained with: then ${before}; now ${now}.`);
    const tokensFor = config.toolTokens ? readTools(dir) : [];
    checkToolTokens(tokensFor, shortenAs(found.tools, budget?.shortened ?? {}), config.toolFile);
    const folder = dependencies.modelFolder(config.model, cwd);
    const engine = await dependencies.openEngine(config); // before the weights, which it holds
    let opened: OpenShownTools | null = null;
    try {
      const tools = shortenAs(found.tools, budget?.shortened ?? {});
      const train = config.shownTools ? readTaskSplits(dir).train : [];
      opened = await dependencies.shownTools(config, tools, { train, before: shownBy });
      // a prompt that somebody types may be longer than the tasks' are
      const positions = Math.min(modelConfig(folder).maxPositions, 2 * config.maxTokens);
      return new Player(
        options,
        config,
        id,
        found,
        tools,
        opened,
        budget,
        loadBaseModel(folder, Math.max(positions, config.maxTokens), { quantize: config.quantize, tokensFor }),
        engine,
        notes,
      );
    } catch (error) {
      opened?.close();
      engine.dispose();
      throw error;
    }
  }

  /** null: all are shown */
  private get shown(): ShownTools | null {
    return this.opened?.shown ?? null;
  }

  /** The traces task by task, in it version by version, each `samples` times. Fewer where it was cancelled. */
  async play(
    request: PlayRequest,
    signal: AbortSignal,
    onDone: (traces: Trace[]) => void | Promise<void> = () => {},
  ): Promise<Played> {
    const { hosts } = await this.hostsFor(request.toolPolicy);
    const config = { ...this.config, toolPolicy: request.toolPolicy ?? undefined };
    const step = Math.max(...request.versions.map((version) => versionStep(this.options.dir, version)));
    const traces: Trace[] = [];
    const perPart = Math.max(1, Math.floor(lanesFor(this.base.model.config, this.config) / request.samples));
    for (let from = 0; from < request.tasks.length && !signal.aborted; from += perPart) {
      const tasks = request.tasks.slice(from, from + perPart);
      const byVersion: Rollout[][] = [];
      for (const [v, version] of request.versions.entries()) {
        if (signal.aborted) break;
        byVersion.push(
          await rollOut(this.episodes(tasks, request, v), {
            policy: this.policy(version),
            environmentFor: environmentsOf({
              tools: this.tools,
              shown: this.shown,
              hosts,
              config,
              now: this.options.now,
            }),
            maxTurns: config.maxTurns,
            runId: this.runId,
            phase: 'try',
            step,
            seed: this.config.seed,
            signal,
            now: this.options.now,
            sampling: samplingOf({ ...config, maxTokens: this.roomFor(tasks) }, request.temperature),
          }),
        );
      }
      const part: Trace[] = [];
      for (const [i, task] of tasks.entries())
        part.push(
          ...(await this.score(
            task,
            byVersion.flatMap((all) =>
              all.slice(i * request.samples, (i + 1) * request.samples).map(({ trace }) => trace),
            ),
            hosts,
          )),
        );
      traces.push(...part);
      await onDone(part);
    }
    return { traces, notes: this.notes.splice(0) };
  }

  /** What a request is longer than those that the run was planned for is added, inside the model's context. */
  private roomFor(tasks: readonly Task[]): number {
    const { base, config, tools, planned } = this;
    if (planned === undefined || planned.set.includes('maxTokens')) return config.maxTokens;
    const lengthOf = (task: Task): number => {
      const messages = [{ role: 'user' as const, content: task.prompt }];
      return base.tokenizer.encode(base.template.render(messages, this.shown?.of(task) ?? tools, true)).length;
    };
    const longest = Math.max(...tasks.map(lengthOf));
    return Math.min(base.model.rotary.cos.shape[0], config.maxTokens + Math.max(0, longest - planned.prompt));
  }

  /**
   * Each of them has a random stream of its own; a try that is made again draws anew, since its name holds the time.
   */
  private episodes(
    tasks: readonly Task[],
    { tasks: all, samples, stamp }: PlayRequest,
    version: number,
  ): EpisodeRequest[] {
    return tasks.flatMap((task) =>
      Array.from({ length: samples }, (_, i) => {
        const groupId = `try-${stamp.toString(36)}${all.length > 1 ? `-${all.indexOf(task)}` : ''}`;
        const indexInGroup = version * samples + i;
        const id = `${groupId}-${indexInGroup}`;
        return { id, task, groupId, indexInGroup, random: Random.fromSeed(this.config.seed).fork(id) };
      }),
    );
  }

  /**
   * Only what has gold can be solved and scored; of a prompt that somebody typed nobody knows what is right. No judge
   * is asked: a try costs nothing.
   */
  private async score(task: Task, traces: Trace[], hosts: ToolHosts): Promise<Trace[]> {
    if (task.calls === undefined && task.answer === undefined) return traces;
    for (const trace of traces) writeVerdicts(trace, task, this.tools);
    const specs = parseRewards(
      this.config.rewards,
      hosts.rewards.map((reward) => reward.name),
    );
    return scoreGroup(task, traces, this.tools, specs, (name, ofTask, list) =>
      hosts.scoreReward(name, ofTask, [...list]),
    );
  }

  private policy(version: Version): LocalPolicy {
    const { base, config, tools, shown, engine } = this;
    const make = (model: CausalLM): LocalPolicy =>
      runPolicy(base, new DecoderGraphs(engine, model), { tools, shown, config });
    if (version === 'base') return (this.policies.base ??= make(base.model));
    if (!this.policies.trained) {
      const learnt = createTrainable(base.model, trainedShape(config), Random.fromSeed(0));
      this.policies.trained = { learnt, policy: make(learnt.on(base.model)) };
    }
    const { learnt, policy } = this.policies.trained;
    learnt.load(this.weights(version));
    policy.version = version === 'start' ? 'start' : `step ${versionStep(this.options.dir, version)}`;
    return policy;
  }

  private weights(version: Exclude<Version, 'base'>): TrainedWeights['tensors'] {
    const { dir } = this.options;
    if (version === 'adapter') return trainedWeightsOf(dir, this.config).weights.tensors;
    if (version === 'start') {
      const { startFrom } = this.config;
      if (startFrom === undefined)
        throw new UserError('config', `${dir}: the run began with a fresh adapter, so its start is the base model`);
      return trainedWeightsOf(startFrom, requireManifest(startFrom, { readOnly: true }).config).weights.tensors;
    }
    const { checkpoint } = loadCheckpoint(dir, { which: version });
    if (!checkpoint)
      throw new UserError(
        'storage',
        `${dir}: there is no whole checkpoint of step ${version} any more`,
        'A run keeps its best and its newest checkpoints; choose one of those.',
      );
    return checkpoint.tensors;
  }

  private async hostsFor(policy: PlayRequest['toolPolicy']): Promise<{ hosts: ToolHosts }> {
    // who is asked is asked anew at each try
    if (this.hosts && this.hosts.policy === policy && policy !== 'ask') return this.hosts;
    await this.hosts?.hosts.close();
    this.hosts = null;
    const {
      options,
      config: { toolPolicy: _own, ...config },
      found,
    } = this;
    const hosts = await openHosts({
      config: policy === null ? config : { ...config, toolPolicy: policy },
      found,
      workspace: workspaceOf(this.config.toolFile, options.cwd),
      note: (_level, _code, message) => void this.notes.push(message),
      ask: options.ask,
      dependencies: options.dependencies,
    });
    this.hosts = { policy, hosts };
    return this.hosts;
  }

  async close(): Promise<void> {
    await this.hosts?.hosts.close();
    this.hosts = null;
    this.opened?.close();
    this.policies.trained?.learnt.dispose();
    this.base.dispose();
    this.engine.dispose();
  }
}
