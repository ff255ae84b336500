/** Calls that stand in a tool's `@example`. */
import { isRecord, propertiesOf, type Arguments } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';

/** Arguments in the text of an `@example`: `tool("a", 2)`, `tool({a: 1})` or a JSON object. */
export function parseExample(text: string, tool: ToolSchema): Arguments[] {
  const names = Object.keys(propertiesOf(tool.parameters));
  const fit = (value: unknown): value is Arguments =>
    isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => names.includes(key));
  const call = /\(([\s\S]*?)\)\s*(?:;|\/\/|=>|→|$)/m.exec(text);
  const candidates = call ? [`[${call[1]}]`] : [text.trim()];
  const out: Arguments[] = [];
  for (const candidate of candidates) {
    const value = parseLoose(candidate);
    if (fit(value)) out.push(value);
    else if (Array.isArray(value) && value.length === 1 && fit(value[0])) out.push(value[0]);
    else if (Array.isArray(value) && value.length > 0 && value.length <= names.length)
      out.push(Object.fromEntries(value.map((item, i) => [names[i], item])));
  }
  return out;
}

/** JSON, also with single quotes and bare keys. */
function parseLoose(text: string): unknown {
  for (const attempt of [
    text,
    text
      .replace(/'([^'\\]*)'/g, (_, inner: string) => JSON.stringify(inner))
      .replace(/([{,]\s*)([A-Za-z_$][\w$]*)\s*:/g, '$1"$2":'),
  ]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // not JSON in this form: the next one, then none
    }
  }
  return undefined;
}
