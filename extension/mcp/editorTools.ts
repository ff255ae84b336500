/**
 * The editor's own tools (vscode.lm.tools: its own, its extensions', its MCP servers') as one more server: those that
 * the person chose, called through this window while it is open.
 */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ConfiguredServer } from '../../trainer/protocol/mcp';
import type { LocalServer } from '../processes/localServer';
import { serveEditorTools, type ToolLender } from './editorToolServer';

const CHOSEN = 'agentCoach.mcp.editorTools';

export class EditorTools implements vscode.Disposable {
  private server: Promise<LocalServer> | null = null;

  constructor(private readonly memory: vscode.Memento) {}

  get count(): number {
    return vscode.lm.tools.length;
  }

  /** Asks which of them; the ones before are chosen already. @returns whether the person chose any */
  async choose(): Promise<boolean> {
    const before = this.chosen();
    const items = vscode.lm.tools.map(({ name, description }) => ({
      label: name,
      description: description.split('\n')[0]!.slice(0, 200),
      picked: before.includes(name),
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t("Train Agent on the Editor's Own Tools"),
      placeHolder: vscode.l10n.t('Which of them? A run calls them through this window, while it is open'),
      canPickMany: true,
      matchOnDescription: true,
    });
    if (!picked || picked.length === 0) return false;
    await this.memory.update(
      CHOSEN,
      picked.map(({ label }) => label),
    );
    return true;
  }

  /** Those that were chosen and are there at present. */
  names(): string[] {
    return this.lender.tools().map(({ name }) => name);
  }

  /** As a server that has to be allowed: another choice is another one. */
  described(server: ConfiguredServer): ConfiguredServer {
    const names = this.names();
    const identity = createHash('sha256')
      .update(JSON.stringify([server.folder, names]))
      .digest('hex');
    return { ...server, reach: names.join(', '), identity };
  }

  /** What a trainer reaches them by. */
  async entry(): Promise<object> {
    const { origin, key } = await (this.server ??= serveEditorTools(this.lender));
    return { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  }

  private chosen(): string[] {
    return this.memory.get<string[]>(CHOSEN) ?? [];
  }

  private readonly lender: ToolLender = {
    tools: () => {
      const chosen = new Set(this.chosen());
      return vscode.lm.tools.filter(({ name }) => chosen.has(name));
    },
    async call(name, input, signal) {
      const cancel = new vscode.CancellationTokenSource();
      signal.addEventListener('abort', () => cancel.cancel(), { once: true });
      try {
        const { content } = await vscode.lm.invokeTool(name, { toolInvocationToken: undefined, input }, cancel.token);
        return content.map(partText).join('\n');
      } finally {
        cancel.dispose();
      }
    },
  };

  dispose(): void {
    void this.server?.then((server) => server.close());
  }
}

/** What a text model can't read is named. */
function partText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  return '[a part that is no text, not shown]';
}
