/** Whether loading the file gets to a definition, or a function of the file that can be called does. */
import { ts } from 'ts-morph';
import type { DefinedBinding } from '../../../protocol/task';
import { mcpParameter } from './mcpServers';
import type { Origins } from './origin';
import { hiddenIn, namesCalledAtLoad, spanOf } from './syntax';

/**
 * How a definition is reached: by loading the file, or by a function of it that needs nothing, or an MCP server. Null,
 * and told, where neither gets there.
 */
export function loadedCheck(
  file: ts.SourceFile,
  origins: Origins,
  report: (node: ts.Node, message: string) => void,
): (node: ts.Node, name: string) => Pick<DefinedBinding, 'maker'> | null {
  const called = namesCalledAtLoad(file);
  return (node, name) => {
    const hidden = hiddenIn(node, called);
    if (hidden === null) return {};
    const { maker, isCallback } = hidden;
    const takes = maker?.parameters.map((each) => mcpParameter(each, file, origins)) ?? [];
    const isKnown = takes.every((each, i) => each !== undefined || isOptional(maker!.parameters[i]!));
    if (maker && isKnown && (!isCallback || takes[0] === 'server'))
      return {
        maker: { span: spanOf(maker, file), takes: takes.slice(0, firstGap(takes)) as ('server' | 'context')[] },
      };
    report(
      node,
      `${name}: it is defined inside ${hidden.in}, so it is not there when the file is loaded; define ` +
        'it at the top level of the file, or in a function without parameters',
    );
    return null;
  };
}

const isOptional = ({ name, initializer, questionToken }: ts.ParameterDeclaration): boolean =>
  initializer !== undefined || questionToken !== undefined || (ts.isIdentifier(name) && name.text.startsWith('_'));

const firstGap = (takes: readonly unknown[]): number => {
  const gap = takes.indexOf(undefined);
  return gap < 0 ? takes.length : gap;
};
