import { resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../protocol/result';
import type { Episode } from './episode';
import type { Criterion } from './judge/criteria';
import { readTextFile } from '../base/storage';

/** A skill that a step can be an instance of, and what makes it good. */
export interface SkillPrototype {
  name: string;
  /**
   * The step is routed here where this matches "tool arguments" of its call, or "answer" for the closing reply; the
   * first that matches takes it.
   */
  when: RegExp;
  /** what must hold, each decidable by yes or no */
  rubric: readonly string[];
}

const BUILT_IN: readonly SkillPrototype[] = [
  {
    name: 'answer',
    when: /^answer$/,
    rubric: [
      'The closing reply says only what the results above it show, or what needs no tool.',
      'The closing reply answers what was asked, whole.',
    ],
  },
  {
    name: 'search',
    when: /^\S*(search|find|list|query|lookup)/i,
    rubric: ['What is searched for is what the task asks about.', 'The same search was not made before.'],
  },
  {
    name: 'act',
    when: /^\S*(send|write|create|update|delete|remove|add|set|pay|book|move|reply)/i,
    rubric: ['The task asks for this action.', 'Each argument follows from the task or from a result above.'],
  },
  {
    name: 'read',
    when: /^/,
    rubric: ['The task needs what this call tells.', 'Each argument follows from the task or from a result above.'],
  },
];

const File = z
  .array(z.strictObject({ name: z.string().min(1), when: z.string(), rubric: z.array(z.string().min(1)).min(1) }))
  .min(1);

/**
 * The prototypes of a JSON file: `[{"name", "when" (a regular expression), "rubric": ["…"]}]`. '' gives the built-in
 * ones.
 * @throws UserError
 */
export function readSkills(file: string): readonly SkillPrototype[] {
  if (file === '') return BUILT_IN;
  const path = resolve(file);
  const wrong = (what: string): UserError =>
    new UserError(
      'config',
      `${path}: ${what}`,
      'Write [{"name": "search", "when": "^search", "rubric": ["It looks for what was asked."]}].',
    );
  let json: unknown;
  try {
    json = JSON.parse(readTextFile(path));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw wrong(`the skills can't be read: ${(error as Error).message}`);
  }
  const parsed = File.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!; // zod gives one at least
    throw wrong(`${issue.path.join('.')}: ${issue.message}`);
  }
  return parsed.data.map(({ name, when, rubric }) => {
    try {
      return { name, when: new RegExp(when, 'i'), rubric };
    } catch (error) {
      throw wrong(`${name}: ${(error as Error).message}`);
    }
  });
}

/**
 * The criteria of each step of an episode by the prototype that it is routed to; a step that none takes is not judged.
 */
export function routedCriteria({ calls, terminated }: Episode, skills: readonly SkillPrototype[]): Criterion[] {
  const steps = [
    ...calls.map((call, i) => ({
      step: `Call ${i + 1} (${call.name})`,
      text: `${call.name} ${JSON.stringify(call.arguments)}`,
    })),
    ...(terminated ? [{ step: 'The closing reply', text: 'answer' }] : []),
  ];
  return steps.flatMap(({ step, text }, i) => {
    const skill = skills.find((prototype) => prototype.when.test(text));
    // Each step weighs the same, however long its rubric.
    return (skill?.rubric ?? []).map((criterion, j) => ({
      id: `s${i + 1}_${j + 1}`,
      text: `${step}, ${skill!.name}: ${criterion}`,
      weight: 1 / skill!.rubric.length,
    }));
  });
}
