/** A place in the pool: one host process, the calls that are in flight on it, and a watch over its silence and its memory. */
import { readFileSync } from 'node:fs';
import type { CallMessage, ReadyMessage, ResultMessage, ToHost } from './host/hostMessages';
import { startHostProcess, type HostPlan } from './hostProcess';

/** How a call on a host ended: answered, or the host went away under it. */
export type CallOutcome =
  | { type: 'answered'; result: ResultMessage }
  /** isBlamed: the call that ran last, or every call when that is unknown. isHang: we ended the host, since it did not answer. */
  | { type: 'hostGone'; reason: string; isBlamed: boolean; isHang: boolean };

export interface HostSlot {
  /** Rejects when the host cannot be started. */
  readonly ready: Promise<ReadyMessage>;
  /** Ids of the open rollouts. */
  readonly rollouts: Set<number>;
  readonly isGone: boolean;
  /** Rollouts opened since the start. */
  opened: number;
  /** No new rollouts; ends when the last one closes. */
  isRetiring: boolean;
  /** One call has it for itself. */
  isReserved: boolean;
  /** Waits for the start; rejects when the host cannot be started. */
  call(message: CallMessage): Promise<CallOutcome>;
  send(message: ToHost): void;
  close(): Promise<void>;
}

export interface SlotEvents {
  late(name: string, message: string): void;
  gone(slot: HostSlot): void;
}

const TICK_MS = 250;
/** Beyond a call's own limit, before silence counts as a hang. */
const GRACE_MS = 1000;
/** Buffers and code, beyond V8's heap. */
const EXTERNAL_MEMORY_MB = 256;
const PAGE_BYTES = 4096;

/** @param scratch the host's folder, made by the start */
export function openHostSlot(plan: HostPlan, scratch: string, events: SlotEvents): HostSlot {
  const pending = new Map<number, { timeoutMs: number; resolve(outcome: CallOutcome): void }>();
  let isHang = false;
  let isGone = false;
  let silentTicks = 0;
  let watch: NodeJS.Timeout | undefined;
  let finished: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (finished = resolve));

  function goneWith(reason: string, runningCall: number | null): void {
    isGone = true;
    stopWatch();
    // When the call that ran last is answered already, what it left behind ended the host, and those in flight are innocent.
    for (const [id, { resolve }] of pending) resolve({ type: 'hostGone', reason, isBlamed: runningCall === null || id === runningCall, isHang });
    pending.clear();
    events.gone(slot);
    finished();
  }

  const host = startHostProcess(plan, scratch, {
    message(message) {
      silentTicks = 0;
      if (message.type === 'late') events.late(message.name, message.message);
      if (message.type !== 'result') return;
      pending.get(message.id)?.resolve({ type: 'answered', result: message });
      pending.delete(message.id);
    },
    ended: goneWith,
  });
  // The rejection reaches every caller of `call`; here it only marks the place as gone.
  host.ready.catch((error: unknown) => goneWith(String(error), null));

  function stopWatch(): void {
    clearInterval(watch);
    watch = undefined;
  }

  /** Counted in ticks, not by the clock: a trainer that computed for seconds has not listened, and its host was not silent. */
  function tick(): void {
    if (pending.size === 0) return stopWatch();
    const longestMs = Math.max(...[...pending.values()].map(({ timeoutMs }) => timeoutMs));
    const memoryMb = residentMb(host.pid());
    if (memoryMb !== null && memoryMb > plan.memoryMb + EXTERNAL_MEMORY_MB) return host.kill(`it used ${Math.round(memoryMb)} MB of memory`);
    if (++silentTicks * TICK_MS > longestMs + GRACE_MS) {
      isHang = true;
      return host.kill(`it did not answer for ${silentTicks * TICK_MS} ms`);
    }
    host.send({ type: 'ping' });
  }

  const slot: HostSlot = {
    ready: host.ready,
    rollouts: new Set(),
    get isGone() {
      return isGone;
    },
    opened: 0,
    isRetiring: false,
    isReserved: false,
    async call(message) {
      await host.ready;
      if (isGone) return { type: 'hostGone', reason: 'it had ended', isBlamed: false, isHang: false };
      return new Promise((resolve) => {
        if (pending.size === 0) silentTicks = 0;
        pending.set(message.id, { timeoutMs: message.timeoutMs, resolve });
        watch ??= setInterval(tick, TICK_MS);
        host.send(message);
      });
    },
    send: (message) => host.send(message),
    close() {
      host.kill('the run closed it');
      return closed;
    },
  };
  return slot;
}

/** Memory outside V8's heap has no limit of its own; where the system tells, we look. Null where it does not. */
function residentMb(pid: number | undefined): number | null {
  if (process.platform !== 'linux' || pid === undefined) return null;
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 1e6;
  } catch {
    return null; // it ended between two ticks: its exit event says so
  }
}
