/**
 * A trace of ours as OpenTelemetry spans on the GenAI conventions (semconv 1.37: invoke_agent, chat, execute_tool;
 * messages in their parts form).
 * Times, token counts and names always; what was said, and arguments and results of tools, only where the user asks
 * (`content`), as the
 * conventions want it. Scores are gen_ai.evaluation.result events; what only we know lies under `coach.`.
 */
import { createHash } from 'node:crypto';
import type { ToolSchema } from '../../../protocol/task';
import { shownByTurn, type Message, type Trace } from '../../../protocol/trace';
import { attributes, nanos, type Span, type TracesData } from './otlp';

export interface OtlpOptions {
  /** messages, arguments and results go along */
  content: boolean;
  version: string;
  tools: readonly ToolSchema[];
}

const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;

/** Deterministic: the same traces give the same ids. */
export function otlpOf(traces: readonly Trace[], options: OtlpOptions): TracesData {
  const resource = { attributes: attributes({ 'service.name': 'agent-coach', 'service.version': options.version }) };
  return {
    resourceSpans: [
      {
        resource,
        scopeSpans: [
          {
            scope: { name: 'agent-coach', version: options.version },
            spans: traces.flatMap((trace) => spansOf(trace, options)),
          },
        ],
      },
    ],
  };
}

function spansOf(trace: Trace, options: OtlpOptions): Span[] {
  const traceId = hex(`${trace.runId}/${trace.id}`, 32);
  const root = hex(`${traceId}/agent`, 16);
  const children: Span[] = [];
  let at = trace.startedAt;
  trace.turns.forEach((turn, i) => {
    const start = at;
    at += turn.sampleMs;
    children.push({
      traceId,
      spanId: hex(`${traceId}/chat/${i}`, 16),
      parentSpanId: root,
      name: `chat ${trace.model}`,
      kind: CLIENT,
      startTimeUnixNano: nanos(start),
      endTimeUnixNano: nanos(at),
      attributes: chatAttributes(trace, i, options),
      ...(turn.parseError === undefined
        ? {}
        : { status: { code: ERROR, ...(options.content ? { message: turn.parseError } : {}) } }),
    });
    for (const call of turn.calls) {
      if (call.result === null) continue;
      const { startedAt, durationMs, kind } = call.result;
      const span: Span = {
        traceId,
        spanId: hex(`${traceId}/tool/${i}/${call.id}`, 16),
        parentSpanId: root,
        name: `execute_tool ${call.name}`,
        kind: INTERNAL,
        startTimeUnixNano: nanos(startedAt),
        endTimeUnixNano: nanos(startedAt + durationMs),
        attributes: toolAttributes(call, options),
        ...(kind === 'ok' ? {} : { status: { code: ERROR } }),
      };
      children.push(span);
      at = Math.max(at, startedAt + durationMs);
    }
  });
  const end = Math.max(at, trace.startedAt + trace.durationMs);
  const agent: Span = {
    traceId,
    spanId: root,
    name: 'invoke_agent coach',
    kind: INTERNAL,
    startTimeUnixNano: nanos(trace.startedAt),
    endTimeUnixNano: nanos(end),
    attributes: agentAttributes(trace, options),
    events: evaluations(trace, end, options),
    ...(trace.truncated === 'no' ? {} : { status: { code: ERROR, message: trace.truncated } }),
  };
  return [agent, ...children];
}

function agentAttributes(trace: Trace, { content, tools: all }: OtlpOptions): Span['attributes'] {
  const system = trace.messages.filter((m) => m.role === 'system');
  const shown = trace.shownTools && new Set([...trace.shownTools, ...(shownByTurn(trace) ?? []).flat()]);
  const tools = all.filter(({ name }) => shown?.has(name) ?? true);
  return attributes({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'agent-coach',
    'gen_ai.agent.name': 'coach',
    'gen_ai.conversation.id': trace.id,
    'gen_ai.request.model': trace.model,
    'gen_ai.request.temperature': trace.temperature,
    'gen_ai.request.seed': trace.seed,
    'error.type': trace.truncated === 'no' ? null : trace.truncated,
    'gen_ai.usage.output_tokens':
      trace.tokens.ids.length === 0 ? null : trace.turns.reduce((n, turn) => n + turn.end - turn.start, 0),
    'coach.run.id': trace.runId,
    'coach.trace.id': trace.id,
    'coach.task.id': trace.taskId,
    'coach.group.id': trace.groupId,
    'coach.phase': trace.phase,
    'coach.step': trace.step,
    'coach.checkpoint': trace.checkpoint,
    'coach.ungrounded_claims': trace.ungrounded?.length ?? null,
    'coach.solved': trace.solved,
    ...Object.fromEntries(Object.entries(trace.verdicts ?? {}).map(([name, verdict]) => [`coach.${name}`, verdict])),
    'coach.reward': trace.reward,
    'coach.advantage': trace.advantage,
    'coach.fork.trace_id': trace.forkOf?.traceId,
    'coach.fork.turn': trace.forkOf?.turn,
    ...(content
      ? {
          'gen_ai.tool.definitions':
            tools.length === 0
              ? null
              : JSON.stringify(
                  tools.map(({ name, description, parameters }) => ({
                    type: 'function',
                    name,
                    description,
                    parameters,
                  })),
                ),
          'gen_ai.system_instructions':
            system.length === 0 ? null : JSON.stringify(system.map((m) => ({ type: 'text', content: m.content }))),
          'coach.hidden': trace.hidden && JSON.stringify(trace.hidden),
        }
      : {}),
  });
}

/** Turn i: asked what came before its assistant message. */
function chatAttributes(trace: Trace, i: number, { content }: OtlpOptions): Span['attributes'] {
  const turn = trace.turns[i]!;
  const at = trace.messages.flatMap((m, index) => (m.role === 'assistant' ? [index] : []))[i];
  const finish =
    turn.calls.length > 0
      ? 'tool_calls'
      : trace.truncated === 'tokenLimit' && i === trace.turns.length - 1
        ? 'length'
        : 'stop';
  const isCounted = turn.end > turn.start;
  return attributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'agent-coach',
    'gen_ai.request.model': trace.model,
    'gen_ai.response.model': trace.model,
    'gen_ai.conversation.id': trace.id,
    'gen_ai.request.temperature': trace.temperature,
    'gen_ai.usage.input_tokens': isCounted ? turn.start : null,
    'gen_ai.usage.output_tokens': isCounted ? turn.end - turn.start : null,
    'gen_ai.response.finish_reasons': [finish],
    'error.type': turn.parseError === undefined ? null : 'parse_error',
    'coach.turn.reward': turn.reward,
    'coach.turn.advantage': turn.advantage,
    'coach.policy.id': turn.policy,
    ...(content && at !== undefined
      ? {
          'gen_ai.input.messages': JSON.stringify(trace.messages.slice(0, at).map((m) => partsOf(m))),
          'gen_ai.output.messages': JSON.stringify([{ ...partsOf(trace.messages[at]!), finish_reason: finish }]),
          'coach.environment.info': turn.info && JSON.stringify(turn.info),
        }
      : {}),
  });
}

function toolAttributes(
  { id, name, arguments: args, result }: Trace['turns'][number]['calls'][number],
  { content, tools }: OtlpOptions,
): Span['attributes'] {
  return attributes({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.description': tools.find((tool) => tool.name === name)?.description,
    'error.type': result?.kind === 'ok' ? null : result?.kind,
    'coach.tool.policy': result?.policy,
    ...(content
      ? { 'gen_ai.tool.call.arguments': JSON.stringify(args), 'gen_ai.tool.call.result': result?.content }
      : {}),
  });
}

/** A reward without a score was not scored: no event. */
function evaluations({ rewards }: Trace, at: number, { content }: OtlpOptions): Span['events'] {
  return rewards.flatMap(({ name, score, weight, reason }) =>
    score === null
      ? []
      : [
          {
            name: 'gen_ai.evaluation.result',
            timeUnixNano: nanos(at),
            attributes: attributes({
              'gen_ai.evaluation.name': name,
              'gen_ai.evaluation.score.value': score,
              'coach.reward.weight': weight,
              'gen_ai.evaluation.explanation': content ? reason : null,
            }),
          },
        ],
  );
}

/** The conventions' message: a role and parts. */
function partsOf({ role, content, tool_calls: calls = [], tool_call_id: id }: Message): {
  role: string;
  parts: object[];
} {
  if (role === 'tool')
    return { role, parts: [{ type: 'tool_call_response', ...(id === undefined ? {} : { id }), response: content }] };
  const text = content === '' ? [] : [{ type: 'text', content }];
  return {
    role,
    parts: [
      ...text,
      ...calls.map((call) => ({
        type: 'tool_call',
        id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
      })),
    ],
  };
}

const hex = (of: string, digits: number): string => createHash('sha256').update(of).digest('hex').slice(0, digits);
