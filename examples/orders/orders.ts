import { tool } from './tool';

type Courier = 'canoe' | 'tram' | 'zeppelin';
type Grievance = 'damaged' | 'late' | 'unwanted';
type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday';

interface Parcel {
  order: string;
  customer: string;
  article: string;
  weekday: Weekday;
  status: 'packed' | 'shipped' | 'delivered' | 'backordered';
}

const CUSTOMERS = ['Abernathy', 'Bellweather', 'Castellan', 'Drummond', 'Eisenhart', 'Fairbairn', 'Gallagher', 'Hathaway', 'Ironside'];
const STOCK: Readonly<Record<string, number>> = { umbrella: 17, thermos: 8, hammock: 4, lantern: 40, compass: 66, rucksack: 9, penknife: 31, teapot: 12, doormat: 53, wheelbarrow: 2 };
const ARTICLES = Object.keys(STOCK);
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
const STATUSES = ['packed', 'shipped', 'delivered', 'backordered'] as const;
const TARIFF: Readonly<Record<Courier, { base: number; perKilo: number }>> = { canoe: { base: 3, perKilo: 0.5 }, tram: { base: 5, perKilo: 0.75 }, zeppelin: { base: 12, perKilo: 2 } };

/** Eighteen parcels, the same ones each time: two for each customer. */
function stockTheDesk(): Parcel[] {
  return Array.from({ length: 18 }, (_, i) => ({
    order: `K${4107 + i * 89}`,
    customer: CUSTOMERS[i % CUSTOMERS.length],
    article: ARTICLES[(i * 7 + 3) % ARTICLES.length],
    weekday: WEEKDAYS[(i * 2) % WEEKDAYS.length],
    status: STATUSES[(i * 5 + Math.floor(i / 7)) % STATUSES.length],
  }));
}

/** The order desk of a small mail-order house. One object per rollout, so what a tool changes is gone with it. */
export class OrderDesk {
  private readonly parcels = stockTheDesk();

  /** List the orders of a weekday.
   *  @param weekday when they came in */
  @tool()
  listOrders(weekday: Weekday): { order: string; customer: string }[] {
    return this.parcels.filter((parcel) => parcel.weekday === weekday).map(({ order, customer }) => ({ order, customer }));
  }

  /** Find the orders of a customer.
   *  @param customer surname */
  @tool()
  findOrders(customer: string): { order: string; article: string }[] {
    return this.parcels.filter((parcel) => parcel.customer === customer).map(({ order, article }) => ({ order, article }));
  }

  /** Status of an order.
   *  @param order its number, such as K4107
   *  @readonly */
  @tool()
  trackOrder(order: string): string {
    return this.find(order).status;
  }

  /** Quote the shipping of a parcel.
   *  @param courier who carries it
   *  @param kilos what it weighs
   *  @param insured insured against loss */
  @tool()
  quoteShipping(courier: Courier, kilos: number, insured = false): number {
    const { base, perKilo } = TARIFF[courier];
    return Math.round((base + perKilo * kilos + (insured ? 2.5 : 0)) * 100) / 100;
  }

  /** Count what is in stock of an article.
   *  @param article what it is called */
  @tool({ name: 'checkStock' })
  stockOf(article: string): number {
    if (!(article in STOCK)) throw new Error(`there is no article ${article}`);
    return STOCK[article];
  }

  /** Refund an order.
   *  @param order its number, such as K4107
   *  @param amount how much is paid back
   *  @param grievance what was wrong with it */
  @tool()
  refundOrder(order: string, amount: number, grievance: Grievance): { refunded: number; because: Grievance } {
    this.find(order);
    return { refunded: amount, because: grievance };
  }

  private find(order: string): Parcel {
    const parcel = this.parcels.find((candidate) => candidate.order === order);
    if (!parcel) throw new Error(`there is no order ${order}`);
    return parcel;
  }
}
