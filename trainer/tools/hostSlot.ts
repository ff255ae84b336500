/** A place in the pool: one host process, the calls that are in flight on it, and a watch over its silence and its memory. */
import { readFileSync } from 'node:fs';
import type { CallMessage, ResultMessage } from './host/hostMessages';
import { startHostProcess, type HostPlan, type HostProcess } from './hostProcess';

/** How a call on a host ended: answered, or the host went away under it. */
export type CallOutcome =
  | { type: 'answered'; result: ResultMessage }
  /** isBlamed: the call that ran last, or every call when that is unknown. isHang: we ended the host, since it did not answer. */
  | { type: 'hostGone'; reason: string; isBlamed: boolean; isHang: boolean };

export interface HostSlot {
  readonly host: HostProcess;
  /** Ids of the open rollouts. */
  readonly rollouts: Set<number>;
  readonly isGone: boolean;
  /** Rollouts opened since the start. */
  opened: number;
  /** No new rollouts; ends when the last one closes. */
  isRetiring: boolean;
  /** One call has it for itself. */
  isReserved: boolean;
  inFlight(): number;
  call(message: CallMessage): Promise<CallOutcome>;
  close(): Promise<void>;
}

const TICK_MS = 250;
/** Beyond a call's own limit, before silence counts as a hang. */
const GRACE_MS = 1000;
const EXTERNAL_MEMORY_MB = 256;
const PAGE_BYTES = 4096;

interface Pending {
  message: CallMessage;
  resolve(outcome: CallOutcome): void;
}

export interface SlotEvents {
  late(name: string, message: string): void;
  gone(slot: HostSlot): void;
}

/** @param scratch the host's folder, made by the start */
export async function openHostSlot(plan: HostPlan, scratch: string, events: SlotEvents): Promise<HostSlot> {
  const pending = new Map<number, Pending>();
  let hangReason: string | undefined;
  let silentTicks = 0;
  let watch: NodeJS.Timeout | undefined;
  let isGone = false;
  let finished: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (finished = resolve));

  const host = await startHostProcess(plan, scratch, {
    message(message) {
      silentTicks = 0;
      receive(message);
    },
    ended(reason, runningCall) {
      isGone = true;
      clearInterval(watch);
      watch = undefined;
      const known = runningCall !== null && pending.has(runningCall);
      for (const [id, { resolve }] of pending) {
        // When the call that ran last is already answered, what it left behind ended the host, and the waiting calls are innocent.
        const isBlamed = known ? id === runningCall : runningCall === null;
        resolve({ type: 'hostGone', reason, isBlamed, isHang: hangReason !== undefined });
      }
      pending.clear();
      events.gone(slot);
      finished();
    },
  });

  function receive(message: Parameters<Parameters<typeof startHostProcess>[2]['message']>[0]): void {
    if (message.type === 'late') return events.late(message.name, message.message);
    if (message.type !== 'result') return;
    pending.get(message.id)?.resolve({ type: 'answered', result: message });
    pending.delete(message.id);
    if (pending.size === 0) {
      clearInterval(watch);
      watch = undefined;
    }
  }

  /** Counted in ticks, not by the clock: a trainer that computed for seconds has not listened, and its host was not silent. */
  function tick(): void {
    const longestMs = Math.max(...[...pending.values()].map(({ message }) => message.timeoutMs));
    const memoryMb = residentMb(host.pid);
    if (memoryMb !== null && memoryMb > plan.memoryMb + EXTERNAL_MEMORY_MB) return host.kill(`it used ${Math.round(memoryMb)} MB of memory`);
    if (++silentTicks * TICK_MS > longestMs + GRACE_MS) {
      hangReason = `it did not answer for ${silentTicks * TICK_MS} ms`;
      return host.kill(hangReason);
    }
    host.send({ type: 'ping' });
  }

  const slot: HostSlot = {
    host,
    rollouts: new Set(),
    get isGone() {
      return isGone;
    },
    opened: 0,
    isRetiring: false,
    isReserved: false,
    inFlight: () => pending.size,
    call: (message) =>
      new Promise((resolve) => {
        if (isGone) return resolve({ type: 'hostGone', reason: 'it had ended', isBlamed: false, isHang: false });
        pending.set(message.id, { message, resolve });
        if (!watch) {
          silentTicks = 0;
          watch = setInterval(tick, TICK_MS);
        }
        host.send(message);
      }),
    close() {
      host.kill('the run closed it');
      return closed;
    },
  };
  return slot;
}

/** Memory outside V8's heap has no limit of its own; where the system tells, we look. Null where it does not. */
function residentMb(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 1e6;
  } catch {
    return null; // it ended between two ticks: its exit event says so
  }
}

