/** Units, places a thing is put in, and what a description says of "the user". */
import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import { durationsSaid } from '../../../trainer/base/durations';
import { everydayKind } from '../../../trainer/tasks/generate/everydayKind';
import { scaleNames, withinScale } from '../../../trainer/tasks/generate/scales';
import { toolWords, withoutUser } from '../../../trainer/tools/schema/words';
import { saidWith, share, tool } from './saying';

const said = saidWith('m');
const number = { type: 'number' };

describe('requests with units and places', () => {
  it('say a number with its unit, by the name or the description, and no "amount ml"', () => {
    const byName = said(tool('log_water', 'Log water the user drank.', { amount_ml: number }), { amount_ml: 250 });
    assert.ok(share(byName, /250 ?(ml|milli\w+)\b/i) > 0.6);
    assert.equal(share(byName, /\b(amount|worth|the user|drank)\b/i), 0);
    const told = { distance: { type: 'number', description: 'how far, in kilometres' } };
    assert.ok(share(said(tool('logRun', 'Logs a run.', told), { distance: 12 }), /\b12 ?(km|kilomet\w+)\b/i) > 0.6);
  });

  it('say of several measures what each is of, and keep a span of time in its own words', () => {
    const meal = tool('logMeal', 'Logs a meal.', { protein_g: number, fat_g: number, duration_minutes: number });
    const texts = said(meal, { protein_g: 24, fat_g: 9, duration_minutes: 30 });
    assert.ok(share(texts, /24 ?(g|grams) (of )?protein|protein:? 24/i) > 0.5);
    assert.ok(share(texts, /duration minutes/i) === 0);
    const spans = said(tool('setTimer', 'Sets a timer.', { duration_minutes: number }), { duration_minutes: 90 });
    assert.ok(spans.every((text) => durationsSaid(text, 'minute').in.includes(90) || /\b90\b|ninety/i.test(text)));
  });

  it('say a score with the highest that it may be, and no score above that', () => {
    const rate = tool('rateBook', 'Rate a book.', {
      ratingValue: number,
      bestRating: { type: 'number', description: 'out of how many' },
      ratingUnit: { type: 'string' },
    });
    assert.deepEqual(scaleNames(rate), { score: 'ratingValue', best: 'bestRating' });
    const args = { ratingValue: 3, bestRating: 5, ratingUnit: 'stars' };
    const texts = said(rate, args);
    assert.ok(share(texts, /\b(3|three)( out)?( of |\/)(5|five) stars\b/i) > 0.3);
    assert.equal(share(texts, /\b(5|five)( out)?( of |\/)(3|three)\b/i), 0);
    const drawn = Array.from({ length: 50 }, (_, i) =>
      withinScale({ ...args, ratingValue: 5, bestRating: 3 }, rate, Random.fromSeed(`${i}`)),
    );
    assert.ok(
      drawn.every(({ ratingValue, bestRating }) => ratingValue === 0 || (ratingValue === 3 && bestRating === 5)),
    );
    assert.ok(drawn.some(({ ratingValue }) => ratingValue === 0));
    const given = said(tool('rateBook', 'Rate a book.', { title: { type: 'string' }, rating: number }), {
      title: 'Dune',
      rating: 4,
    });
    assert.ok(share(given, /\bgive .*Dune (a )?4\b|\bDune (deserves|gets) (a )?4\b/i) > 0.05);
    // what is searched for has bounds
    const search = tool('findBooks', 'Find books.', { minRating: number, maxRating: number, rating: number });
    assert.equal(scaleNames(search), null);
  });

  it('say an amount with the unit that is given beside it, a unit of what the tool is about', () => {
    const add = tool('addIngredient', 'Add an ingredient to a recipe.', {
      quantity: number,
      unit: { type: 'string' },
      weightValue: number,
      weightUnit: { type: 'string' },
    });
    assert.ok(share(said(add, { quantity: 2, unit: 'cups' }), /\b(2|two) cups\b/) > 0.3);
    const both = said(add, { quantity: 2, weightValue: 7, weightUnit: 'kg' });
    assert.ok(share(both, /\b(7|seven) kg\b/) > 0.4 && share(both, /\b(2|two) kg\b/) < 0.1);
    const order = tool('order', 'Order a part.', { units: number, price: number });
    assert.ok(share(said(order, { units: 5, price: 20 }), /\b(20|twenty) (5|five)\b/) < 0.05);
    const convert = tool('convert', 'Convert a temperature.', {
      value: number,
      fromUnit: { type: 'string' },
      toUnit: { type: 'string' },
    });
    const converted = said(convert, { value: 30, fromUnit: 'celsius', toUnit: 'fahrenheit' });
    assert.ok(share(converted, /\b(30|thirty) celsius (to|in|into|as) fahrenheit\b/) > 0.3);
    const unitOf = (words: string[], about: string[]): string[] =>
      Array.from({ length: 20 }, (_, i) =>
        everydayKind(words, [], { about: [about, []] })!.draw(Random.fromSeed(`${i}`)),
      );
    assert.ok(
      unitOf(['duration', 'unit'], ['log', 'workout']).every((unit) => /^(hour|minute|second|day|week)s$/.test(unit)),
    );
    assert.ok(!unitOf(['unit'], ['add', 'ingredient']).some((unit) => /miles|hours|stars/.test(unit)));
    assert.ok(!unitOf(['item'], ['add', 'shopping', 'list']).some((item) => /the|a desk lamp/.test(item)));
  });

  it('ask what the weather will be, whatever the verb, and for how it is by its word', () => {
    const text = { type: 'string' };
    const plain = said(tool('getWeather', 'The weather of a city.', { city: text }), { city: 'Oslo' });
    assert.ok(share(plain, /what will .*weather.* be|how's .*weather|what's .*weather/i) > 0.05);
    assert.equal(share(plain, /will it be in|\{[cdn]\}/i), 0);
    const schema = tool('getForecast', 'The forecast.', { city: text, condition: text });
    assert.ok(
      share(said(schema, { city: 'Oslo', condition: 'rainy' }), /(will it be|is it( going to be)?) rainy/i) > 0.05,
    );
    assert.ok(share(said(schema, { city: 'Oslo', condition: 'rain' }), /(will there be|is there|any) rain\b/i) > 0.05);
  });

  it('leave money and bounds what they are', () => {
    const pay = tool('payBill', 'Pays a bill.', { amount_usd: number, max_weight_kg: number });
    const texts = said(pay, { amount_usd: 40, max_weight_kg: 5 });
    assert.ok(share(texts, /(under|below|most|max|up to|more than|over|less than) (5|five) ?(kg|kilo)/i) > 0.5);
  });

  it('put a thing where the name says, and take it from there', () => {
    const add = tool('add_to_cart', 'Add an item.', { product_id: { type: 'string' } });
    const texts = said(add, { product_id: 'P-31' });
    assert.ok(share(texts, /\bcart\b/i) > 0.6);
    assert.equal(share(texts, /\b(create|draw up|file|log)\b/i), 0);
    const list = tool('remove_from_watchlist', 'Remove a film.', { title: { type: 'string' } });
    const removed = said(list, { title: 'Iron Daughter' });
    assert.ok(share(removed, /watchlist/i) > 0.6);
    // where a parameter names the place, it is said as that
    const named = tool('add_to_playlist', 'Add a song.', { song: { type: 'string' }, playlist: { type: 'string' } });
    assert.ok(share(said(named, { song: 'Blue', playlist: 'Gym' }), /\bto (my |the )?(playlist )?"?Gym/i) > 0.6);
  });

  it('say which of two ends is which, also of addresses', () => {
    const text = { type: 'string' };
    const ride = tool('request_ride', 'Order a ride.', { pickup_address: text, dropoff_address: text });
    for (const one of said(ride, { pickup_address: '9 Oak Road', dropoff_address: '4 Mill Lane' })) {
      assert.doesNotMatch(one, /\b(since|starting|until|as of) (9 Oak|4 Mill)/);
      // the one that starts is told by a word, by its place before the other's word, or by its name
      assert.match(
        one,
        /(from|out of|between|pickup address)\W+(is |to )?"?9 Oak|(to|into|for|and|address)\W+(is |to )?"?4 Mill/i,
      );
    }
    const days = tool('listVisits', 'Lists visits.', { startDate: text, endDate: text });
    const told = said(days, { startDate: '2026-05-04', endDate: '2026-06-01' });
    assert.equal(share(told, /\bon (the )?2026-0[56]/), 0);
  });

  it('name each of several ids by what it is of', () => {
    const text = { type: 'string' };
    const bill = tool('create_invoice', 'Create an invoice.', { tenant_id: text, lease_id: text, unit_id: text });
    const texts = said(bill, { tenant_id: 'N244', lease_id: 'N783', unit_id: 'W377' });
    assert.ok(share(texts, /tenant\b[^,]{0,12}N244/i) > 0.85 && share(texts, /lease\b[^,]{0,12}N783/i) > 0.85);
    assert.equal(share(texts, /invoice (called |number |no\. )?"?(N244|N783|W377)/i), 0);
  });

  it('do what the action says that a tool of many is given', () => {
    const properties = {
      action: { type: 'string', enum: ['create', 'list', 'cancel'] },
      bookingId: { type: 'string' },
    };
    const manage = tool('manage_booking', 'Handle the bookings of a guest.', properties);
    const texts = said(manage, { action: 'cancel', bookingId: 'B-7' });
    assert.ok(share(texts, /\bbooking|reservation/i) > 0.4, texts.slice(0, 9).join('\n'));
    assert.ok(share(texts, /cancel|call|off|drop|scrap|out of|undo|withdraw|back|any more|make it|chang/i) > 0.6);
    assert.equal(share(texts, /manage|handle|\baction\b/i), 0);
    const lists = said(manage, { action: 'list' });
    assert.ok(share(lists, /\b(bookings|reservations)\b/i) > 0.8, lists.slice(0, 9).join('\n'));
    // a mode that is no verb is a value as any other
    const mode = tool('set_fan', 'Set the fan.', { mode: { type: 'string', enum: ['eco', 'turbo'] } });
    assert.ok(said(mode, { mode: 'eco' }).every((text) => text.includes('eco')));
  });

  it('know the user for the one who asks', () => {
    assert.equal(withoutUser('How the user referred to the task, in their own words'), 'the task');
    assert.equal(withoutUser("The user's city"), 'city');
    assert.equal(withoutUser("get user's input court name"), 'court name');
    const words = (description: string): string => toolWords(tool('x_it', description, {})).request;
    assert.equal(words("Check the user's calendar."), 'check my calendar');
    assert.equal(words("Get the signed-in user's balance."), 'get my balance');
    assert.equal(words('Log a time block that is not water or food.'), 'log a time block');
  });
});
