/**
 * What past traces say of how tools follow each other: nodes are tools, edges transitions, and each edge says where the
 * arguments of its second call came from. AutoTool (arXiv:2511.14650) and SIT-Graph (arXiv:2512.07287) act by it.
 */
import { z } from 'zod';

/** Where every episode begins, and its answer: no tool is called so. */
export const START = '(request)';
export const ANSWER = '(answer)';

/**
 * Where the values of an argument came from.
 * result: a member of what an earlier call gave (`path`, such as `[0].order`; '' the result itself);
 * argument: an earlier call's argument (`path`); user: the user's words; constant: the same value each time (`value`);
 * absent: the argument was left out; unknown: none of these.
 */
export const ArgumentSource = z.object({
  kind: z.enum(['result', 'argument', 'user', 'constant', 'absent', 'unknown']),
  /** of result and argument: whose; the latest call of this tool counts */
  tool: z.string().optional(),
  path: z.string().optional(),
  value: z.unknown().optional(),
  /** calls */
  count: z.number().int(),
});
export type ArgumentSource = z.infer<typeof ArgumentSource>;

/** A state in which an edge was taken, said by rule: the request without its values, and what was found so far. */
export const StateSummary = z.object({ text: z.string(), count: z.number().int() });
export type StateSummary = z.infer<typeof StateSummary>;

/** How often something was part of an episode that is judged, and of one that was solved. */
const Judged = { judged: z.number().int(), solved: z.number().int() };

export const ToolNode = z.object({
  tool: z.string(),
  calls: z.number().int(),
  /** calls that gave an error */
  failed: z.number().int(),
  /** traces with this tool */
  ...Judged,
});
export type ToolNode = z.infer<typeof ToolNode>;

export const ToolEdge = z.object({
  from: z.string(),
  to: z.string(),
  /** how often it was taken, in all traces */
  count: z.number().int(),
  /** of these, those whose second call gave an error */
  failed: z.number().int(),
  ...Judged,
  /** in episodes not known to fail: how often, and the sum of 1 / calls of the episode (SIT-Graph's N and bonus) */
  good: z.object({ count: z.number().int(), bonus: z.number() }),
  /** of the second call's arguments, by name: sources, the most frequent first */
  arguments: z.record(z.string(), z.array(ArgumentSource)),
  /** of episodes not known to fail, the most frequent first */
  summaries: z.array(StateSummary),
});
export type ToolEdge = z.infer<typeof ToolEdge>;

export const ToolGraph = z.object({
  version: z.literal(1),
  traces: z.number().int(),
  nodes: z.array(ToolNode),
  edges: z.array(ToolEdge),
  /**
   * AutoTool's paths: what came next behind the last one or two tools. A call that went well weighs 1, one that failed
   * -0.5, or -1 where the graph had made it; so a weight may be below 0.
   */
  follows: z.array(z.object({ after: z.array(z.string()), next: z.string(), weight: z.number() })),
});
export type ToolGraph = z.infer<typeof ToolGraph>;

/** Policies that a turn may be recorded under (`Turn.policy`) where the graph made its calls and no model was asked. */
export const INERTIAL = ['autotool', 'sitgraph'] as const;
export type Inertial = (typeof INERTIAL)[number];
export const isInertial = ({ policy }: { policy?: string | undefined }): boolean =>
  (INERTIAL as readonly string[]).includes(policy ?? '');

/** `name` of the message by which SIT-Graph tells the policy what was done in like states: no words of a user's. */
export const RECALL_NAME = 'toolGraph';

/** "[0].order of findOrders", "the user's words" */
export function sourceWords({ kind, tool, path, value }: ArgumentSource): string {
  switch (kind) {
    case 'result':
      return path ? `${path} of ${tool}'s result` : `${tool}'s result`;
    case 'argument':
      return `argument ${path} of ${tool}`;
    case 'user':
      return "the user's words";
    case 'constant':
      return `always ${JSON.stringify(value)}`;
    case 'absent':
      return 'left out';
    case 'unknown':
      return 'not known';
  }
}
