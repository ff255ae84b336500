/** A Modelfile beside a model: `ollama create NAME -f Modelfile`. Ollama turns safetensors into GGUF itself. */
import { join, relative, resolve, sep } from 'node:path';
import { writeFileAtomic } from '../../base/storage';
import { modelTemplate } from './describeModel';
import type { WrittenModel } from './writeModel';

export interface OllamaExport {
  out: string;
  /** whose chat template it has */
  baseModel: string;
  facts?: string[];
  temperature: number;
  maxTokens: number;
}

/**
 * @param writeTo writes the model itself into a folder
 * @returns also which of Ollama's prompt formats was written; null: the model's template has none, so prompts must be
 * rendered by the caller (said in the Modelfile)
 */
export function exportOllama<T extends WrittenModel>(
  options: OllamaExport,
  writeTo: (folder: string) => T,
): T & { template: string | null } {
  const out = resolve(options.out);
  const written = writeTo(join(out, 'model'));
  const format = goTemplateFor(modelTemplate(options.baseModel).source);
  writeFileAtomic(
    join(out, 'Modelfile'),
    modelfile(options, `./${relative(out, written.path).split(sep).join('/')}`, format),
  );
  return { ...written, template: format?.name ?? null };
}

interface GoTemplate {
  name: string;
  stops: string[];
  text: string;
}

function modelfile(
  { facts = [], temperature, maxTokens }: OllamaExport,
  model: string,
  format: GoTemplate | null,
): string {
  const lines = [
    ...facts.map((fact) => `# ${fact}`),
    '# ollama create coached -f Modelfile',
    `FROM ${model}`,
    `PARAMETER temperature ${temperature}`,
    `PARAMETER num_ctx ${maxTokens}`,
  ];
  if (format === null) {
    lines.push(
      "# This model's chat template has no counterpart among Ollama's. Render prompts with " +
        "model/chat_template.jinja (or the tokenizer's",
      '# apply_chat_template) and send them to /api/generate with "raw": true; /api/chat would ' +
        'show the model something it never saw.',
      'TEMPLATE """{{ .Prompt }}"""',
    );
  } else {
    lines.push(
      ...format.stops.map((stop) => `PARAMETER stop ${JSON.stringify(stop)}`),
      `TEMPLATE """${format.text}"""`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/**
 * By the marks that the template writes around a message. Texts after Ollama's own templates for these families
 * (library/qwen2.5, library/llama3.2).
 */
function goTemplateFor(jinja: string): GoTemplate | null {
  if (jinja.includes('<|im_start|>'))
    return {
      name: jinja.includes('<tool_call>') ? 'ChatML with <tool_call>' : 'ChatML',
      stops: ['<|im_start|>', '<|im_end|>'],
      text: jinja.includes('<tool_call>') ? chatmlTools : chatml,
    };
  if (jinja.includes('<|start_header_id|>'))
    return { name: 'Llama 3', stops: ['<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>'], text: llama3 };
  return null;
}

const chatml = `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
`;

const chatmlTools = `{{- if or .System .Tools }}<|im_start|>system
{{- if .System }}
{{ .System }}
{{- end }}
{{- if .Tools }}

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{{- range .Tools }}
{"type": "function", "function": {{ .Function }}}
{{- end }}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>
{{- end }}<|im_end|>
{{ end }}
{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 -}}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ if .Content }}{{ .Content }}
{{- else if .ToolCalls }}<tool_call>
{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{ end }}</tool_call>
{{- end }}{{ if not $last }}<|im_end|>
{{ end }}
{{- else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ end }}
{{- if and (ne .Role "assistant") $last }}<|im_start|>assistant
{{ end }}
{{- end }}`;

const llama3 = `<|start_header_id|>system<|end_header_id|>

Cutting Knowledge Date: December 2023

{{ if .System }}{{ .System }}
{{- end }}
{{- if .Tools }}When you receive a tool call response, use the output to format an answer to the orginal user question.

You are a helpful assistant with tool calling capabilities.
{{- end }}<|eot_id|>
{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if eq .Role "user" }}<|start_header_id|>user<|end_header_id|>
{{- if and $.Tools $last }}

Given the following functions, please respond with a JSON for a function call with its proper arguments that best answers the given prompt.

Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}. Do not use variables.

{{ range $.Tools }}
{{- . }}
{{ end }}
{{ .Content }}<|eot_id|>
{{- else }}

{{ .Content }}<|eot_id|>
{{- end }}{{ if $last }}<|start_header_id|>assistant<|end_header_id|>

{{ end }}
{{- else if eq .Role "assistant" }}<|start_header_id|>assistant<|end_header_id|>
{{- if .ToolCalls }}
{{ range .ToolCalls }}
{"name": "{{ .Function.Name }}", "parameters": {{ .Function.Arguments }}}{{ end }}
{{- else }}

{{ .Content }}
{{- end }}{{ if not $last }}<|eot_id|>{{ end }}
{{- else if eq .Role "tool" }}<|start_header_id|>ipython<|end_header_id|>

{{ .Content }}<|eot_id|>{{ if $last }}<|start_header_id|>assistant<|end_header_id|>

{{ end }}
{{- end }}
{{- end }}`;
