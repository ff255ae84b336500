/** A composite tool of two in TypeScript, to stand in their file. */
import { deref, isRecord, propertiesOf, requiredOf } from '../../protocol/arguments';
import type { JsonSchema, ToolSchema } from '../../protocol/task';
import type { LinkedPair, Path } from './findPairs';

export interface Composite {
  name: string;
  file: string;
  code: string;
  /** it is a method of this class; null: a function behind all others */
  inClass: string | null;
  /** what its parts share a name for, and how it is told apart */
  renamed: string[];
}

/** Two tools can't be joined in code: why, in words. */
export interface NoComposite {
  why: string;
}

/** @param taken names of all tools */
export function compositeOf(
  pair: LinkedPair,
  first: ToolSchema,
  second: ToolSchema,
  taken: ReadonlySet<string>,
): Composite | NoComposite {
  const why = [first, second].map(notJoined).find((reason) => reason !== null);
  if (why) return { why };
  if (first.source!.file !== second.source!.file)
    return { why: `they stand in two files, ${first.source!.file} and ${second.source!.file}` };
  const classes = [first, second].map(classOf);
  if (classes[0] !== classes[1])
    return { why: `${first.name} and ${second.name} are not of one class: neither can call the other` };
  const name = joinedName(first.name, second.name);
  if (taken.has(name)) return { why: `there is a tool ${name} already` };
  const renamed: string[] = [];
  const own = new Set(parametersOf(first).map((parameter) => parameter.name));
  const parameters = [
    ...parametersOf(first),
    ...parametersOf(second)
      .filter((parameter) => parameter.name !== pair.parameter)
      .map((parameter) => {
        if (!own.has(parameter.name)) return parameter;
        const as = inCase(second.name, [second.name, parameter.name]);
        renamed.push(`both take ${parameter.name}: that of ${second.name} is ${as}`);
        return { ...parameter, as };
      }),
  ];
  const clash = [first.name, second.name, ...parameters.map(nameOf)].find((one, i, all) => all.indexOf(one) !== i);
  if (clash !== undefined) return { why: `their names clash: ${clash} would be there twice` };
  const code = codeOf({ name, pair, first, second, parameters });
  return { name, file: first.source!.file, code, inClass: classOf(first), renamed };
}

interface Parameter {
  name: string;
  /** in the composite, where another has the name */
  as?: string;
  of: ToolSchema;
  type: string;
  description: string;
  isRequired: boolean;
  /** as code; undefined: none */
  byDefault: string | undefined;
}

const nameOf = ({ name, as = name }: Parameter): string => as;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

type Binding = Extract<ToolSchema['binding'], { exportName: string }>;
/** Of a tool that `notJoined` lets through. */
const bindingOf = (tool: ToolSchema): Binding => tool.binding as Binding;
/** Whose method it is, and whether of the class itself; null: a function */
const classOf = (tool: ToolSchema): string | null =>
  bindingOf(tool).member === undefined ? null : bindingOf(tool).exportName;

/** null: it can be called in the file that it stands in */
function notJoined({ name, binding, source, parameters }: ToolSchema): string | null {
  if (!source || !('exportName' in binding)) return `${name} is no function of a file here`;
  if (binding.isInstance || binding.isStatic)
    return `${name} is no method that another method of its class has at hand`;
  if (binding.member === undefined && binding.exportName !== name) return `${name} is exported under another name`;
  // a run folder of others says these, and what is made of them becomes code
  if (![name, binding.member ?? name].every((word) => IDENTIFIER.test(word)))
    return `${name} has a name that is no word of code`;
  if (binding.injectsSignal) return `${name} takes a signal, which a composite has none of`;
  if (binding.revive && Object.keys(binding.revive).length > 0) return `${name} takes what is no JSON`;
  if (Object.keys(propertiesOf(parameters)).some((key) => !IDENTIFIER.test(key)))
    return `${name} has a parameter whose name is no word of code`;
  return null;
}

function parametersOf(of: ToolSchema): Parameter[] {
  const required = requiredOf(of.parameters);
  return Object.entries(propertiesOf(of.parameters)).map(([name, node]) => {
    const schema = deref(node, of.parameters);
    return {
      name,
      of,
      type: typeOf(schema, of.parameters),
      description: typeof schema.description === 'string' ? schema.description.replace(/\s+/g, ' ').trim() : '',
      isRequired: required.includes(name),
      byDefault: schema.default === undefined ? undefined : JSON.stringify(schema.default),
    };
  });
}

/** The TypeScript type of a schema; `unknown` where it is none of the plain ones. */
function typeOf(schema: Record<string, unknown>, root: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array': {
      const item = isRecord(schema.items) ? typeOf(deref(schema.items, root), root) : 'unknown';
      return / /.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case 'object': {
      const required = requiredOf(schema);
      const members = Object.entries(propertiesOf(schema)).map(
        ([key, node]) =>
          `${IDENTIFIER.test(key) ? key : JSON.stringify(key)}${required.includes(key) ? '' : '?'}: ` +
          typeOf(deref(node, root), root),
      );
      return members.length > 0 ? `{ ${members.join('; ')} }` : 'Record<string, unknown>';
    }
    default:
      return 'unknown';
  }
}

/** In the style of the first's name: find_order_and_cancel_order, findOrderAndCancelOrder. */
const joinedName = (first: string, second: string): string => inCase(first, [first, 'and', second]);

const inCase = (like: string, parts: readonly string[]): string =>
  like.includes('_')
    ? parts.join('_')
    : parts.map((part, i) => (i === 0 ? part : part[0]!.toUpperCase() + part.slice(1))).join('');

interface Joined {
  name: string;
  pair: LinkedPair;
  first: ToolSchema;
  second: ToolSchema;
  parameters: readonly Parameter[];
}

function codeOf({ name, pair, first, second, parameters }: Joined): string {
  const inOrder = [
    ...parameters.filter(({ isRequired }) => isRequired),
    ...parameters.filter(({ isRequired }) => !isRequired),
  ];
  const signature = inOrder.map((parameter) => {
    const { type, isRequired, byDefault } = parameter;
    if (byDefault !== undefined) return `${nameOf(parameter)}: ${type} = ${byDefault}`;
    return `${nameOf(parameter)}${isRequired ? '' : '?'}: ${type}`;
  });
  const taken = new Set([first.name, second.name, ...parameters.map(nameOf)]);
  const [one, linked, other] = ['first', 'linked', 'second'].map((word) => (taken.has(word) ? `${word}Result` : word));
  const changes = first.changesWorld || second.changesWorld;
  const isMethod = classOf(first) !== null;
  const callee = (tool: ToolSchema): string => (isMethod ? `this.${bindingOf(tool).member!}` : tool.name);
  const lines = [
    `/** ${sentence(first.description)} Then, with what that gives: ${sentence(second.description)}`,
    ...inOrder.map(
      (each) => ` *  @param ${nameOf(each)}${each.description === '' ? '' : ` ${safe(each.description)}`}`,
    ),
    ...(changes ? [' *  @sideEffect'] : []),
    ...(isMethod ? [' */', DECORATOR, `async ${name}(`] : [' *  @tool */', `export async function ${name}(`]),
    `  const ${one} = await ${callee(first)}(${argumentsOf(first, parameters)});`,
    `  const ${linked} = ${accessTo(one!, pair.path)};`,
    `  if (${linked} === undefined || ${linked} === null) throw new Error('${first.name} gave no ${pair.parameter}');`,
    `  const ${other} = await ${callee(second)}(${argumentsOf(second, parameters, { [pair.parameter]: linked! })});`,
    `  return { ${first.name}: ${one}, ${second.name}: ${other} };`,
    '}',
  ].map((line) => (line.endsWith(`${name}(`) ? `${line}${signature.join(', ')}) {` : line));
  return lines.map((line) => (isMethod ? `  ${line}` : line)).join('\n');
}

/** As a class of tools marks its methods; whoever places the method puts the class's own in. */
export const DECORATOR = '@tool()';

/** Nothing of a description may end the comment that it stands in. */
const safe = (text: string): string => text.replace(/\*\//g, '* /');
const sentence = (text: string): string => {
  const one = safe(text.replace(/\s+/g, ' ').trim());
  return one === '' || /[.!?]$/.test(one) ? one : `${one}.`;
};

const accessTo = (from: string, path: Path): string =>
  path.reduce<string>(
    (code, key) =>
      typeof key === 'string' && IDENTIFIER.test(key) ? `${code}?.${key}` : `${code}?.[${JSON.stringify(key)}]`,
    from,
  );

/** What a part is called with. @param linked what a parameter takes that the composite has not */
function argumentsOf(
  tool: ToolSchema,
  parameters: readonly Parameter[],
  linked: Readonly<Record<string, string>> = {},
): string {
  const own = Object.keys(propertiesOf(tool.parameters)).map((name) => ({
    name,
    value: linked[name] ?? nameOf(parameters.find((one) => one.of === tool && one.name === name)!),
  }));
  const { positional } = bindingOf(tool);
  if (positional === 'object')
    return `{ ${own.map(({ name, value }) => (name === value ? name : `${name}: ${value}`)).join(', ')} }`;
  return positional
    .map(({ name, isRest }) => {
      const value = own.find((one) => one.name === name)!.value;
      return isRest ? `...(${value} ?? [])` : value;
    })
    .join(', ');
}
