/**
 * The text of one JSDoc block, read for discovery. TypeScript's own JSDoc parser decides which block belongs to which
 * node; this one decides what counts as a tag, because there `@tool` in the middle of a sentence or in an unfenced
 * example is a tag, and here it is prose.
 */
import { ts } from 'ts-morph';

export interface JsDocTag {
  name: string;
  /** Everything up to the next tag, trimmed, line breaks kept. */
  text: string;
  /** The part of `text` on the tag's own line. */
  sameLine: string;
  /** Offset of the `@` within the block. */
  offset: number;
}

export interface JsDoc {
  description: string;
  tags: JsDocTag[];
}

/** Tags that also count in the middle of a line: `/** How many. @minimum 1 *\/`. */
const INLINE_TAGS = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'asType',
  'default',
  'defaultValue',
  'deprecated',
  'example',
  'examples',
  'param',
  'arg',
  'argument',
  'returns',
  'return',
  'readonly',
  'pure',
  'sideEffect',
  'sideEffects',
  'reward',
]);

const FILE_LEVEL_TAGS = new Set([
  'file',
  'fileoverview',
  'fileOverview',
  'overview',
  'module',
  'packageDocumentation',
  'license',
]);

/** Parses a block from its opening to its closing characters. */
export function parseJsDoc(block: string): JsDoc {
  const pieces: { name: string | null; offset: number; lines: string[] }[] = [{ name: null, offset: 0, lines: [] }];
  const last = () => pieces[pieces.length - 1]!;
  const body = block.replace(/\*\/$/, '');
  const isOneLine = !body.includes('\n');
  let isFenced = false;
  let offset = 0;
  for (const raw of body.split('\n')) {
    const lead = (offset === 0 ? /^\/\*\*+[ \t]*/ : /^[ \t]*(?:\*[ \t]?)?/).exec(raw)?.[0].length ?? 0;
    const line = raw.slice(lead).trimEnd();
    if (/^\s*(```|~~~)/.test(line)) {
      isFenced = !isFenced;
      last().lines.push(line);
    } else if (isFenced) {
      last().lines.push(line);
    } else {
      let from = 0;
      for (const tag of tagsOfLine(line, isOneLine)) {
        const before = line.slice(from, tag.index);
        if (before.trim() !== '' || from > 0) last().lines.push(before);
        pieces.push({ name: tag.name, offset: offset + lead + tag.index, lines: [] });
        from = tag.index + tag.name.length + 1;
      }
      last().lines.push(line.slice(from));
    }
    offset += raw.length + 1;
  }
  const [head, ...rest] = pieces;
  return {
    description: plainText(head!.lines.join('\n')),
    tags: rest.map((piece) => ({
      name: piece.name!,
      text: piece.lines.join('\n').trim(),
      sameLine: (piece.lines[0] ?? '').trim(),
      offset: piece.offset,
    })),
  };
}

/** The block that belongs to a node. */
export function jsDocOf(node: ts.Node, file: ts.SourceFile): JsDoc | undefined {
  const block = jsDocRange(node, file);
  return block && parseJsDoc(file.text.slice(block.pos, block.end));
}

/**
 * Where the node's own block lies in the file: the last one before it. Read off the text, because TypeScript misses a
 * block on the same line as what goes before (`{ /** Where. *\/ city: string }`) and one behind a decorator.
 */
export function jsDocRange(node: ts.Node, file: ts.SourceFile): { pos: number; end: number } | undefined {
  const { text } = file;
  const found = lastBlock(text, node.pos, node.getStart(file));
  if (found || !ts.canHaveDecorators(node)) return found;
  const decorator = ts.getDecorators(node)?.at(-1);
  const next = decorator && (node.modifiers?.[node.modifiers.indexOf(decorator) + 1] ?? node.name);
  return next && lastBlock(text, decorator.end, next.getStart(file));
}

function lastBlock(text: string, from: number, to: number): { pos: number; end: number } | undefined {
  if (to - from < 5 || text.lastIndexOf('/**', to) < from) return undefined;
  const ranges = [
    ...(ts.getTrailingCommentRanges(text, from) ?? []),
    ...(ts.getLeadingCommentRanges(text, from) ?? []),
  ];
  const found = ranges
    .filter(({ pos, end }) => end - pos > 4 && text.startsWith('/**', pos) && text[pos + 3] !== '/')
    .at(-1);
  if (!found) return undefined;
  // A block that ends the line before belongs to what stands on that line.
  const isTrailing = !text.slice(from, found.pos).includes('\n') && from > 0;
  return isTrailing && text.slice(found.end, to).includes('\n') ? undefined : { pos: found.pos, end: found.end };
}

/** True for a block that describes the file (`@file`, `@module`, …), whatever it is attached to. */
export function isFileLevel(docs: JsDoc): boolean {
  return docs.tags.some((tag) => FILE_LEVEL_TAGS.has(tag.name));
}

/** First tag of one of these names. */
export function findTag(docs: JsDoc | undefined, ...names: string[]): JsDocTag | undefined {
  return docs?.tags.find((tag) => names.includes(tag.name));
}

/** Of a tool's name, as OpenAI takes it. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** `@tool other_name` renames; several words, or text on the next line, are description. */
export function readToolTag(docs: JsDoc): { name?: string; description: string } {
  const tag = findTag(docs, 'tool')!;
  const rest = tag.text.slice(tag.sameLine.length).trim();
  const word = tag.sameLine;
  if (word === '') return { description: rest };
  if (NAME.test(word)) return { name: word, description: rest };
  // One word that is no legal name was meant as one, unless it ends like a sentence: the check of names will say so.
  if (!/\s/.test(word) && !/[.!?]$/.test(word)) return { name: word, description: rest };
  return { description: tag.text };
}

/** Inline links become their label, and outer blank lines go. */
export function plainText(text: string): string {
  return text
    .replace(
      /\{@(?:link|linkcode|linkplain|tutorial)\s+([^}|\s]+)(?:\s*\|\s*|\s+)?([^}]*)\}/g,
      (_, target: string, label: string) => label.trim() || target,
    )
    .trim();
}

function tagsOfLine(line: string, isOneLine: boolean): { name: string; index: number }[] {
  const found: { name: string; index: number }[] = [];
  const code = codeSpans(line);
  for (const match of line.matchAll(/@([A-Za-z_][\w-]*)(?=\s|$|\{)/g)) {
    const index = match.index;
    const name = match[1]!;
    const before = line.slice(0, index);
    if (code.some(([start, end]) => index > start && index < end)) continue;
    const isFirst = before.trim() === '';
    if (!isFirst && !/\s$/.test(before)) continue;
    if (
      isFirst ||
      INLINE_TAGS.has(name) ||
      (name === 'tool' && isToolInLine(before, line.slice(index + 5), isOneLine, found.length > 0))
    ) {
      found.push({ name, index });
    }
  }
  return found;
}

/** "Adds numbers. @tool" is the tag; "marked with the @tool decorator" is prose. */
function isToolInLine(before: string, after: string, isOneLine: boolean, followsTag: boolean): boolean {
  if (followsTag || /[.!?;:)]\s+$/.test(before)) return true;
  const isAtEnd = /^\s*(@|$)/.test(after);
  return (
    isOneLine &&
    isAtEnd &&
    !/\b(a|an|the|with|by|as|see|use|using|of|for|to|and|or|not|no|is|via|called|named)\s+$/i.test(before)
  );
}

function codeSpans(line: string): [number, number][] {
  const spans: [number, number][] = [];
  for (const match of line.matchAll(/(`+)(?:(?!\1).)+\1|\{@[^}]*\}/g))
    spans.push([match.index, match.index + match[0].length]);
  return spans;
}
