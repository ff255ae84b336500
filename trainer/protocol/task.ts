import { z } from 'zod';

/** JSON Schema 2020-12 of a tool's arguments; root type "object". Kept open: only the root is checked here. */
export const JsonSchema = z.record(z.string(), z.unknown());
export type JsonSchema = z.infer<typeof JsonSchema>;

export const Source = z.object({ file: z.string(), line: z.number().int(), column: z.number().int().optional() });

/** A function or method of a TypeScript or JavaScript file. Tools that older runs recorded have no kind. */
export const TypeScriptBinding = z.object({
  kind: z.literal('typescript').optional(),
  /** 'default' for a default export */
  exportName: z.string(),
  /** The class member when it is a method. */
  member: z.string().optional(),
  isStatic: z.boolean().optional(),
  /** The exported name is an instance of the class, not the class. */
  isInstance: z.boolean().optional(),
  /**
   * How positional parameters are made from the arguments object; 'object' = the arguments object is the only
   * parameter.
   */
  positional: z.union([z.literal('object'), z.array(z.object({ name: z.string(), isRest: z.boolean().optional() }))]),
  /** An AbortSignal / CancellationToken is passed as the last parameter. */
  injectsSignal: z.boolean().optional(),
  /**
   * Arguments that must be revived before the call: JSON path name -> how ('Date', 'Map', 'Set', 'bigint', 'bytes').
   */
  revive: z.record(z.string(), z.string()).optional(),
});
export type TypeScriptBinding = z.infer<typeof TypeScriptBinding>;

/** A function of the program itself, known to its source by the tool's name. */
export const MemoryBinding = z.object({ kind: z.literal('memory') });

/** Libraries whose calls define tools. */
export const DefinedBy = z.enum([
  'ai',
  'openai-agents',
  'langchain',
  'mcp',
  'openai',
  'anthropic',
  'gemini',
  'bedrock',
  'own',
]);
export type DefinedBy = z.infer<typeof DefinedBy>;

const Span = z.tuple([z.number().int(), z.number().int()]);

/** A function for a tool that is written apart from it. */
export const DefinedHandler = z.object({
  /** Of the object that has the function as a member; of the function itself where it stands alone or dispatches. */
  span: Span,
  /** The tool's name there. */
  member: z.string(),
  /** The function answers this tool alone. */
  isAlone: z.boolean().optional(),
  /** Parameters in the function's order, where it takes them one by one. */
  positional: z.array(z.string()).optional(),
  /**
   * A function that answers several tools: `(name, arguments)`, the same with the arguments as JSON text, or one call
   * as OpenAI and Anthropic send it.
   */
  dispatch: z.enum(['name', 'nameAndText', 'call']).optional(),
});
export type DefinedHandler = z.infer<typeof DefinedHandler>;

/**
 * Code that is evaluated at the end of its file, on demand: an expression inside a function that nobody calls. With
 * `parts` an object of these alone.
 */
export const EvaluatedApart = z.object({
  span: Span,
  parts: z
    .array(z.object({ before: z.enum(['', '...', 'handler: ', 'description: ', 'inputSchema: ']), span: Span }))
    .optional(),
});
export type EvaluatedApart = z.infer<typeof EvaluatedApart>;

/** A tool that a library's call defines, as `tool({ … })` does: the object that the call gives, when its file runs. */
export const DefinedBinding = z.object({
  kind: z.literal('defined'),
  library: DefinedBy,
  /** The defining expression: offsets of its first and behind its last character in the file, without its BOM. */
  span: Span,
  /**
   * The function that defines it where loading the file does not get there: it is called once in a rollout, with a new
   * MCP server or the context of a request where it takes one.
   */
  maker: z.object({ span: Span, takes: z.array(z.enum(['server', 'context'])) }).optional(),
  /** The definition, and what runs it, where they stand in a function that is not called. */
  apart: z.array(EvaluatedApart).optional(),
  /** The expression is a class without needed arguments; an instance of it is the tool. */
  isClass: z.boolean().optional(),
  /** Its function takes the arguments as this member of an object. */
  wraps: z.string().optional(),
  /** What answers where the definition has no function of its own. */
  handler: DefinedHandler.optional(),
  /** Nothing answers: its results are always mocked. */
  isMockOnly: z.boolean().optional(),
});
export type DefinedBinding = z.infer<typeof DefinedBinding>;

/** A tool of an MCP server, known to it by the tool's name. */
export const McpBinding = z.object({
  kind: z.literal('mcp'),
  server: z.string(),
  /** That it only reads is told by its name: the server does not say. */
  readsByName: z.literal(true).optional(),
});

/** How a source reaches a tool of its own. One member for each kind of source. */
export const ToolBinding = z.discriminatedUnion('kind', [TypeScriptBinding, MemoryBinding, DefinedBinding, McpBinding]);
export type ToolBinding = z.infer<typeof ToolBinding>;

/** Where a tool comes from: in `coach tools --json`, and in traces. */
export const ToolOrigin = z.object({
  /** `editor`: of `vscode.lm.tools`; `memory`: of the program itself. */
  kind: z.enum(['typescript', 'defined', 'mcp', 'editor', 'memory']),
  file: z.string().optional(),
  line: z.number().int().optional(),
  /** Name of the MCP server. */
  server: z.string().optional(),
});
export type ToolOrigin = z.infer<typeof ToolOrigin>;

/** What the policy sees of a tool, and what its source needs to call it. */
export const ToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: JsonSchema,
  /** Its place in a file; absent where it stands in none. */
  source: Source.optional(),
  /** JSON Schema of what the tool resolves to, where its return type is known. */
  returns: JsonSchema.optional(),
  /** Text of `@example` tags, verbatim. */
  examples: z.array(z.string()).optional(),
  binding: ToolBinding,
  /** Name or JSDoc says that it changes the world (@sideEffect, send, delete, pay, …): mocked by default. */
  changesWorld: z.boolean(),
  /** `@mock` in its comment: its results are mocked unless the user says otherwise. */
  isMocked: z.boolean().optional(),
});
export type ToolSchema = z.infer<typeof ToolSchema>;

/** A tool of a TypeScript or JavaScript file, as discovery finds it. */
export const TypeScriptTool = ToolSchema.extend({ source: Source, binding: TypeScriptBinding });
export type TypeScriptTool = z.infer<typeof TypeScriptTool>;

/**
 * A tool that a library's call in such a file defines. Its schema is read when the file runs: until then it is open.
 */
export const DefinedTool = ToolSchema.extend({ source: Source, binding: DefinedBinding });
export type DefinedTool = z.infer<typeof DefinedTool>;

/** A tool of a file, of either kind. */
export const FileTool = ToolSchema.extend({
  source: Source,
  binding: z.discriminatedUnion('kind', [TypeScriptBinding, DefinedBinding]),
});
export type FileTool = z.infer<typeof FileTool>;

/** Nothing answers it, as a definition without `execute`: there is only the mock. */
export const isMockOnly = ({ binding }: Pick<ToolSchema, 'binding'>): boolean =>
  binding.kind === 'defined' && binding.isMockOnly === true;

export const isFileTool = (tool: ToolSchema): tool is FileTool =>
  tool.source !== undefined && ['typescript', 'defined'].includes(tool.binding.kind ?? 'typescript');

/** A tool that no task could be made for: the run neither trains nor measures it. */
export const ToolWithoutTasks = z.object({
  tool: z.string(),
  /** the parameter that values are missing for ('address.city'); null: none is to blame */
  parameter: z.string().nullable(),
  why: z.string(),
  /** what mends it, where no example does */
  wayOut: z.string().optional(),
  /** arguments from what was found, which need not have worked; null: nothing was found for a required parameter */
  found: z.record(z.string(), z.unknown()).nullable(),
});
export type ToolWithoutTasks = z.infer<typeof ToolWithoutTasks>;

/** What an editor can do about a problem at its place. `of`: the name that it is about. */
export const Mend = z.object({
  kind: z.enum(['export', 'describeTool', 'describeValue', 'typeParameter', 'joinComment']),
  of: z.string(),
});
export type Mend = z.infer<typeof Mend>;

export const Diagnostic = z.object({
  file: z.string(),
  line: z.number().int(),
  column: z.number().int().optional(),
  endColumn: z.number().int().optional(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  mend: Mend.optional(),
  /** the language's own fault, which an editor tells without us */
  isSyntax: z.literal(true).optional(),
  withoutTasks: ToolWithoutTasks.optional(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

export const GoldCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type GoldCall = z.infer<typeof GoldCall>;

/**
 * Who wrote a task's request: a person; a person at work (a trace, a try); a language model; the grammar of intents;
 * the schemas alone. In the order of how near they
 * are to what people ask. What Coach writes always says it; a line of a file without it was written by a person.
 */
export const TASK_SOURCES = ['person', 'use', 'model', 'grammar', 'schema'] as const;
export const TaskSource = z.enum(TASK_SOURCES);
export type TaskSource = (typeof TASK_SOURCES)[number];

/** One line of `*.tasks.jsonl`. calls: [] = no call may be made; calls absent = only the answer counts. */
export const Task = z.object({
  id: z.string().min(1),
  prompt: z.string().min(1),
  calls: z.array(GoldCall).optional(),
  answer: z.string().optional(),
  tags: z.array(z.string()).optional(),
  source: TaskSource.optional(),
});
export type Task = z.infer<typeof Task>;

/** What the ids of requests begin with that a person keeps to measure on. */
export const REQUEST_ID = 'request-';

export const sourceOf = (task: Task): TaskSource => task.source ?? 'person';

/** Neither a person wrote it nor was it asked at work. */
export const isMade = (task: Task): boolean => !['person', 'use'].includes(sourceOf(task));

export const Split = z.enum(['train', 'validation', 'heldOut']);
export type Split = z.infer<typeof Split>;

/**
 * Tags by which tasks are made and placed: there are dozens, and none says anything about the model. People read the
 * others: kind, tools, difficulty.
 */
export const isMachineTag = (tag: string): boolean => /^(asks|content|family):/.test(tag);
