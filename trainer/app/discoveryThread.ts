/** Discovery in a worker thread: ts-morph is synchronous, and reading a trace must not wait for a thousand files. */
import { parentPort, Worker } from 'node:worker_threads';
import type { Params, Reply, ServiceMethods } from '../protocol/serviceMethods';
import type { KnownSchemas } from '../tools/sources/defined/knownSchemas';
import type { Discovery } from '../tools/sources/typescript/toolFile';

type Request = Params<typeof ServiceMethods.discover>;
type Found = Reply<typeof ServiceMethods.discover>;
type Answer = { id: number; found: Found } | { id: number; error: string };

/**
 * Whoever asks again for the same paths before their turn came gets the newest answer, so that typing does not queue
 * up.
 */
export class DiscoveryThread {
  private worker: Worker | null = null;
  private running: Job | null = null;
  private readonly waiting: Job[] = [];
  private nextId = 0;

  /** @param script a file that calls workInThread when it is loaded as a worker */
  constructor(private readonly script: string) {}

  discover(request: Request): Promise<Found> {
    const key = JSON.stringify(request.paths);
    let job = this.waiting.find((j) => j.key === key);
    if (job) job.request = request;
    else this.waiting.push((job = new Job(this.nextId++, key, request)));
    this.next();
    return job.found;
  }

  private next(): void {
    if (this.running || this.waiting.length === 0) return;
    const job = (this.running = this.waiting.shift()!);
    this.worker ??= this.start();
    this.worker.postMessage({ id: job.id, request: job.request });
  }

  private start(): Worker {
    const worker = new Worker(this.script, { stdout: true });
    worker.stdout.pipe(process.stderr); // stdout is the connection's
    worker.unref();
    worker.on('message', (answer: Answer) =>
      this.finish(answer.id, (job) =>
        'found' in answer ? job.resolve(answer.found) : job.reject(new Error(answer.error)),
      ),
    );
    const died = (error: Error) => {
      this.worker = null;
      if (this.running) this.finish(this.running.id, (job) => job.reject(error));
    };
    worker.on('error', died);
    worker.on('exit', (code) => died(new Error(`discovery ended with code ${code}`)));
    return worker;
  }

  private finish(id: number, settle: (job: Job) => void): void {
    const job = this.running;
    if (job?.id !== id) return;
    this.running = null;
    settle(job);
    this.next();
  }
}

class Job {
  readonly found: Promise<Found>;
  resolve!: (found: Found) => void;
  reject!: (error: Error) => void;
  constructor(
    readonly id: number,
    readonly key: string,
    public request: Request,
  ) {
    this.found = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

/** A Discovery remembers one set of paths; the window asks for its folder and, while one types, for single files. */
const maxRemembered = 4;

/** The worker's side. */
export function workInThread(): void {
  const remembered = new Map<string, Discovery>();
  parentPort!.on('message', ({ id, request }: { id: number; request: Request }) => {
    void answer(request, remembered).then(
      (found) => parentPort!.postMessage({ id, found } satisfies Answer),
      (error: unknown) =>
        parentPort!.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies Answer),
    );
  });
}

/** One for all sets of paths: a file is run once for the folder and for itself. */
let schemas: KnownSchemas | undefined;

async function answer(
  { paths, overlays = {}, runsIn = [], toolNetwork: network }: Request,
  remembered: Map<string, Discovery>,
): Promise<Found> {
  const toolFile = await import('../tools/sources/typescript/toolFile');
  const key = JSON.stringify(paths);
  const discovery = remembered.get(key) ?? new toolFile.Discovery();
  remembered.delete(key);
  remembered.set(key, discovery); // the newest is last
  if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value!);
  const found = discovery.discover(paths, overlays, 'file'); // a window trains on one file at a time
  if (!found.tools.some(({ binding }) => binding.kind === 'defined')) return found;
  schemas ??= new (await import('../tools/sources/defined/knownSchemas')).KnownSchemas();
  return schemas.describe(found, runsIn, new Set(Object.keys(overlays)), network ? { network } : {});
}
