/**
 * The schema of the setting agentCoach.training: every setting of a run that has none of its own in the editor. `node
 * --import tsx test/extension/trainingSettings.ts`
 * writes it into package.json; contributions.test.ts holds the two against each other.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { settingKeys } from '../../extension/contributions';
import { RunConfig } from '../../trainer/protocol/runConfig';

/** The editor asks for these, or has a command for them. */
const OTHERWISE = ['toolFile', 'tasks', 'pairs', 'startFrom', 'splitsOf'];

interface Property {
  description?: string;
  default?: unknown;
  maximum?: number;
  [key: string]: unknown;
}

/**
 * By name: type, bounds and choices as RunConfig has them. The default stands in the description, so that it is not
 * written out where a setting is added.
 */
export function trainingProperties(): Record<string, Property> {
  const { properties } = z.toJSONSchema(RunConfig, { io: 'input' }) as { properties: Record<string, Property> };
  const isOwn = (name: string): boolean =>
    (settingKeys as readonly string[]).includes(name) || /^(judge|writer)/.test(name) || OTHERWISE.includes(name);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !isOwn(name))
      .map(([name, { description = '', default: value, maximum, ...rest }]) => {
        const words = description.charAt(0).toUpperCase() + description.slice(1);
        const told =
          value === undefined || /default/.test(description)
            ? words
            : `${words}; default: ${Array.isArray(value) ? value.join(', ') : String(value)}`;
        return [
          name,
          {
            ...rest,
            ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
            description: `${told}.`,
          },
        ];
      }),
  );
}

if (require.main === module) {
  const path = resolve(__dirname, '../../package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { properties?: object }> } };
  };
  manifest.contributes.configuration.properties['agentCoach.training']!.properties = trainingProperties();
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
