/** A maker from its address to its tool: opened, asked whether a tool is there already, else for one, and closed. */
import type { TellNote } from '../../protocol/note';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { ToolSchema } from '../../protocol/task';
import { workspaceOf } from '../../store/runs/workspace';
import type { CommandContext } from '../cli/command';
import type { Output } from '../cli/output';
import { openTeacher, overBudget, type Spent, type TeacherBudget } from '../distill/teacher';
import { openHosts } from '../prepare/hosts';
import type { Parts } from './demonstrations';
import { dispatch } from './dispatch';
import { makeTool, type Made } from './makeTool';
import type { Target } from './offer';
import type { Use } from './runCalls';

/** Of one call of a made tool: it computes, and waits for nobody. */
const TIMEOUT_MS = 2000;
const MEMORY_MB = 128;

export interface AskForTool
  extends Pick<CommandContext, 'cwd' | 'dependencies' | 'environment' | 'signal' | 'now' | 'out'> {
  /** the target's file is its tool file */
  config: RunConfig;
  parts: Parts;
  target: Target;
  maker: { at: string; model: string };
  /** of one reply; undefined: as long as the maker lets it be */
  replyTokens: number | undefined;
  /** for one reply of a server; undefined: as for teachers */
  timeoutMs: number | undefined;
  budget: TeacherBudget;
  tries: number;
}

export interface Answer extends Made {
  /** a tool that was there already and gives the right answers: none was made */
  existing: { tool: ToolSchema; uses: Use[] } | null;
  /** null: a model of this disk */
  spent: Spent | null;
}

/** @throws UserError where the maker can't be asked; the signal's reason */
export async function askForTool(o: AskForTool): Promise<Answer> {
  const { config, parts, target, budget, tries, signal, out, dependencies } = o;
  const role = 'maker';
  const maker = await openTeacher({
    role,
    teacher: o.maker.at,
    model: o.maker.model,
    apiKey: o.environment['COACH_MAKER_KEY'],
    timeoutMs: o.timeoutMs,
    budget,
    config,
    tools: [],
    shown: null,
    cwd: o.cwd,
    dependencies,
    signal,
    now: o.now,
    onEngine: (message) => out.progress(message),
  });
  try {
    const asking = {
      policy: maker.policy,
      replyTokens: o.replyTokens ?? maker.replyTokens,
      seed: config.seed,
      signal,
      parts,
    };
    const existing = await dispatch({
      ...asking,
      tools: target.found.tools.filter(({ changesWorld }) => !changesWorld),
      openHosts: () => hostsOf(o),
    });
    const spentNow = (): Spent | null => maker.spent && { ...maker.spent };
    if (existing) return { existing, made: null, tries: 0, refused: {}, ended: null, spent: spentNow() };
    const made = await makeTool({
      ...asking,
      taken: { tools: target.found.tools.map(({ name }) => name), names: target.names },
      tries,
      openHosts: (tool, workspace) =>
        dependencies.openHosts({
          tools: [tool],
          workspace,
          policyOf: () => 'real',
          ask: async () => 'unavailable',
          timeoutMs: TIMEOUT_MS,
          memoryMb: MEMORY_MB,
          outputBytes: DEFAULTS.toolOutputBytes,
          network: config.toolNetwork,
          size: 1,
          seed: config.seed,
          note: warning(out),
          signal,
        }),
      spent: () => (maker.spent ? overBudget(maker.spent, budget, role) : null),
      onRefused: (nth, { message }) => out.warn(`Try ${nth} of ${tries}: ${message}`),
    });
    return { existing: null, ...made, spent: spentNow() };
  } finally {
    await maker.close();
  }
}

/** Of the tools that are there, as a run has them. */
function hostsOf({
  config,
  cwd,
  dependencies,
  signal,
  out,
  target: { found },
}: AskForTool): ReturnType<typeof openHosts> {
  return openHosts({
    config,
    found,
    workspace: workspaceOf(config.toolFile, cwd),
    note: warning(out),
    ask: async () => 'unavailable',
    dependencies,
    signal,
  });
}

/** What is not loaded is a reason why a tool is refused, and said as such. */
const warning =
  (out: Output): TellNote =>
  (level, code, message) => {
    if (level === 'warning' && code !== 'toolNotLoaded') out.warn(`Warning: ${message}`);
  };
