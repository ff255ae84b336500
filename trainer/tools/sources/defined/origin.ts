/** Where a name comes from: through imports, aliases and re-exports of the user's own files to the package's export. */
import { ts } from 'ts-morph';
import { fileShape, type Imported } from '../typescript/discovery/fileShape';
import type { ModuleResolver } from '../typescript/discovery/moduleResolver';
import { unwrap } from '../../schema/literals';
import { readObject, readText, valueOf } from './syntax';

/** An export of a package. */
export interface Origin {
  module: string;
  name: string;
}

/** Where a name leads: to a package's export, or to a constant of the user's. */
type Located = Origin | { node: ts.VariableDeclaration; file: ts.SourceFile };

const MOST_STEPS = 20;

/** Follows names from one file. Keeps what it looked at: the answer holds as long as these stay as they are. */
export class Origins {
  /** Files of the user's that were looked into. */
  readonly dependencies = new Set<string>();
  /** Imports that led nowhere. */
  readonly misses = new Map<string, Set<string>>();
  private steps = 0;

  constructor(
    private readonly parse: (path: string) => ts.SourceFile | null,
    private readonly resolver: Pick<ModuleResolver, 'resolve' | 'isMapped'>,
  ) {}

  /** Undefined for what is the user's own, or can't be followed. */
  of(expression: ts.Expression, file: ts.SourceFile): Origin | undefined {
    this.steps = 0;
    return this.follow(expression, file);
  }

  /** The text that a name stands for, `NAME` or `names.weather`, also in another file of the user's. */
  textOf(expression: ts.Expression | undefined, file: ts.SourceFile): string | undefined {
    const own = readText(expression, file);
    if (own !== undefined || !expression) return own;
    const bare = unwrap(expression);
    const isMember = ts.isPropertyAccessExpression(bare);
    const root = isMember ? unwrap(bare.expression) : bare;
    if (!ts.isIdentifier(root)) return undefined;
    this.steps = 0;
    const found = this.located(root.text, file);
    const value = found && 'node' in found && found.file !== file ? found.node.initializer : undefined;
    if (!found || !('node' in found) || !value) return undefined;
    return readText(isMember ? valueOf(readObject(value, found.file), bare.name.text) : value, found.file);
  }

  private follow(expression: ts.Expression, file: ts.SourceFile): Origin | undefined {
    const bare = unwrap(expression);
    if (ts.isIdentifier(bare)) return this.origin(this.located(bare.text, file));
    if (!ts.isPropertyAccessExpression(bare)) return undefined;
    const specifier = namespaceOf(bare.expression, file);
    return specifier === undefined ? undefined : this.origin(this.imported({ specifier, name: bare.name.text }, file));
  }

  /** Of a constant, what its value comes from. */
  private origin(found: Located | undefined): Origin | undefined {
    if (!found || 'module' in found) return found;
    const value = found.node.initializer;
    return value && ++this.steps <= MOST_STEPS ? this.follow(value, found.file) : undefined;
  }

  private located(name: string, file: ts.SourceFile): Located | undefined {
    const shape = fileShape(file);
    const imported = shape.imports.get(name);
    // `const { tool } = require('ai')` is kept without the name.
    if (imported) return this.imported(imported.name === '*' ? { ...imported, name } : imported, file);
    const [node] = shape.declarations.get(name) ?? [];
    return node && ts.isVariableDeclaration(node) ? { node, file } : undefined;
  }

  private imported({ specifier, name }: Imported, file: ts.SourceFile): Located | undefined {
    if (++this.steps > MOST_STEPS) return undefined; // files that re-export each other
    const isPackage = !/^[./#~]/.test(specifier) && !this.resolver.isMapped(specifier, file.fileName);
    if (isPackage) return { module: specifier, name };
    const target = this.resolver.resolve(specifier, file.fileName);
    if (target === null) {
      const known = this.misses.get(file.fileName) ?? new Set();
      this.misses.set(file.fileName, known.add(specifier));
    }
    if (target === null || target.includes('/node_modules/')) return { module: specifier, name };
    this.dependencies.add(target);
    const next = this.parse(target);
    return next ? this.exported(name, next) : undefined;
  }

  private exported(name: string, file: ts.SourceFile): Located | undefined {
    const shape = fileShape(file);
    const target = shape.exports.get(name);
    if (typeof target === 'string') return this.located(target, file);
    if (target) return this.imported(target, file);
    for (const specifier of shape.stars) {
      const found = this.imported({ specifier, name }, file);
      if (found) return found;
    }
    return undefined;
  }
}

/** `ns` of `import * as ns from 'x'` and `require('x')`: the specifier. */
function namespaceOf(expression: ts.Expression, file: ts.SourceFile): string | undefined {
  const bare = unwrap(expression);
  if (ts.isIdentifier(bare)) {
    const imported = fileShape(file).imports.get(bare.text);
    return imported?.name === '*' ? imported.specifier : undefined;
  }
  const [argument] = ts.isCallExpression(bare) ? bare.arguments : [];
  const isRequire = ts.isCallExpression(bare) && ts.isIdentifier(bare.expression) && bare.expression.text === 'require';
  return isRequire && argument && ts.isStringLiteralLike(argument) ? argument.text : undefined;
}
