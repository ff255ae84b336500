import { INBOX } from './inbox';

/** What a search shows of an email. */
export interface EmailHit {
  id: string;
  from: string;
  subject: string;
}

/** The whole email, as it is read. */
export interface OpenedEmail {
  from: string;
  subject: string;
  body: string;
}

const emails = INBOX.map((email) => ({ ...email }));

/** Search the inbox. Newest first.
 *  @param query words that must all occur
 *  @param from who sent it
 *  @param limit how many at most
 *  @tool */
export function searchEmails(query: string, from?: string, limit = 5): EmailHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return emails
    .filter((email) => words.every((word) => `${email.subject} ${email.body}`.toLowerCase().includes(word)))
    .filter((email) => from === undefined || email.from.toLowerCase() === from.toLowerCase())
    .reverse()
    .slice(0, Math.max(0, limit))
    .map(({ id, from: sender, subject }) => ({ id, from: sender, subject }));
}

/** Open one email.
 *  @param id the email, such as m12
 *  @tool */
export function readEmail(id: string): OpenedEmail {
  const { from, subject, body } = find(id);
  return { from, subject, body };
}

/** Send a new email.
 *  @param to who gets it
 *  @param subject the subject line
 *  @param body the text
 *  @tool */
export function sendEmail(to: string, subject: string, body: string): { sent: true } {
  emails.push({ id: `m${emails.length + 1}`, from: 'Me', subject: `${subject} (to ${to})`, body, unread: false });
  return { sent: true };
}

/** Put an email into the archive.
 *  @param id the email, such as m12
 *  @sideEffect
 *  @tool */
export function archiveEmail(id: string): { archived: true } {
  emails.splice(emails.indexOf(find(id)), 1);
  return { archived: true };
}

/** Count unread emails.
 *  @param from who sent them
 *  @tool */
export function countUnread(from?: string): number {
  return emails.filter((email) => email.unread && (from === undefined || email.from.toLowerCase() === from.toLowerCase())).length;
}

function find(id: string): (typeof emails)[number] {
  const email = emails.find((candidate) => candidate.id === id);
  if (!email) throw new Error(`there is no email ${id}`);
  return email;
}
