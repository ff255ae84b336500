/** What one word means in tools about one matter and another: a genre of music is none of films. */
import { from, oneOf, type Draw } from './draw';
import { business, chore, subject, title } from './everydayValues';

export const MUSIC = from(
  'jazz|rock|techno|folk|soul|blues|reggae|classical|opera|country|punk|disco|gospel|ambient|hip hop|metal|swing|house',
);
export const STORIES = from(
  'thriller|comedy|horror|fantasy|drama|science fiction|romance|western|mystery|crime|biography|animation|adventure|war',
);
const APPS: readonly (readonly [about: RegExp, Draw])[] = [
  [
    /^(music|song|album|track|radio|podcast|playlist)$/,
    from('Spotify|Deezer|Tidal|SoundCloud|Bandcamp|Napster|YouTube'),
  ],
  [/^(movie|film|video|series|show|episode)$/, from('Netflix|Vimeo|Disney Plus|Hulu|YouTube|Prime Video')],
  [/^(message|chat|sms|call|meeting|channel)$/, from('Slack|WhatsApp|Telegram|Signal|Zoom|Skype|Teams')],
  [/^(payment|pay|money|transfer|invoice|bill)$/, from('PayPal|Klarna|Stripe|Apple Pay|Revolut|Twint')],
];
export const ANY_APP = from('Tidal|SoundCloud|Netflix|Audible|Vimeo|Bandcamp|Disney Plus|PayPal|Zoom|Slack');
const STATION = oneOf(
  from(
    'Radio One|Jazz FM|Classic Radio|Energy|Radio Swiss|Kiss FM|the BBC|Capital|Antenne|NPR|Rock Antenne|Virgin Radio',
  ),
  (random) => `${88 + random.int(19)}.${1 + random.int(9)}`,
);
export const COMPANY = oneOf(
  business,
  from(
    'Siemens|Toyota|Nokia|Volvo|Samsung|Sony|Nestle|Adidas|Philips|Boeing|Pfizer|Intel|Bosch|Airbus|Unilever|Danone|' +
      'Heineken|Vodafone|General Motors|Deutsche Bank',
  ),
);

/** Why something is called off: where the tool itself does so, and not where another of its file does. */
const CALLED_OFF: readonly (readonly [about: RegExp, Draw])[] = [
  [
    /^(cancel|cancels|off|decline|postpone|reschedule|absence|leave|unsubscribe|withdraw)$/,
    from(
      'I am ill|changed plans|no longer needed|found another date|the train was late|a family matter|double booking|' +
        'too expensive|bad weather|moving house|nobody is at home that day|holiday|out of town|short of staff',
    ),
  ],
];
const COMPLAINTS: readonly (readonly [about: RegExp, Draw])[] = [
  [
    /^(car|vehicle|bike|bicycle|truck|van|garage|mileage|motorcycle|fleet)$/,
    from(
      'a flat tyre|the brakes squeak|it does not start|oil leak|a cracked windscreen|the battery is dead|a dent in the ' +
        'door|the chain slips|engine warning light|strange noise from the engine|a broken mirror|wipers are worn out',
    ),
  ],
  [
    /^(machine|equipment|appliance|engine|boiler|pump|elevator|lift|tractor|drill|broken|maintenance)$/,
    from(
      'it does not start|a strange noise|the belt slips|it keeps stopping|it leaks oil|a loose screw|the display is dark|' +
        'it overheats|the handle came off|it smells of burning|a frayed cable|the stop button is stuck',
    ),
  ],
  [
    /^(patient|doctor|clinic|pet|vet|animal|nurse|dentist|hospital|medical|health)$/,
    from(
      'a sore throat|back pain|a bad cough|toothache|a rash|fever|limping|itchy ears|not eating|dizzy spells|' +
        'a swollen knee|vomiting since yesterday|check-up|high blood pressure',
    ),
  ],
  [
    /^(room|apartment|flat|tenant|building|house|landlord|hotel|heating|plumber)$/,
    from(
      'no hot water|a broken window|the heating is cold|a blocked drain|mould in the bathroom|the lock is jammed|' +
        'a dripping tap|the lift is stuck|water through the ceiling|no light in the hall|the radiator leaks',
    ),
  ],
  [
    /^(order|product|parcel|package|shipment|delivery|customer|refund|purchase)$/,
    from(
      'it came too late|the wrong size|arrived broken|a part is missing|wrong colour|never arrived|the box was open|' +
        'changed my mind|found it cheaper|ordered twice|poor quality|it does not fit',
    ),
  ],
  [
    /^(replica|cluster|pod|restart|rollback|kubernetes|staging)$/,
    from(
      'memory leak|out of memory|high latency|stuck since noon|disk full|new configuration|error rate above 5%|' +
        'failed health checks|a bad deploy|connection pool exhausted|certificate expired|timeouts|too many 500s',
    ),
  ],
  [
    /^(expense|claim|reimbursement|timesheet)$/,
    from(
      'no receipt|over the limit|handed in twice|the wrong month|not approved beforehand|a private cost|' +
        'unreadable scan|missing signature|wrong cost centre|the total does not add up|too late|no budget left',
    ),
  ],
  [
    /^(server|app|application|website|software|system|device|printer|network|bug|repository|deployment|account|login)$/,
    from(
      'it crashes on start|the page stays blank|login fails|very slow since noon|the screen is cracked|no connection|' +
        'paper jam|wrong totals in the report|the export is empty|it keeps logging me out|disk full|timeout',
    ),
  ],
];

export const TOPIC = from(
  'climate change|football|the elections|space travel|electric cars|healthy food|artificial intelligence|travel|music|' +
    'the stock market|ancient Rome|films|tennis|solar power|cooking|dogs|the weather|robots|tax law|gardening',
);
const SCENE: Draw = (random) =>
  `${random.pick(['a red fox', 'two cats', 'an old lighthouse', 'a sailing boat', 'a robot', 'a wooden cabin', 'a dragon'])} ` +
  random.pick([
    'in the snow',
    'at sunset',
    'on the moon',
    'under a full moon',
    'in the rain',
    'by the sea',
    'in a forest',
  ]);

const OF_CHORES = /^(reminder|task|todo|chore|errand)$/;
/** A reminder's title is no book's; where both are spoken of, it is. */
const TITLES: readonly (readonly [about: RegExp, Draw])[] = [
  [
    /^(book|novel|song|track|album|film|movie|show|series|game|article|post|video|podcast|story|picture|playlist|page)$/,
    title,
  ],
  [OF_CHORES, chore],
  [/^(meeting|event|appointment|calendar|e?mail|agenda)$/, subject],
  [/^(issue|bug|ticket|incident)$/, COMPLAINTS.at(-1)![1]],
];

export const GROCERY = from(
  'milk|eggs|bread|butter|flour|rice|sugar|olive oil|tomatoes|onions|garlic|potatoes|carrots|apples|bananas|lemons|' +
    'cheese|yoghurt|chicken|minced beef|salmon|pasta|lentils|chickpeas|honey|basil|black pepper|spinach|mushrooms|coffee',
);
const OF_FOOD = /^(grocery|groceries|ingredient|pantry|supermarket|fridge|recipe|cooking)$/;
const isOfFood = (about: readonly string[]): boolean =>
  about.some((word) => OF_FOOD.test(word)) || (about.includes('shopping') && about.includes('list'));

const UNITS: readonly (readonly [about: RegExp, Draw])[] = [
  [/^(duration|time|interval|period|timer|alarm)$/, from('hours|minutes|seconds|days|weeks')],
  [/^(distance|run|walk|route|radius)$/, from('km|miles|metres|kilometers|meters|yards')],
  [/^(weight|mass)$/, from('kg|pounds|grams|kilograms|lbs|ounces')],
  [/^(height|width|length|depth|size)$/, from('cm|metres|inches|feet|mm|meters')],
  [/^(temperature|weather|forecast|thermostat|oven)$/, from('celsius|fahrenheit|kelvin')],
  [/^(rating|score|review|rate)$/, from('stars|points')],
  [OF_FOOD, from('cups|grams|tablespoons|teaspoons|ml|litres|kg|pieces|cans|packs|bottles|pinches')],
  [/^(volume|water|drink|liquid)$/, from('ml|litres|cups|ounces|glasses')],
];

type ByMatter = (about: readonly string[], isOwn: boolean) => Draw | null;
const BY_MATTER: Readonly<Record<string, ByMatter>> = {
  genre: (about) => {
    const isMusic = about.some((word) => /^(music|song|album|track|artist|radio|concert|band|playlist)$/.test(word));
    const isStory = about.some((word) => /^(movie|film|book|novel|series|show|cinema|game|story)$/.test(word));
    return isMusic === isStory ? null : isMusic ? MUSIC : STORIES;
  },
  station: (about) => (about.some((word) => /^(radio|music|broadcast|fm|song)$/.test(word)) ? STATION : null),
  ...byMatter(['service', 'platform', 'app', 'application', 'program'], APPS),
  ...byMatter(
    ['problem', 'issue', 'symptom', 'complaint', 'reason', 'fault', 'damage', 'situation'],
    COMPLAINTS,
    CALLED_OFF,
  ),
  ...byMatter(['title'], TITLES),
  ...byMatter(['unit'], UNITS),
  item: (about, isOwn) =>
    !isOwn ? null : isOfFood(about) ? GROCERY : about.some((word) => OF_CHORES.test(word)) ? chore : null,
  ...byMatter(
    ['topic'],
    [
      [/^(news|article|search|research|podcast|joke|quiz|fact|story|essay)$/, TOPIC],
      [/^(meeting|event|appointment|calendar|agenda|call)$/, subject],
    ],
  ),
  ...byMatter(
    ['prompt', 'description', 'caption'],
    [[/^(image|picture|drawing|illustration|artwork|wallpaper)$/, SCENE]],
  ),
};

function byMatter(
  names: readonly string[],
  table: readonly (readonly [about: RegExp, Draw])[],
  ofOwn: typeof table = [],
): Record<string, ByMatter> {
  const drawFor: ByMatter = (about, isOwn) =>
    [...(isOwn ? ofOwn : []), ...table].find(([matter]) => about.some((word) => matter.test(word)))?.[1] ?? null;
  return Object.fromEntries(names.map((name) => [name, drawFor]));
}

/**
 * What is given for a parameter named by `word` in a tool about that; null: the matter makes no difference.
 * @param isOwn about are words of the tool itself, not those of all tools
 */
export const drawByMatter = (word: string, about: readonly string[], isOwn: boolean): Draw | null =>
  Object.hasOwn(BY_MATTER, word) ? BY_MATTER[word]!(about, isOwn) : null;
