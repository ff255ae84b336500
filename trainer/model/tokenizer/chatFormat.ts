import { UserError } from '../../protocol/result';
import type { Message } from '../../protocol/trace';
import type { PromptTool } from './chatTemplate';

/**
 * How a call is written in a turn: nano's `<|call|>name{…}`, Hermes' and Qwen's `<tool_call>{"name",
 * "arguments"}</tool_call>`, or Llama 3's bare
 * `{"name", "parameters"}`, with or without `<|python_tag|>` before it.
 */
export type CallForm = 'nano' | 'hermes' | 'llama';

/** How a model is spoken to, as far as the template's text alone doesn't say it. */
export interface ChatFormat {
  calls: CallForm;
  /**
   * Who lists the tools and writes calls and results: the template, or Coach (toolPrompt.ts) where the template can't.
   */
  toolsBy: 'template' | 'coach';
  /** Does the template write system messages? Coach's tool prompt goes into the first user turn where it does not. */
  hasSystem: boolean;
  /** What the template closes an assistant's turn with, e.g. `<|im_end|>`. */
  end: string;
  /** Are turns behind the opening written alike whatever tools it lists? */
  turnsIgnoreTools: boolean;
  /** For the person who started the run: what is not as one may expect. */
  notes: string[];
}

/** The template itself; throws where the template does. */
export type RenderRaw = (
  messages: readonly Message[],
  tools: readonly PromptTool[],
  addGenerationPrompt: boolean,
) => string;

const NAME = 'coach_probe_name';
const KEY = 'coach_probe_key';
/** Stands in a probe where a model's or a tool's own words would. */
export const SAID = 'coach_probe_said';
const TOOL: PromptTool = {
  name: NAME,
  description: 'probe',
  parameters: { type: 'object', properties: { [KEY]: { type: 'string' } }, required: [KEY] },
};
const USER: Message = { role: 'user', content: 'coach_probe_user' };
const RESULT: Message = { role: 'tool', name: NAME, tool_call_id: 'probecall', content: 'coach_probe_result' };
/** An assistant's turn that is one call, with SAID as its only argument's value. */
export const PROBE_CALL: Message = {
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'probecall', type: 'function', function: { name: NAME, arguments: { [KEY]: SAID } } }],
};

/**
 * Decides by trying: a made-up tool, call and result are rendered, and what comes out says whether the template knows
 * tools and how it writes calls.
 * No model or template is known by name, so that an edited template is judged by what it does.
 * @throws UserError where an assistant's turn has no closing token: then turns can't be told apart
 */
export function chatFormatOf(render: RenderRaw): ChatFormat {
  const end = endOf(render);
  const hasSystem = attempt(() => render([{ role: 'system', content: SAID }, USER], [], true)).text.includes(SAID);
  const native = nativeCalls(render);
  if (typeof native !== 'object')
    return {
      calls: native,
      toolsBy: 'template',
      hasSystem,
      end,
      turnsIgnoreTools: ignoresTools(render),
      notes: rewrites(render, end) ? [REWRITES] : [],
    };
  const note =
    `the chat template of this model ${native.why}: tools, calls and results are written in ` +
    "Coach's own form (trainer/model/tokenizer/toolPrompt.ts), and whoever serves the adapter " +
    'has to write them so, too';
  return { calls: 'hermes', toolsBy: 'coach', hasSystem, end, turnsIgnoreTools: true, notes: [note] };
}

const REWRITES =
  'the chat template of this model writes earlier turns of a dialogue in another way than the ' +
  'policy wrote them; Coach keeps what was sampled and only appends to it';

/** The call form of a template that lists tools and writes calls and results; else why it can't be used for them. */
function nativeCalls(render: RenderRaw): CallForm | { why: string } {
  const opening = attempt(() => render([USER], [TOOL], true));
  if (opening.error !== null) return { why: `fails on tools (${opening.error})` };
  if (!opening.text.includes(NAME) || !opening.text.includes(KEY)) return { why: 'lists no tools' };
  const call = attempt(() => render([USER, PROBE_CALL], [TOOL], false));
  const calls = formOf(call.text.slice(call.text.indexOf(USER.content)));
  if (!calls) return { why: 'writes calls in a form that Coach cannot read' };
  const result = attempt(() => render([USER, PROBE_CALL, RESULT], [TOOL], true));
  return result.text.includes(RESULT.content) ? calls : { why: 'leaves out what tools answer' };
}

function formOf(text: string): CallForm | null {
  if (text.includes(`<|call|>${NAME}{"${KEY}":`)) return 'nano';
  if (
    new RegExp(
      `<tool_call>\\s*\\{"name": ?"${NAME}", ?"arguments": ?\\{"${KEY}": ?"${SAID}"\\}\\}\\s*</tool_call>`,
    ).test(text)
  )
    return 'hermes';
  if (new RegExp(`\\{"name": ?"${NAME}", ?"parameters": ?\\{"${KEY}": ?"${SAID}"\\}\\}`).test(text)) return 'llama';
  return null;
}

function endOf(render: RenderRaw): string {
  const { text, error } = attempt(() => render([USER, { role: 'assistant', content: SAID }], [], false));
  if (error !== null)
    throw new UserError(
      'config',
      `chat template: it fails on a user's and an assistant's turn: ${error}`,
      "take the template that belongs to the model's instruct version",
    );
  const end = /^\s*(<[^<>\s]{1,40}>)/.exec(text.slice(text.lastIndexOf(SAID) + SAID.length))?.[1];
  if (!text.includes(SAID) || !end)
    throw new UserError(
      'config',
      'chat template: no token closes an assistant turn',
      "take the template that belongs to the model's instruct version",
    );
  return end;
}

/**
 * Is a dialogue that goes on written otherwise than opening + the assistant's turn + what follows? (Qwen3 takes
 * thinking out of earlier turns.)
 */
function rewrites(render: RenderRaw, end: string): boolean {
  const opening = render([USER], [TOOL], true);
  const closed = render([USER, PROBE_CALL], [TOOL], false);
  const upToEnd = closed.slice(0, closed.lastIndexOf(end) + end.length);
  return !closed.startsWith(opening) || !render([USER, PROBE_CALL, RESULT], [TOOL], true).startsWith(upToEnd);
}

/** Tried with the called tool beside another one, and with that other one alone. */
function ignoresTools(render: RenderRaw): boolean {
  const other = { ...TOOL, name: 'coach_probe_other' };
  const [both, alone] = [[TOOL, other], [other]].map((tools) => {
    const { text, error } = attempt(() =>
      render([USER, PROBE_CALL, RESULT, { role: 'assistant', content: SAID }], tools, false),
    );
    return error ?? text.slice(text.indexOf(USER.content));
  });
  return both === alone;
}

function attempt(make: () => string): { text: string; error: string | null } {
  try {
    return { text: make(), error: null };
  } catch (error) {
    if (error instanceof UserError) throw error; // it does too much, whatever it is given
    return { text: '', error: (error as Error).message };
  }
}
