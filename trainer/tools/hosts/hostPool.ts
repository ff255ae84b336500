/**
 * The tool hosts of a run: which rollout lives where, what happens when a host goes away.
 * A rollout stays on its host (its module state is there). When the host goes, the rollout's earlier calls are replayed
 * in another one,
 * so that its state is what it was; the call that took the host with it runs once more, alone in a host.
 */
import type { TellNote } from '../../protocol/note';
import { join } from 'node:path';
import type { CallMessage, ReadyMessage, ResultMessage } from './inside/hostMessages';
import type { HostPlan } from './hostProcess';
import { openHostSlot, type CallOutcome, type HostSlot } from './hostSlot';
import { Lanes } from '../../base/lanes';

export type CallRequest = Omit<CallMessage, 'type' | 'id' | 'rollout'> & {
  /** Run again, result unread, when the rollout moves to another host. False for what changes the world. */
  isReplayable: boolean;
};
export type CallAnswer = Omit<ResultMessage, 'type' | 'id'>;

/** A rollout as the pool knows it. */
export interface PooledRollout {
  readonly id: number;
  slot: HostSlot | undefined;
  /** Settles when the replay on a new host is through. */
  moving: Promise<void> | undefined;
  inFlight: number;
  isClosed: boolean;
  history: { request: CallRequest; replayDeaths: number }[];
}

export interface PoolOptions {
  plan: HostPlan;
  size: number;
  scratchRoot: string;
  note: TellNote;
  /** When a call is given up, whatever its hosts do; default: three times its own limit and the start of a host. */
  giveUpMs?(timeoutMs: number): number;
}

/** A host is replaced after so many rollouts, since contexts leave traces in memory. */
const ROLLOUTS_PER_HOST = 2000;
/** A call whose host died this often under it is answered `hostDied`. */
const ATTEMPTS = 2;
/** Deaths that were not this call's fault; a guard against hosts that die for reasons outside. */
const INNOCENT_ATTEMPTS = 50;
/** After so many calls that cost a host, a tool is not tried twice any more. */
const COSTLY_CALLS = 3;
/** Hosts beyond `size`, for calls that run alone. */
const SPARE_HOSTS = 2;
/** Answers that came while the trainer computed are read in this time, before a call counts as lost. */
const GIVE_UP_GRACE_MS = 1000;

export class HostPool {
  private readonly slots = new Set<HostSlot>();
  /** Tool name -> hosts that it cost. */
  private readonly costly = new Map<string, number>();
  private readonly lanes = new Lanes(SPARE_HOSTS);
  private readonly reportedLate = new Set<string>();
  private nextId = 1;
  private nextHost = 1;
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {}

  /** Starts the first host; one that is killed meanwhile (by the system, for memory) gets another try. @throws Error when that fails */
  async start(): Promise<ReadyMessage> {
    const at = performance.now();
    try {
      return await this.addSlot().ready;
    } catch (error) {
      if (this.isClosed || performance.now() - at >= this.options.plan.startTimeoutMs) throw error;
      return this.addSlot().ready;
    }
  }

  openRollout(): PooledRollout {
    return { id: this.nextId++, slot: undefined, moving: undefined, inFlight: 0, isClosed: false, history: [] };
  }

  closeRollout(rollout: PooledRollout): void {
    rollout.isClosed = true;
    rollout.history = [];
    this.leave(rollout);
  }

  /**
   * Rejects only when no host can be started: hangs and deaths are answers. Always settles: waiting for a lane, a host
   * or a lost answer has an end.
   */
  async call(rollout: PooledRollout, request: CallRequest, signal?: AbortSignal): Promise<CallAnswer> {
    const limitMs =
      this.options.giveUpMs?.(request.timeoutMs) ?? 3 * request.timeoutMs + this.options.plan.startTimeoutMs;
    const lost = { isGivenUp: false };
    let timer: NodeJS.Timeout | undefined;
    const givenUp = new Promise<CallAnswer>((resolve) => {
      const giveUp = () => {
        lost.isGivenUp = true;
        resolve(failed('hostDied', `${request.name} gave no answer in ${limitMs} ms`, limitMs));
      };
      timer = setTimeout(() => (timer = setTimeout(giveUp, GIVE_UP_GRACE_MS)), limitMs);
    });
    try {
      return await Promise.race([this.callAndRemember(rollout, request, lost, signal), givenUp]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async callAndRemember(
    rollout: PooledRollout,
    request: CallRequest,
    lost: { isGivenUp: boolean },
    signal?: AbortSignal,
  ): Promise<CallAnswer> {
    rollout.inFlight++;
    try {
      const answer = await this.callWithRetries(rollout, request, lost, signal);
      const leavesState =
        answer.kind === 'ok' ||
        answer.kind === 'threw' ||
        answer.kind === 'notJson' ||
        answer.kind === 'outputTooLarge';
      if (request.isReplayable && leavesState && !rollout.isClosed) rollout.history.push({ request, replayDeaths: 0 });
      return answer;
    } finally {
      rollout.inFlight--;
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.slots].map((slot) => slot.close()));
  }

  private async callWithRetries(
    rollout: PooledRollout,
    request: CallRequest,
    lost: { isGivenUp: boolean },
    signal?: AbortSignal,
  ): Promise<CallAnswer> {
    const startedAt = performance.now();
    const { name } = request;
    const failure = (kind: CallAnswer['kind'], message: string) => failed(kind, message, performance.now() - startedAt);
    let blamed = 0;
    for (let attempt = 0; attempt < INNOCENT_ATTEMPTS; attempt++) {
      if (lost.isGivenUp) break;
      if (signal?.aborted || rollout.isClosed)
        return failure('refused', signal?.aborted ? 'the call was cancelled' : 'the rollout has ended');
      const isRisky = blamed > 0 || this.costly.has(name);
      const outcome = await (isRisky
        ? this.lanes.run(() => this.callAlone(rollout, request, signal))
        : this.callShared(rollout, request, signal));
      if (outcome.type === 'answered') {
        if (isRisky && outcome.result.kind === 'ok') this.forgive(name);
        return outcome.result;
      }
      if (!outcome.isBlamed) continue;
      blamed++;
      const cost = this.charge(name, outcome.reason);
      if (outcome.isHang)
        return failure('timeout', `${name} did not finish in ${request.timeoutMs} ms and could not be interrupted`);
      if (blamed >= ATTEMPTS || cost >= COSTLY_CALLS)
        return failure('hostDied', `${name} ended its process: ${outcome.reason}`);
    }
    return failure('hostDied', `${name}: its process was ended again and again`);
  }

  private charge(name: string, reason: string): number {
    const cost = (this.costly.get(name) ?? 0) + 1;
    this.costly.set(name, cost);
    if (cost === COSTLY_CALLS)
      this.options.note(
        'warning',
        'toolEndsHosts',
        `${name} has ended ${cost} tool hosts (${reason}); from now on its calls are not retried`,
      );
    return cost;
  }

  /** A tool whose host died once for reasons outside shares hosts again. */
  private forgive(name: string): void {
    const cost = this.costly.get(name) ?? 0;
    if (cost < COSTLY_CALLS) this.costly.delete(name);
  }

  private async callShared(rollout: PooledRollout, request: CallRequest, signal?: AbortSignal): Promise<CallOutcome> {
    await rollout.moving;
    if (!rollout.slot || rollout.slot.isGone) await this.move(rollout, () => this.sharedSlot());
    return this.send(rollout, request, signal);
  }

  /** In a host with no other rollout, so that what happens is this call's doing. */
  private async callAlone(rollout: PooledRollout, request: CallRequest, signal?: AbortSignal): Promise<CallOutcome> {
    await rollout.moving;
    const isHere = rollout.slot !== undefined && !rollout.slot.isGone;
    // its parallel calls would lose their host
    if (isHere && rollout.inFlight > 1) return this.send(rollout, request, signal);
    if (!isHere || (rollout.slot?.rollouts.size ?? 0) > 1) await this.move(rollout, () => this.emptySlot());
    const { slot } = rollout;
    if (slot) slot.isReserved = true;
    const outcome = await this.send(rollout, request, signal);
    if (slot) slot.isReserved = false;
    // It goes back to the shared hosts at its next call, so that risky tools do not leave a process per rollout.
    if (this.slots.size > this.options.size && rollout.inFlight === 1) this.leave(rollout);
    return outcome;
  }

  /** Puts the rollout on another host and replays what it had done. */
  private move(rollout: PooledRollout, choose: () => HostSlot): Promise<void> {
    rollout.moving ??= this.moveNow(rollout, choose).finally(() => (rollout.moving = undefined));
    return rollout.moving;
  }

  private async moveNow(rollout: PooledRollout, choose: () => HostSlot): Promise<void> {
    this.leave(rollout);
    const slot = choose();
    rollout.slot = slot;
    slot.rollouts.add(rollout.id);
    if (++slot.opened >= ROLLOUTS_PER_HOST) slot.isRetiring = true;
    for (const past of [...rollout.history]) {
      const outcome = await this.send(rollout, past.request);
      if (outcome.type === 'answered') continue;
      // A replay that costs hosts is given up: the rollout then goes on without what that call had left in its modules.
      if (outcome.isBlamed && ++past.replayDeaths >= ATTEMPTS)
        rollout.history = rollout.history.filter((other) => other !== past);
      return;
    }
  }

  private async send(rollout: PooledRollout, request: CallRequest, signal?: AbortSignal): Promise<CallOutcome> {
    const { slot } = rollout;
    if (!slot) return { type: 'hostGone', reason: 'the rollout was closed', isBlamed: false, isHang: false };
    const id = this.nextId++;
    const abort = () => slot.send({ type: 'abort', id });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await slot.call({ ...request, type: 'call', id, rollout: rollout.id });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The host with the fewest rollouts; a new one while all are in use and there is room. */
  private sharedSlot(): HostSlot {
    const open = this.usable();
    const best = open.sort((a, b) => a.rollouts.size - b.rollouts.size)[0];
    return best && (best.rollouts.size === 0 || open.length >= this.options.size) ? best : this.addSlot();
  }

  private emptySlot(): HostSlot {
    const slot = this.usable().find(({ rollouts }) => rollouts.size === 0) ?? this.addSlot();
    slot.isReserved = true;
    return slot;
  }

  private usable(): HostSlot[] {
    return [...this.slots].filter((slot) => !slot.isRetiring && !slot.isReserved && !slot.isGone);
  }

  private addSlot(): HostSlot {
    if (this.isClosed) throw new Error('the tool hosts are closed');
    const scratch = join(this.options.scratchRoot, `host-${this.nextHost++}`);
    const slot = openHostSlot(this.options.plan, scratch, {
      late: (name, message) => this.reportLate(name, message),
      gone: (gone) => this.slots.delete(gone),
    });
    this.slots.add(slot);
    return slot;
  }

  private leave(rollout: PooledRollout): void {
    const { slot } = rollout;
    rollout.slot = undefined;
    slot?.rollouts.delete(rollout.id);
    if (!slot || slot.isGone) return;
    slot.send({ type: 'closeRollout', rollout: rollout.id });
    const isSurplus = this.slots.size > this.options.size + SPARE_HOSTS;
    if (slot.rollouts.size === 0 && (slot.isRetiring || isSurplus)) void slot.close();
  }

  private reportLate(name: string, message: string): void {
    if (this.reportedLate.has(name)) return;
    this.reportedLate.add(name);
    this.options.note(
      'warning',
      'lateToolError',
      `${name || 'a tool file'} threw after its call had been answered: ${message}`,
    );
  }
}

function failed(kind: CallAnswer['kind'], message: string, durationMs: number): CallAnswer {
  return { kind, content: JSON.stringify({ error: message }), durationMs };
}
