/** What the mailbox is made of. All of it is invented. */
const list = (text: string): string[] => text.split(',').map((word) => word.trim());

const FIRST = list('Ada, Bruno, Clara, Dario, Elin, Farid, Greta, Hugo, Ines, Jonas, Karin, Leila, Marek, Noor, Otto, Priya, Quentin, Rosa, Sven, Tomas, Ursula, Viktor, Wanda, Yuki, Zara, Amara, Boris, Celia, David, Emma');
const LAST = list('Lindqvist, Okafor, Brandt, Moreau, Tanaka, Silva, Novak, Haddad, Jensen, Petrov, Walsh, Kaya, Fischer, Rossi, Larsen, Mensah, Dubois, Horvat, Keller, Svensson');

/** 60 people, each with a name of their own. */
export const PEOPLE: readonly string[] = Array.from({ length: 60 }, (_, i) => `${FIRST[i % 30]} ${LAST[(i * 7 + Math.floor(i / 30) * 3) % 20]}`);

export const COMPANIES = list('Halden Supplies, Norra Tools, Brightwater, Copperline, Oakridge Print, Delta Freight, Summit Office, Larkfield, Quayside Works, Ironbridge, Maple Systems, Redstone Labs, Silverton, Tidewater, Vantage Signs, Westbrook, Fernhill, Granite Park, Harborlight, Juniper Media');
export const GOODS = list('printer, projector, standing desk, whiteboard, scanner, coffee machine, server rack, conference phone, paper shredder, air purifier, label maker, office chair, safe, water cooler, monitor arm, webcam, carpet cleaning, window repair, fire extinguisher, display case, toner, lamp, router, battery pack, door lock, ladder, tarpaulin, catering, brochure, banner');
export const TOPICS = list('hiring, website, warehouse, pricing, security, onboarding, packaging, training, newsletter, logo, payroll, survey, parking, intranet, audit, recycling, insurance, canteen, roadmap, translation, archive, telephony, reception, showroom, catalogue, mobile app, data backup, supplier, shipping, heating');
export const THINGS = list('cake, contract, samples, slides, laptop, floor plan, budget sheet, prototype, keys, minutes');
export const CITIES = list('Lisbon, Oslo, Vienna, Prague, Dublin, Turin, Bergen, Krakow, Seville, Ghent, Malmo, Basel, Porto, Riga, Tallinn, Nantes, Bologna, Leipzig, Antwerp, Valencia, Zagreb, Graz, Utrecht, Lyon, Aarhus, Split, Bilbao, Cork, Lund, Trieste');
export const PURPOSES = list('conference, site visit, workshop, trade fair, wedding, retreat');
export const HOTELS = list('Hotel Aurora, Hotel Bristol, Grand Central, Hotel Mirador, Park Lodge, Hotel Lumen, The Anchor, Hotel Vega, Garden Court, Hotel Corona, Old Mill Inn, Hotel Marina, Station House, Hotel Alpina, Riverside Inn');
export const AGENTS = list('Blue Kite Travel, Compass Trips, Skylark Travel');
export const SHOPS = list('Papyrus, Wooden Spoon, Trailhead, Bookloft, Green Thumb, Lumina, Cyclone Bikes, Tea Harbour, Pixel Barn, Woolery');
export const ARTICLES = list('notebook, kettle, tent, atlas, fern, desk light, bike helmet, teapot, headphones, scarf, backpack, frying pan, sleeping bag, novel, orchid, candle, bicycle pump, green tea, keyboard, blanket, compass, apron, hammock, cookbook, watering can, umbrella');
export const CARRIERS = list('Swiftpost, Parcelo, Redvan, Northmail, Hermod');
export const PLACES = list('garage, basement, roof terrace, storage room, gym, archive cellar, bike shed, lab, guest flat, boathouse, studio, meeting hall, kitchen, loading dock, server room, clinic, library annex, greenhouse, workshop hall, chapel, cabin, north gate, south gate, lobby');
export const SECRETS = list('door code, alarm code, wifi password, locker combination, key box code');
export const PROJECTS = list('Falcon, Meadow, Comet, Anvil, Lantern, Harvest, Nimbus, Pebble, Quartz, Raven, Saffron, Tundra, Velvet, Willow, Zephyr, Beacon, Cobalt, Drift, Ember, Fjord, Garnet, Heron, Indigo, Jasmine, Kestrel, Lagoon, Mosaic, Nectar, Opal, Prism, Quill, Ripple, Sable, Thistle, Umber, Vortex, Wren, Yarrow, Basalt, Cedar, Dune, Echo, Flint, Grove, Hazel, Iris, Jade, Koala, Lotus, Mango, Nova, Otter, Pine, Reef, Storm, Tulip, Aspen, Birch, Coral, Delphi');
export const SENDERS_OF_STATEMENTS = list('Norra Energy, Vela Bank, Clearwater Utility, Telmo Mobile, Astra Insurance, Cityrail, Greenbin, Pulse Fitness, Cloudnest, Mercury Cards');
export const MONTHS = list('January, February, March, April, May, June, July, August, September, October, November, December');
export const PASSWORDS = list('amber, bramble, cactus, dolphin, ember, fossil, ginger, hazelnut, igloo, jigsaw, kettle, lemon, marble, nutmeg, oyster, pepper, quiver, radish, saddle, turnip');
export const CHATTER = list('Thanks for the other day, Lunch on Thursday?, Photos from the party, Weekly digest, Your feedback, Lost umbrella, Reading list, Garden news, A small favour, Coffee?, Running club, Happy birthday');
export const SMALL_TALK = [
  'I hope you are well.', 'It was good to see you last week.', 'Let me know what you think.', 'No hurry with this.', 'The weather has been kind to us.', 'Greetings to the whole team.', 'I am out of office on Friday.',
  'Please tell the others.', 'Thank you for your patience.', 'Do call me if anything is unclear.', 'We had a long day here.', 'I will write again soon.', 'The lift is being repaired, so take the stairs.', 'Have a look when you find a moment.',
];
