/** How long texts are for a model, in tokens, as its template writes them. */
import type { GoldCall, ToolSchema } from '../../protocol/task';
import type { ChatTemplate } from '../../model/tokenizer/chatTemplate';
import type { Tokenizer } from '../../model/tokenizer/tokenizer';

/** What of a model a budget is made from; no weights. */
export interface Reader {
  tokenizer: Tokenizer;
  template: ChatTemplate;
  /** positions that it was made for */
  context: number;
  /** how many numbers the model holds */
  weights: number;
}

const CALL = 'probecall';

export class TextLengths {
  private readonly tools = new WeakMap<ToolSchema, number>();

  constructor(readonly reader: Reader) {}

  text(text: string): number {
    return this.reader.tokenizer.encode(text).length;
  }

  /** What every prompt on these tools takes beside the request itself. */
  opening(tools: readonly ToolSchema[]): number {
    return this.text(this.reader.template.render([{ role: 'user', content: 'x' }], tools, true));
  }

  /** A tool's own line, or block. */
  tool(tool: ToolSchema): number {
    const length = this.tools.get(tool) ?? this.opening([tool]) - this.opening([]);
    this.tools.set(tool, length);
    return length;
  }

  /** A turn that is this call. */
  call(call: GoldCall, tool: ToolSchema): number {
    const { template, tokenizer } = this.reader;
    const turn = {
      role: 'assistant' as const,
      content: '',
      tool_calls: [{ id: CALL, type: 'function' as const, function: call }],
    };
    const { mask } = template.encodeDialogue(tokenizer, [{ role: 'user', content: 'x' }, turn], [tool]);
    return mask.filter((isTurn) => isTurn === 1).length;
  }

  /** A result with what stands around it, up to the next turn. */
  result(content: string, tool: ToolSchema): number {
    return this.text(
      this.reader.template.continuation([{ role: 'tool', name: tool.name, tool_call_id: CALL, content }], [tool]),
    );
  }

  /** A turn that is this answer. */
  answer(text: string): number {
    return this.text(text) + 1;
  }
}
