/**
 * The tools of all sources as one, and all that rollouts see of them: a call is checked against its schema, then
 * answered by the tool's source or by a mock. A call never throws; every failure is a ToolResult with its kind.
 */
import { UserError } from '../protocol/result';
import type { ToolSchema } from '../protocol/task';
import { MadeThings } from './mocks/madeThings';
import { mockAnswers } from './mocks/mockAnswer';
import { realIdsOf } from './mocks/realIds';
import { argumentValidator, type ArgumentValidator } from './schema/validateArguments';
import {
  failure,
  originOf,
  toolSession,
  unknownTool,
  type CallOutcome,
  type ToolSession,
  type ToolSource,
} from './sources/toolSource';
import { policyDecider, type PolicyOptions } from './toolPolicy';

export interface RegistryOptions extends PolicyOptions {
  /** Of mocks that answer by chance. */
  seed: number;
  /** Absolute; where mocks look for the form of ids. */
  workspace?: string;
  /** Results of earlier runs that mocks may answer with. */
  recorded?: { tool: string; args: Record<string, unknown>; content: string }[];
  /**
   * Whether arguments that their schema forbids keep a call from being run; else the tool gets them as they are, with
   * defaults. Default: true.
   */
  checksSchema?: boolean;
}

export interface ToolRegistry {
  readonly tools: readonly ToolSchema[];
  /** A rollout: what its tools remember is its own. */
  open(rolloutId: string): ToolSession;
  /** Closes the sources. Harmless twice. */
  close(): Promise<void>;
}

/** What one rollout has made and opened. */
interface Rollout {
  made: MadeThings;
  sessionOf(source: ToolSource): ToolSession;
}

interface RegisteredTool {
  schema: ToolSchema;
  source: ToolSource;
  validate: ArgumentValidator;
}

/**
 * @throws UserError where two tools have one name: the policy could not say which of them it calls
 * @throws Error where a tool's schema can't be compiled
 */
export async function openRegistry(sources: readonly ToolSource[], options: RegistryOptions): Promise<ToolRegistry> {
  const tools = await merge(sources);
  const schemas = [...tools.values()].map(({ schema }) => schema);
  const mocks = mockAnswers(options.seed, realIdsOf(schemas, options.workspace));
  for (const { tool, args, content } of options.recorded ?? []) mocks.record(tool, args, content);
  const decide = policyDecider(options);
  const watched = sources.flatMap((source) => watchChanges(source, schemasOf(tools, source), options.note) ?? []);

  async function answer(
    { name, args, signal }: { name: string; args: Record<string, unknown>; signal?: AbortSignal },
    rollout: Rollout,
  ): Promise<CallOutcome> {
    const tool = tools.get(name);
    if (!tool) return unknownTool(name, tools.keys());
    return { ...(await answerOf(tool, args, rollout, signal)), ...tracedOrigin(tool.schema) };
  }

  async function answerOf(
    tool: RegisteredTool,
    args: Record<string, unknown>,
    rollout: Rollout,
    signal: AbortSignal | undefined,
  ): Promise<CallOutcome> {
    const { name } = tool.schema;
    const checked = tool.validate(args);
    if (!checked.ok && options.checksSchema !== false) return failure('invalidArguments', checked.message);
    const decision = await decide(tool.schema, checked.args);
    if (decision === 'refused') return failure('refused', `the user has refused to run ${name}`);
    if (decision === 'mock') {
      const { content, source } = mocks.answer(tool.schema, checked.args, rollout.made);
      return { kind: 'ok', content, policy: 'mock', mockSource: source };
    }
    const result = await rollout.sessionOf(tool.source).call(name, checked.args, signal);
    if (result.kind === 'ok') mocks.record(name, checked.args, result.content);
    return result;
  }

  function open(rolloutId: string): ToolSession {
    const made = new MadeThings();
    const sessions = new Map<ToolSource, ToolSession>();
    const sessionOf = (source: ToolSource): ToolSession => {
      const session = sessions.get(source) ?? source.open(rolloutId);
      sessions.set(source, session);
      return session;
    };
    return toolSession(
      (name, args, signal) => answer({ name, args, ...(signal ? { signal } : {}) }, { made, sessionOf }),
      () => sessions.forEach((session) => session.close()),
    );
  }

  return {
    tools: schemas,
    open,
    async close() {
      for (const watching of watched) watching[Symbol.dispose]();
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

/** Tagged functions of the tool file are the rule: their calls say nothing of it. */
function tracedOrigin(schema: ToolSchema): Pick<CallOutcome, 'origin'> {
  const origin = originOf(schema);
  return origin.kind === 'typescript' || origin.kind === 'memory' ? {} : { origin };
}

async function merge(sources: readonly ToolSource[]): Promise<Map<string, RegisteredTool>> {
  const lists = await Promise.all(sources.map(async (source) => ({ source, schemas: await source.list() })));
  const tools = new Map<string, RegisteredTool>();
  for (const { source, schemas } of lists) {
    for (const schema of schemas) {
      const other = tools.get(schema.name);
      if (other) throw clash(other, { schema, source });
      tools.set(schema.name, { schema, source, validate: argumentValidator(schema) });
    }
  }
  return tools;
}

type Placed = Pick<RegisteredTool, 'schema' | 'source'>;

const clash = (one: Placed, other: Placed): UserError =>
  new UserError(
    'tool',
    `${one.schema.name}: two tools have this name: ${placeOf(one)} and ${placeOf(other)}`,
    'Rename one of them, or leave one out: a model knows a tool by its name.' +
      ([one, other].some(({ schema }) => schema.binding.kind === 'mcp')
        ? ' Of a server, "coach": {"tools": ["NAME"]} in its entry of mcp.json names those that are used.'
        : ''),
  );

/** 'src/tools.ts:12', or the source of a tool that stands in no file. */
function placeOf({ schema, source }: Placed): string {
  const { file, line } = originOf(schema);
  return file === undefined ? source.name : `${file}:${line}`;
}

const schemasOf = (tools: ReadonlyMap<string, RegisteredTool>, source: ToolSource): ToolSchema[] =>
  [...tools.values()].filter((tool) => tool.source === source).map(({ schema }) => schema);

/** A run goes on with the tools that its prompts name; that others are there now is said, each time. */
function watchChanges(
  source: ToolSource,
  before: readonly ToolSchema[],
  note: RegistryOptions['note'],
): Disposable | undefined {
  const names = (tools: readonly ToolSchema[]): Set<string> => new Set(tools.map(({ name }) => name));
  const had = names(before);
  const tell = async (): Promise<void> => {
    const has = names(await source.list());
    const gone = [...had].filter((name) => !has.has(name)).map((name) => `${name} is gone`);
    const added = [...has].filter((name) => !had.has(name)).map((name) => `${name} is new`);
    const what = [...gone, ...added].join(', ') || 'their schemas are others';
    note(
      'warning',
      'toolsChanged',
      `the tools of ${source.name} have changed (${what}); prompts name those that were there before`,
    );
  };
  return source.watch?.(() => {
    tell().catch((error: unknown) =>
      note('warning', 'toolsChanged', `the tools of ${source.name} have changed and can't be listed: ${String(error)}`),
    );
  });
}
