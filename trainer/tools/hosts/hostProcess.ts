/** One tool host as the trainer sees it: started, spoken to, watched, ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { UserError } from '../../protocol/result';
import type { ToolNetwork } from '../../protocol/settings/choices';
import { FromHost, type PrepareMessage, type ReadyMessage, type ToHost } from './inside/hostMessages';
import { hostEnvironment, hostFlags, launchWays, type LaunchWay } from './hostLaunch';

/** What all hosts of a run have in common. */
export interface HostPlan {
  nodePath: string;
  script: string;
  readable: string[];
  network: ToolNetwork;
  memoryMb: number;
  envAllow: string[];
  /** The longest line that a host may send; a longer one ends it. */
  maxLineBytes: number;
  startTimeoutMs: number;
  prepare: Omit<PrepareMessage, 'type' | 'env' | 'scratch'>;
}

export interface HostEvents {
  message(message: Exclude<FromHost, ReadyMessage>): void;
  /** Once, when a host that was ready is gone. `runningCall`: id of the call that ran last, null when unknown. */
  ended(reason: string, runningCall: number | null): void;
}

export interface HostProcess {
  /** Resolves when the user's files are loaded; rejects when no host comes up, whatever the flags. */
  readonly ready: Promise<ReadyMessage>;
  pid(): number | undefined;
  send(message: ToHost): void;
  /** @param reason what `ended` or the rejection will say */
  kill(reason: string): void;
}

const STDERR_BYTES = 4096;
const BAD_OPTION_EXIT = 9;
/**
 * For the last words of a host that has ended; after it the pipes are closed, since a program that the tool started
 * may hold them open.
 */
const DRAIN_MS = 500;

/** Ended with us: a host in an endless loop would not notice that we are gone. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Executable and network -> which way worked; tried first for its next host. */
const chosenWays = new Map<string, number>();

/** @param scratch its own folder, made here */
export function startHostProcess(plan: HostPlan, scratch: string, events: HostEvents): HostProcess {
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const env = hostEnvironment(plan.envAllow, scratch);
  let killReason: string | undefined;
  /** No other try of the flags may follow. */
  let isEnded = false;
  let current: { child: ChildProcess; channel: Duplex } | undefined;

  function spawnHost({ before, permission }: LaunchWay): { child: ChildProcess; channel: Duplex } {
    const flags = hostFlags(permission, [plan.script, scratch, ...plan.readable], [scratch], plan.memoryMb);
    const [program, ...words] = [...before, plan.nodePath, ...flags, plan.script];
    const child = spawn(program!, words, {
      cwd: plan.prepare.workspace,
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      // fd 3 is the only one that leads to us; what the tools print goes nowhere, and the last words of V8 are kept for
      // the reason.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    running.add(child);
    return { child, channel: child.stdio[3] as Duplex };
  }

  const kill = (reason: string) => {
    killReason ??= reason;
    current?.child.kill('SIGKILL');
  };
  const end = (reason: string) => {
    isEnded = true;
    kill(reason);
  };
  const send = (message: ToHost) => {
    if (current?.channel.writable) current.channel.write(`${JSON.stringify(message)}\n`);
  };

  /** @returns what the host said when ready; undefined when this Node does not know the flags */
  function startOnce(way: LaunchWay): Promise<ReadyMessage | undefined> {
    const { child, channel } = (current = spawnHost(way));
    let lastWords = '';
    let ending: string | undefined;
    const end = (reason: string) => {
      ending ??= reason;
      child.kill('SIGKILL');
    };
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (lastWords = (lastWords + text).slice(-STDERR_BYTES)));
    return new Promise((resolve, reject) => {
      let isReady = false;
      const starting = setTimeout(() => end(`it did not start in ${plan.startTimeoutMs} ms`), plan.startTimeoutMs);
      channel.on('error', () => end('its channel broke'));
      readLines(channel, plan.maxLineBytes, end, (message) => {
        if ((ending ?? killReason) !== undefined) return; // what came beside the reason is not believed either
        if (message.type !== 'ready') return events.message(message);
        clearTimeout(starting);
        isReady = plan.network === 'allow' || message.walls.network; // else it is not used
        resolve(message);
      });
      child.on('error', (error) => {
        clearTimeout(starting);
        reject(new Error(`the tool host cannot be started: ${error.message}`));
      });
      let draining: NodeJS.Timeout | undefined;
      child.on('exit', () => {
        running.delete(child);
        draining = setTimeout(() => [channel, child.stderr].forEach((pipe) => pipe?.destroy()), DRAIN_MS);
      });
      child.on('close', (code, signal) => {
        clearTimeout(starting);
        clearTimeout(draining);
        channel.destroy();
        const reason = deathReason(code, signal, lastWords, ending ?? killReason);
        if (isReady) events.ended(reason, runningCall(scratch));
        else if (code === BAD_OPTION_EXIT && /bad option/.test(lastWords)) resolve(undefined);
        else reject(new Error(`the tool host did not start: ${reason}`));
      });
      send({ type: 'prepare', ...plan.prepare, env, scratch });
    });
  }

  /** By the first way that works here; a host that must have no network, and has, has loaded nothing of the user's. */
  async function start(): Promise<ReadyMessage> {
    const { network, nodePath } = plan;
    const ways = launchWays(network);
    const key = `${network} ${nodePath}`;
    const why: string[] = [];
    const known = chosenWays.get(key) ?? 0;
    for (let choice = known < ways.length ? known : 0; choice < ways.length; choice++) {
      const { before, permission } = ways[choice]!;
      const ready = await startOnce(ways[choice]!).catch((error: Error) => {
        if (network === 'allow') throw error;
        return error;
      });
      if (isEnded) throw new Error(`the tool host did not start: ${killReason}`);
      if (ready instanceof Error) why.push(ready.message);
      else if (ready === undefined) why.push(`it does not know ${permission.join(' ')}`);
      else if (network === 'allow' || ready.walls.network) {
        chosenWays.set(key, choice);
        return ready;
      } else {
        const wall = before.length > 0 ? 'a network namespace' : "Node's permission model";
        why.push(`${wall} does not keep a tool host from connecting`);
        current?.child.kill('SIGKILL');
      }
    }
    if (network === 'deny') throw noNetworkWall(nodePath, why);
    throw new Error(`the tool host cannot be started: ${nodePath} refuses its flags`);
  }

  return { ready: start(), pid: () => current?.child.pid, send, kill: end };
}

const noNetworkWall = (nodePath: string, why: readonly string[]): UserError =>
  new UserError(
    'tool',
    `toolNetwork is deny, and no wall can be put around the network with ${nodePath} here: ${why.join('; ')}`,
    'Take Node 25 or later, or on Linux allow namespaces without privileges (unshare --user ' +
      '--net), or set toolNetwork to allow.',
  );

/**
 * Splits the channel into lines and parses each; a host that sends anything else is ended, since its tool reached the
 * pipe.
 */
function readLines(
  channel: Duplex,
  maxBytes: number,
  kill: (reason: string) => void,
  take: (message: FromHost) => void,
): void {
  let rest = '';
  channel.setEncoding('utf8');
  channel.on('data', (chunk: string) => {
    rest += chunk;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const message = parsed(rest.slice(0, end));
      rest = rest.slice(end + 1);
      if (!message) return kill('it sent what is not a message');
      take(message);
    }
    if (rest.length > maxBytes) kill('it sent too much');
  });
}

function parsed(line: string): FromHost | undefined {
  try {
    return FromHost.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined; // not JSON: the caller ends the host, and says so
  }
}

function runningCall(scratch: string): number | null {
  const path = join(scratch, 'running');
  const id = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  return id > 0 ? id : null;
}

/** V8's own last words first: the channel of a host that runs out of memory may break before its exit is known. */
function deathReason(
  code: number | null,
  signal: string | null,
  lastWords: string,
  killReason: string | undefined,
): string {
  if (/heap out of memory|Allocation failed|Reached heap limit/i.test(lastWords)) return 'it ran out of memory';
  return killReason ?? (signal ? `it was ended by ${signal}` : `it ended with code ${code}`);
}
