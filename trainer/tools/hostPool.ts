/**
 * The tool hosts of a run: which rollout lives where, what happens when a host goes away.
 * A rollout stays on its host (its module state is there). When the host goes, the rollout's earlier calls are replayed in another one,
 * so that its state is what it was; the call that took the host with it runs once more, alone in a new host.
 */
import { join } from 'node:path';
import type { CallMessage, ResultMessage } from './host/hostMessages';
import type { HostPlan } from './hostProcess';
import { openHostSlot, type CallOutcome, type HostSlot } from './hostSlot';
import { Lanes } from './lanes';

export type CallRequest = Omit<CallMessage, 'type' | 'id' | 'rollout'> & {
  /** Run again, result unread, when the rollout moves to another host. False for what changes the world. */
  isReplayable: boolean;
};
export type CallAnswer = Omit<ResultMessage, 'type' | 'id'>;

/** A rollout as the pool knows it. */
export interface PooledRollout {
  readonly id: number;
  slot: HostSlot | undefined;
  moving: Promise<void> | undefined;
  inFlight: number;
  history: CallRequest[];
}

export interface PoolOptions {
  plan: HostPlan;
  size: number;
  scratchRoot: string;
  note(level: 'info' | 'warning', message: string): void;
}

/** A host is replaced after so many rollouts, since contexts leave traces in memory. */
const ROLLOUTS_PER_HOST = 2000;
/** A call whose host died this often under it is answered `hostDied`. */
const ATTEMPTS = 2;
/** Deaths that were not this call's fault; a guard against a host that dies for reasons outside. */
const INNOCENT_ATTEMPTS = 50;
/** After so many calls that cost a host, a tool is not tried twice any more. */
const COSTLY_CALLS = 3;

export class HostPool {
  private readonly slots = new Set<HostSlot>();
  private readonly costly = new Map<string, number>();
  private readonly lanes: Lanes;
  private starting = new Map<object, Promise<HostSlot>>();
  private nextId = 1;
  private nextHost = 1;
  private isClosed = false;
  private readonly reportedLate = new Set<string>();

  constructor(private readonly options: PoolOptions) {
    this.lanes = new Lanes(Math.max(1, Math.min(2, options.size)));
  }

  /** Starts the first host; its ready message tells of walls and of files that do not load. */
  async start(): Promise<HostSlot> {
    return this.addSlot();
  }

  openRollout(): PooledRollout {
    return { id: this.nextId++, slot: undefined, moving: undefined, inFlight: 0, history: [] };
  }

  closeRollout(rollout: PooledRollout): void {
    const { slot } = rollout;
    rollout.slot = undefined;
    rollout.history = [];
    if (slot) this.leave(slot, rollout);
  }

  /** Never rejects for a reason of the tool's: hangs and deaths are answers. */
  async call(rollout: PooledRollout, request: CallRequest, signal?: AbortSignal): Promise<CallAnswer> {
    rollout.inFlight++;
    try {
      const answer = await this.callWithRetries(rollout, request, signal);
      if (request.isReplayable && (answer.kind === 'ok' || answer.kind === 'threw' || answer.kind === 'notJson')) rollout.history.push(request);
      return answer;
    } finally {
      rollout.inFlight--;
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const starting = await Promise.allSettled(this.starting.values());
    for (const started of starting) if (started.status === 'fulfilled') this.slots.add(started.value);
    await Promise.all([...this.slots].map((slot) => slot.close()));
  }

  private async callWithRetries(rollout: PooledRollout, request: CallRequest, signal: AbortSignal | undefined): Promise<CallAnswer> {
    const startedAt = Date.now();
    const gone = (kind: CallAnswer['kind'], message: string): CallAnswer => ({ kind, content: JSON.stringify({ error: message }), durationMs: Date.now() - startedAt });
    let blamed = 0;
    for (let attempt = 0; attempt < INNOCENT_ATTEMPTS && !signal?.aborted; attempt++) {
      const isRisky = blamed > 0 || (this.costly.get(request.name) ?? 0) > 0;
      const outcome = await (isRisky ? this.lanes.run(() => this.callAlone(rollout, request, signal)) : this.callShared(rollout, request, signal));
      if (outcome.type === 'answered') return outcome.result;
      if (!outcome.isBlamed) continue;
      blamed++;
      const costs = (this.costly.get(request.name) ?? 0) + 1;
      this.costly.set(request.name, costs);
      if (costs === COSTLY_CALLS) this.options.note('warning', `${request.name} has ended ${costs} tool hosts (${outcome.reason}); from now on its calls are not retried`);
      if (outcome.isHang) return gone('timeout', `${request.name} did not finish in ${request.timeoutMs} ms and could not be interrupted`);
      if (blamed >= ATTEMPTS || costs >= COSTLY_CALLS) return gone('hostDied', `${request.name} ended its process: ${outcome.reason}`);
    }
    return signal?.aborted ? gone('refused', 'the call was cancelled') : gone('hostDied', `${request.name}: its process ended ${INNOCENT_ATTEMPTS} times`);
  }

  private async callShared(rollout: PooledRollout, request: CallRequest, signal?: AbortSignal): Promise<CallOutcome> {
    await rollout.moving;
    if (!rollout.slot || rollout.slot.isGone) await this.move(rollout, () => this.sharedSlot());
    return this.send(rollout, request, signal);
  }

  /** In a host with no other rollout, so that what happens is this call's doing. */
  private async callAlone(rollout: PooledRollout, request: CallRequest, signal?: AbortSignal): Promise<CallOutcome> {
    await rollout.moving;
    const isBusyHere = rollout.inFlight > 1 && rollout.slot && !rollout.slot.isGone; // its parallel calls would lose their host
    if (isBusyHere) return this.send(rollout, request, signal);
    if (!rollout.slot || rollout.slot.isGone || rollout.slot.rollouts.size > 1) await this.move(rollout, () => this.emptySlot());
    const { slot } = rollout;
    if (!slot) return this.send(rollout, request, signal);
    slot.isReserved = true;
    const outcome = await this.send(rollout, request, signal);
    slot.isReserved = false;
    if (this.slots.size > this.options.size && rollout.inFlight === 1) {
      // It goes back to the shared hosts at its next call, so that risky tools do not leave a process per rollout.
      rollout.slot = undefined;
      this.leave(slot, rollout);
    }
    return outcome;
  }

  /** Puts the rollout on another host and replays what it had done. */
  private async move(rollout: PooledRollout, choose: () => Promise<HostSlot>): Promise<void> {
    if (rollout.moving) return rollout.moving;
    rollout.moving = (async () => {
      if (rollout.slot) this.leave(rollout.slot, rollout);
      const slot = await choose();
      slot.rollouts.add(rollout.id);
      slot.opened++;
      if (slot.opened >= ROLLOUTS_PER_HOST) slot.isRetiring = true;
      rollout.slot = slot;
      for (const request of [...rollout.history]) {
        const outcome = await this.send(rollout, request);
        if (outcome.type === 'answered') continue;
        // A replay that costs a host is given up: the rollout then goes on without what that call had left in its modules.
        if (outcome.isBlamed) rollout.history = rollout.history.filter((other) => other !== request);
        return;
      }
    })().finally(() => (rollout.moving = undefined));
    return rollout.moving;
  }

  private async send(rollout: PooledRollout, { isReplayable: _, ...request }: CallRequest, signal?: AbortSignal): Promise<CallOutcome> {
    const { slot } = rollout;
    if (!slot) return { type: 'hostGone', reason: 'the rollout was closed', isBlamed: true, isHang: false };
    const id = this.nextId++;
    const abort = () => slot.host.send({ type: 'abort', id });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await slot.call({ type: 'call', id, rollout: rollout.id, ...request });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The host with the fewest rollouts; a new one while all are in use and there is room. */
  private async sharedSlot(): Promise<HostSlot> {
    const open = [...this.slots].filter((slot) => !slot.isRetiring && !slot.isReserved && !slot.isGone).sort((a, b) => a.rollouts.size - b.rollouts.size);
    const best = open[0];
    const total = open.length + this.starting.size;
    if (best && (best.rollouts.size === 0 || total >= this.options.size)) return best;
    if (!best && total >= this.options.size) return Promise.race(this.starting.values());
    return this.addSlot();
  }

  private async emptySlot(): Promise<HostSlot> {
    const spare = [...this.slots].find((slot) => slot.rollouts.size === 0 && !slot.isRetiring && !slot.isReserved && !slot.isGone);
    const slot = spare ?? (await this.addSlot());
    slot.isReserved = true;
    return slot;
  }

  private async addSlot(): Promise<HostSlot> {
    if (this.isClosed) throw new Error('the tool hosts are closed');
    const key = {};
    const scratch = join(this.options.scratchRoot, `host-${this.nextHost++}`);
    const work = openHostSlot(this.options.plan, scratch, {
      late: (name, message) => this.reportLate(name, message),
      gone: (slot) => this.slots.delete(slot),
    });
    this.starting.set(key, work);
    try {
      const slot = await work;
      if (!slot.isGone) this.slots.add(slot);
      return slot;
    } finally {
      this.starting.delete(key);
    }
  }

  private leave(slot: HostSlot, rollout: PooledRollout): void {
    slot.rollouts.delete(rollout.id);
    if (slot.isGone) return;
    slot.host.send({ type: 'closeRollout', rollout: rollout.id });
    const isSurplus = this.slots.size > this.options.size;
    if (slot.rollouts.size === 0 && (slot.isRetiring || isSurplus)) void slot.close();
  }

  private reportLate(name: string, message: string): void {
    if (this.reportedLate.has(name)) return;
    this.reportedLate.add(name);
    this.options.note('warning', `${name || 'a tool file'} threw after its call had been answered: ${message}`);
  }
}
