/**
 * Does a tool that is there answer such requests, so that no new one is needed? LATM's dispatcher, which asks a model;
 * here its word counts only where the tool gives all of the right answers.
 */
import { isRecord } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import { InvalidReply, jsonOf } from '../../model/question';
import type { ToolHosts } from '../../tools/hosts/callTool';
import { ask, usesOf, type Asking } from './askMaker';
import type { Parts } from './demonstrations';
import { dispatchQuestion } from './questions';
import { Refused } from './refusals';
import { runUses, type Use } from './runCalls';

export interface Dispatching extends Asking {
  parts: Parts;
  /** those that may be called to see what they give */
  tools: readonly ToolSchema[];
  openHosts(): Promise<ToolHosts>;
}

/** Null: a new tool is needed. @throws UserError where the maker can't be asked; the signal's reason */
export async function dispatch(d: Dispatching): Promise<{ tool: ToolSchema; uses: Use[] } | null> {
  if (d.tools.length === 0) return null;
  const { shown, verifying } = d.parts;
  const { messages, format } = dispatchQuestion(d.tools, shown);
  try {
    const name = nameIn(await ask(messages, 'dispatch', d, format));
    const tool = d.tools.find((one) => one.name === name);
    if (!tool) return null;
    const uses = await usesOf(tool, [...shown, ...verifying], messages, 'dispatched', d);
    const hosts = await d.openHosts();
    try {
      const found = await runUses(hosts, tool, uses, d.signal);
      return found.length === uses.length && found.every((one) => one === null) ? { tool, uses } : null;
    } finally {
      await hosts.close();
    }
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

function nameIn(reply: string): unknown {
  try {
    const said = jsonOf(reply);
    return isRecord(said) ? said.tool : null;
  } catch (error) {
    if (error instanceof InvalidReply) return null;
    throw error;
  }
}
