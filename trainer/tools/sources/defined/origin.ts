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
    const found = this.declared(root.text, file);
    const value = found && found.file !== file ? found.node.initializer : undefined;
    if (!found || !value) return undefined;
    const member = isMember ? valueOf(readObject(value, found.file), bare.name.text) : value;
    return member && this.steps < MOST_STEPS ? readText(member, found.file) : undefined;
  }

  /** The constant that the name stands for, in the file that has it. */
  private declared(
    name: string,
    file: ts.SourceFile,
  ): { node: ts.VariableDeclaration; file: ts.SourceFile } | undefined {
    const { imports, declarations } = fileShape(file);
    const node = (declarations.get(name) ?? []).find(ts.isVariableDeclaration);
    if (node) return { node, file };
    const imported = imports.get(name);
    const target = imported && imported.name !== '*' ? this.ownFile(imported.specifier, file) : undefined;
    return target && this.exportedConstant(imported!.name, target);
  }

  private exportedConstant(name: string, file: ts.SourceFile): ReturnType<Origins['declared']> {
    if (++this.steps > MOST_STEPS) return undefined;
    const { exports, stars } = fileShape(file);
    const target = exports.get(name);
    if (typeof target === 'string') return this.declared(target, file);
    for (const { specifier, name: from } of target ? [target] : stars.map((specifier) => ({ specifier, name }))) {
      const next = this.ownFile(specifier, file);
      const found = next && this.exportedConstant(from, next);
      if (found) return found;
    }
    return undefined;
  }

  private ownFile(specifier: string, file: ts.SourceFile): ts.SourceFile | undefined {
    const target = this.resolver.resolve(specifier, file.fileName);
    if (target === null || target.includes('/node_modules/')) return undefined;
    this.dependencies.add(target);
    return this.parse(target) ?? undefined;
  }

  private follow(expression: ts.Expression, file: ts.SourceFile): Origin | undefined {
    const bare = unwrap(expression);
    if (ts.isIdentifier(bare)) return this.named(bare.text, file);
    if (!ts.isPropertyAccessExpression(bare)) return undefined;
    const specifier = namespaceOf(bare.expression, file);
    return specifier === undefined ? undefined : this.imported({ specifier, name: bare.name.text }, file);
  }

  private named(name: string, file: ts.SourceFile): Origin | undefined {
    const shape = fileShape(file);
    const imported = shape.imports.get(name);
    // `const { tool } = require('ai')` is kept without the name.
    if (imported) return this.imported(imported.name === '*' ? { ...imported, name } : imported, file);
    const [declared] = shape.declarations.get(name) ?? [];
    const value = declared && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
    if (!value || ++this.steps > MOST_STEPS) return undefined;
    return this.follow(value, file);
  }

  private imported({ specifier, name }: Imported, file: ts.SourceFile): Origin | undefined {
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

  private exported(name: string, file: ts.SourceFile): Origin | undefined {
    const shape = fileShape(file);
    const target = shape.exports.get(name);
    if (typeof target === 'string') return this.named(target, file);
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
