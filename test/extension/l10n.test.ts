import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { Node, Project, type SourceFile } from 'ts-morph';

const root = path.resolve(__dirname, '../..');
const files = (readdirSync(path.join(root, 'extension'), { recursive: true }) as string[])
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.join(root, 'extension', name));

/** Messages that are written out where they are shown, and so can't be translated. */
function bareMessages(file: SourceFile): string[] {
  const found: string[] = [];
  file.forEachDescendant((node) => {
    if (!Node.isCallExpression(node)) return;
    if (!/\.(show(Information|Warning|Error)Message|setStatusBarMessage)$/.test(node.getExpression().getText())) return;
    const [text] = node.getArguments();
    if (Node.isStringLiteral(text) || Node.isTemplateExpression(text) || Node.isNoSubstitutionTemplateLiteral(text))
      found.push(`${file.getBaseName()}:${node.getStartLineNumber()}: ${text.getText()}`);
  });
  return found;
}

describe('texts of the extension that can be translated', function () {
  this.timeout(60_000);

  it('l10n/bundle.l10n.json has every text that the code asks for, and no other; npm run l10n writes it', async () => {
    const contents = files.map((file) => ({ extension: '.ts' as const, contents: readFileSync(file, 'utf8') }));
    const bundle = JSON.parse(readFileSync(path.join(root, 'l10n/bundle.l10n.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    const asked = Object.keys(await getL10nJson(contents));
    assert.ok(asked.length > 250, `${asked.length} texts`);
    assert.deepEqual(Object.keys(bundle).sort(), asked.sort());
  });

  it('package.json names its folder', () => {
    const { l10n } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { l10n?: string };
    assert.equal(l10n, './l10n');
  });

  it('no message is shown that is not asked for through vscode.l10n', () => {
    const project = new Project({ useInMemoryFileSystem: false, skipAddingFilesFromTsConfig: true });
    assert.deepEqual(
      files.flatMap((file) => bareMessages(project.addSourceFileAtPath(file))),
      [],
    );
    const bare = project.createSourceFile('bare.ts', "vscode.window.showErrorMessage('Oh');");
    assert.deepEqual(bareMessages(bare), ["bare.ts:1: 'Oh'"]);
  });
});
