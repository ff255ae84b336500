import { existsSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'node-sqlite3-wasm';
import { makeMailbox, type Mail } from './mailbox';

/** What a search shows of an email. */
export interface EmailHit {
  id: string;
  from: string;
  date: string;
  subject: string;
  snippet: string;
}

/** Search the mailbox, best match first.
 *  @param query words that must all occur
 *  @param from name of the sender
 *  @param after first day, YYYY-MM-DD
 *  @param before last day, YYYY-MM-DD
 *  @param limit how many at most
 *  @minimum 1
 *  @maximum 10
 *  @asType integer
 *  @tool */
export function searchEmails(query: string, from = '', after = '', before = '', limit = 3): EmailHit[] {
  // Each word as a string of its own: what means something in FTS5's query syntax (AND, NEAR, *, ^, :) is a word like any other.
  const match = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' ');
  if (match === '') return [];
  return withMailbox((mailbox) => mailbox.all(
    `SELECT id, sender AS "from", date, subject, snippet(mails, 4, '', '', '…', 12) AS snippet FROM mails
     WHERE mails MATCH ? AND instr(lower(sender), lower(?)) > 0 AND date >= ? AND (? = '' OR date <= ?) ORDER BY rank, rowid DESC LIMIT ?`,
    [match, from.trim(), after, before, before, limit],
  ) as unknown as EmailHit[]);
}

/** Read one email.
 *  @param id the email, such as m12
 *  @tool */
export function readEmail(id: string): Omit<Mail, 'id'> {
  const mail = withMailbox((mailbox) => mailbox.get('SELECT sender AS "from", date, subject, body FROM mails WHERE rowid = ?', [Number(/^m(\d+)$/.exec(id)?.[1] ?? 0)]));
  if (!mail) throw new Error(`there is no email ${id}`);
  return mail as unknown as Omit<Mail, 'id'>;
}

/** Opened and closed for each call, since nobody tells a tool that its rollout is over; the file is written once a process. */
function withMailbox<T>(use: (mailbox: Database) => T): T {
  const mailbox = new Database(mailboxFile(), { readOnly: true });
  try {
    return use(mailbox);
  } finally {
    mailbox.close();
  }
}

function mailboxFile(): string {
  const file = join(tmpdir(), `email-search-${process.pid}.db`);
  if (existsSync(file)) return file;
  const mailbox = new Database(`${file}.new`);
  mailbox.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; CREATE VIRTUAL TABLE mails USING fts5(id UNINDEXED, sender, date UNINDEXED, subject, body, tokenize = 'porter unicode61')");
  const insert = mailbox.prepare('INSERT INTO mails (rowid, id, sender, date, subject, body) VALUES (?, ?, ?, ?, ?, ?)');
  for (const { id, from, date, subject, body } of makeMailbox().mails) insert.run([Number(id.slice(1)), id, from, date, subject, body]);
  insert.finalize();
  mailbox.exec('COMMIT');
  mailbox.close();
  renameSync(`${file}.new`, file);
  return file;
}
