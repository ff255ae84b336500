import type { Message } from '../../protocol/trace';
import { UserError } from '../../protocol/result';
import { Dialogue, type Answer } from './dialogue';
import type { Policy, PolicyCall, PolicyTurn } from './policy';
import {
  openServer,
  type Asker,
  type Server,
  type ServerMessage,
  type ServerReply,
  type ServerSettings,
} from './server';

export interface RemoteSettings extends ServerSettings {
  /** requests for one turn, the first included */
  attempts: number;
  /** a longer Retry-After is not waited for */
  longestWaitMs: number;
}

export interface RemotePolicy extends Policy {
  readonly spent: Server['spent'];
  /** @throws UserError where nothing can be asked */
  check(signal: AbortSignal): Promise<void>;
}

/** Why a server gave no turn. */
export class PolicyFailure extends Error {
  constructor(
    message: string,
    /** asking for another turn can't help either */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

const POLICY: Asker = {
  border: 'policy',
  name: 'policy',
  hints: {
    url: 'Start it, or give its address with --policy.',
    model: 'Give one that it has with --policy-model.',
    key: 'Set COACH_POLICY_KEY to a key that it takes.',
  },
};

/**
 * A policy behind an OpenAI-compatible server: chat completions with tools. What is busy, slow, broken or gone is asked
 * again, with a pause that doubles or that the server names itself (Retry-After).
 * @param sleep waits, or rejects when the signal is aborted
 */
export async function remotePolicy(
  settings: RemoteSettings,
  { sleep, now }: { sleep(ms: number, signal: AbortSignal): Promise<void>; now(): number },
): Promise<RemotePolicy> {
  const server = await openServer(settings, POLICY, { now });
  const answer: Answer = async (messages, { tools, sampling, random }, signal) => {
    const isDrawn = sampling.temperature > 0;
    const request = {
      messages: messages.map(asServerMessage),
      tools,
      temperature: sampling.temperature,
      topP: sampling.topP,
      seed: isDrawn ? random.int(2 ** 31) : undefined,
      maxTokens: Number.isFinite(sampling.maxTurnTokens) ? sampling.maxTurnTokens : null,
    };
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await server.complete(request, signal);
        if (!reply.isReply) throw new Error('it is no chat completion');
        return turnOf(reply);
      } catch (error) {
        signal.throwIfAborted();
        const { kind, reason, waitMs, isTooLong } = server.failureOf(error);
        if (isTooLong) return { text: '', content: '', calls: [], finishReason: 'length', usage: null };
        if (kind === 'final') throw new PolicyFailure(reason, true);
        if (kind === 'refused') throw new PolicyFailure(`the policy refused the request, ${reason}`, false);
        if (attempt >= settings.attempts)
          throw new PolicyFailure(`the policy gave no answer in ${attempt} tries: ${reason}`, false);
        if (waitMs !== null && waitMs > settings.longestWaitMs)
          throw new PolicyFailure(`the policy asks to wait ${Math.ceil(waitMs / 1000)} s`, false);
        await sleep(waitMs ?? Math.min(settings.longestWaitMs, 500 * 2 ** (attempt - 1)), signal);
      }
    }
  };
  return {
    id: settings.model,
    version: settings.baseUrl,
    constraint: 'none',
    spent: server.spent,
    check: (signal) => server.check(signal),
    open: (opening) => new Dialogue(opening, answer),
  };
}

/**
 * Whose address and key these are: the key goes to this address's origin alone, since it came with it.
 * @throws UserError; an address is recorded and shown, so what would be a secret in it is not repeated
 */
export function remoteSettings(address: string, model: string, apiKey: string | undefined): RemoteSettings {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && (url.username !== '' || url.password !== '' || url.search !== ''))
    throw new UserError(
      'policy',
      "the address of the policy's server must hold no name, password or query, since runs record it",
      'Put the key into COACH_POLICY_KEY.',
    );
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(
      'policy',
      `the policy's server must be an http or https address, got '${address}'`,
      'For example http://127.0.0.1:8080/v1.',
    );
  return {
    baseUrl: address,
    address,
    model,
    apiKey: apiKey || null,
    timeoutMs: 120_000,
    attempts: 4,
    concurrency: 8,
    longestWaitMs: 60_000,
    usdPerMillionPromptTokens: null,
    usdPerMillionCompletionTokens: null,
  };
}

function asServerMessage({ role, content, tool_calls, tool_call_id }: Message): ServerMessage {
  if (role === 'tool') return { role, content, tool_call_id: tool_call_id! };
  if (role !== 'assistant') return { role, content };
  if (!tool_calls) return { role, content };
  return {
    role,
    content: content === '' ? null : content,
    tool_calls: tool_calls.map(({ id, type, function: { name, arguments: args } }) => ({
      id,
      type,
      function: { name, arguments: JSON.stringify(args) },
    })),
  };
}

function turnOf({ text, calls: asked, isCut, tokens }: ServerReply): PolicyTurn {
  const calls: PolicyCall[] = [];
  let error: string | undefined;
  for (const [i, call] of asked.entries()) {
    const read = call.type === 'function' ? argumentsOf(call.function.arguments) : 'is no call of a function';
    if (typeof read === 'string') error ??= `call ${i + 1} is broken: it ${read}`;
    else if (call.type === 'function') calls.push({ id: call.id, name: call.function.name, arguments: read });
  }
  return {
    text,
    content: text,
    calls,
    ...(error ? { error } : {}),
    finishReason: isCut ? 'length' : 'stop',
    usage: tokens,
  };
}

/** @returns what is wrong with them, in words */
function argumentsOf(json: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(json || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return 'has arguments that are no object';
  } catch (error) {
    return `has arguments that are no JSON: ${(error as Error).message}`;
  }
}
