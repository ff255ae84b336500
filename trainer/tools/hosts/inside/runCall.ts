/**
 * One call in the host: load, bind, run with its limits, turn the outcome into text. Answers exactly once, whatever
 * the tool does.
 */
import { performance } from 'node:perf_hooks';
import type { CallMessage, ResultMessage } from './hostMessages';
import { findFunction, parametersOf, revive, signalAndToken } from './bindCall';
import { describeTools } from './defined/describeTools';
import { runDefined } from './defined/runDefined';
import { runAsCall, type CallState } from './currentCall';
import { forgetHalfLoadedPackages } from './moduleLoader';
import { errorText, messageOf, resultText } from './resultText';
import type { Rollout } from './rollout';
import { isTimedOut, timedRun } from './timedRun';

/** A running call, as the host keeps it. */
export interface RunningCall {
  /** Tells the tool to stop; it may take no notice. */
  abort(reason: string): void;
  done: Promise<Omit<ResultMessage, 'type' | 'id'>>;
}

/** Time that synchronous parts of calls have held this thread, since the start. */
let blockedMs = 0;
const MIN_EXCUSED_MS = 20;
/** A program's `main()` may first read a file, and make then what the tools use. */
const FOR_MAIN_MS = 40;

type Outcome = { kind: ResultMessage['kind']; content: string; isCut?: boolean };

export function startCall(message: CallMessage, rollout: Rollout): RunningCall {
  const startedAt = performance.now();
  const controller = new AbortController();
  let settle: (outcome: Outcome) => void = () => undefined;
  let isSettled = false;
  const done = new Promise<Omit<ResultMessage, 'type' | 'id'>>((resolve) => {
    settle = (outcome) => {
      if (isSettled) return;
      isSettled = true;
      resolve({ ...outcome, durationMs: performance.now() - startedAt });
    };
  });
  const failure = (kind: ResultMessage['kind'], text: string): Outcome => ({
    kind,
    content: errorText(text, message.outputBytes),
  });
  const state: CallState = {
    id: message.id,
    name: message.name,
    failLate(error) {
      if (isSettled) return false;
      settle(outcomeOf(error, 'lateRejection'));
      return true;
    },
  };
  // What a file goes on doing after it was loaded, a program's `main()` say, is not the call's: if it gives up, by an
  // error or `process.exit`, that is told and the call goes on.
  const loading: CallState = { id: message.id, name: message.file, failLate: () => false };

  function outcomeOf(error: unknown, kind: 'threw' | 'lateRejection'): Outcome {
    if (isTimedOut(error)) {
      forgetHalfLoadedPackages();
      return failure('timeout', `${message.name} did not finish in ${message.timeoutMs} ms`);
    }
    if (state.exitCode !== undefined)
      return failure('exited', `${message.name} called process.exit(${state.exitCode})`);
    return failure(kind, messageOf(error));
  }

  const left = () => message.timeoutMs - (performance.now() - startedAt);
  const blockedAtStart = blockedMs;
  let ownMs = 0;
  let excusedMs = 0;
  let timer = setTimeout(expire, message.timeoutMs);

  function expire(): void {
    // Time in which the code of other calls held the thread is not this call's.
    const strangersMs = blockedMs - blockedAtStart - ownMs - excusedMs;
    if (strangersMs > MIN_EXCUSED_MS) {
      excusedMs += strangersMs;
      timer = setTimeout(expire, strangersMs);
      return;
    }
    settle(failure('timeout', `${message.name} did not finish in ${message.timeoutMs} ms`));
    controller.abort(new Error('the time limit has passed'));
  }

  function limited<T>(step: () => T, limitMs: number): T {
    const from = performance.now();
    try {
      return timedRun(step, limitMs);
    } finally {
      const spent = performance.now() - from;
      ownMs += spent;
      blockedMs += spent;
    }
  }

  function finish(value: unknown): void {
    if (message.isReward) value = Array.isArray(value) ? value.map(scoreAsJson) : scoreAsJson(value);
    const isQuick = typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'bigint';
    const write = () => resultText(value, message.outputBytes);
    const outcome = isQuick ? write() : limited(write, Math.max(50, left()));
    // A promise that was left to reject is reported before the next turn of the loop: then it still belongs to this
    // call.
    setImmediate(() => settle(state.exitCode === undefined ? outcome : outcomeOf(undefined, 'threw')));
  }

  const fail = (error: unknown) => settle(outcomeOf(error, 'threw'));

  function invoke(): unknown {
    const { binding, file } = message;
    const exports = runAsCall(loading, () => rollout.loader.load(file));
    const args = rollout.realm.tools.parse(message.args);
    if (binding.kind === 'describe') return describeTools(binding.tools, { file, loader: rollout.loader });
    if (binding.kind === 'defined')
      return runDefined(args as Record<string, unknown>, binding, {
        file,
        loader: rollout.loader,
        signal: controller.signal,
      });
    const { self, call } = findFunction(exports, binding, file, rollout.instances);
    if (message.isReward) return Reflect.apply(call, self, args as unknown[]);
    revive(args as Record<string, unknown>, binding.revive, rollout.realm.tools);
    const signal = binding.injectsSignal ? signalAndToken(controller.signal) : undefined;
    return Reflect.apply(call, self, parametersOf(args as Record<string, unknown>, binding, signal));
  }

  /** Runs a step; what it throws ends the call. */
  function attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      fail(error);
    }
  }

  function start(): void {
    const value = limited(() => {
      const returned = invoke();
      if (!isThenable(returned)) return { returned };
      returned.then((resolved) => attempt(() => finish(resolved)), fail);
      return undefined;
    }, left());
    if (value) finish(value.returned);
  }

  runAsCall(state, () =>
    attempt(() => {
      const { file, binding } = message;
      const { loader } = rollout;
      if (loader.needsAsync(file))
        limited(() => runAsCall(loading, () => loader.loadAsync(file)), left()).then(() => attempt(start), fail);
      else if (binding.kind !== 'describe' && loader.startsMain(file)) {
        limited(() => runAsCall(loading, () => loader.load(file)), left());
        setTimeout(() => isSettled || attempt(start), Math.min(FOR_MAIN_MS, left() / 2));
      } else start();
    }),
  );
  void done.then(() => clearTimeout(timer));
  return {
    abort: (reason) => {
      controller.abort(new Error(reason));
      settle(failure('refused', reason));
    },
    done,
  };
}

/** JSON would turn NaN and Infinity into null, which means "not scored"; as a text they are seen for what they are. */
function scoreAsJson(score: unknown): unknown {
  return typeof score === 'number' && !Number.isFinite(score) ? String(score) : score;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
