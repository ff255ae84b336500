import * as tf from '@tensorflow/tfjs';
import { largestConstantBytes, type OnnxBackend } from './backend';
import { planOf } from './plan';
import type { Device, Session } from './session';
import { describe, latestValueId, leaf, placeholder, sizeOf, type DType, type Feed, type Value } from './value';

/** Where a graph input comes from at each call. `fixed`: memory that the function captured. */
type Source =
  | { type: 'argument'; index: number; part: Part | null }
  | { type: 'variable'; variable: tf.Variable; part: Part | null }
  | { type: 'fixed'; feed: Feed };
/** What of the argument or variable is read, when not all of it. */
interface Part {
  begin: number;
  end: number;
  dims: readonly number[];
}

interface Recording {
  session: Session;
  sources: Source[];
  results: { shape: readonly number[]; dtype: DType }[];
  isList: boolean;
  /** Variables that the function assigned, in the order of the outputs behind the results. */
  assigned: tf.Variable[];
}
/**
 * Signatures of one function that stay compiled, those used last: each takes some MB. Dropping one costs a compile,
 * never a different graph.
 */
const mostRecordings = 40;
/** The same, of those whose session keeps its peak memory (Session.hasArena). */
const mostArenas = 2;

/** Engine.jit's parameters. */
interface About {
  work: string;
  isForAnySize: boolean;
}
type Step<A extends tf.Tensor[]> = (...args: A) => tf.Tensor | tf.Tensor[];

/** Records `fn` once per signature; see Engine.jit. `open` receives what must be closed with the engine. */
export function jit<A extends tf.Tensor[]>(
  backend: OnnxBackend,
  fn: Step<A>,
  about: About,
  open: Set<{ dispose(): void }>,
): Step<A> & { forget(): void } {
  const recordings = new Map<string, Recording>();
  const forget = (signature: string): void => {
    const { session } = recordings.get(signature)!;
    recordings.delete(signature);
    open.delete(session);
    session.dispose();
  };
  const recorded = (signature: string, args: A): Recording => {
    const known = recordings.get(signature);
    if (known && backend.devices.includes(known.session.device)) {
      recordings.delete(signature);
      recordings.set(signature, known); // the last one used
      return known;
    }
    if (known)
      forget(signature); // its device was lost
    else if (recordings.size >= mostRecordings) forget(recordings.keys().next().value!);
    const arenas = [...recordings].filter(([, { session }]) => session.hasArena).map(([key]) => key);
    const made = record(backend, fn, args, about);
    if (made.session.hasArena && arenas.length >= mostArenas) forget(arenas[0]!);
    open.add(made.session);
    recordings.set(signature, made);
    return made;
  };
  const call: Step<A> = (...args) => {
    if (backend.isRecording) return fn(...args); // a jitted function inside another becomes part of it
    backend.flush(); // so that what ran before never shares a graph with the step
    const signature = args.map((a) => `${a.dtype}[${a.shape.join(',')}]`).join(' ');
    const isOnGpu = backend.devices.includes('webgpu');
    try {
      return replay(backend, recorded(signature, args), args);
    } catch (error) {
      const known = recordings.get(signature);
      if (!isOnGpu || (known && known.session.device === 'cpu')) throw error;
      return onCpu(backend, error, () => replay(backend, recorded(signature, args), args));
    }
  };
  return Object.assign(call, { forget: () => [...recordings.keys()].forEach(forget) });
}

/**
 * Runs again without the GPU: where that works, the GPU is lost for good; where it fails too, the function is wrong
 * and the GPU stays.
 */
function onCpu<R>(backend: OnnxBackend, cause: unknown, run: () => R): R {
  const before = backend.devices;
  backend.devices = ['cpu'];
  try {
    const result = run();
    backend.devices = before;
    backend.loseGpu(cause);
    return result;
  } catch (error) {
    backend.devices = before;
    throw error;
  }
}

const feedsFor = (backend: OnnxBackend, sources: Source[], args: tf.Tensor[]): Feed[] =>
  sources.map((s): Feed => {
    switch (s.type) {
      case 'fixed':
        return s.feed;
      case 'argument':
        return feedOf(backend.computed(args[s.index]!), s.part);
      case 'variable':
        if (s.variable.isDisposed)
          throw new Error(`jit: the variable ${s.variable.name} that the function reads was disposed`);
        return feedOf(backend.computed(s.variable), s.part);
    }
  });

function replay(
  backend: OnnxBackend,
  { session, sources, results, isList, assigned }: Recording,
  args: tf.Tensor[],
): tf.Tensor | tf.Tensor[] {
  const data = session.run(feedsFor(backend, sources, args));
  assigned.forEach((variable, i) => {
    const value = backend.tensor(leaf(data[results.length + i]!, variable.shape, variable.dtype as DType));
    variable.assign(value);
    value.dispose();
  });
  const tensors = results.map(({ shape, dtype }, i) => backend.tensor(leaf(data[i]!, shape, dtype)));
  return isList ? tensors : tensors[0]!;
}

function feedOf(value: Value, part: Part | null): Feed {
  const feed = value.feed();
  return part === null
    ? feed
    : { type: feed.type, dims: part.dims, data: feed.data.subarray(part.begin, part.end), location: 'cpu' };
}

/** Runs `fn` on placeholders. Variables are placeholders too while it runs, and have their old values afterwards. */
function record<A extends tf.Tensor[]>(
  backend: OnnxBackend,
  fn: Step<A>,
  args: A,
  { work, isForAnySize }: About,
): Recording {
  const variables = Object.values(tf.engine().state.registeredVariables);
  const values = (list: readonly tf.Tensor[]): Value[] => list.map((t) => placeholder(t.shape, t.dtype as DType));
  const argumentValues = values(args);
  const variableValues = values(variables);
  const saved = variables.map((v) => tf.keep(v.clone()));
  const set = (variable: tf.Variable, to: tf.Tensor): void => {
    variable.assign(to);
    to.dispose();
  };
  const firstOwn = latestValueId();
  let isList = false;
  let results: Value[] = [];
  let finals: Value[] = [];
  backend.isRecording = true;
  try {
    variables.forEach((v, i) => set(v, backend.tensor(variableValues[i]!)));
    tf.tidy(() => {
      const made = fn(...(argumentValues.map((v) => backend.tensor(v)) as A));
      if (made instanceof Promise) throw new Error('jit: the function must not be async');
      isList = Array.isArray(made);
      results = (Array.isArray(made) ? made : [made]).map((t) => backend.valueFor(t));
      finals = variables.map((v) => backend.valueFor(v));
    });
    const created = Object.values(tf.engine().state.registeredVariables).filter((v) => !variables.includes(v));
    if (created.length > 0) {
      const names = created.map((v) => v.name).join(', ');
      created.forEach((v) => v.dispose());
      throw new Error(
        `jit: the function created the variable ${names} while it was recorded; create variables ` +
          '(optimiser slots) before the first step',
      );
    }
  } finally {
    variables.forEach((v, i) => set(v, saved[i]!));
    backend.isRecording = false;
    backend.forgetRecorded(firstOwn);
  }

  const assigned = variables
    .map((variable, i) => ({ variable, value: finals[i]! }))
    .filter(({ value }, i) => value !== variableValues[i]);
  const plan = planOf([...results, ...assigned.map((a) => a.value)]);
  const sourcesOf = (session: Session): Source[] =>
    session.sources.map((s): Source => {
      if (typeof s !== 'number') return { type: 'fixed', feed: s };
      const value = plan.leaves[s]!;
      const whole = value.view?.of ?? value;
      const part = value.view && {
        begin: value.view.offset,
        end: value.view.offset + sizeOf(value.shape),
        dims: value.shape,
      };
      const argument = argumentValues.indexOf(whole);
      if (argument >= 0) return { type: 'argument', index: argument, part };
      const variable = variableValues.indexOf(whole);
      if (variable >= 0) return { type: 'variable', variable: variables[variable]!, part };
      if (value.kind === 'placeholder')
        throw new Error(
          `jit: the function used a placeholder ${describe(value)} of another recording; do not keep ` +
            'tensors of a recorded step',
        );
      return { type: 'fixed', feed: value.feed() };
    });
  const isSmall = (l: Value): boolean =>
    l.isPacked || (l.id > firstOwn && !l.isHeld && !l.isAliased && l.data!.byteLength <= largestConstantBytes);
  // a GPU would be sent each input again at every run: what cannot change (frozen weights) goes into its session
  const isShared = isForAnySize || plan.leaves.some((l) => l.isPacked);
  const build = (device: Device): Session =>
    device === 'cpu' && isShared
      ? backend.compileShared(plan)
      : backend.compile(plan, device === 'cpu' ? isSmall : (l) => isSmall(l) || !l.isAliased, device);
  const session = fastest(backend, build, (s) => feedsFor(backend, sourcesOf(s), args), work);
  return {
    session,
    sources: sourcesOf(session),
    results: results.map(({ shape, dtype }) => ({ shape, dtype })),
    isList,
    assigned: assigned.map((a) => a.variable),
  };
}

/** Of a graph's sessions, one for each device, the one whose measured run is shorter. A GPU that fails is lost. */
function fastest(
  backend: OnnxBackend,
  build: (device: Device) => Session,
  feeds: (session: Session) => Feed[],
  work: string,
): Session {
  const [first, second] = backend.devices as [Device, Device?];
  const known = build(first);
  if (second === undefined) return known;
  let other: Session | null = null;
  try {
    other = build(second);
    const [knownMs, otherMs] = [measure(known, feeds(known)), measure(other, feeds(other))];
    const [taken, left] = otherMs < knownMs ? [other, known] : [known, other];
    left.dispose();
    backend.noteOnce(
      `${work} on ${taken.device}`,
      `${work} runs on ${taken.device}: one step took ${knownMs.toFixed(1)} ms on ${first}, ` +
        `${otherMs.toFixed(1)} ms on ${second}`,
    );
    return taken;
  } catch (error) {
    other?.dispose();
    known.dispose();
    backend.loseGpu(error);
    return build('cpu');
  }
}
/** The shorter of two runs behind one that pays for memory and shaders, ms. */
function measure(session: Session, feeds: Feed[]): number {
  session.run(feeds);
  return Math.min(
    ...[0, 1].map(() => {
      const start = performance.now();
      session.run(feeds);
      return performance.now() - start;
    }),
  );
}
