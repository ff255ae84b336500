/**
 * The editor's own language models (vscode.lm) as a judge, or as a writer of requests: asked for with the user's
 * consent, lent to trainers that this window starts.
 */
import * as vscode from 'vscode';
import { LenderError, serveModels, type Lender, type Lent, type ModelServer, type Said } from './editorModelServer';
import { JUDGE_KEY, WRITER_KEY } from '../processes/programs';
import { EDITOR_MODELS, EDITOR_MODELS_URL } from '../../trainer/protocol/runConfig';

const JUSTIFICATION = vscode.l10n.t('Coach: to judge the attempts of a training run, or to write its requests');

export class EditorModels implements vscode.Disposable {
  private server: Promise<ModelServer> | null = null;

  /** @param access says which models the user has consented to */
  constructor(private readonly access: vscode.LanguageModelAccessInformation) {}

  /**
   * What a trainer gets through its pipe where its judge, or who writes its requests, is one of the editor's models.
   */
  async secrets(judgeUrl: string | undefined, writerUrl?: string): Promise<Record<string, string>> {
    if (judgeUrl !== EDITOR_MODELS && writerUrl !== EDITOR_MODELS) return {};
    const { url, key } = await (this.server ??= serveModels(this.lender));
    return {
      [EDITOR_MODELS_URL]: url,
      ...(judgeUrl === EDITOR_MODELS ? { [JUDGE_KEY]: key } : {}),
      ...(writerUrl === EDITOR_MODELS ? { [WRITER_KEY]: key } : {}),
    };
  }

  private readonly lender: Lender = {
    // A trainer looks at this list before its run begins, and asks in earnest for a model that is not on it: there the
    // editor asks for consent, while the user looks.
    models: async () =>
      (await vscode.lm.selectChatModels())
        .filter((model) => this.access.canSendRequest(model) === true)
        .flatMap(({ id, family }) => [id, family]),
    async reply(name, messages, signal) {
      const models = await vscode.lm.selectChatModels();
      const model = models.find(({ id }) => id === name) ?? models.find(({ family }) => family === name);
      if (model) return ask(model, messages, signal);
      throw new LenderError(
        404,
        models.length === 0
          ? vscode.l10n.t('no extension here brings a language model (GitHub Copilot does, for example)')
          : vscode.l10n.t('the editor has no model {0}; it has {1}', name, models.map(({ id }) => id).join(', ')),
      );
    },
  };

  dispose(): void {
    void this.server?.then((server) => server.close());
  }
}

async function ask(model: vscode.LanguageModelChat, messages: readonly Said[], signal: AbortSignal): Promise<Lent> {
  const cancel = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => cancel.cancel(), { once: true });
  const asked = messages.map(({ role, text }) =>
    role === 'user' ? vscode.LanguageModelChatMessage.User(text) : vscode.LanguageModelChatMessage.Assistant(text),
  );
  try {
    const response = await model.sendRequest(asked, { justification: JUSTIFICATION }, cancel.token);
    let text = '';
    for await (const part of response.text) text += part;
    const [prompt, completion] = await Promise.all([
      Promise.all(asked.map((message) => model.countTokens(message))),
      model.countTokens(text),
    ]);
    return { text, promptTokens: prompt.reduce((sum, n) => sum + n, 0), completionTokens: completion };
  } catch (error) {
    if (error instanceof vscode.LanguageModelError)
      throw new LenderError(statusOf(error), `${model.id}: ${error.message}`);
    throw error;
  } finally {
    cancel.dispose();
  }
}

/** As an OpenAI server would say it, so that the judge knows what passes and what does not. */
function statusOf({ code }: vscode.LanguageModelError): number {
  if (code === vscode.LanguageModelError.NoPermissions.name) return 403;
  if (code === vscode.LanguageModelError.NotFound.name) return 404;
  return code === vscode.LanguageModelError.Blocked.name ? 429 : 500;
}
