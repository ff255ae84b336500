/**
 * What the tools did while tasks were made: words for whoever waits, and findings that say at the tool why it has no
 * tasks.
 */
import type { LimitedConfig } from '../../protocol/runConfig';
import type { ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import type { Arguments } from '../../protocol/arguments';
import type { Call } from './harvest';
import { splitWords } from '../../base/words';
import { singular } from '../../tools/schema/words';
import { saysFailedText } from './pool/results';
import { exampleElsewhere } from './toolWithoutTasks';

/** One tool that cannot be used as it is. */
export interface CallFinding {
  tool: ToolSchema;
  /** Without the place, which is `tool.source`. */
  message: string;
  wayOut: string;
}

interface Tally {
  calls: number;
  worked: number;
  cut: number;
  byKind: Map<ToolResult['kind'], number>;
  lastError: string;
  /** what it failed with, without values */
  errors: Set<string>;
}

/** A tool that never answered in time is given up after so many tries: its next calls would take as long. */
const MOST_TIMEOUTS = 3;

/** One whose server can't be reached, or lets nobody in, after so many. */
const MOST_UNREACHED = 12;
const UNREACHABLE =
  /fetch failed|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|unauthori[sz]ed|forbidden|api[ _-]?key|\b40[13]\b|can.t reach|(?:cannot|could not) connect|not configured/i;
/** One that fails so often in the same words, whatever it is asked, fails at something else than its arguments. */
const ALIKE = 6;
/** Others than those that were made up might do. */
const NEEDS_VALUES = /not found|no such|unknown|exist|could ?n.t find|could not find|already|^no \w+/i;
/** It may do nothing here, whatever it is given. */
const DENIED = /access denied|permission denied|\bE(?:ACCES|PERM)\b|outside (?:of )?(?:the )?(?:allowed|permitted)/i;
/** The same, where a parameter is named. */
const NEEDS_OTHERS = /invalid|\bmust\b|should|required|expected|unrecogni[sz]ed|unsupported|not (?:an? )?valid/i;
/** As a tool does that looks for a thing and takes it without a look. */
const CRASH = /undefined|\bnull\b|is not a function|is not iterable/i;
const MOCK_IT =
  'It could not reach a server, or has no key there (tools get none of your secrets). Put @mock in its comment, and its ' +
  'results are made up from @example and its return type; or mock all tools (--tool-policy mock).';

const START_IT =
  'It fails whatever it is asked: start what it needs (a server, a database, a key, a folder that it may use), or put ' +
  '@mock in its comment, and its results are made up; or mock all tools (--tool-policy mock).';

export class CallWatch {
  private readonly tallies = new Map<string, Tally>();
  private running: { name: string; since: number } | undefined;
  private calls = 0;

  constructor(private readonly tools: readonly ToolSchema[]) {}

  /** @param signal its abort ends the making of tasks: the call rejects with the signal's reason */
  watched(call: Call, signal?: AbortSignal): Call {
    return async (name, args) => {
      signal?.throwIfAborted();
      const given = this.givenUp(name);
      const result = given ?? (await this.timed(call, name, args));
      signal?.throwIfAborted();
      if (!given) this.count(name, result);
      return result;
    };
  }

  /** `Making tasks: 12 calls made; listOrders has been running for 4 s` */
  words(): string {
    const seconds = this.running ? Math.round((performance.now() - this.running.since) / 1000) : 0;
    const waits = this.running && seconds >= 1 ? `; ${this.running.name} has been running for ${seconds} s` : '';
    return `Making tasks: ${this.calls} call${this.calls === 1 ? '' : 's'} of the tools made${waits}`;
  }

  /** Tools that fail at something else than what they are asked: of no arguments is anything to be hoped. */
  dead(): { tool: ToolSchema; error: string }[] {
    return this.tools.flatMap((tool) => {
      const tally = this.tallies.get(tool.name);
      return tally && isDead(tool, tally) ? [{ tool, error: tally.lastError }] : [];
    });
  }

  /** In the order of the tools. */
  findings({
    toolTimeoutMs,
    toolOutputBytes,
  }: Pick<LimitedConfig, 'toolTimeoutMs' | 'toolOutputBytes'>): CallFinding[] {
    return this.tools.flatMap((tool): CallFinding[] => {
      const tally = this.tallies.get(tool.name);
      if (!tally || tally.calls === 0) return [];
      const { calls, worked, cut, byKind } = tally;
      const times = calls === 1 ? 'its one call' : `all ${calls} calls`;
      if (cut === calls) {
        const wayOut = `Return less, or allow more: toolOutputBytes (--set toolOutputBytes=N).`;
        return [
          {
            tool,
            message:
              `${tool.name} returned more than ${toolOutputBytes} bytes in ${times} while tasks were made, ` +
              'so its results are cut and no task can be made of them',
            wayOut,
          },
        ];
      }
      if (worked > 0) return [];
      if ((byKind.get('timeout') ?? 0) === calls) {
        const wayOut = 'Make it faster, allow more time (--set toolTimeoutMs=N), or mock it (@mock in its comment).';
        return [
          {
            tool,
            message: `${tool.name} took longer than ${toolTimeoutMs} ms in ${times} while tasks were made`,
            wayOut,
          },
        ];
      }
      if ((byKind.get('invalidArguments') ?? 0) === calls) return [];
      const wayOut = UNREACHABLE.test(tally.lastError)
        ? MOCK_IT
        : isDead(tool, tally)
          ? START_IT
          : (exampleElsewhere(tool) ??
            'Correct what it does; where it needs values that exist, give some by @example.');
      return [
        {
          tool,
          message: `${tool.name} failed in ${times} while tasks were made, the last time with: ${tally.lastError}`,
          wayOut,
        },
      ];
    });
  }

  private async timed(call: Call, name: string, args: Arguments): Promise<ToolResult> {
    this.running = { name, since: performance.now() };
    try {
      return await call(name, args);
    } finally {
      this.running = undefined;
    }
  }

  private givenUp(name: string): ToolResult | undefined {
    const tally = this.tallies.get(name);
    if (!tally || tally.worked > 0) return undefined;
    const isSlow = (tally.byKind.get('timeout') ?? 0) >= MOST_TIMEOUTS;
    if (!isSlow && !(tally.calls >= MOST_UNREACHED && UNREACHABLE.test(tally.lastError))) return undefined;
    return {
      kind: isSlow ? 'timeout' : 'threw',
      content: JSON.stringify({ error: tally.lastError }),
      policy: 'real',
      startedAt: Date.now(),
      durationMs: 0,
    };
  }

  private count(name: string, { kind, content, isCut, policy }: ToolResult): void {
    const tally = this.tallies.get(name) ?? {
      calls: 0,
      worked: 0,
      cut: 0,
      byKind: new Map<ToolResult['kind'], number>(),
      lastError: '',
      errors: new Set<string>(),
    };
    this.tallies.set(name, tally);
    this.calls++;
    tally.calls++;
    tally.byKind.set(kind, (tally.byKind.get(kind) ?? 0) + 1);
    if (isCut === true || kind === 'outputTooLarge') tally.cut++;
    else if (kind === 'ok' && !(policy === 'real' && saysFailedText(content))) tally.worked++;
    else {
      tally.lastError = errorOf(content);
      tally.errors.add(tally.lastError.replace(/["'`][^"'`]*["'`]|\d+/g, ''));
    }
  }
}

function isDead({ parameters }: ToolSchema, { calls, worked, cut, byKind, errors, lastError }: Tally): boolean {
  const refused = (byKind.get('timeout') ?? 0) + (byKind.get('invalidArguments') ?? 0);
  if (worked > 0 || cut > 0 || refused > 0) return false;
  if (UNREACHABLE.test(lastError)) return true;
  const { properties = {}, required = [] } = parameters as { properties?: object; required?: readonly string[] };
  const isTried = calls >= ALIKE || Object.keys(properties).length === 0;
  const said = splitWords(lastError).map(singular);
  const namesOne = Object.keys(properties).some((name) => said.includes(singular(splitWords(name).at(-1) ?? '')));
  const mayNeedOthers =
    NEEDS_VALUES.test(lastError) ||
    (namesOne && NEEDS_OTHERS.test(lastError)) ||
    (required.length > 0 && CRASH.test(lastError));
  return isTried && (DENIED.test(lastError) || (errors.size === 1 && !mayNeedOthers));
}

function errorOf(content: string): string {
  try {
    const { error } = JSON.parse(content) as { error?: unknown };
    return typeof error === 'string' ? error : content;
  } catch {
    return content; // cut in the middle, so no longer JSON: the text itself says most
  }
}
