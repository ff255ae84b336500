/**
 * A place in the pool: one host process, the calls that are in flight on it, and a watch over its silence and its
 * memory.
 */
import { rm } from 'node:fs/promises';
import type { CallMessage, ReadyMessage, ResultMessage, ToHost } from './inside/hostMessages';
import { startHostProcess, type HostPlan } from './hostProcess';
import { readVitals } from './processVitals';

/** How a call on a host ended: answered, or the host went away under it. */
export type CallOutcome =
  | { type: 'answered'; result: ResultMessage }
  /**
   * isBlamed: the call that ran last, or every call when that is unknown. isHang: we ended the host, since it did not
   * answer.
   */
  | { type: 'hostGone'; reason: string; isBlamed: boolean; isHang: boolean };

export interface HostSlot {
  /** Rejects when the host cannot be started. */
  readonly ready: Promise<ReadyMessage>;
  readonly isGone: boolean;
  /** Rollouts that it has had. */
  opened: number;
  /** Waits for the start; rejects when the host cannot be started. */
  call(message: CallMessage): Promise<CallOutcome>;
  send(message: ToHost): void;
  /** True when the host is as it was before the rollout; false too when it doesn't say so in time. */
  closeRollout(rollout: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface SlotEvents {
  late(name: string, message: string): void;
  gone(slot: HostSlot): void;
}

const TICK_MS = 250;
/** A process that the system does not end (it waits for a broken disk) must not keep the trainer. */
const CLOSE_MS = 5000;
/** Beyond a call's own limit, before silence counts as a hang. */
const GRACE_MS = 1000;
/** A host that lives must end each call by its own timer; well past it, tool code has tampered with the host. */
const LOST_FACTOR = 3;
/** A host that puts itself back answers at once. */
const PUT_BACK_MS = 3000;
/** Buffers and code, beyond V8's heap. */
const EXTERNAL_MEMORY_MB = 256;

/** @param scratch the host's folder, made by the start, removed when the host is gone */
export function openHostSlot(plan: HostPlan, scratch: string, events: SlotEvents): HostSlot {
  const pending = new Map<number, { timeoutMs: number; resolve(outcome: CallOutcome): void }>();
  let isHang = false;
  let isGone = false;
  let silentMs = 0;
  /** Time in which the host was heard and yet answered no call. */
  let fruitlessMs = 0;
  let hasLostCall = false;
  let lastCpuMs = 0;
  let watch: NodeJS.Timeout | undefined;
  let finished: () => void = () => undefined;
  let closing: { rollout: number; done(isClean: boolean): void } | undefined;
  const closed = new Promise<void>((resolve) => (finished = resolve));

  function goneWith(reason: string, runningCall: number | null): void {
    isGone = true;
    stopWatch();
    // When the call that ran last is answered already, what it left behind ended the host, and those in flight are
    // innocent.
    for (const [id, { resolve }] of pending) {
      const isBlamed = hasLostCall || runningCall === null || id === runningCall;
      resolve({ type: 'hostGone', reason, isBlamed, isHang });
    }
    pending.clear();
    closing?.done(false);
    events.gone(slot);
    // What its tools wrote between its last word and its end is nobody's.
    void rm(scratch, { recursive: true, force: true })
      .catch(() => undefined) // goes with the folder of all hosts
      .then(finished);
  }

  const host = startHostProcess(plan, scratch, {
    message(message) {
      silentMs = 0;
      if (message.type === 'late') events.late(message.name, message.message);
      if (message.type === 'closed') {
        if (message.rollout !== closing?.rollout) return host.kill('it ended a rollout that is not its own');
        closing.done(message.isClean);
      }
      if (message.type !== 'result') return;
      fruitlessMs = 0;
      const call = pending.get(message.id);
      // Each call is answered once: this was written by a tool that reached the channel.
      if (!call) return host.kill('it answered a call that nobody had made');
      pending.delete(message.id);
      call.resolve({ type: 'answered', result: message });
    },
    ended: goneWith,
  });
  // The rejection reaches every caller of `call`; here it only marks the place as gone.
  host.ready.catch((error: unknown) => goneWith(String(error), null));

  function stopWatch(): void {
    clearInterval(watch);
    watch = undefined;
  }

  /**
   * Counted in ticks, not by the clock: a trainer that computed for seconds has not listened, and its host was not
   * silent.
   */
  function tick(): void {
    if (pending.size === 0) return stopWatch();
    const longestMs = Math.max(...[...pending.values()].map(({ timeoutMs }) => timeoutMs));
    const vitals = readVitals(host.pid());
    if (vitals && vitals.residentMb > plan.memoryMb + EXTERNAL_MEMORY_MB)
      return host.kill(`it used ${Math.round(vitals.residentMb)} MB of memory`);
    // A host that waits for a processor is starved, not hung: then only the time that it ran counts.
    if (silentMs === 0) fruitlessMs += TICK_MS;
    silentMs += vitals?.isRunnable ? Math.min(TICK_MS, vitals.cpuMs - lastCpuMs) : TICK_MS;
    lastCpuMs = vitals?.cpuMs ?? 0;
    if (silentMs > longestMs + GRACE_MS) {
      isHang = true;
      return host.kill(`it did not answer for ${Math.round(silentMs)} ms`);
    }
    if (fruitlessMs > LOST_FACTOR * longestMs + GRACE_MS) {
      isHang = hasLostCall = true;
      return host.kill(`it answers, but no call in ${fruitlessMs} ms`);
    }
    host.send({ type: 'ping' });
  }

  const slot: HostSlot = {
    ready: host.ready,
    get isGone() {
      return isGone;
    },
    opened: 0,
    async call(message) {
      await host.ready;
      if (isGone) return { type: 'hostGone', reason: 'it had ended', isBlamed: false, isHang: false };
      return new Promise((resolve) => {
        if (pending.size === 0) silentMs = fruitlessMs = 0;
        pending.set(message.id, { timeoutMs: message.timeoutMs, resolve });
        watch ??= setInterval(tick, TICK_MS);
        host.send(message);
      });
    },
    send: (message) => host.send(message),
    closeRollout(rollout) {
      return new Promise((resolve) => {
        // Twice: what came while the trainer computed is read in between.
        let late = setTimeout(() => (late = setTimeout(() => done(false), GRACE_MS)), PUT_BACK_MS);
        const done = (isClean: boolean) => {
          clearTimeout(late);
          closing = undefined;
          // a call of the rollout's may still be on its way
          resolve(isClean && pending.size === 0);
        };
        closing = { rollout, done };
        host.send({ type: 'closeRollout', rollout });
      });
    },
    close() {
      host.kill('the run closed it');
      return Promise.race([closed, new Promise<void>((resolve) => void setTimeout(resolve, CLOSE_MS).unref())]);
    },
  };
  return slot;
}
