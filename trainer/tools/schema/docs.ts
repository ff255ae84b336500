/** JSDoc of declarations, and how it gets onto a schema. */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import { findTag, type JsDoc, jsDocOf, plainText } from '../sources/typescript/discovery/jsDoc';
import { withTags } from './constraints';
import type { SchemaContext } from './context';

/** JSDoc of a property, wherever its declaration lies; a mapped type keeps its source's. */
export function docsOfProperty(property: ts.Symbol): JsDoc | undefined {
  for (const declaration of property.declarations ?? []) {
    const docs = ts.isJSDocPropertyLikeTag(declaration)
      ? docsOfTypedefProperty(declaration)
      : jsDocOf(declaration, declaration.getSourceFile());
    if (docs) return docs;
  }
  return undefined;
}

/** Description and tags of a declaration, put onto its schema. */
export function withDocs(schema: JsonSchema, docs: JsDoc | undefined, context: SchemaContext): JsonSchema {
  if (!docs) return schema;
  const unreadable: string[] = [];
  const tagged = withTags(schema, docs.tags, unreadable);
  for (const what of unreadable) context.remarks.push({ path: context.path, what: `the tag ${what} can't be read` });
  const description = docs.description || plainText(findTag(docs, 'description', 'desc')?.text ?? '');
  return description === '' ? tagged : { ...tagged, description };
}

/** `@property {string} city - Where` of a JavaScript typedef. */
function docsOfTypedefProperty(tag: ts.JSDocPropertyLikeTag): JsDoc | undefined {
  const text = typeof tag.comment === 'string' ? tag.comment : (tag.comment ?? []).map((part) => part.text).join('');
  const description = plainText(text.replace(/^\s*[-\u2013\u2014]\s+/, ''));
  return description === '' ? undefined : { description, tags: [] };
}
