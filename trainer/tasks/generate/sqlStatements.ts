/** Statements in SQL, as somebody who works with a database gives them word for word. */
import { splitWords } from '../../base/words';
import type { Random } from '../../base/random';
import type { ToolSchema } from '../../protocol/task';

/**
 * "query: SELECT SQL query to execute"
 * @param told the parameter's description
 * @param matter words of all tools: a query that "creates new tables in the database" beside others is one
 */
export function takesSql(
  words: readonly string[],
  told: string,
  { description }: ToolSchema,
  matter: readonly string[],
): boolean {
  const last = words.at(-1) ?? '';
  if (last === 'sql') return true;
  if (!TAKES.test(last)) return false;
  return IS_SQL.test(`${told} ${description}`) || (matter.includes('database') && OF_TABLES.test(description));
}
const TAKES = /^(query|statement|command|q)$/;
const IS_SQL = /\bsql\b|\bSELECT\b|\bINSERT\b|\bCREATE TABLE\b|\bdatabase\b.*\bquer(y|ies)\b/i;
const OF_TABLES = /\b(tables?|query|queries)\b/i;

/**
 * @param known for the parameter: those that are statements
 * @param tables that there are; [] where nobody knows
 */
export function drawSql(tool: ToolSchema, known: readonly string[], tables: readonly string[], random: Random): string {
  const statements = known.filter((text) => STATEMENT.test(text));
  if (statements.length > 0) return random.pick(statements);
  const words = [...splitWords(tool.name), ...splitWords(tool.description)];
  const kind = words.find((word) => Object.hasOwn(KINDS, word)) ?? 'select';
  return KINDS[kind]!(tables.length > 0 ? random.pick(tables) : random.pick(TABLES), random);
}

const STATEMENT = /^\s*(select|with|insert|update|delete|create|alter|drop|pragma)\s/i;

const TABLES = 'users orders products invoices customers employees payments sessions'.split(' ');
const COLUMNS = 'name status city email price quantity note due_on'.split(' ');

type Statement = (table: string, random: Random) => string;
const ask: Statement = (table, random) =>
  random.pick([
    `SELECT * FROM ${table}`,
    `SELECT COUNT(*) FROM ${table}`,
    `SELECT * FROM ${table} LIMIT ${5 * (1 + random.int(4))}`,
    `SELECT name FROM ${table} WHERE id = ${1 + random.int(90)}`,
    `SELECT * FROM ${table} ORDER BY 1 DESC LIMIT ${1 + random.int(9)}`,
  ]);
const write: Statement = (table, random) =>
  random.pick([
    `DELETE FROM ${table} WHERE id = ${1 + random.int(90)}`,
    `UPDATE ${table} SET ${random.pick(COLUMNS)} = 'open' WHERE id = ${1 + random.int(90)}`,
    `INSERT INTO ${table} (id, ${random.pick(COLUMNS)}) VALUES (${1 + random.int(900)}, 'new')`,
  ]);
const create: Statement = (_, random) =>
  `CREATE TABLE ${random.pick(TABLES)}_${random.pick(['archive', 'notes', 'import', '2026'])} ` +
  `(id INTEGER PRIMARY KEY, ${random.pick(COLUMNS)} TEXT)`;
const alter: Statement = (table, random) => `ALTER TABLE ${table} ADD COLUMN ${random.pick(COLUMNS)} TEXT`;

/** By the first of these words in a tool's name or description. */
const KINDS: Record<string, Statement> = {
  read: ask,
  select: ask,
  export: ask,
  write,
  insert: write,
  delete: write,
  create,
  alter,
};
