/**
 * What the run was made of: every setting, the engine and why, versions and hashes. Folded; made when it is first
 * opened.
 */
import { modelName } from '../../../trainer/protocol/modelName';
import { RECIPES } from '../../../trainer/protocol/settings/recipes';
import { runMethod } from '../../../trainer/protocol/runMethod';
import type { RunState } from '../../../trainer/protocol/runState';
import { jsonTree } from '../../components/json';
import { facts } from '../../components/parts';
import { h, replace } from '../../components/dom';
import { t } from '../../shared/strings';

export class RunSetup {
  readonly element: HTMLDetailsElement;
  private readonly body = h('div', { class: 'setup' });
  private manifest: RunState['manifest'] = null;
  private drawn: RunState['manifest'] = null;

  constructor() {
    this.element = h(
      'details',
      { class: 'fold', on: { toggle: () => this.draw() } },
      h('summary', null, t('setup.title')),
      this.body,
    );
  }

  update(run: RunState): void {
    this.manifest = run.manifest;
    this.draw();
  }

  private draw(): void {
    const manifest = this.manifest;
    if (!this.element.open || manifest === null || manifest === this.drawn) return;
    this.drawn = manifest;
    const { config, engine } = manifest;
    replace(
      this.body,
      facts(
        [t('fact.run'), manifest.id],
        [t('fact.model'), modelName(config.model)],
        [t('fact.method'), runMethod(manifest)],
        config.recipe === undefined ? null : [t('fact.recipe'), `${config.recipe} (${RECIPES[config.recipe].source})`],
        config.learningRate === undefined || manifest.stages !== undefined
          ? null
          : [t('fact.learningRate'), `${config.learningRate} (${config.schedule})`],
        [t('fact.rewards'), config.rewards],
        [t('fact.taskSource'), manifest.taskSource],
        [t('fact.node'), manifest.node],
      ),
      h('h3', null, t('setup.engine', { name: engine.name, threads: engine.threads })),
      h('p', null, engine.why),
      engine.rejected.length > 0
        ? h(
            'ul',
            { class: 'notes' },
            ...engine.rejected.map((r) => h('li', null, t('setup.rejected', { name: r.name, reason: r.reason }))),
          )
        : null,
      h('h3', null, t('setup.settings')),
      jsonTree(config, 1),
      h('h3', null, t('setup.versions')),
      jsonTree({ versions: manifest.versions, hashes: manifest.hashes, tools: manifest.toolNames }, 1),
    );
  }
}
