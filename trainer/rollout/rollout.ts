import type { ToolSchema } from '../protocol/task';
import { TRACE_VERSION, type Message, type ToolResult, type Trace } from '../protocol/trace';
import type { Task } from '../protocol/task';
import type { Random } from '../base/random';
import { PIECE } from '../model/decoding/sharedRows';
import { plainLogprob, sampleId, temperatureOf, temperaturesOf, type Temperatures } from '../model/decoding/sample';
import { penalised, truncate } from '../model/decoding/truncate';
import type { ChatTemplate } from '../model/tokenizer/chatTemplate';
import type { Tokenizer } from '../model/tokenizer/tokenizer';
import type { ToolHosts, ToolSession } from '../tools/hosts/callTool';
import { chooseFeed } from '../model/decoding/chooseFeed';
import type { TurnConstraint } from '../model/decoding/constrained/grammar';
import { refuseUnseen, ungroundedIn, type Guards } from './environment/guard/guard';
import { turnConstraint, type LaneBatch, type Policy, type Sampling } from './policy/policy';

export interface EpisodeRequest {
  id: string;
  task: Task;
  groupId: string;
  indexInGroup: number;
  random: Random;
  /** of the choices inside a call; default: as all the rest */
  callTemperature?: number;
  /** tools of its own, the same model's policy on them, and where they run; default: those of all */
  own?: { tools: readonly ToolSchema[]; policy: Policy; hosts?: Pick<ToolHosts, 'open'> };
}

export interface RolloutOptions {
  policy: Policy;
  tokenizer: Tokenizer;
  template: ChatTemplate;
  tools: readonly ToolSchema[];
  hosts: Pick<ToolHosts, 'open'>;
  sampling: Sampling;
  runId: string;
  phase: Trace['phase'];
  step: number;
  seed: number;
  signal: AbortSignal;
  now(): number;
  /** absent: none */
  guards?: Guards;
  /** an episode is over, by itself or by a limit: its trace is whole; not told of those that a cancel ends */
  onEnded?(trace: Trace): void;
  /**
   * the ids that each sampled token was chosen from (null: all), by trace id and place: kept for the training step,
   * not recorded
   */
  onAllowed?(traceId: string, place: number, allowed: Int32Array | null): void;
}

/** One episode while it runs. */
interface Lane {
  request: EpisodeRequest;
  tools: readonly ToolSchema[];
  policy: Policy;
  trace: Trace;
  temperatures: Temperatures;
  writer: string[];
  /** log probability of each sampled id under the model alone */
  plain: (number | null)[];
  session: ToolSession;
  constraint: TurnConstraint | null;
  turnStart: number;
  turnStartedAt: number;
  /** written but not yet fed to the model, and how many were written together with these */
  pending: number[];
  written: number;
  /** token ranges that users and tools wrote */
  ranges: [number, number][];
  state: 'active' | 'waiting' | 'done';
}

/**
 * Runs episodes together: prompt -> sample -> parse -> call tools -> append results -> …, until an answer, a limit or a
 * cancel. Token in, token
 * out: what was sampled is recorded as it was sampled. All lanes decode in one batch; a lane that waits for a tool
 * keeps its place and its cache
 * while the others go on. Each has a random stream of its own, so the result does not depend on the batch it ran in.
 */
export async function rollout(requests: readonly EpisodeRequest[], o: RolloutOptions): Promise<Trace[]> {
  const written = new Map<readonly ToolSchema[], Map<string, Prompt>>();
  const lanes = requests.map((request) => openLane(request, o, written));
  const batch = o.policy.openLanes();
  const arrivals = new Arrivals();
  try {
    const logits = await batch.start(lanes.map((l) => l.pending.splice(0)));
    lanes.forEach((lane, i) => decide(lane, logits[i], o, arrivals));
    for (;;) {
      if (o.signal.aborted) lanes.filter((l) => l.state !== 'done').forEach((l) => finish(l, o, 'cancelled'));
      const ended = lanes.flatMap((l, i) => (l.state === 'done' ? [i] : []));
      if (ended.length === lanes.length) break;
      batch.release(ended);
      arrivals.takeAll().forEach((apply) => apply());
      const ready = lanes.flatMap((l, lane) => (l.state === 'active' && l.pending.length > 0 ? [{ lane, l }] : []));
      if (ready.length === 0) {
        // the results just applied may have ended the last lane (turn or token limit): then nothing more arrives
        if (lanes.some((l) => l.state === 'waiting')) await arrivals.next();
        continue;
      }
      await feed(ready, batch, o, arrivals);
      // lets tool results, stop requests and sockets through
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    batch.close();
    lanes.forEach((l) => l.session.close());
  }
  return lanes.map((l) => l.trace);
}

/** What was written together is fed at once, by PIECE: how a token is computed does not depend on the other lanes. */
async function feed(
  ready: { lane: number; l: Lane }[],
  batch: LaneBatch,
  o: RolloutOptions,
  arrivals: Arrivals,
): Promise<void> {
  for (const { l } of ready) l.written ||= l.pending.length;
  const feeds = ready.map(({ lane, l }) => ({ lane, ids: l.pending.slice(0, PIECE), of: l.written }));
  const known = feeds.some(({ ids }) => ids.length > 1) ? batch.known(feeds) : feeds.map(() => 0);
  const chosen = chooseFeed(
    known.map((n, i) => ({ ids: feeds[i]!.ids.length, known: n, of: ready[i]!.l.written })),
    batch.isParted,
  );
  const logits = await batch.step(chosen.map((i) => feeds[i]!));
  chosen
    .map((i) => ready[i]!)
    .forEach(({ l }, i) => {
      l.pending.splice(0, PIECE);
      if (l.pending.length === 0) l.written = 0;
      if (l.pending.length === 0 && l.state === 'active') decide(l, logits[i], o, arrivals);
    });
}

/** Tool results that came in; they are applied between steps, in the order of the lanes' requests. */
class Arrivals {
  private ready: (() => void)[] = [];
  private wake: (() => void) | null = null;
  push(apply: () => void): void {
    this.ready.push(apply);
    this.wake?.();
  }
  takeAll(): (() => void)[] {
    return this.ready.splice(0);
  }
  async next(): Promise<void> {
    if (this.ready.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = null;
  }
}

/** A task's prompt as the template writes it. */
interface Prompt {
  ids: readonly number[];
  /** the user's words, as a token range */
  said: [number, number];
}

/** Rendered and tokenised once for all episodes of a task. */
function promptOf(
  prompt: string,
  tools: readonly ToolSchema[],
  o: RolloutOptions,
  written: Map<readonly ToolSchema[], Map<string, Prompt>>,
): Prompt {
  const onTools = written.get(tools) ?? new Map<string, Prompt>();
  const known = onTools.get(prompt);
  if (known) return known;
  const text = o.template.render([{ role: 'user', content: prompt }], tools, true);
  const made: Prompt = { ids: o.tokenizer.encode(text), said: saidIn(o.tokenizer, text, prompt) };
  written.set(tools, onTools.set(prompt, made));
  return made;
}

/** Where the user's words stand in the rendered opening of an episode, in tokens. */
export function saidIn(tokenizer: Tokenizer, text: string, prompt: string): [start: number, end: number] {
  const start = tokenizer.encode(text.slice(0, text.lastIndexOf(prompt))).length;
  return [start, start + tokenizer.encode(prompt).length];
}

const isHotter = (request: EpisodeRequest, o: RolloutOptions): boolean =>
  o.policy.grammar !== null &&
  request.callTemperature !== undefined &&
  request.callTemperature !== o.sampling.temperature;

function openLane(
  request: EpisodeRequest,
  o: RolloutOptions,
  written: Map<readonly ToolSchema[], Map<string, Prompt>>,
): Lane {
  const { tools, policy } = request.own ?? o;
  const { ids, said } = promptOf(request.task.prompt, tools, o, written);
  const messages: Message[] = [{ role: 'user', content: request.task.prompt }];
  const trace: Trace = {
    version: TRACE_VERSION,
    id: request.id,
    runId: o.runId,
    taskId: request.task.id,
    phase: o.phase,
    step: o.step,
    groupId: request.groupId,
    indexInGroup: request.indexInGroup,
    seed: o.seed,
    model: o.policy.name,
    checkpoint: o.policy.version,
    temperature: o.sampling.temperature,
    ...(isHotter(request, o) ? { callTemperature: request.callTemperature } : {}),
    constraint: o.policy.constraint,
    messages,
    turns: [],
    tokens: { ids: ids.slice(), logprobs: ids.map(() => null), completionMask: ids.map(() => 0), writer: '' },
    terminated: false,
    truncated: 'no',
    solved: null,
    rewards: [],
    reward: null,
    advantage: null,
    startedAt: o.now(),
    durationMs: 0,
  };
  const ranges: [number, number][] = [said];
  const lane: Lane = {
    request,
    tools,
    policy,
    trace,
    temperatures: temperaturesOf(trace),
    writer: ids.map(() => 'p'),
    plain: ids.map(() => null),
    session: (request.own?.hosts ?? o.hosts).open(request.id),
    constraint: null,
    turnStart: ids.length,
    turnStartedAt: o.now(),
    pending: ids.slice(),
    written: 0,
    ranges,
    state: 'active',
  };
  lane.constraint = turnConstraint(policy, { ids: trace.tokens.ids, ranges });
  return lane;
}

function write(
  lane: Lane,
  id: number,
  writer: string,
  logprob: number | null,
  isTrained: boolean,
  plainLogprob: number | null = null,
): void {
  const { tokens } = lane.trace;
  tokens.ids.push(id);
  tokens.logprobs.push(logprob);
  tokens.completionMask.push(isTrained ? 1 : 0);
  lane.writer.push(writer);
  lane.plain.push(plainLogprob);
  lane.pending.push(id);
}

/** Samples until the next choice needs the model again: one sampled id, and what the schema forces behind it. */
function decide(lane: Lane, logits: Float32Array, o: RolloutOptions, arrivals: Arrivals): void {
  let known: Float32Array | null = logits;
  for (;;) {
    const written = lane.trace.tokens.ids.length - lane.turnStart;
    if (lane.trace.tokens.ids.length >= o.sampling.maxTokens || written >= o.sampling.maxTurnTokens)
      return finish(lane, o, 'tokenLimit');
    const allowed = lane.constraint?.allowed() ?? null;
    let id: number;
    if (allowed?.length === 1) {
      id = allowed[0];
      write(lane, id, 'f', null, false);
    } else {
      if (!known) return;
      const temperature = temperatureOf(lane.temperatures, allowed, o.policy.vocabSize);
      known = penalised(known, lane.trace.tokens.ids, o.sampling.repetitionPenalty);
      const from = truncate(known, allowed, temperature, o.sampling) ?? allowed;
      const sampled = sampleId(known, from, temperature, lane.request.random);
      id = sampled.id;
      o.onAllowed?.(lane.trace.id, lane.trace.tokens.ids.length, from);
      const isPlain = from === null && known === logits && (temperature === 1 || temperature === 0);
      write(lane, id, 's', sampled.logprob, true, isPlain ? sampled.logprob : plainLogprob(logits, id));
      known = null;
    }
    lane.constraint?.advance(id);
    if (o.policy.endIds.has(id)) return endTurn(lane, o, arrivals);
  }
}

function endTurn(lane: Lane, o: RolloutOptions, arrivals: Arrivals): void {
  const { trace } = lane;
  const end = trace.tokens.ids.length;
  const text = o.tokenizer.decode(trace.tokens.ids.slice(lane.turnStart, end), true);
  const parsed = lane.policy.parser.parse(text);
  const index = trace.turns.length;
  const calls = parsed.calls.map((c, i) => ({
    ...c,
    id: `${trace.id}-${index}-${i}`,
    result: null as ToolResult | null,
  }));
  trace.turns.push({
    start: lane.turnStart,
    end,
    text,
    calls,
    ...(parsed.error ? { parseError: parsed.error } : {}),
    sampleMs: o.now() - lane.turnStartedAt,
  });
  trace.messages.push({
    role: 'assistant',
    content: parsed.content,
    ...(calls.length
      ? {
          tool_calls: calls.map((c) => ({
            id: c.id,
            type: 'function' as const,
            function: { name: c.name, arguments: c.arguments },
          })),
        }
      : {}),
  });
  if (calls.length === 0) {
    trace.terminated = !parsed.error;
    if (o.guards?.answers && trace.terminated) trace.ungrounded = ungroundedIn(parsed.content, trace);
    return finish(lane, o, 'no');
  }
  lane.state = 'waiting';
  const refused = o.guards?.values ? refuseUnseen(calls, trace, lane.tools, o.now()) : [];
  void Promise.all(calls.map((c, i) => refused[i] ?? boundedCall(lane.session, c, o))).then((results) =>
    arrivals.push(() => answer(lane, results, o)),
  );
}

/** The hosts bound each call; should one be lost all the same, the batch must not wait for it for ever. */
async function boundedCall(
  session: ToolSession,
  call: { name: string; arguments: Record<string, unknown> },
  o: RolloutOptions,
): Promise<ToolResult> {
  const startedAt = o.now();
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<ToolResult>((resolve) => {
    timer = setTimeout(
      () =>
        resolve({
          kind: 'hostDied',
          content: JSON.stringify({ error: `${call.name} gave no answer` }),
          policy: 'real',
          startedAt,
          durationMs: o.now() - startedAt,
        }),
      o.sampling.callLimitMs,
    );
  });
  try {
    return await Promise.race([session.call(call.name, call.arguments, o.signal), lost]);
  } finally {
    clearTimeout(timer);
  }
}

/** Appends the tools' results as the template writes them, and opens the next turn. */
function answer(lane: Lane, results: ToolResult[], o: RolloutOptions): void {
  if (lane.state !== 'waiting') return;
  const { trace } = lane;
  const turn = trace.turns[trace.turns.length - 1];
  const appended = results.map((result, i): Message => {
    turn.calls[i].result = result;
    return { role: 'tool', name: turn.calls[i].name, tool_call_id: turn.calls[i].id, content: result.content };
  });
  trace.messages.push(...appended);
  if (trace.turns.length >= o.sampling.maxTurns) return finish(lane, o, 'turnLimit');
  const added = o.tokenizer.encode(o.template.continuation(appended, lane.tools));
  if (trace.tokens.ids.length + added.length >= o.sampling.maxTokens) return finish(lane, o, 'tokenLimit');
  const start = trace.tokens.ids.length;
  for (const id of added) write(lane, id, 't', null, false);
  lane.ranges.push([start, trace.tokens.ids.length]);
  lane.turnStart = trace.tokens.ids.length;
  lane.turnStartedAt = o.now();
  lane.constraint = turnConstraint(lane.policy, { ids: trace.tokens.ids, ranges: lane.ranges });
  lane.state = 'active';
}

function finish(lane: Lane, o: RolloutOptions, truncated: Trace['truncated']): void {
  if (lane.state === 'done') return;
  lane.state = 'done';
  lane.pending.length = 0;
  lane.trace.truncated = truncated;
  lane.trace.terminated &&= truncated === 'no';
  const { tokens } = lane.trace;
  tokens.writer = lane.writer.join('');
  if (lane.plain.some((logprob, i) => logprob !== tokens.logprobs[i])) tokens.plainLogprobs = lane.plain;
  lane.trace.durationMs = o.now() - lane.trace.startedAt;
  if (truncated !== 'cancelled') o.onEnded?.(lane.trace);
}
