/** The desk of a small public library: who has what at home, and what stands on the shelf. */

/** @pattern ^M-\d{4}$ */
type MemberId = string;

/** @pattern ^B\d{3}$ */
type BookId = string;

interface Loan {
  member: MemberId;
  book: BookId;
  due: string;
}

const TODAY = '2026-03-02';

const members: Record<MemberId, string> = {
  'M-1003': 'Jonas Weber', 'M-1008': 'Ingrid Solheim', 'M-1011': 'Priya Raman', 'M-1017': 'Tomasz Zielinski', 'M-1022': 'Aisha Bello',
  'M-1026': 'Colm Brannigan', 'M-1030': 'Mei-Ling Chou', 'M-1034': 'Rosa Quintero', 'M-1039': 'Hugo Lindqvist', 'M-1041': 'Fatima Nasser',
  'M-1045': 'Dmitri Volkov', 'M-1052': 'Beatrice Amato', 'M-1058': 'Kwame Asante', 'M-1063': 'Nora Petersen', 'M-1067': 'Lucas Fontaine',
};

const books: Record<BookId, { title: string; author: string }> = {
  B101: { title: 'Dune', author: 'Frank Herbert' },
  B104: { title: 'Emma', author: 'Jane Austen' },
  B107: { title: 'Middlemarch', author: 'George Eliot' },
  B112: { title: 'Beloved', author: 'Toni Morrison' },
  B115: { title: 'Solaris', author: 'Stanislaw Lem' },
  B118: { title: 'The Hobbit', author: 'J. R. R. Tolkien' },
  B121: { title: 'Persuasion', author: 'Jane Austen' },
  B126: { title: 'Frankenstein', author: 'Mary Shelley' },
  B129: { title: 'Kindred', author: 'Octavia Butler' },
  B133: { title: 'Rebecca', author: 'Daphne du Maurier' },
  B137: { title: 'Neuromancer', author: 'William Gibson' },
  B140: { title: 'The Trial', author: 'Franz Kafka' },
  B144: { title: 'Ulysses', author: 'James Joyce' },
  B148: { title: 'Dracula', author: 'Bram Stoker' },
  B152: { title: 'Walden', author: 'Henry Thoreau' },
  B156: { title: 'Moby Dick', author: 'Herman Melville' },
  B159: { title: 'Siddhartha', author: 'Hermann Hesse' },
  B163: { title: 'Hyperion', author: 'Dan Simmons' },
  B167: { title: 'Cosmos', author: 'Carl Sagan' },
  B170: { title: 'Silent Spring', author: 'Rachel Carson' },
  B174: { title: 'Matilda', author: 'Roald Dahl' },
  B178: { title: 'Momo', author: 'Michael Ende' },
  B181: { title: 'Heidi', author: 'Johanna Spyri' },
  B185: { title: 'Pachinko', author: 'Min Jin Lee' },
  B189: { title: 'Circe', author: 'Madeline Miller' },
  B192: { title: 'Gilead', author: 'Marilynne Robinson' },
  B196: { title: 'Ivanhoe', author: 'Walter Scott' },
  B203: { title: 'Foundation', author: 'Isaac Asimov' },
  B207: { title: 'Stoner', author: 'John Williams' },
  B211: { title: 'Possession', author: 'A. S. Byatt' },
};

const loans: Loan[] = [
  { member: 'M-1003', book: 'B101', due: '2026-03-16' },
  { member: 'M-1003', book: 'B133', due: '2026-03-09' },
  { member: 'M-1008', book: 'B115', due: '2026-03-20' },
  { member: 'M-1011', book: 'B112', due: '2026-03-11' },
  { member: 'M-1011', book: 'B185', due: '2026-03-24' },
  { member: 'M-1017', book: 'B140', due: '2026-03-06' },
  { member: 'M-1022', book: 'B189', due: '2026-03-18' },
  { member: 'M-1026', book: 'B144', due: '2026-02-27' },
  { member: 'M-1026', book: 'B152', due: '2026-03-13' },
  { member: 'M-1030', book: 'B178', due: '2026-03-05' },
  { member: 'M-1030', book: 'B174', due: '2026-03-05' },
  { member: 'M-1034', book: 'B211', due: '2026-03-27' },
  { member: 'M-1039', book: 'B137', due: '2026-03-12' },
  { member: 'M-1039', book: 'B163', due: '2026-03-12' },
  { member: 'M-1041', book: 'B104', due: '2026-03-19' },
  { member: 'M-1052', book: 'B126', due: '2026-03-03' },
  { member: 'M-1058', book: 'B203', due: '2026-03-22' },
  { member: 'M-1058', book: 'B129', due: '2026-03-22' },
  { member: 'M-1063', book: 'B167', due: '2026-03-17' },
  { member: 'M-1067', book: 'B196', due: '2026-03-10' },
];

const holds: { member: MemberId; book: BookId }[] = [{ member: 'M-1045', book: 'B189' }];

/**
 * Search the catalogue by title or author.
 * @param onlyFree leave out what is lent
 * @tool
 */
export function searchBooks(words: string, onlyFree = false): { book: BookId; title: string; author: string; free: boolean }[] {
  const wanted = words.toLowerCase();
  return Object.entries(books)
    .filter(([, { title, author }]) => title.toLowerCase().includes(wanted) || author.toLowerCase().includes(wanted))
    .map(([book, entry]) => ({ book, ...entry, free: !loans.some((loan) => loan.book === book) }))
    .filter(({ free }) => free || !onlyFree);
}

/**
 * Find a member by name.
 * @tool
 */
export function findMember(name: string): { member: MemberId; name: string }[] {
  return Object.entries(members).filter(([, each]) => each.toLowerCase().includes(name.toLowerCase())).map(([member, each]) => ({ member, name: each }));
}

/**
 * The books that a member has borrowed.
 * @tool
 */
export function listLoans(member: MemberId): { book: BookId; title: string; due: string }[] {
  checkMember(member);
  return loans.filter((loan) => loan.member === member).map(({ book, due }) => ({ book, title: books[book].title, due }));
}

/**
 * Lend a book to a member.
 * @param days for how long
 * @tool
 */
export function lendBook(member: MemberId, book: BookId, days = 21): { due: string } {
  checkMember(member);
  checkBook(book);
  if (loans.some((loan) => loan.book === book)) throw new Error(`${book} is already lent`);
  const due = addDays(TODAY, days);
  loans.push({ member, book, due });
  return { due };
}

/**
 * Take a book back.
 * @tool
 */
export function returnBook(book: BookId): { title: string; daysLate: number } {
  const loan = findLoan(book);
  loans.splice(loans.indexOf(loan), 1);
  return { title: books[book].title, daysLate: Math.max(0, (Date.parse(TODAY) - Date.parse(loan.due)) / 86_400_000) };
}

/**
 * Extend a loan.
 * @param days how many more
 * @tool
 */
export function renewLoan(book: BookId, days = 14): { due: string } {
  const loan = findLoan(book);
  if (holds.some((hold) => hold.book === book)) throw new Error(`${book} is wanted by somebody else`);
  loan.due = addDays(loan.due, days);
  return { due: loan.due };
}

/**
 * Put a member on the waiting list of a book.
 * @tool
 */
export function placeHold(member: MemberId, book: BookId): { place: number } {
  checkMember(member);
  checkBook(book);
  holds.push({ member, book });
  return { place: holds.filter((hold) => hold.book === book).length };
}

function checkMember(member: MemberId): void {
  if (!(member in members)) throw new Error(`no member ${member}`);
}

function checkBook(book: BookId): void {
  if (!(book in books)) throw new Error(`no book ${book}`);
}

function findLoan(book: BookId): Loan {
  checkBook(book);
  const loan = loans.find((each) => each.book === book);
  if (!loan) throw new Error(`${book} is not lent`);
  return loan;
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}
