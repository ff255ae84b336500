import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from '@huggingface/jinja';
import { UserError } from '../protocol/result';
import type { Message } from '../protocol/trace';
import type { Tokenizer } from './tokenizer';

export interface PromptTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Messages -> text, by the model folder's own Jinja template; the only place that knows how a dialogue is written. */
export class ChatTemplate {
  private readonly template: Template;
  constructor(readonly source: string) {
    this.template = new Template(source);
  }

  /** chat_template.jinja, else tokenizer_config.json's chat_template. */
  static load(folder: string): ChatTemplate {
    const file = join(folder, 'chat_template.jinja');
    if (existsSync(file)) return new ChatTemplate(readFileSync(file, 'utf8'));
    const config = join(folder, 'tokenizer_config.json');
    const source = existsSync(config) ? (JSON.parse(readFileSync(config, 'utf8')) as { chat_template?: string }).chat_template : undefined;
    if (typeof source !== 'string') throw new UserError('config', `${folder}: no chat template`, 'add chat_template.jinja to the model folder');
    return new ChatTemplate(source);
  }

  /** Tools are passed as OpenAI function objects; no tools are passed as null, never as [] (some templates differ). */
  render(messages: readonly Message[], tools: readonly PromptTool[], addGenerationPrompt: boolean): string {
    return this.template.render({
      messages: messages.map((m) => ({ ...m, content: escapeSpecials(m.content) })),
      tools: tools.length ? tools.map((t) => ({ type: 'function', function: { ...t, description: escapeSpecials(t.description) } })) : null,
      add_generation_prompt: addGenerationPrompt,
    });
  }

  /**
   * A whole dialogue as ids, with 1 where an assistant message was written (SFT's completion mask). Each message is encoded for itself: its text is what
   * the template adds for it, so ids equal those of a rollout that appends turn by turn.
   * @throws UserError when the template is not prefix-preserving (a later message changes how an earlier one is written)
   */
  encodeDialogue(tokenizer: Tokenizer, messages: readonly Message[], tools: readonly PromptTool[]): { ids: number[]; mask: (0 | 1)[] } {
    const ids: number[] = [];
    const mask: (0 | 1)[] = [];
    let done = '';
    const add = (text: string, m: 0 | 1): void => {
      if (!text.startsWith(done)) throw new UserError('config', 'chat template: not prefix-preserving', 'choose a template that only appends');
      const part = tokenizer.encode(text.slice(done.length));
      for (const id of part) {
        ids.push(id);
        mask.push(m);
      }
      done = text;
    };
    messages.forEach((message, i) => {
      if (message.role === 'assistant') {
        add(this.render(messages.slice(0, i), tools, true), 0);
        add(this.render(messages.slice(0, i + 1), tools, false), 1);
      }
    });
    if (messages.at(-1)?.role !== 'assistant') add(this.render(messages, tools, true), 0);
    return { ids, mask };
  }
}

/** Text of users and tools must not become special tokens: "<|" gets a space. */
export function escapeSpecials(text: string): string {
  return text.replaceAll('<|', '< |');
}
