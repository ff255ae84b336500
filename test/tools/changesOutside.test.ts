import assert from 'node:assert/strict';
import { changesOutside } from '../../trainer/tools/sources/typescript/discovery/changesOutside';
import { changesWorld } from '../../trainer/tools/sources/typescript/discovery/changesWorld';
import { discover } from './discoverySupport';

describe('Code that changes what outlives a call', () => {
  const rows: [code: string, expected: boolean][] = [
    ['{ const r = rooms.find((x) => x.id === id); r.guest = guest; return r; }', true],
    ['{ rooms[0]!.guest = guest; }', true],
    ['{ (await requireRoom(id)).guest = guest; }', true],
    ['{ for (const room of rooms) room.clean = false; }', true],
    ['{ rooms.forEach((room) => { room.clean = false; }); }', true],
    ['{ Object.assign(rooms[0], { guest }); }', true],
    ['{ plans.set(id, day); }', true],
    ['{ last += 1; return last; }', true],
    ['{ return this.count++; }', true],
    ['{ delete this.rooms[id]; }', true],
    ['{ return this.free.shift(); }', true],
    ['{ return hotel.checkIn(guest); }', true],
    ['hotel.checkOut(guest)', true],
    ['{ return store.saveRoom(id); }', true],
    ['{ return api.post("/seat", { id }); }', true],
    ['{ return fetch("/x", { method: "PUT" }); }', true],
    ['{ return db.query("UPDATE rooms SET guest = ? WHERE id = ?", id); }', true],
    ['{ writeFileSync("x", id); }', true],
    ['{ const way = []; way.push(from); return way; }', false],
    ['{ const seen = new Set(); seen.add(id); let n = 0; n += 1; return n; }', false],
    ['{ const list = rooms.filter((r) => r.clean); list.push(id); return list; }', false],
    ['{ const k = cache.get(id); if (!k) cache.set(id, 1); return k; }', false],
    ['{ const day = parseDate(id); day.setDate(3); return day; }', false],
    ['{ return rooms.reduce((acc, r) => { acc[r.id] = r; return acc; }, {}); }', false],
    ['{ const r = rooms.find((x) => x.id === id); return r.name.replace("a", "b"); }', false],
    ['{ return Math.log(rooms.length) + orderBy(rooms, "id").length; }', false],
    ['{ return hotel.checkRoom(id); }', false],
    ['{ options.page = 1; return fetch("/x", { method: "GET" }); }', false],
    ['{ console.log(id); return rooms.map(({ id }) => id); }', false],
  ];
  for (const [code, expected] of rows)
    it(`${code} -> ${expected}`, () => {
      assert.equal(changesOutside(code, ['id', 'guest', 'options', 'from', 'day']), expected);
    });

  it('is asked where words leave it open, and never overrules a plain verb or a tag', () => {
    const asked = (name: string, description: string): boolean => {
      let isAsked = false;
      changesWorld(name, description, undefined, () => (isAsked = true));
      return isAsked;
    };
    assert.deepEqual(
      [asked('planCleaning', 'Plans a cleaning.'), asked('checkIn', 'Checks a guest in.'), asked('weather', 'Weather')],
      [true, true, true],
    );
    assert.deepEqual(
      [asked('getNext', 'Gets the next number.'), asked('vips', 'Lists the guests.'), asked('send', 'Sends.')],
      [false, false, false],
    );
  });

  it('is read from functions and methods, where the body was dropped for the types, too', () => {
    const { tools } = discover(`
      const plans: string[] = [];
      /** Plans a cleaning. @tool */
      export function planCleaning(day: string): string { plans.push(day); return day; }
      /** Plans a way. @tool */
      export function planWay(day: string): string[] { const way: string[] = []; way.push(day); return way; }
      class Desk {
        private free = ['D1'];
        /** Hands out a desk. @tool */
        takeDesk(who: string): string { return who + this.free.shift(); }
      }
      export const desk = new Desk();
    `);
    assert.deepEqual(
      tools.map(({ name, changesWorld: changes }) => [name, changes]),
      [
        ['planCleaning', true],
        ['planWay', false],
        ['takeDesk', true],
      ],
    );
  });
});
