import { readFileSync } from 'node:fs';
import { join } from 'node:path';
type Product = { sku: string; name: string; price: number; stock: number; category: string };
const products: Product[] = JSON.parse(readFileSync(join(__dirname, 'products.json'), 'utf8'));

export class ShopAssistant {
  private cart: { sku: string; quantity: number }[] = [];

  /**
   * Looks up products in the catalog.
   * @param keyword part of the name
   * @param maxPrice in euros
   * @tool
   */
  findProducts(keyword: string, maxPrice?: number) {
    return products.filter((p) => p.name.toLowerCase().includes(keyword.toLowerCase()) && (maxPrice === undefined || p.price <= maxPrice));
  }
  /**
   * How many of a product are in stock
   * @param sku article number
   * @tool
   */
  stockLevel(sku: string): number {
    return products.find((p) => p.sku === sku)?.stock ?? 0;
  }
  /**
   * Puts a product into the shopping cart.
   * @tool
   */
  addToCart(sku: string, quantity: number = 1) {
    this.cart.push({ sku, quantity });
    return { items: this.cart.length };
  }
  /**
   * Shows what is in the cart and what it costs.
   * @tool
   */
  viewCart() {
    return { lines: this.cart, total: this.cart.reduce((s, l) => s + (products.find((p) => p.sku === l.sku)?.price ?? 0) * l.quantity, 0) };
  }
  /**
   * Applies a voucher code.
   * @param code e.g. SPRING10
   * @tool
   */
  applyVoucher(code: string): { discountPercent: number } {
    return { discountPercent: code === 'SPRING10' ? 10 : 0 };
  }
  /**
   * Places the order and ships it to the address.
   * @param shippingMethod standard takes 3 days, express 1
   * @tool
   */
  checkout(address: { street: string; city: string; zip: string }, shippingMethod: 'standard' | 'express' = 'standard') {
    return { orderId: 'A-' + (1000 + this.cart.length), shippingMethod, city: address.city };
  }
}
