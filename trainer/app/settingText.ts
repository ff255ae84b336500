/** Settings as a person writes them, and what is wrong with them in words. */
import { z } from 'zod';
import { UserError } from '../protocol/result';
import { RunConfig } from '../protocol/runConfig';
import { flatName, sectionedNames } from '../protocol/settings/sections';
import { stageSetting } from './stages';
import { nearest, suggest } from '../base/nearest';

export const settingNames = Object.keys(RunConfig.shape);

/**
 * Settings given one by one; the last of a name wins.
 * @param prefix what their names must begin with
 * @throws UserError where one is no NAME=VALUE or names no setting
 */
export function settingsFromPairs(
  pairs: readonly string[],
  { prefix = '', example = 'learningRate=1e-3' } = {},
): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || text === undefined || !name.startsWith(prefix))
        throw new UserError(
          'config',
          `--set must be ${prefix}NAME=VALUE, got ${pair}`,
          `For example: --set ${example}`,
        );
      const ofStage = flatName(name) === name ? stageSetting(name) : null;
      return [flatName(name), settingFromText(ofStage?.name ?? name, text)];
    }),
  );
}

/**
 * The text of a command-line option as the setting's type; what is no number stays text, so that the parser can say
 * so.
 */
export function settingFromText(given: string, text: string): unknown {
  const name = flatName(given);
  if (!Object.hasOwn(RunConfig.shape, name))
    throw new UserError('config', `unknown setting "${given}"`, suggestSetting(given));
  switch (typeOf(RunConfig.shape[name as keyof typeof RunConfig.shape])) {
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text.split(',').map((part) => part.trim());
    default:
      return text;
  }
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType);
  return schema.def.type;
}

/** The rule in words, e.g. "must be at least 1". */
function rule(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return issue.inclusive === false ? `must be greater than ${issue.minimum}` : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.inclusive === false ? `must be less than ${issue.maximum}` : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'invalid_type':
      return issue.expected === 'int'
        ? 'must be a whole number'
        : issue.expected === 'boolean'
          ? 'must be true or false'
          : `must be a ${issue.expected}`;
    default:
      return `is not right: ${issue.message}`;
  }
}

function hint(name: string, issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const near = nearest(value, issue.values.map(String));
    if (near !== null) return `Did you mean ${near}?`;
  }
  const schema = RunConfig.shape[name as keyof typeof RunConfig.shape];
  const standard = schema instanceof z.ZodDefault ? `The default is ${shown(schema.parse(undefined))}.` : '';
  return (
    [schema?.description ? `${name}: ${schema.description}.` : '', standard].filter(Boolean).join(' ') ||
    'See coach train --help.'
  );
}

export function suggestSetting(name: string): string {
  const names = name.includes('.') ? sectionedNames : settingNames;
  const near = nearest(name, names);
  return near === null ? `Settings: ${names.join(', ')}.` : suggest(name, names);
}

export function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing');
}

/** The first thing that is wrong with these settings. */
export function badSetting(error: z.ZodError, flat: Record<string, unknown>): UserError {
  const issue = error.issues[0]!;
  const name = String(issue.path[0] ?? '');
  return new UserError(
    'config',
    `${issue.path.join('.')} ${rule(issue)}, got ${shown(flat[name])}`,
    hint(name, issue, flat[name]),
  );
}
