/**
 * The tool hosts of a run. A host has one rollout at a time, so that no tool reaches another rollout's results,
 * whatever it does to its process. When the rollout ends, its host is put back as it was and given to the next, or
 * ended where anything was left that can't be put back.
 * When the host goes under a rollout, the rollout's earlier calls are replayed in another one, so that its state is
 * what it was; the call that took the host with it runs once more.
 */
import { randomInt } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { Lanes } from '../../base/lanes';
import type { TellNote } from '../../protocol/note';
import type { HostPlan } from './hostProcess';
import { openHostSlot, type CallOutcome, type HostSlot } from './hostSlot';
import type { CallMessage, ReadyMessage, ResultMessage } from './inside/hostMessages';

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
  isClosed: boolean;
  history: { request: CallRequest; replayDeaths: number }[];
}

export interface PoolOptions {
  plan: HostPlan;
  /** Hosts that start at a time, and that stand ready for the next rollouts. */
  size: number;
  /** Hosts that there is memory for. Default: no bound. */
  most?: number;
  scratchRoot: string;
  /** What their folders there are called, with a number; begins with `host-`. */
  prefix: string;
  note: TellNote;
  /** When a call is given up, whatever its hosts do; default: three times its own limit and the start of a host. */
  giveUpMs?(timeoutMs: number): number;
}

interface Waiting {
  take(slot: HostSlot): void;
  fail(error: unknown): void;
}

/** A host is replaced after so many rollouts, since contexts leave traces in memory. */
const ROLLOUTS_PER_HOST = 2000;
/** A call whose host died this often under it is answered `hostDied`. */
const ATTEMPTS = 2;
/** Deaths that were not this call's fault; a guard against hosts that die for reasons outside. */
const INNOCENT_ATTEMPTS = 50;
/** After so many calls that cost a host, a tool is not tried twice any more. */
const COSTLY_CALLS = 3;
/** Calls of tools that have cost a host, at a time. */
const RISKY_CALLS = 2;
/** Answers that came while the trainer computed are read in this time, before a call counts as lost. */
const GIVE_UP_GRACE_MS = 1000;
/**
 * Hosts at first. Of 64 rollouts with quick tools a GRPO step of nano took 1.23 s with 16, 0.98 with 32, 1.06 with 64.
 */
const USUAL_HOSTS = 32;
/** Who waits so long for a host raises their number by one, as far as memory goes: slow tools hold many. */
const PATIENCE_MS = 1000;
/** Then also beyond it: rollouts may hold all hosts and wait for another one, as a fork does. */
const LAST_PATIENCE_MS = 4000;

export class HostPool {
  private readonly slots = new Set<HostSlot>();
  /** Ready, and nobody's. */
  private readonly free: HostSlot[] = [];
  private readonly waiting: Waiting[] = [];
  private starting = 0;
  /** Being put back: free in a moment, most of them. */
  private leaving = 0;
  /** Hosts at a time; grows. */
  private most: number;
  /** Tool name -> hosts that it cost. */
  private readonly costly = new Map<string, number>();
  private readonly lanes = new Lanes(RISKY_CALLS);
  private readonly reportedLate = new Set<string>();
  private nextHost = 1;
  private isUsed = false;
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {
    this.most = Math.min(options.most ?? Infinity, Math.max(options.size, USUAL_HOSTS));
  }

  /**
   * Starts the first host; one that is killed meanwhile (by the system, for memory) gets another try. @throws Error
   * when that fails
   */
  async start(): Promise<ReadyMessage> {
    const at = performance.now();
    try {
      return await this.addSlot();
    } catch (error) {
      if (this.isClosed || performance.now() - at >= this.options.plan.startTimeoutMs) throw error;
      return this.addSlot();
    }
  }

  openRollout(): PooledRollout {
    return { id: unguessable(), slot: undefined, moving: undefined, isClosed: false, history: [] };
  }

  closeRollout(rollout: PooledRollout): void {
    rollout.isClosed = true;
    rollout.history = [];
    void this.leave(rollout);
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
    const answer = await this.callWithRetries(rollout, request, lost, signal);
    const leavesState =
      answer.kind === 'ok' || answer.kind === 'threw' || answer.kind === 'notJson' || answer.kind === 'outputTooLarge';
    if (request.isReplayable && leavesState && !rollout.isClosed) rollout.history.push({ request, replayDeaths: 0 });
    return answer;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { fail } of this.waiting.splice(0)) fail(new Error('the tool hosts are closed'));
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
      const attemptIt = () => this.callOnce(rollout, request, signal);
      const outcome = await (isRisky ? this.lanes.run(attemptIt) : attemptIt());
      if (outcome.type === 'answered') {
        if (isRisky && outcome.result.kind === 'ok') this.forgive(name);
        return outcome.result;
      }
      // ours to end, with what was still running in it
      if (!outcome.isBlamed || rollout.isClosed) continue;
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

  /** A tool whose host died once for reasons outside is no risk again. */
  private forgive(name: string): void {
    const cost = this.costly.get(name) ?? 0;
    if (cost < COSTLY_CALLS) this.costly.delete(name);
  }

  private async callOnce(rollout: PooledRollout, request: CallRequest, signal?: AbortSignal): Promise<CallOutcome> {
    await rollout.moving;
    if (!rollout.slot || rollout.slot.isGone) {
      rollout.moving ??= this.move(rollout).finally(() => (rollout.moving = undefined));
      await rollout.moving;
    }
    return this.send(rollout, request, signal);
  }

  /** Gives the rollout a host of its own and replays what it had done. */
  private async move(rollout: PooledRollout): Promise<void> {
    void this.leave(rollout);
    const slot = await this.takeSlot();
    if (rollout.isClosed) return this.offer(slot);
    rollout.slot = slot;
    slot.opened++;
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
    const id = unguessable();
    const abort = () => slot.send({ type: 'abort', id });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await slot.call({ ...request, type: 'call', id, rollout: rollout.id });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** A host that is nobody's. Rejects when none can be started. */
  private takeSlot(): Promise<HostSlot> {
    if (this.isClosed) return Promise.reject(new Error('the tool hosts are closed'));
    this.isUsed = true;
    const slot = this.free.pop(); // the last used, whose code is warm
    if (slot) {
      this.startMore();
      return Promise.resolve(slot);
    }
    return new Promise((resolve, reject) => {
      const raise = () => {
        this.most++;
        this.startMore();
      };
      let patience = setTimeout(() => {
        if (this.most < (this.options.most ?? Infinity)) raise();
        else patience = setTimeout(raise, LAST_PATIENCE_MS);
      }, PATIENCE_MS);
      this.waiting.push({
        take(given) {
          clearTimeout(patience);
          resolve(given);
        },
        fail(error) {
          clearTimeout(patience);
          reject(error as Error);
        },
      });
      this.startMore();
    });
  }

  private offer(slot: HostSlot): void {
    if (slot.isGone || this.isClosed) return;
    const next = this.waiting.shift();
    if (next) next.take(slot);
    else this.free.push(slot);
    this.startMore();
  }

  /** For those who wait, and as many again that stand ready. */
  private startMore(): void {
    const { size } = this.options;
    const wanted = () => this.waiting.length + (this.isUsed ? size : 0) - this.free.length - this.leaving;
    while (!this.isClosed && this.starting < Math.min(wanted(), size) && this.slots.size < this.most)
      this.addSlot().catch((error: unknown) => {
        for (const { fail } of this.waiting.splice(0)) fail(error); // whoever comes next tries again
      });
  }

  private async addSlot(): Promise<ReadyMessage> {
    if (this.isClosed) throw new Error('the tool hosts are closed');
    const scratch = join(this.options.scratchRoot, `${this.options.prefix}${this.nextHost++}`);
    const slot = openHostSlot(this.options.plan, scratch, {
      late: (name, message) => this.reportLate(name, message),
      gone: (gone) => this.forget(gone),
    });
    this.slots.add(slot);
    this.starting++;
    const ready = await slot.ready.finally(() => this.starting--);
    this.offer(slot);
    return ready;
  }

  private forget(slot: HostSlot): void {
    this.slots.delete(slot);
    const at = this.free.indexOf(slot);
    if (at >= 0) this.free.splice(at, 1);
    if (this.waiting.length > 0) this.startMore();
  }

  /** Its host is offered to others once it says that nothing is left of the rollout. */
  private async leave(rollout: PooledRollout): Promise<void> {
    const { slot } = rollout;
    rollout.slot = undefined;
    if (!slot || slot.isGone) return;
    this.leaving++;
    const isClean = slot.opened < ROLLOUTS_PER_HOST && (await slot.closeRollout(rollout.id));
    this.leaving--;
    if (isClean) return this.offer(slot);
    await slot.close();
    this.startMore();
  }

  private reportLate(name: string, message: string): void {
    if (this.reportedLate.has(name)) return;
    this.reportedLate.add(name);
    this.options.note(
      'warning',
      'lateToolError',
      isAbsolute(name)
        ? `${name} did not end well what it began while it was loaded: ${message}`
        : `${name || 'a tool file'} threw after its call had been answered: ${message}`,
    );
  }
}

/** By a tool that knows all others; 48 bits are exact in JSON. */
const unguessable = (): number => randomInt(1, 2 ** 48 - 1);

function failed(kind: CallAnswer['kind'], message: string, durationMs: number): CallAnswer {
  return { kind, content: JSON.stringify({ error: message }), durationMs };
}
