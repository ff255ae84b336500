export type Stage = 'lead' | 'qualified' | 'proposal' | 'won' | 'lost';
export interface Company { id: string; name: string; city: string; employees: number }
export interface Deal { id: string; companyId: string; title: string; value: number; stage: Stage; owner: string; closeDate?: string }

class Db {
  companies: Company[] = [
    { id: 'CMP-1001', name: 'Norrland Paper', city: 'Umeå', employees: 320 },
    { id: 'CMP-1002', name: 'Harbour Light Foods', city: 'Cork', employees: 48 },
    { id: 'CMP-1003', name: 'Quantile Analytics', city: 'Zürich', employees: 77 },
    { id: 'CMP-1004', name: 'Brisk Cycles', city: 'Utrecht', employees: 15 },
    { id: 'CMP-1005', name: 'Aster Dental Group', city: 'Leeds', employees: 140 },
  ];
  deals: Deal[] = [
    { id: 'D-501', companyId: 'CMP-1001', title: 'Pulp sensors', value: 42000, stage: 'proposal', owner: 'maria', closeDate: '2026-12-15' },
    { id: 'D-502', companyId: 'CMP-1002', title: 'Cold chain pilot', value: 9000, stage: 'lead', owner: 'tom' },
    { id: 'D-503', companyId: 'CMP-1003', title: 'Dashboard licences', value: 18500, stage: 'qualified', owner: 'maria' },
    { id: 'D-504', companyId: 'CMP-1004', title: 'Fleet trackers', value: 6100, stage: 'won', owner: 'ines', closeDate: '2026-09-30' },
    { id: 'D-505', companyId: 'CMP-1005', title: 'Scheduling rollout', value: 27500, stage: 'proposal', owner: 'tom', closeDate: '2027-01-20' },
  ];
}

/** Sales desk. */
export class Crm {
  constructor(private db = new Db()) {}

  /**
   * Find companies by part of their name or by city.
   * @tool
   */
  async searchCompanies(query: string, limit: number = 10): Promise<Company[]> {
    const q = query.toLowerCase();
    return this.db.companies.filter((c) => c.name.toLowerCase().includes(q) || c.city.toLowerCase().includes(q)).slice(0, limit);
  }

  /**
   * Deals in the pipeline, filtered.
   * @param filter what to match; everything is optional
   * @tool
   */
  async listDeals(filter: { stage?: Stage; owner?: string; /** in euros */ minValue?: number } = {}): Promise<Deal[]> {
    return this.db.deals.filter(
      (d) => (!filter.stage || d.stage === filter.stage) && (!filter.owner || d.owner === filter.owner) && (!filter.minValue || d.value >= filter.minValue),
    );
  }

  /**
   * Move a deal to another stage.
   * @param dealId like D-501
   * @tool
   */
  async moveDeal(dealId: string, stage: Stage, note?: string): Promise<Deal> {
    const deal = this.db.deals.find((d) => d.id === dealId);
    if (!deal) throw new Error(`no deal ${dealId}`);
    deal.stage = stage;
    void note;
    return deal;
  }

  /**
   * Create a deal for a company.
   * @tool
   */
  async createDeal(companyId: string, deal: { title: string; value: number; closeDate?: string }): Promise<Deal> {
    const made: Deal = { id: `D-${506 + this.db.deals.length}`, companyId, stage: 'lead', owner: 'me', ...deal };
    this.db.deals.push(made);
    return made;
  }

  /** Total value of open deals of one owner. @tool */
  async pipelineValue(owner: string): Promise<number> {
    return this.db.deals.filter((d) => d.owner === owner && d.stage !== 'won' && d.stage !== 'lost').reduce((n, d) => n + d.value, 0);
  }

  /** Log a phone call with a company. @tool */
  async logCall(companyId: string, minutes: number, outcome: 'reached' | 'voicemail' | 'no answer', summary?: string): Promise<{ logged: string }> {
    return { logged: [companyId, minutes, outcome, summary].filter(Boolean).join(', ') };
  }
}
