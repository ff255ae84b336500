/** Asks a teacher for its samples of each task, and keeps what passes. */
import type { TellNote } from '../../protocol/note';
import { sampleTeacher } from '../../recipes/distill/sampleTeacher';
import { redactorFor } from '../../store/redaction/redactor';
import { openHosts } from '../prepare/hosts';
import { barRewards, openBar } from './bar';
import type { DistilledRun, DistillOptions, Plan } from './distill';
import { keep } from './keep';
import { openSamples, type SampleLine } from './samplesFile';
import { added, NOTHING, openTeacher, overBudget, type Spent } from './teacher';
import { closing, openingWords } from './words';

/** Samples until each task has its share or the budget is spent; what passes is kept. */
export async function askTeacher(o: DistillOptions, plan: Plan): Promise<DistilledRun> {
  const { config, distilled, found, tools, tasks, workspace, run } = plan;
  const { signal, now, dependencies, cwd } = o;
  const note: TellNote = (level, code, message) => {
    run.append({ type: 'noted', level, code, message });
    o.say(level, code, message);
  };
  const { known, writer } = openSamples(run.dir);
  const before: Spent = known.at(-1)?.spent ?? NOTHING;
  const teacher = await openIts(o, plan, note);
  const hosts = await openHosts({ config, found, workspace, note, dependencies, ask: async () => 'unavailable' });
  const bar = await barOf(o, plan, hosts);
  const total = tasks.length * distilled.samples;
  const spentNow = (): Spent => added(before, teacher.spent ?? NOTHING);
  const samples: SampleLine[] = [...known];
  let passed = samples.filter(({ refusal }) => refusal === null).length;
  const redactor = redactorFor(config, () => dependencies.modelFolder(config.model, cwd));
  try {
    note('info', 'teacherAsked', openingWords(distilled, tasks.length, known.length, o.budget));
    run.append({ type: 'phaseStarted', phase: 'before', total });
    const { ended, unanswered } = await sampleTeacher({
      policy: teacher.policy,
      tasks,
      tools,
      shown: plan.shown?.shown.training,
      hosts,
      config,
      samples: distilled.samples,
      temperature: distilled.temperature,
      replyTokens: teacher.replyTokens,
      atOnce: teacher.atOnce,
      bar,
      known,
      runId: run.id,
      signal,
      now,
      spent: () => (teacher.spent ? overBudget(spentNow(), o.budget) : null),
      onEarlyStop: (stop) => note('info', 'teacherStopsEarly', earlyStopWords(stop)),
      onSample(sample, trace) {
        const line = redactor.value({ ...sample, spent: spentNow() });
        writer.append(line);
        samples.push(line);
        if (sample.refusal === null) passed++;
        run.append({ type: 'traceRecorded', trace: run.recordTrace(trace) });
        run.append({ type: 'progressed', done: samples.length, total });
        o.onProgress(samples.length, total, passed);
      },
    });
    if (ended !== null) note('warning', 'teacherBudget', `${ended}; what passed until then is kept`);
    const result = signal.aborted ? null : keep(run.dir, tasks, samples);
    for (const one of result ? closing(result, unanswered, teacher.spent ? spentNow() : null) : [])
      note(one.level, one.code, one.message);
    run.append({ type: 'runStopped', step: 0 });
    return {
      dir: run.dir,
      id: run.id,
      config,
      teacher: distilled.teacher,
      result: result && {
        ...result,
        unanswered: unanswered.length,
        spent: teacher.spent ? spentNow() : null,
        ended,
      },
    };
  } finally {
    writer.close();
    bar?.close();
    await hosts.close();
    await teacher.close();
  }
}

/** The key goes to the server alone that was typed with it. */
const openIts = (
  { typedTeacher, budget, dependencies, environment, cwd, signal, now }: DistillOptions,
  { config, distilled, tools, shown }: Plan,
  note: TellNote,
): ReturnType<typeof openTeacher> =>
  openTeacher({
    ...distilled,
    apiKey: typedTeacher === distilled.teacher ? environment['COACH_TEACHER_KEY'] : undefined,
    budget,
    config,
    tools,
    shown: shown?.shown ?? null,
    cwd,
    dependencies,
    signal,
    now,
    onEngine: (message) => note('info', 'engine', message),
  });

const earlyStopWords = ({ saving, lower }: { saving: number; lower: number }): string =>
  `Samples that are expected to fail are stopped early from now on: on samples that this was not fitted on, ` +
  `it saves ${Math.round(100 * saving)} % of what is written until one passes (at least ${Math.round(100 * lower)} %)`;

async function barOf(
  o: DistillOptions,
  { config, distilled, found, tools }: Plan,
  hosts: Parameters<typeof openBar>[0]['hosts'],
): Promise<Awaited<ReturnType<typeof openBar>> | null> {
  if (distilled.bar === null) return null;
  const specs = barRewards(
    config,
    found.rewards.map(({ name }) => name),
  );
  const { environment, signal } = o;
  return openBar({ least: distilled.bar, specs, config, environment, tools, hosts, engine: null, signal });
}
