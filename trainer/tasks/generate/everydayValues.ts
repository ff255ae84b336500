/**
 * What people give for a parameter that says nothing of its values but its name: a city, a dish, a title, a day. Plain
 * knowledge of everyday life, of no tool file in particular.
 */
import type { Random } from '../../base/random';

type Draw = (random: Random) => string;

/** Things that a parameter may be called after, and what people say for them. */
export interface EverydayKind {
  /** matches a word of the parameter's name, in the singular */
  words: RegExp;
  draw: Draw;
}

const list = (text: string): readonly string[] => text.split('|');
const from =
  (text: string): Draw =>
  (random) =>
    random.pick(LISTS.get(text) ?? keep(text));
const LISTS = new Map<string, readonly string[]>();
function keep(text: string): readonly string[] {
  const values = list(text);
  LISTS.set(text, values);
  return values;
}
/** One of several ways, the first ones oftener where they are named twice. */
const oneOf =
  (...draws: readonly Draw[]): Draw =>
  (random) =>
    random.pick(draws)(random);
/** Some people write names without capitals. */
const loose =
  (draw: Draw): Draw =>
  (random) =>
    random.next() < 0.25 ? draw(random).toLowerCase() : draw(random);

const two = (value: number): string => String(value).padStart(2, '0');

const firstName = from(
  'Alma|Boris|Celia|Dmitri|Edith|Farid|Gilda|Hugo|Imani|Joris|Katya|Lorenz|Mirela|Nadia|Oskar|Petra|Quentin|Rosa|Stefan|Talia|Ulrich|Vera|Wanda|Xavier|Yara|Zoltan|Anna|Ben|Carol|David|Ella|Frank|Grace|Henry|Ivy|Jack|Karen|Leo|Maria|Noah|Olivia|Paul|Ruth|Sam|Tina|Victor|Emily|Carlos|Sofia|Omar|Priya|Kenji|Lena|Marcus',
);
const lastName = from(
  'Aldridge|Brandt|Castell|Dorsey|Ekman|Ferris|Galanis|Hollis|Ivarsson|Jansen|Kowal|Lund|Moreau|Novak|Osei|Pereira|Quist|Rinaldi|Sato|Turner|Ueda|Varga|Weiss|Zeman|Smith|Baker|Clarke|Diaz|Evans|Fischer|Garcia|Hughes|Khan|Lee|Martin|Nguyen|Patel|Reid|Silva|Walsh|Young|Bergman|Costa|Romano',
);
const fullName: Draw = (random) => `${firstName(random)} ${lastName(random)}`;
const person = oneOf(fullName, fullName, fullName, firstName, lastName);

const city = from(
  'Oslo|Lima|Turin|Dakar|Kyoto|Porto|Quito|Riga|Tunis|Utrecht|Vienna|Warsaw|Bergen|Cork|Denver|Fargo|Ghent|Havana|Izmir|Jaipur|Lagos|Malmo|Nairobi|Odessa|Perth|New Orleans|San Diego|Buenos Aires|Cape Town|Salt Lake City|Hong Kong|St Gallen|Baton Rouge|Den Haag|Las Palmas|Boston|Leeds|Lyon|Munich|Seville|Toledo|Memphis|Tampa|Bristol|Kobe|Delhi|Cairo|Prague|Krakow|Basel|Bath',
);
const country = from(
  'Norway|Peru|Italy|Senegal|Japan|Portugal|Ecuador|Latvia|Tunisia|Austria|Poland|Ireland|Belgium|Cuba|Turkey|India|Nigeria|Sweden|Kenya|Chile|South Korea|New Zealand|Costa Rica|Sri Lanka|Greece|Morocco|Canada|Brazil|Iceland|Finland|Vietnam|Saudi Arabia',
);
const province = from(
  'Texas|Ohio|Vermont|Oregon|Kansas|Utah|Bavaria|Tuscany|Ontario|Quebec|Provence|Andalusia|Queensland|North Dakota|New Mexico|Rhode Island|West Virginia|Nevada|Maine|Idaho',
);
const plain = from(
  'amber|basil|cedar|delta|ember|falcon|garnet|heron|indigo|jasmine|kestrel|lilac|maple|nutmeg|olive|pepper|quartz|raven|saffron|thistle|umber|violet|walnut|yarrow|zephyr',
);

const ADJECTIVE = from(
  'Silent|Golden|Broken|Crimson|Hidden|Little|Last|Lonely|Endless|Blue|Green|Paper|Wild|Distant|Frozen|Burning|Quiet|Secret|Sleeping|Velvet|Electric|Hollow|Lucky|Northern|Old|Rusty|Sweet|Winter|Summer|Iron|Glass|Second',
);
const NOUN = from(
  'River|Garden|Mountain|Letter|Night|Shadow|Harbour|Road|Summer|Kingdom|Mirror|Station|Song|Storm|Daughter|Clock|Island|Window|Stranger|Forest|Promise|Machine|Lantern|Bridge|Circus|Desert|Ocean|Orchard|Voyage|Witness|Tower|Feather',
);
const title: Draw = loose((random) =>
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
    from(
      'Waiting for You|Never Again|Back to the Start|Tell Me Why|Dancing Alone|Where We Belong|All My Friends|Run Away with Me|Nobody Knows|One More Time|Take the Long Way|Learning to Swim',
    ),
  )(random),
);
const band: Draw = loose(
  oneOf(
    fullName,
    fullName,
    (random) => `The ${ADJECTIVE(random)} ${NOUN(random)}s`,
    (random) => `${ADJECTIVE(random)} ${NOUN(random)}`,
    (random) => `DJ ${firstName(random)}`,
  ),
);
const business: Draw = oneOf(
  (random) => `${ADJECTIVE(random)} ${NOUN(random)}`,
  (random) => `${lastName(random)} and ${random.pick(['Sons', 'Partners', 'Daughters'])}`,
  (random) => `${firstName(random)}'s ${random.pick(['Kitchen', 'Corner', 'Garage', 'Bakery', 'Place'])}`,
  (random) => `${lastName(random)} ${random.pick(['Motors', 'Foods', 'Energy', 'Systems', 'Airlines', 'Bank'])}`,
  from('the old mill|the corner house|Harbour Grill|La Strada|Blue Door|Two Brothers|Green Olive|Casa Lupo|The Anchor'),
);
const landmark = from(
  'Central Station|the town hall|Riverside Park|the old harbour|City Museum|the cathedral|Union Square|the opera|North Gate|Lake Park|the university|the main station|the zoo|Castle Hill|Victoria Bridge|the airport|the stadium|Pine Street',
);

const WEEKDAY = from('monday|tuesday|wednesday|thursday|friday|saturday|sunday');
const MONTH = from('January|February|March|April|May|June|July|August|September|October|November|December');
const clock: Draw = (random) => {
  const hour = 1 + random.int(12);
  return random.pick([`${hour} pm`, `${hour} am`, `${hour}pm`, `${hour}:30`, `${hour} o'clock`, `half past ${hour}`]);
};
/** A point or stretch of time as people say it. */
const when: Draw = oneOf(
  from(
    'tomorrow|today|tonight|this weekend|next week|this evening|this afternoon|tomorrow morning|tomorrow night|now|right now|next month|later today|on the weekend|noon|midnight|this summer|in the morning|christmas eve|new year',
  ),
  (random) => `${random.pick(['', 'next ', 'this ', 'on '])}${WEEKDAY(random)}`,
  (random) => `${WEEKDAY(random)} ${random.pick(['morning', 'evening', 'night', 'afternoon'])}`,
  (random) => `${MONTH(random)} ${1 + random.int(28)}`,
  (random) =>
    `${random.pick(['in', 'within'])} ${2 + random.int(9)} ${random.pick(['hours', 'days', 'minutes', 'weeks'])}`,
  (random) => `${2 + random.int(9)} ${random.pick(['hours', 'minutes', 'weeks', 'days'])} from now`,
  clock,
  (random) => `${random.pick(['tomorrow', 'today', 'tonight', 'friday'])} at ${clock(random)}`,
  (random) => `the ${4 + random.int(16)}th of ${MONTH(random)}`,
);
const isoDate: Draw = (random) => `${2024 + random.int(4)}-${two(1 + random.int(12))}-${two(1 + random.int(28))}`;
const isoTime: Draw = (random) => `${two(7 + random.int(14))}:${random.pick(['00', '15', '30', '45'])}`;
const year: Draw = (random) => String(1950 + random.int(76));

const sentence = oneOf(
  from(
    'see you at the gate|the meeting starts at nine|thank you for the quick help|please call me back tomorrow|we are running late today|the parcel has arrived|all is ready for Monday|the lift is out of service|lunch is on me|the keys are under the mat|bring a warm coat|the report is almost done',
  ),
  (random) =>
    `${random.pick(['do not forget the', 'please bring the', 'I lost the', 'where is the', 'we need the'])} ${THING(random)}`,
  (random) => `I will be there ${when(random)}`,
  (random) => `${firstName(random)} is coming ${when(random)}`,
);
const THING: Draw = from(
  'coffee mug|desk lamp|rain jacket|running shoes|garden hose|phone charger|wool scarf|water bottle|office chair|backpack|headphones|kettle|notebook|bike light|hiking boots|frying pan|blanket|umbrella|printer|keyboard|toaster|suitcase|tea towel|ladder',
);
const subject = oneOf(
  from(
    'Quarterly review|Team lunch|Site visit|Open questions|Summer plans|New schedule|Budget talk|Weekend trip|Door repair|Final draft|dentist|yoga class|dinner with Anna|birthday party|job interview|parents evening|book club|haircut|football practice|piano lesson',
  ),
  (random) => `${random.pick(['lunch', 'dinner', 'call', 'coffee', 'meeting'])} with ${firstName(random)}`,
);
const chore = oneOf(
  from(
    'buy milk|call mum|water the plants|pay the rent|feed the cat|pick up the kids|clean the garage|post the parcel|book the flights|wash the car|take out the bins|print the tickets|iron the shirts|cut the grass',
  ),
  (random) => `${random.pick(['buy a', 'look for the', 'pick up the', 'return the'])} ${THING(random)}`,
);
const complaint = from(
  'a sore throat|back pain|a broken window|no hot water|the screen is cracked|a flat tyre|it came too late|the wrong size|a strange noise|it does not start|a bad cough|the handle came off|a toothache|it leaks',
);
const company = from(
  'my wife|my two brothers|me and my sister|the whole family|my parents and me|my boss|Anna and Ben|a friend of mine|me and three friends|the kids|my grandmother|the four of us',
);
const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.pick([...'0123456789abcdef'])).join('');
const email: Draw = (random) => `${firstName(random).toLowerCase()}@${plain(random)}.example`;
const uri: Draw = (random) => `https://${plain(random)}.example/${plain(random)}`;

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

const kind = (words: RegExp, draw: Draw): EverydayKind => ({ words, draw });
/** What is written anew each time, whatever was found under such a name. */
export const DATE = kind(/^(date|day|deadline|birthday|checkin|checkout|due)$/, isoDate);
export const TIME = kind(/^(time|clock|hour)$/, isoTime);

/** The name's last word says most; of one word the first that matches counts. */
export const KINDS: readonly EverydayKind[] = [
  kind(/^e?mail$/, email),
  DATE,
  kind(/^(when|range|period|timeframe|timing|moment)$/, when),
  TIME,
  kind(/^(url|uri|link|website|homepage)$/, uri),
  kind(/^(phone|telephone|mobile)$/, (random) => `555-01${two(random.int(100))}`),
  kind(/^(city|town|place|destination|origin|location|where|area|region|municipality)$/, loose(city)),
  kind(/^country$/, loose(country)),
  kind(/^(state|province|county|canton)$/, loose(province)),
  kind(/^(poi|landmark|sight|attraction|park|neighbourhood|neighborhood|district|station|airport)$/, landmark),
  kind(
    /^(street|address)$/,
    (random) =>
      `${2 + random.int(90)} ${random.pick(['Mill', 'High', 'Church', 'Oak', 'Station'])} ${random.pick(['Street', 'Lane', 'Road'])}`,
  ),
  kind(
    /^(cuisine|kitchen)$/,
    loose(
      from(
        'Italian|Thai|Mexican|Greek|Indian|Japanese|Lebanese|Vietnamese|Turkish|Spanish|French|Korean|Ethiopian|Chinese|Cuban|Peruvian|Polish|vegan',
      ),
    ),
  ),
  kind(
    /^(dish|meal|food|ingredient|recipe|menu)$/,
    from(
      'lasagna|fried rice|onion soup|pancakes|tacos|apple pie|ramen|grilled fish|potato salad|meatballs|dumplings|cheese omelette|paella|falafel|risotto|fish and chips|chicken curry|tomato soup',
    ),
  ),
  kind(
    /^(drink|beverage)$/,
    from('black coffee|green tea|lemonade|hot chocolate|tonic water|orange juice|red wine|cider'),
  ),
  kind(
    /^(facility|amenity|feature|equipment|extra)$/,
    from(
      'parking|a terrace|air conditioning|live music|a playground|free wifi|outdoor seats|a pool|a smoking room|wheelchair access|a bar|a garden|highchairs|a fireplace|a view',
    ),
  ),
  kind(
    /^(genre|style)$/,
    from(
      'jazz|rock|techno|folk|soul|blues|reggae|classical|opera|country|punk|disco|gospel|ambient|thriller|comedy|horror|fantasy|drama|science fiction',
    ),
  ),
  kind(/^(artist|singer|band|composer|performer|musician|group)$/, band),
  kind(/^(author|writer|director|actor|actress|painter|speaker)$/, loose(oneOf(fullName, fullName, lastName))),
  kind(
    /^(playlist|collection|wishlist)$/,
    loose(
      oneOf(
        from(
          'Sunday morning|Road Trip|Focus|Party Hits|Rainy Days|Gym|Sleep Well|Kitchen Dance|Old Favourites|Office Hours|Long Drive|Guilty Pleasures|For the Kids|Summer Nights',
        ),
        (random) => `${firstName(random)}'s ${random.pick(['favourites', 'mix', 'party', 'songs'])}`,
      ),
    ),
  ),
  kind(
    /^(song|track|album|movie|film|book|novel|show|series|saga|game|title|podcast|piece|work|object|entity|creation|episode|magazine|picture|painting|headline)$/,
    title,
  ),
  kind(
    /^(service|platform|provider|app|application)$/,
    from('Tidal|SoundCloud|Netflix|Audible|Vimeo|Bandcamp|Disney Plus|PayPal|Zoom|Slack'),
  ),
  kind(
    /^(sort|sorting|ranking|rank)$/,
    from('best|newest|cheapest|nearest|most popular|top rated|latest|oldest|shortest|top'),
  ),
  kind(
    /^(relation|proximity|vicinity|nearness)$/,
    from('near|close to|next to|around|not far from|within walking distance of|in the area of|nearest'),
  ),
  kind(/^(condition|weather|sky)$/, from('rain|snow|wind|sunshine|fog|hail|storms|clouds|thunder|showers')),
  kind(/^(temperature|warmth)$/, from('cold|warm|hot|chilly|mild|freezing')),
  kind(/^(colou?r|shade)$/, from('red|green|blue|orange|purple|black|white|yellow|pink|turquoise|grey|dark blue')),
  kind(/^(size|fit)$/, from('small|medium|large|extra large|tiny')),
  kind(/^(material|fabric)$/, from('oak|cotton|leather|steel|wool|glass|linen|pine')),
  kind(
    /^(restaurant|cafe|bar|pub|hotel|shop|store|cinema|theatre|theater|venue|bakery|salon|clinic)$/,
    loose(business),
  ),
  kind(
    /^(brand|manufacturer|make|vendor|supplier|company|business|employer|organi[sz]ation|firm|stock|seller)$/,
    business,
  ),
  kind(/^(species|animal|pet)$/, from('dog|cat|horse|hamster|goat|pony|canary|guinea pig|duck|hen')),
  kind(/^breed$/, from('poodle|beagle|collie|siamese|terrier|dachshund')),
  kind(/^(medicine|drug|medication)$/, from('aspirin|ibuprofen|paracetamol|insulin|cough syrup|vitamin C')),
  kind(/^(problem|issue|symptom|complaint|reason|cause|fault|diagnosis)$/, complaint),
  kind(
    /^(job|profession|occupation|position|role)$/,
    from('nurse|electrician|accountant|designer|driver|teacher|cook|plumber|welder|editor'),
  ),
  kind(
    /^(sport|hobby|activity|skill|exercise)$/,
    from('tennis|swimming|yoga|chess|hiking|judo|pottery|rowing|ballet|climbing|sewing|badminton'),
  ),
  kind(
    /^(course|lesson|class)$/,
    from('Spanish for beginners|algebra|first aid|watercolours|biology|guitar|world history|creative writing'),
  ),
  kind(/^(room|zone)$/, from('kitchen|living room|bedroom|bathroom|hallway|office|garage|attic|cellar|nursery')),
  kind(
    /^(device|appliance|lamp|light|gadget|machine)$/,
    (random) =>
      `${random.pick(['kitchen', 'bedroom', 'hall', 'office', 'garden'])} ${random.pick(['lamp', 'heater', 'speaker', 'fan', 'camera', 'blinds'])}`,
  ),
  kind(/^(product|item|article|thing|goods|merchandise)$/, THING),
  kind(/^(task|todo|reminder|chore)$/, chore),
  kind(/^(subject|topic|event|occasion|meeting|appointment|summary)$/, subject),
  kind(/^(body|message|text|note|comment|content|description|detail|remark|feedback|instruction)$/, sentence),
  kind(/^(who|companion|attendee|participant)$/, company),
  kind(/^(firstname|first|to|recipient|assignee|nickname)$/, firstName),
  kind(/^(lastname|last|surname)$/, lastName),
  kind(
    /^(person|people|user|owner|guest|contact|customer|client|employee|student|patient|member|passenger|driver|friend|colleague|buyer|tenant|visitor|player|neighbour)$/,
    person,
  ),
  kind(
    /^(id|code|sku|number|reference|ref|key|serial|ticket)$/,
    (random) => `${random.pick([...'ABCDEFGHKLMNPRSTWX'])}${100 + random.int(900)}`,
  ),
  kind(/^currency$/, from('EUR|USD|GBP|JPY|CHF|SEK')),
  kind(/^(locale|lang)$/, from('en|de|fr|es|ja|pl')),
  kind(/^language$/, from('English|German|French|Spanish|Japanese|Polish|Turkish|Arabic')),
  kind(/^unit$/, from('kilograms|miles|hours|grams|litres|pounds|metres|stars|points')),
  kind(/^(year|decade)$/, year),
  kind(/^month$/, MONTH),
  kind(/^(path|file|filename|folder|directory)$/, (random) => `${plain(random)}/${plain(random)}.txt`),
  kind(
    /^(tag|label|category|keyword|query|term|word|search|phrase)$/,
    oneOf(plain, THING, from('garden|music|travel|winter|family|history|health|cooking')),
  ),
  kind(/^name$/, fullName),
];

/** Heads that say little: what they belong to says more. */
const VAGUE = /^(name|title|object|item|description|value|number|text|detail|entity|label|place)$/;
const SORTS = kind(
  /^(type|kind|sort|category|class|level|tier|variant|mode)$/,
  from('standard|premium|basic|express|single|double|private|public|digital|regular|special|simple'),
);

/**
 * What people give for a parameter of that name, in the singular; failing that, for what its description speaks of.
 * null: nobody knows.
 */
export function everydayKind(words: readonly string[], described: readonly string[]): EverydayKind | null {
  const of = (word: string): EverydayKind | undefined => KINDS.find((one) => one.words.test(word));
  const last = words.at(-1) ?? '';
  if (/^(type|kind|variant|tier)$/.test(last)) return SORTS;
  if (last === 'description' && described.includes('who')) return of('who') ?? null;
  const backwards = [...words].reverse();
  const isTelling = (word: string): boolean => !VAGUE.test(word);
  const inTurn = [
    ...backwards.filter(isTelling),
    ...described.filter(isTelling),
    ...backwards.filter((word) => word !== 'name'),
    ...backwards,
  ];
  for (const word of inTurn) {
    const found = of(word);
    if (found) return found;
  }
  return null;
}

/** Does the name itself say what is given? */
export const isTellingName = (words: readonly string[]): boolean => {
  const found = everydayKind(
    words.filter((word) => !VAGUE.test(word)),
    [],
  );
  return found !== null && found !== SORTS;
};

/** A word, where nothing is known. */
export const plainWord: Draw = plain;
