/** Which objects of a file are MCP servers, whose methods register tools. */
import { ts } from 'ts-morph';
import { unwrap } from '../../schema/literals';
import { fileShape } from '../typescript/discovery/fileShape';
import { isMcpModule, isMcpServer, makesMcpServer } from './libraries';
import type { Origins } from './origin';
import { outerOf } from './syntax';

/** An McpServer of the file: made there, a parameter of that type, or one that another file of the user's exports. */
export function isServer(receiver: ts.Expression, method: string, file: ts.SourceFile, origins: Origins): boolean {
  const bare = unwrap(receiver);
  const name = ts.isIdentifier(bare) ? bare.text : ts.isPropertyAccessExpression(bare) ? bare.name.text : undefined;
  if (name === undefined) return false;
  if (serverNames(file, origins).has(name)) return true;
  const imported = fileShape(file).imports.get(name);
  return method === 'registerTool' && imported !== undefined && /^[./#~@]/.test(imported.specifier);
}

/** What a parameter takes by its type of the MCP SDK: `(server: McpServer)`, `(context: McpRequestContext)`. */
export function mcpParameter(
  parameter: ts.ParameterDeclaration,
  file: ts.SourceFile,
  origins: Origins,
): 'server' | 'context' | undefined {
  const { type } = parameter;
  if (isUntypedServer(parameter, file, origins)) return 'server';
  if (!type || !ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return undefined;
  const origin = origins.of(type.typeName, file);
  if (!origin || !isMcpModule(origin.module)) return undefined;
  return isMcpServer(origin.module, origin.name) ? 'server' : 'context';
}

/** `createMcpHandler((server) => …)`; in JavaScript also `function registerTools(server)`. */
function isUntypedServer(parameter: ts.ParameterDeclaration, file: ts.SourceFile, origins: Origins): boolean {
  const { name, type, initializer, parent } = parameter;
  if (type || initializer || !ts.isIdentifier(name)) return false;
  const call = outerOf(parent).parent;
  if (ts.isCallExpression(call) && parent.parameters[0] === parameter) {
    const origin = origins.of(call.expression, file);
    if (origin && makesMcpServer(origin.module, origin.name)) return true;
  }
  return /\.[mc]?jsx?$/.test(file.fileName) && /^(?:mcp)?server$/i.test(name.text);
}

const servers = new WeakMap<ts.SourceFile, Set<string>>();

/** Names of variables, fields and parameters that hold an McpServer. */
function serverNames(file: ts.SourceFile, origins: Origins): Set<string> {
  const known = servers.get(file);
  if (known) return known;
  const names = new Set<string>();
  servers.set(file, names);
  const isClass = (name: ts.Expression): boolean => {
    const origin = origins.of(name, file);
    return origin !== undefined && isMcpServer(origin.module, origin.name);
  };
  const visit = (node: ts.Node): void => {
    if (
      (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node)) &&
      ts.isIdentifier(node.name)
    ) {
      const value = node.initializer && unwrap(node.initializer);
      const type = node.type && ts.isTypeReferenceNode(node.type) ? node.type.typeName : undefined;
      if (
        (value && ts.isNewExpression(value) && isClass(value.expression)) ||
        (type && ts.isIdentifier(type) && isClass(type)) ||
        (ts.isParameter(node) && isUntypedServer(node, file, origins))
      )
        names.add(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}
