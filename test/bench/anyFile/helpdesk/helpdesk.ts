/** IT helpdesk tools used by our Slack agent. */
export type Priority = 'low' | 'normal' | 'high' | 'urgent';
export interface Ticket { key: string; title: string; reporter: string; assignee?: string; priority: Priority; status: 'open' | 'in_progress' | 'resolved'; created: string; tags: string[] }

const tickets: Ticket[] = [
  { key: 'HD-101', title: 'VPN drops every few minutes', reporter: 'maria.lopez', assignee: 'sven', priority: 'high', status: 'open', created: '2025-03-02', tags: ['network', 'vpn'] },
  { key: 'HD-102', title: 'Printer on floor 3 jams', reporter: 'tom.baker', priority: 'low', status: 'open', created: '2025-03-04', tags: ['hardware'] },
  { key: 'HD-103', title: 'Cannot log in to payroll', reporter: 'aisha.khan', assignee: 'noor', priority: 'urgent', status: 'in_progress', created: '2025-03-05', tags: ['login', 'payroll'] },
  { key: 'HD-104', title: 'New laptop for starter', reporter: 'maria.lopez', priority: 'normal', status: 'resolved', created: '2025-02-20', tags: ['hardware', 'onboarding'] },
];
const assets = [
  { serial: 'LT-8841', owner: 'maria.lopez', model: 'ThinkPad X1', warrantyUntil: '2026-01-31' },
  { serial: 'LT-9120', owner: 'tom.baker', model: 'MacBook Air', warrantyUntil: '2025-11-15' },
  { serial: 'PH-2207', owner: 'aisha.khan', model: 'Pixel 8', warrantyUntil: '2026-08-01' },
];

/**
 * Search tickets by free text, optionally narrowed by status or priority.
 * @tool
 */
export async function search_tickets(query: string, options: { status?: Ticket['status']; priority?: Priority; limit?: number } = {}): Promise<Ticket[]> {
  return tickets
    .filter((t) => t.title.toLowerCase().includes(query.toLowerCase()) && (!options.status || t.status === options.status) && (!options.priority || t.priority === options.priority))
    .slice(0, options.limit ?? 10);
}

/** @tool Fetch one ticket by its key. */
export const get_ticket = async ({ key }: { key: string }): Promise<Ticket> => {
  const t = tickets.find((x) => x.key === key);
  if (!t) throw new Error(`No ticket ${key}`);
  return t;
};

/**
 * Open a new ticket on behalf of an employee.
 * @param title one line that says what is broken
 * @param reporter login name of the employee
 * @param priority how bad it is
 * @tool
 */
export async function create_ticket(title: string, reporter: string, priority: Priority = 'normal'): Promise<{ key: string }> {
  const key = `HD-${101 + tickets.length}`;
  tickets.push({ key, title, reporter, priority, status: 'open', created: '2025-03-06', tags: [] });
  return { key };
}

/**
 * Assign a ticket to a technician.
 * @param key ticket key
 * @param technician first name
 * @tool
 */
export async function assign_ticket(key: string, technician: 'sven' | 'noor' | 'priya'): Promise<Ticket> {
  const t = await get_ticket({ key });
  t.assignee = technician;
  return t;
}

/**
 * Close a ticket with a resolution note.
 * @tool
 */
export async function close_ticket(key: string, resolution: string): Promise<Ticket> {
  const t = await get_ticket({ key });
  t.status = 'resolved';
  return t;
}

/**
 * Devices that belong to an employee.
 * @param employee login name, like maria.lopez
 * @tool
 */
export function list_assets(employee: string) {
  return assets.filter((a) => a.owner === employee);
}

/**
 * Check whether a device is still under warranty.
 * @tool
 */
export function check_warranty(serial: string): { serial: string; until: string; covered: boolean } {
  const a = assets.find((x) => x.serial === serial);
  if (!a) throw new Error('unknown serial');
  return { serial, until: a.warrantyUntil, covered: a.warrantyUntil > '2025-03-06' };
}
