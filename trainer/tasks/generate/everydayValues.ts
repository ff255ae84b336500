/**
 * What people say for everyday things: a city, a name, a title, a day. Plain knowledge, of no tool file in particular.
 */
import type { Random } from '../../base/random';
import { from, loose, oneOf, type Draw } from './draw';
import { isoDate, isoTime, when } from './everydayTimes';

export const firstName = from(
  'Alma|Boris|Celia|Dmitri|Edith|Farid|Gilda|Hugo|Imani|Joris|Katya|Lorenz|Mirela|Nadia|Oskar|Petra|Quentin|Rosa|Stefan|Talia|Ulrich|Vera|Wanda|Xavier|Yara|Zoltan|Anna|Ben|Carol|David|Ella|Frank|Grace|Henry|Ivy|Jack|Karen|Leo|Maria|Noah|Olivia|Paul|Ruth|Sam|Tina|Victor|Emily|Carlos|Sofia|Omar|Priya|Kenji|Lena|Marcus',
);
export const lastName = from(
  'Aldridge|Brandt|Castell|Dorsey|Ekman|Ferris|Galanis|Hollis|Ivarsson|Jansen|Kowal|Lund|Moreau|Novak|Osei|Pereira|Quist|Rinaldi|Sato|Turner|Ueda|Varga|Weiss|Zeman|Smith|Baker|Clarke|Diaz|Evans|Fischer|Garcia|Hughes|Khan|Lee|Martin|Nguyen|Patel|Reid|Silva|Walsh|Young|Bergman|Costa|Romano',
);
export const fullName: Draw = (random) => `${firstName(random)} ${lastName(random)}`;
export const person = oneOf(fullName, fullName, fullName, firstName, lastName);
const longName: Draw = (r) =>
  r.pick([
    `${firstName(r)} van ${lastName(r)}`,
    `${firstName(r)} de la ${lastName(r)}`,
    `${firstName(r)} ${firstName(r)} ${lastName(r)}`,
    `${firstName(r)} ${lastName(r)} Jr.`,
    `${firstName(r)} ${firstName(r)[0]!}. ${lastName(r)}`,
    `${firstName(r)} and ${firstName(r)} ${lastName(r)}`,
  ]);

export const city = from(
  'Oslo|Lima|Turin|Dakar|Kyoto|Porto|Quito|Riga|Tunis|Utrecht|Vienna|Warsaw|Bergen|Cork|Denver|Fargo|Ghent|Havana|Izmir|Jaipur|Lagos|Malmo|Nairobi|Odessa|Perth|New ' +
    'Orleans|San Diego|Buenos Aires|Cape Town|Salt Lake City|Hong Kong|St Gallen|Baton Rouge|Den ' +
    'Haag|Las Palmas|Boston|Leeds|Lyon|Munich|Seville|Toledo|Memphis|Tampa|Bristol|Kobe|Delhi|Cairo|Prague|Krakow|Basel|Bath',
);
export const country = from(
  'Norway|Peru|Italy|Senegal|Japan|Portugal|Ecuador|Latvia|Tunisia|Austria|Poland|Ireland|Belgium|Cuba|Turkey|India|Nigeria|Sweden|Kenya|Chile|South ' +
    'Korea|New Zealand|Costa Rica|Sri ' +
    'Lanka|Greece|Morocco|Canada|Brazil|Iceland|Finland|Vietnam|Saudi Arabia',
);
export const province = from(
  'Texas|Ohio|Vermont|Oregon|Kansas|Utah|Bavaria|Tuscany|Ontario|Quebec|Provence|Andalusia|Queensland|North ' +
    'Dakota|New Mexico|Rhode Island|West Virginia|Nevada|Maine|Idaho|TX|OH|CA|NY|FL|WA|IL|UT|AZ|GA|MA|CO|OR|NV|NC|VA|MI|MN|TN|PA|NJ|WI',
);
export const plain = from(
  'amber|basil|cedar|delta|ember|falcon|garnet|heron|indigo|jasmine|kestrel|lilac|maple|nutmeg|olive|pepper|quartz|raven|saffron|thistle|umber|violet|walnut|yarrow|zephyr',
);

const ADJECTIVE = from(
  'Silent|Golden|Broken|Crimson|Hidden|Little|Last|Lonely|Endless|Blue|Green|Paper|Wild|Distant|Frozen|Burning|Quiet|Secret|Sleeping|Velvet|Electric|Hollow|Lucky|Northern|Old|Rusty|Sweet|Winter|Summer|Iron|Glass|Second',
);
const NOUN = from(
  'River|Garden|Mountain|Letter|Night|Shadow|Harbour|Road|Summer|Kingdom|Mirror|Station|Song|Storm|Daughter|Clock|Island|Window|Stranger|Forest|Promise|Machine|Lantern|Bridge|Circus|Desert|Ocean|Orchard|Voyage|Witness|Tower|Feather',
);
/** Titles of books and songs are often longer than four words, and hold commas, colons and numbers. */
const LONG_TITLES: readonly Draw[] = [
  (r) => `The ${ADJECTIVE(r)} ${NOUN(r)} of ${firstName(r)} ${lastName(r)}`,
  (r) => `How ${firstName(r)} Found the ${ADJECTIVE(r)} ${NOUN(r)}`,
  (r) => `All the ${NOUN(r)}s That We Never Saw`,
  (r) => `${ADJECTIVE(r)} ${NOUN(r)}, ${ADJECTIVE(r)} ${NOUN(r)}`,
  (r) => `${NOUN(r)}: The ${ADJECTIVE(r)} ${NOUN(r)}`,
  (r) => `Live at the ${NOUN(r)} in ${city(r)}`,
  (r) => `${NOUN(r)} ${2 + r.int(4)}`,
  (r) => `From the ${NOUN(r)} to the ${ADJECTIVE(r)} ${NOUN(r)}`,
  (r) => `A Short History of the ${ADJECTIVE(r)} ${NOUN(r)}`,
  (r) => `${firstName(r)}'s Guide to the ${NOUN(r)}s of ${city(r)}`,
  (r) => `When the ${NOUN(r)} Comes Back for ${firstName(r)}`,
  (r) => `Do Not Look Behind the ${NOUN(r)}`,
  (r) => `${2 + r.int(30)} ${NOUN(r)}s and a ${NOUN(r)}`,
];
export const title: Draw = loose((random) =>
  oneOf(
    (r) => `The ${ADJECTIVE(r)} ${NOUN(r)}`,
    (r) => `${ADJECTIVE(r)} ${NOUN(r)}`,
    (r) => `The ${NOUN(r)}`,
    (r) => `${NOUN(r)} of the ${NOUN(r)}`,
    (r) => `A ${NOUN(r)} in ${city(r)}`,
    (r) => `Beyond the ${NOUN(r)}`,
    (r) => `${firstName(r)} and the ${NOUN(r)}`,
    (r) => `My ${ADJECTIVE(r)} ${NOUN(r)}`,
    (r) => NOUN(r),
    (r) => `The ${NOUN(r)} and the ${NOUN(r)}`,
    (r) => r.pick(LONG_TITLES)(r),
    (r) => r.pick(LONG_TITLES)(r),
    (r) => r.pick(LONG_TITLES)(r),
    from(
      'Waiting for You|Never Again|Back to the Start|Tell Me Why|Dancing Alone|Where We Belong|All ' +
        'My Friends|Run Away with Me|Nobody Knows|One More Time|Take the Long Way|Learning to Swim',
    ),
  )(random),
);
export const band: Draw = loose(
  oneOf(
    fullName,
    fullName,
    longName,
    (random) => `The ${ADJECTIVE(random)} ${NOUN(random)}s`,
    (random) => `${ADJECTIVE(random)} ${NOUN(random)}`,
    (random) => `DJ ${firstName(random)}`,
  ),
);
export const business: Draw = oneOf(
  (random) => `${ADJECTIVE(random)} ${NOUN(random)}`,
  (random) => `${lastName(random)} and ${random.pick(['Sons', 'Partners', 'Daughters'])}`,
  (random) => `${firstName(random)}'s ${random.pick(['Kitchen', 'Corner', 'Garage', 'Bakery', 'Place'])}`,
  (random) => `${lastName(random)} ${random.pick(['Motors', 'Foods', 'Energy', 'Systems', 'Airlines', 'Bank'])}`,
  from('the old mill|the corner house|Harbour Grill|La Strada|Blue Door|Two Brothers|Green Olive|Casa Lupo|The Anchor'),
);
export const landmark = from(
  'Central Station|the town hall|Riverside Park|the old harbour|City Museum|the ' +
    'cathedral|Union Square|the opera|North Gate|Lake Park|the university|the main station|the ' +
    'zoo|Castle Hill|Victoria Bridge|the airport|the stadium|Pine Street',
);

/** What a court, a shelf or a list may be called. */
export const nameOfThing = (thing: string): Draw =>
  loose(
    oneOf(
      (random) => `${ADJECTIVE(random)} ${NOUN(random)}`,
      (random) => `${thing} ${1 + random.int(12)}`,
      (random) => `${plain(random)} ${thing}`,
      (random) => `${lastName(random)} ${thing}`,
      plain,
      inventedName,
      business,
    ),
  );

export const sentence = oneOf(
  from(
    'see you at the gate|the meeting starts at nine|thank you for the quick help|please call me ' +
      'back tomorrow|we are running late today|the parcel has arrived|all is ready for Monday|the ' +
      'lift is out of service|lunch is on me|the keys are under the mat|bring a warm coat|the report is almost done',
  ),
  (random) =>
    `${random.pick(['do not forget the', 'please bring the', 'I lost the', 'where is the', 'we need the'])} ${THING(random)}`,
  (random) => `I will be there ${when(random)}`,
  (random) => `${firstName(random)} is coming ${when(random)}`,
);
export const THING: Draw = from(
  'coffee mug|desk lamp|rain jacket|running shoes|garden hose|phone charger|wool scarf|water ' +
    'bottle|office chair|backpack|headphones|kettle|notebook|bike light|hiking boots|frying ' +
    'pan|blanket|umbrella|printer|keyboard|toaster|suitcase|tea towel|ladder',
);
/** What people search for, in more than a word. */
export const sought: Draw = (random) =>
  random.pick([
    `${SEARCHED(random)} in ${city(random)}`,
    `${SEARCHED(random)} in ${city(random)}`,
    `${SEARCHED(random)} near ${landmark(random)}`,
    `${SEARCHED(random)} for ${random.pick(['children', 'beginners', 'two people', 'a small office', 'winter'])}`,
    `${random.pick(['cheap', 'best', 'used', 'local', 'good', 'new'])} ${SEARCHED(random)}`,
    `how to repair a ${THING(random)}`,
    `${THING(random)} with ${random.pick(['a warranty', 'free delivery', 'good reviews', 'a discount'])}`,
  ]);
const SEARCHED = from(
  'florists|photographers|wedding cakes|plumbers|dog parks|language schools|second-hand books|bike tours|yoga classes|' +
    'vegan restaurants|concert halls|swimming lessons|tax advisers|garden tools|street food|coworking spaces|caterers',
);
export const subject = oneOf(
  from(
    'Quarterly review|Team lunch|Site visit|Open questions|Summer plans|New schedule|Budget ' +
      'talk|Weekend trip|Door repair|Final draft|dentist|yoga class|dinner with Anna|birthday ' +
      'party|job interview|parents evening|book club|haircut|football practice|piano lesson|wedding|concert|exam|' +
      'vet visit|choir|garage sale|school play',
  ),
  (random) => `${random.pick(['lunch', 'dinner', 'call', 'coffee', 'meeting'])} with ${firstName(random)}`,
);
export const chore = oneOf(
  from(
    'buy milk|call mum|water the plants|pay the rent|feed the cat|pick up the kids|clean the ' +
      'garage|post the parcel|book the flights|wash the car|take out the bins|print the ' +
      'tickets|iron the shirts|cut the grass',
  ),
  (random) => `${random.pick(['buy a', 'look for the', 'pick up the', 'return the'])} ${THING(random)}`,
);
export const complaint = from(
  'a sore throat|back pain|a broken window|no hot water|the screen is cracked|a flat tyre|it ' +
    'came too late|the wrong size|a strange noise|it does not start|a bad cough|the handle came ' +
    'off|a toothache|it leaks',
);
export const company = from(
  'my wife|my two brothers|me and my sister|the whole family|my parents and me|my boss|Anna ' +
    'and Ben|a friend of mine|me and three friends|the kids|my grandmother|the four of us',
);
export const ROOMS = 'kitchen|living room|bedroom|bathroom|hallway|office|garage|attic|cellar|nursery';
export const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.pick([...'0123456789abcdef'])).join('');
export const email: Draw = (random) => `${firstName(random).toLowerCase()}@${plain(random)}.example`;
/** Numbers that are nobody's, as they are written in several countries. */
export const phone: Draw = (random) => {
  const end = String(random.int(100)).padStart(2, '0');
  return random.pick([
    `555-01${end}`,
    `555-01${end}`,
    `(212) 555-01${end}`,
    `+1 415 555 01${end}`,
    `+44 20 5550 1${end}`,
    `030 55501${end}`,
    `98555 010${end}`,
    `21255501${end}`,
  ]);
};
/** Of the United States and Germany, of Austria, of Britain, of the Netherlands. */
export const postCode: Draw = (random) => {
  const letters = (): string => random.pick([...'ABDEGHKLMNPRSTW']);
  const forms = [
    () => String(10_000 + random.int(90_000)),
    () => String(10_000 + random.int(90_000)),
    () => String(1000 + random.int(9000)),
    () => `${letters()}${letters()}${1 + random.int(20)} ${1 + random.int(9)}${letters()}${letters()}`,
    () => `${1000 + random.int(9000)} ${letters()}${letters()}`,
  ];
  return random.pick(forms)();
};
export const uri: Draw = (random) => `https://${plain(random)}.example/${plain(random)}`;

const ONSET = from('b|br|c|d|dr|f|g|gl|h|j|k|l|m|n|p|pl|r|s|st|t|tr|v|w|z');
const REST = from('a|e|i|o|u|an|ar|el|en|er|in|on|or|ix|oo|ay|al|um|is');
/** A name that nobody knows: people name brands, shops and songs that no list has. */
export const inventedName: Draw = loose((random) => {
  const word = (): string => {
    const text = Array.from({ length: 2 + random.int(2) }, () => ONSET(random) + REST(random)).join('');
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  return random.next() < 0.3 ? `${word()} ${word()}` : word();
});

/** By JSON Schema's `format`. */
export const FORMATS: Readonly<Record<string, Draw>> = {
  date: isoDate,
  email,
  uri,
  url: uri,
  'uri-reference': uri,
  'idn-email': email,
  hostname: (random) => `${plain(random)}.example`,
  time: (random) => `${isoTime(random)}:00`,
  'date-time': (random) => `${isoDate(random)}T${isoTime(random)}:00Z`,
  uuid: (random) => `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`,
  ipv4: (random) => `10.${random.int(200)}.${random.int(200)}.${1 + random.int(200)}`,
};
