import { isRecord } from '../../protocol/arguments';
import type { Message } from '../../protocol/trace';
import { UserError } from '../../protocol/result';
import { Dialogue, type Answer } from './dialogue';
import type { BrokenCall, Policy, PolicyCall, PolicyTurn } from './policy';
import {
  openServer,
  type Asker,
  type Server,
  type ServerCall,
  type ServerFailure,
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
  /** The server counted prompts that have no room for the tools: its chat template leaves them out. */
  readonly hidesTools: boolean;
  /** @throws UserError where nothing can be asked */
  check(signal: AbortSignal): Promise<void>;
}

/** Why a server gave no turn. */
export class PolicyFailure extends Error {
  constructor(
    message: string,
    /** asking for another turn can't help either */
    readonly isFinal: boolean,
    /** of the last request */
    readonly failure: ServerFailure,
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

export interface RemoteParts {
  /** waits, or rejects when the signal is aborted */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
  /** who asks, as messages name it */
  asker?: Asker;
}

/** No tokenizer's tokens hold so many characters on the average of a prompt: 3 to 5 is usual. */
const MOST_CHARACTERS = 12;

/** How long to wait for a server that said nothing of it, behind its nth failure (from 1). */
export const pauseMs = (nth: number, { longestWaitMs }: Pick<RemoteSettings, 'longestWaitMs'>): number =>
  Math.min(longestWaitMs, 500 * 2 ** (nth - 1));

/**
 * A policy behind an OpenAI-compatible server: chat completions with tools. What is busy, slow, broken or gone is asked
 * again, with a pause that doubles or that the server names itself (Retry-After). The editor's own models are one, too:
 * the window lends them by such a server.
 */
export async function remotePolicy(
  settings: RemoteSettings,
  { sleep, now, asker = POLICY }: RemoteParts,
): Promise<RemotePolicy> {
  const server = await openServer(settings, asker, { now });
  let takesFormat = true;
  const prompts = { counted: 0, withoutTools: 0 };
  const answer: Answer = async (messages, { tools, sampling, random, format }, signal) => {
    const isDrawn = sampling.temperature > 0;
    const request = {
      messages: messages.filter((message) => !isEmpty(message)).map(asServerMessage),
      tools,
      temperature: sampling.temperature,
      topP: sampling.topP,
      seed: isDrawn ? random.int(2 ** 31) : undefined,
      maxTokens: Number.isFinite(sampling.maxTurnTokens) ? sampling.maxTurnTokens : null,
    };
    for (let attempt = 1; ; attempt++) {
      const schema = takesFormat && format ? { name: format.name, schema: format.schema } : null;
      try {
        const reply = await server.complete({ ...request, schema }, signal);
        if (!reply.isReply) throw new Error('it is no chat completion');
        if (reply.tokens && tools && tools.length > 0) {
          prompts.counted++;
          const room = reply.tokens.promptTokens * MOST_CHARACTERS;
          if (room < JSON.stringify(tools).length) prompts.withoutTools++;
        }
        return turnOf(reply);
      } catch (error) {
        signal.throwIfAborted();
        const failure = server.failureOf(error);
        const { kind, reason, waitMs, isAboutSchema, isTooLong } = failure;
        const failed = (message: string): PolicyFailure => new PolicyFailure(message, kind === 'final', failure);
        if (schema && isAboutSchema) {
          takesFormat = false; // asked in words alone from here on
          attempt--;
          continue;
        }
        if (isTooLong) return { text: '', content: '', calls: [], error: reason, finishReason: 'length', usage: null };
        if (kind === 'final') throw failed(reason);
        if (kind === 'refused') throw failed(`the ${asker.name} refused the request, ${reason}`);
        if (attempt >= settings.attempts)
          throw failed(`the ${asker.name} gave no answer in ${attempt} tries: ${reason}`);
        if (waitMs !== null && waitMs > settings.longestWaitMs)
          throw failed(`the ${asker.name} asks to wait ${Math.ceil(waitMs / 1000)} s`);
        await sleep(waitMs ?? pauseMs(attempt, settings), signal);
      }
    }
  };
  return {
    id: settings.model,
    version: settings.baseUrl,
    constraint: 'none',
    spent: server.spent,
    get hidesTools() {
      return prompts.counted > 0 && prompts.withoutTools === prompts.counted;
    },
    check: (signal) => server.check(signal),
    open: (opening) => new Dialogue(opening, answer),
  };
}

/**
 * Whose address and key these are: the key goes to this address's origin alone, since it came with it.
 * @param who as messages name it
 * @throws UserError; an address is recorded and shown, so what would be a secret in it is not repeated
 */
export function remoteSettings(
  address: string,
  model: string,
  apiKey: string | undefined,
  who: 'policy' | 'teacher' | 'maker' = 'policy',
): RemoteSettings {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && (url.username !== '' || url.password !== '' || url.search !== ''))
    throw new UserError(
      'policy',
      `the address of the ${who}'s server must hold no name, password or query, since runs record it`,
      `Put the key into COACH_${who.toUpperCase()}_KEY.`,
    );
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(
      'policy',
      `the ${who}'s server must be an http or https address, got '${address}'`,
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

/** A turn of no words and no calls is part of the dialogue, and nothing that servers take. */
const isEmpty = ({ role, content, tool_calls = [] }: Message): boolean =>
  role === 'assistant' && content === '' && tool_calls.length === 0;

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

function turnOf({ text, calls: asked, isCut, tokens, usage: { usd } }: ServerReply): PolicyTurn {
  const calls: PolicyCall[] = [];
  const broken: BrokenCall[] = [];
  let error: string | undefined;
  for (const [place, call] of asked.entries()) {
    const { id } = call;
    const name = call.type === 'function' ? call.function.name : call.custom.name;
    const read = argumentsOf(call);
    if (!('why' in read)) calls.push({ id, name, arguments: read.args });
    else {
      broken.push({ id, name, place, why: read.why });
      error ??= `call ${place + 1} is broken: it ${read.words}`;
    }
  }
  return {
    text,
    content: text,
    calls,
    ...(error ? { error, broken } : {}),
    finishReason: isCut ? 'length' : 'stop',
    usage: tokens && { ...tokens, ...(usd === null ? {} : { usd }) },
  };
}

type Arguments = { args: Record<string, unknown> } | { why: BrokenCall['why']; words: string };

function argumentsOf(call: ServerCall): Arguments {
  if (call.type !== 'function') return { why: 'noFunction', words: 'is no call of a function' };
  try {
    const args: unknown = JSON.parse(call.function.arguments || '{}');
    return isRecord(args) ? { args } : { why: 'noObject', words: 'has arguments that are no object' };
  } catch (error) {
    return { why: 'noJson', words: `has arguments that are no JSON: ${(error as Error).message}` };
  }
}
