/**
 * A desk of financial advice: fifteen atomic tools and five composite ones, which do in one call what a few of the
 * others do. Most take a client or a fund and nothing else, so that a wrong tool can have all of its arguments right.
 */

type Day = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday';

// biome-ignore format: names
export const CLIENTS = [
  'Abara', 'Bergman', 'Castillo', 'Dubois', 'Eriksen', 'Fischer', 'Gupta', 'Haddad', 'Ivanova', 'Jansen', 'Kowalski',
  'Lindgren', 'Moreau', 'Novak', 'Okafor', 'Petrov', 'Quinn', 'Rossi', 'Silva', 'Tanaka', 'Ueda', 'Vargas', 'Weber',
  'Yilmaz',
];
// biome-ignore format: names
export const FUNDS = [
  'Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Hazel', 'Juniper', 'Larch', 'Maple', 'Oak', 'Poplar', 'Rowan',
  'Spruce', 'Walnut', 'Willow',
];
export const LEVELS = ['low', 'medium', 'high'];
export const STATES = ['open', 'closed', 'pending'];
const GOALS = ['house', 'pension', 'school', 'boat'];
const MANAGERS = ['Archer', 'Bowman', 'Carver', 'Draper'];

/** What is on file. @throws Error that names what nobody knows */
function rowOf(list: readonly string[], name: string, kind: string): number {
  const row = list.indexOf(name);
  if (row < 0) throw new Error(`no ${kind} is called ${name}`);
  return row;
}
const client = (name: string): number => rowOf(CLIENTS, name, 'client');
const fundRow = (name: string): number => rowOf(FUNDS, name, 'fund');
const pick = (list: readonly string[], place: number): string => list[place % list.length]!;

/** Name of the fund that a client holds. @param name surname @tool */
export function getFund(name: string): string {
  return pick(FUNDS, client(name) * 5 + 3);
}

/** Risk class of a client. @param name surname @tool */
export function getRiskClass(name: string): string {
  return pick(LEVELS, client(name));
}

/** Savings goal of a client. @param name surname @tool */
export function getGoal(name: string): string {
  return pick(GOALS, client(name) * 3 + 1);
}

/** Last payment of a client, in euros. @param name surname @tool */
export function getLastPayment(name: string): number {
  return 120 + client(name) * 35;
}

/** Fees that a client paid this year, in euros. @param name surname @tool */
export function getFees(name: string): number {
  return 18 + client(name) * 7;
}

/** State of a client's complaint. @param name surname @tool */
export function getComplaint(name: string): string {
  return pick(STATES, client(name) + 1);
}

/** Age of a client. @param name surname @tool */
export function getAge(name: string): number {
  return 27 + client(name) * 2;
}

/** Price of a share of a fund. @param fund its name @tool */
export function getPrice(fund: string): number {
  return 41 + fundRow(fund) * 13;
}

/** Return of a fund last year, in percent. @param fund its name @tool */
export function getReturn(fund: string): number {
  return 2 + fundRow(fund);
}

/** Risk level of a fund. @param fund its name @tool */
export function getFundRisk(fund: string): string {
  return pick(LEVELS, fundRow(fund) + 2);
}

/** Yearly costs of a fund, in percent. @param fund its name @tool */
export function getCosts(fund: string): number {
  return 1 + (fundRow(fund) % 3);
}

/** Manager of a fund. @param fund its name @tool */
export function getManager(fund: string): string {
  return pick(MANAGERS, fundRow(fund) + 1);
}

/** Order a review of a client's file. @param name surname @tool @sideEffect */
export function orderReview(name: string): string {
  client(name);
  return 'ordered';
}

/** Book a meeting with a client. @param name surname @param day when @tool @sideEffect */
export function bookMeeting(name: string, day: Day): string {
  client(name);
  return `booked ${day}`;
}

/** Send a note to a client. @param name surname @param text what it says @tool @sideEffect */
export function sendNote(name: string, text: string): string {
  client(name);
  return text.trim() === '' ? 'empty' : 'sent';
}

/** Overview of a client: fund, risk class and goal at once. @param name surname @tool */
export function getClientOverview(name: string): { fund: string; risk: string; goal: string } {
  return { fund: getFund(name), risk: getRiskClass(name), goal: getGoal(name) };
}

/** Cash report of a client: last payment and fees at once. @param name surname @tool */
export function getCashReport(name: string): { payment: number; fees: number } {
  return { payment: getLastPayment(name), fees: getFees(name) };
}

/** Care sheet of a client: age and complaint at once. @param name surname @tool */
export function getCareSheet(name: string): { age: number; complaint: string } {
  return { age: getAge(name), complaint: getComplaint(name) };
}

/** Fact sheet of a fund: price and return at once. @param fund its name @tool */
export function getFactSheet(fund: string): { price: number; return: number } {
  return { price: getPrice(fund), return: getReturn(fund) };
}

/** Audit of a fund: risk, costs and manager at once. @param fund its name @tool */
export function getFundAudit(fund: string): { risk: string; costs: number; manager: string } {
  return { risk: getFundRisk(fund), costs: getCosts(fund), manager: getManager(fund) };
}
