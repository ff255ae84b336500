import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DeviceChoice, EngineChoice, Method, RunConfig, ToolPolicy } from '../../trainer/protocol/runConfig';
import { DEFAULTS } from '../../trainer/protocol/settings/defaults';
import { SECTIONS } from '../../trainer/protocol/settings/sections';
import { trainingProperties } from './trainingSettings';
import {
  commands,
  COMMENTS,
  CONFIGURATION,
  contexts,
  EXTENSION_ID,
  MCP_PROVIDER,
  PANEL_TYPE,
  settingKeys,
  TEST_CONTROLLER,
  TRACE_EDITOR,
  VIEW_CONTAINER,
  views,
} from '../../extension/contributions';

const root = path.resolve(__dirname, '../..');
const text = readFileSync(path.join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text);
const nls = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const { contributes } = manifest;
const sorted = (values: Iterable<string>) => [...new Set(values)].sort();

describe('package.json and extension/contributions.ts say the same', () => {
  it('extension id', () => assert.equal(`${manifest.publisher}.${manifest.name}`, EXTENSION_ID));

  it('commands, each in the category Coach, each with an icon where a menu draws one', () => {
    assert.deepEqual(
      sorted(contributes.commands.map((c: { command: string }) => c.command)),
      sorted(Object.values(commands)),
    );
    for (const command of contributes.commands) assert.equal(command.category, 'Coach');
    const icons = new Set(
      contributes.commands.filter((c: { icon?: string }) => c.icon).map((c: { command: string }) => c.command),
    );
    const drawn = Object.values(contributes.menus)
      .flat()
      .filter((item) => /^(navigation|inline)/.test((item as { group?: string }).group ?? ''))
      .map((item) => (item as { command: string }).command);
    assert.deepEqual(
      drawn.filter((command) => !icons.has(command)),
      [],
    );
  });

  it('menus name commands that exist', () => {
    const used = Object.values(contributes.menus)
      .flat()
      .map((item) => (item as { command: string }).command);
    assert.deepEqual(
      sorted(used).filter((id) => !(Object.values(commands) as string[]).includes(id)),
      [],
    );
  });

  it('the walkthrough: no markup that is printed, the numbers of today, and steps that something ticks', () => {
    const [{ steps }] = contributes.walkthroughs as [
      { steps: { id: string; media: { svg: string }; completionEvents: string[] }[] },
    ];
    for (const [key, words] of Object.entries(nls))
      if (key.startsWith('walkthrough.')) assert.doesNotMatch(words, /`|\d+ steps/, key);
    const drawn = steps.map(({ media }) => readFileSync(path.join(root, media.svg), 'utf8')).join('\n');
    const numbers = [...drawn.matchAll(/(\d+) steps|step \d+ of (\d+)/g)].map(([, a, b]) => Number(a ?? b));
    assert.ok(numbers.length >= 2);
    assert.deepEqual([...new Set(numbers)], [DEFAULTS.steps]);
    for (const { id, completionEvents } of steps) {
      const byContext = completionEvents.filter((event) => event.startsWith('onContext:'));
      // VS Code drops an event that is true when it first reads the walkthrough, which is when its page opens (1.139,
      // registerDoneListeners): of the two one becomes true later, with the next editor
      assert.deepEqual(
        byContext.map((event) => /&& activeEditor (..) gettingStartedPage$/.exec(event)?.[1]),
        ['==', '!='],
        id,
      );
      for (const event of completionEvents) {
        const [kind, name] = event.split(/:| && /);
        const known: string[] = kind === 'onContext' ? Object.values(contexts) : Object.values(commands);
        assert.ok(known.includes(name!), event);
      }
    }
  });

  it('views and their container', () => {
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map((c: { id: string }) => c.id),
      [VIEW_CONTAINER],
    );
    assert.deepEqual(
      sorted(contributes.views[VIEW_CONTAINER].map((v: { id: string }) => v.id)),
      sorted(Object.values(views)),
    );
  });

  it('settings, each with a scope, a default and a description', () => {
    const properties = contributes.configuration.properties as Record<
      string,
      { scope?: string; default?: unknown; markdownDescription?: string }
    >;
    assert.deepEqual(sorted(Object.keys(properties)), sorted(settingKeys.map((key) => `${CONFIGURATION}.${key}`)));
    for (const [key, property] of Object.entries(properties)) {
      assert.ok(property.scope, `${key} has no scope`);
      assert.notEqual(property.default, undefined, `${key} has no default`);
      assert.ok(property.markdownDescription, `${key} has no description`);
    }
  });

  it('a setting that is left alone means the same in the editor and in the terminal', () => {
    const defaults = RunConfig.parse({ toolFile: '/tools.ts' }) as unknown as Record<string, unknown>;
    const properties = contributes.configuration.properties as Record<string, { default: unknown; enum?: string[] }>;
    for (const key of settingKeys.filter((name) => name in defaults))
      assert.equal(properties[`${CONFIGURATION}.${key}`]!.default, defaults[key], key);
    assert.deepEqual(properties[`${CONFIGURATION}.engine`]!.enum, EngineChoice.options);
    assert.deepEqual(properties[`${CONFIGURATION}.device`]!.enum, DeviceChoice.options);
    assert.deepEqual(sorted(properties[`${CONFIGURATION}.method`]!.enum!), sorted(Method.options));
    assert.deepEqual(properties[`${CONFIGURATION}.toolPolicy`]!.enum, ['auto', ...ToolPolicy.options]);
  });

  it('every setting of a run can be set in the editor, by its own name or in agentCoach.training', () => {
    assert.deepEqual(
      contributes.configuration.properties[`${CONFIGURATION}.training`].properties,
      trainingProperties(),
      'run: node --import tsx test/extension/trainingSettings.ts',
    );
    const [sections] = Object.keys(contributes.configuration.properties[`${CONFIGURATION}.training`].patternProperties);
    assert.equal(sections, `^(${Object.keys(SECTIONS).join('|')})(\\.\\w+)?$`);
    for (const [name, { description }] of Object.entries(trainingProperties()))
      assert.match(description!, /^[A-Z\d'(].{12}/, name);
  });

  it('settings that could run something are restricted in an untrusted folder', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    for (const key of ['nodePath', 'model', 'toolPolicy', 'rewards', 'judge.baseUrl', 'judge.model'])
      assert.ok(restrictedConfigurations.includes(`${CONFIGURATION}.${key}`), key);
  });

  it('every context key of a when clause is set by the extension', () => {
    const known = new Set<string>([
      ...Object.values(contexts),
      ...Object.values(commands),
      ...Object.values(views),
      ...settingKeys.map((key) => `${CONFIGURATION}.${key}`),
      PANEL_TYPE,
      COMMENTS,
      MCP_PROVIDER,
      TEST_CONTROLLER,
      TRACE_EDITOR,
    ]);
    const used = sorted([...text.matchAll(/agentCoach(?:\.\w+)+/g)].map(([id]) => id));
    assert.deepEqual(
      used.filter((id) => !known.has(id)),
      [],
    );
  });

  it('every text is in package.nls.json, and no text there is without a use', () => {
    const used = sorted([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key!));
    assert.deepEqual(used, sorted(Object.keys(nls)));
  });

  it('every file named is there', () => {
    const files = [...text.matchAll(/"(extension\/media\/[^"]+)"/g)].map(([, file]) => file!);
    assert.ok(files.length > 4);
    for (const file of files) assert.ok(existsSync(path.join(root, file)), file);
  });

  it('activates early enough for the Explorer menu, and never on everything', () => {
    assert.ok(manifest.activationEvents.includes('workspaceContains:**/*.ts'));
    assert.ok(!manifest.activationEvents.includes('*'));
    assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${PANEL_TYPE}`));
  });
});

describe('extension/ keeps its house rules', () => {
  const sources = readdirSync(path.join(root, 'extension'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'));
  it('imports of the workshop are of its protocol only', () => {
    for (const name of sources) {
      const imports = [...readFileSync(path.join(root, 'extension', name), 'utf8').matchAll(/from '([^']+)'/g)].map(
        ([, from]) => from!,
      );
      for (const from of imports)
        assert.ok(!from.includes('trainer/') || /^(\.\.\/)+trainer\/protocol\//.test(from), `${name} imports ${from}`);
    }
  });
  it('files that say they are free of vscode are', () => {
    for (const name of sources) {
      const source = readFileSync(path.join(root, 'extension', name), 'utf8');
      if (/Free of `vscode`|free of `vscode`/.test(source)) assert.ok(!/from 'vscode'/.test(source), name);
    }
  });
});
