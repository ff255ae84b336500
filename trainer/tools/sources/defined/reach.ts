/** Whether loading the file gets to a definition, or a function of the file that can be called does. */
import { ts } from 'ts-morph';
import type { DefinedBinding } from '../../../protocol/task';
import { evaluatedApart } from './apart';
import type { Definition } from './definition';
import { mcpParameter } from './mcpServers';
import type { Origins } from './origin';
import { hiddenIn, namesCalledAtLoad, spanOf } from './syntax';

/**
 * How a definition is reached: by loading the file, apart from the function around it (apart.ts), or by that function
 * where it needs nothing, or an MCP server. Null, and told, where nothing gets there.
 */
export function loadedCheck(
  file: ts.SourceFile,
  origins: Origins,
  report: (node: ts.Node, message: string) => void,
): (definition: Definition) => Pick<DefinedBinding, 'maker' | 'apart' | 'isMockOnly'> | null {
  const called = namesCalledAtLoad(file);
  return (definition) => {
    const { node, name, nameNode } = definition;
    const hidden = hiddenIn(node, called);
    if (hidden === null) return {};
    const found = evaluatedApart(definition, file);
    if (found?.uses.length === 0) return { apart: found.apart };
    const { maker, isCallback } = hidden;
    const takes = maker?.parameters.map((each) => mcpParameter(each, file, origins)) ?? [];
    const isKnown = takes.every((each, i) => each !== undefined || isOptional(maker!.parameters[i]!));
    if (maker && isKnown && (!isCallback || takes[0] === 'server'))
      return {
        maker: { span: spanOf(maker, file), takes: takes.slice(0, firstGap(takes)) as ('server' | 'context')[] },
      };
    const wayOut = 'define it at the top level of the file, or in a function without parameters';
    if (found) {
      const uses = found.uses.slice(0, MOST_USES).join(', ');
      report(
        nameNode,
        `${name}: it is defined inside ${hidden.in} and uses ${uses} of it, so its results are always mocked; ${wayOut}`,
      );
      return { apart: found.apart, isMockOnly: true };
    }
    report(node, `${name}: it is defined inside ${hidden.in}, so it is not there when the file is loaded; ${wayOut}`);
    return null;
  };
}

const MOST_USES = 4;

const isOptional = ({ name, initializer, questionToken }: ts.ParameterDeclaration): boolean =>
  initializer !== undefined || questionToken !== undefined || (ts.isIdentifier(name) && name.text.startsWith('_'));

const firstGap = (takes: readonly unknown[]): number => {
  const gap = takes.indexOf(undefined);
  return gap < 0 ? takes.length : gap;
};
