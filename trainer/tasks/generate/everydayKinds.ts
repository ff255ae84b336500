/** What people give for things of all kinds. */
import { OF_DEVELOPERS } from './developerKinds';
import { ANY_APP, COMPANY, GROCERY, MUSIC, STORIES, TOPIC } from './kindsByMatter';
import { from, loose, oneOf, type Draw } from './draw';
import {
  clock,
  day,
  decade,
  duration,
  frequency,
  isoDate,
  isoTime,
  MONTH,
  partOfDay,
  share,
  when,
  year,
} from './everydayTimes';
import {
  band,
  business,
  chore,
  city,
  company,
  complaint,
  country,
  email,
  firstName,
  fullName,
  landmark,
  lastName,
  person,
  phone,
  plain,
  postCode,
  province,
  ROOMS,
  sentence,
  sought,
  subject,
  THING,
  title,
  uri,
} from './everydayValues';

/** Things that a parameter may be called after, and what people say for them. */
export interface EverydayKind {
  /** matches a word of the parameter's name, in the singular */
  words: RegExp;
  draw: Draw;
  /** has a form of its own, so that no other words will do: an address, a code, a day */
  isStrict: boolean;
}

export const kind = (words: RegExp, draw: Draw): EverydayKind => ({ words, draw, isStrict: false });
export const strict = (words: RegExp, draw: Draw): EverydayKind => ({ words, draw, isStrict: true });
/** What is written anew each time, whatever was found under such a name. */
export const DATE = strict(/^(date|day|deadline|birthday|checkin|checkout|due)$/, isoDate);
export const TIME = strict(/^(time|clock|hour)$/, isoTime);
/** The same as people say them, where a text takes any words. */
export const SPOKEN = new Map<EverydayKind, Draw>([
  [DATE, day],
  [TIME, clock],
]);

/** What a search is for, where no parameter beside it takes the place. */
export const SEARCH = kind(/^(query|search|q)$/, oneOf(plain, THING, THING, sought, sought));

/** The name's last word says most; of one word the first that matches counts. */
export const KINDS: readonly EverydayKind[] = [
  strict(/^e?mail$/, email),
  DATE,
  strict(/^(when|range|period|timeframe|timing|moment)$/, when),
  TIME,
  strict(/^(timeofday|daytime|daypart)$/, partOfDay),
  strict(/^digit$/, (random) => String(1000 + random.int(9000))),
  strict(/^seat$/, (random) => `${1 + random.int(38)}${random.pick('ABCDEF'.split(''))}`),
  strict(/^(frequency|repeat|repetition|recurrence|interval)$/, frequency),
  strict(/^(duration|length)$/, duration),
  strict(/^(brightness|volume|intensity|percentage|percent|amount|degree)$/, share),
  kind(
    /^(transport|transportation|vehicle)$/,
    from('train|bus|taxi|car|bike|tram|ferry|plane|van|night train|express bus|subway|coach|boat|scooter'),
  ),
  strict(/^(url|uri|link|website|homepage)$/, uri),
  strict(/^(phone|telephone|mobile)$/, phone),
  kind(/^(city|town|region|municipality)$/, loose(city)),
  kind(/^(place|destination|origin|location|where)$/, loose(oneOf(city, city, city, landmark))),
  strict(/^(zip|zipcode|postcode|postal|plz)$/, postCode),
  kind(/^country$/, loose(country)),
  kind(/^(state|province|county|canton)$/, loose(province)),
  kind(/^(poi|landmark|sight|attraction|park|station)$/, landmark),
  kind(
    /^(area|quarter|neighbou?rhood|district|borough)$/,
    from(
      'old town|city centre|the harbour|downtown|the north side|Riverside|the west end|the university quarter|' +
        'Chinatown|East Side|the docks|the museum quarter|South Bank|the suburbs',
    ),
  ),
  kind(
    /^(airline|carrier)$/,
    from('Lufthansa|Delta|Emirates|Air France|KLM|Ryanair|Iberia|Qantas|United|SAS|Finnair|easyJet|Swiss'),
  ),
  kind(/^airport$/, from('JFK|LHR|CDG|AMS|FRA|SFO|MAD|ZRH|Heathrow|Gatwick|Schiphol|Logan|Orly|Changi')),
  kind(
    /^(street|address)$/,
    (random) =>
      `${2 + random.int(90)} ${random.pick(['Mill', 'High', 'Church', 'Oak', 'Station'])} ` +
      `${random.pick(['Street', 'Lane', 'Road'])}`,
  ),
  kind(
    /^(cuisine|kitchen)$/,
    loose(
      from(
        'Italian|Thai|Mexican|Greek|Indian|Japanese|Lebanese|Vietnamese|Turkish|Spanish|French|Korean|Ethiopian|Chinese|Cuban|Peruvian|Polish|vegan',
      ),
    ),
  ),
  kind(/^(ingredient|grocery|groceries|produce)$/, GROCERY),
  kind(
    /^(dish|meal|food|recipe|menu)$/,
    from(
      'lasagna|fried rice|onion soup|pancakes|tacos|apple pie|ramen|grilled fish|potato ' +
        'salad|meatballs|dumplings|cheese omelette|paella|falafel|risotto|fish and chips|chicken curry|tomato soup',
    ),
  ),
  kind(
    /^(drink|beverage)$/,
    from('black coffee|green tea|lemonade|hot chocolate|tonic water|orange juice|red wine|cider'),
  ),
  kind(
    /^(facility|amenity|feature|equipment|extra)$/,
    from(
      'parking|a terrace|air conditioning|live music|a playground|free wifi|outdoor seats|a pool|a ' +
        'smoking room|wheelchair access|a bar|a garden|highchairs|a fireplace|a view',
    ),
  ),
  kind(/^genre$/, oneOf(MUSIC, STORIES)),
  kind(/^(artist|singer|band|composer|performer|musician|group)$/, band),
  kind(/^(author|writer|director|actor|actress|painter|speaker)$/, loose(oneOf(fullName, fullName, lastName))),
  kind(
    /^(playlist|collection|wishlist)$/,
    loose(
      oneOf(
        from(
          'Sunday morning|Road Trip|Focus|Party Hits|Rainy Days|Gym|Sleep Well|Kitchen Dance|Old ' +
            'Favourites|Office Hours|Long Drive|Guilty Pleasures|For the Kids|Summer Nights|Best of the Nineties|' +
            'Coffee and Rain on Sunday|Songs for the Shower|Indie Folk for Focus|An Evening at the Lake|Late Night Jazz|' +
            'Running to the Beat|A Day in the Garden|Party until the Morning',
        ),
        (random) => `${firstName(random)}'s ${random.pick(['favourites', 'mix', 'party', 'songs'])}`,
      ),
    ),
  ),
  kind(
    /^(song|track|album|movie|film|book|novel|show|series|saga|game|title|podcast|piece|work|object|entity|creation|episode|magazine|picture|painting|headline)$/,
    title,
  ),
  kind(/^(service|platform|provider|app|application)$/, ANY_APP),
  strict(
    /^(sort|sorting|ranking|rank)$/,
    from('best|newest|cheapest|nearest|most popular|top rated|latest|oldest|shortest|top'),
  ),
  strict(
    /^(relation|proximity|vicinity|nearness)$/,
    from('near|close to|next to|around|not far from|within walking distance of|in the area of|nearest'),
  ),
  kind(
    /^(condition|weather|sky)$/,
    from('rain|snow|wind|sunshine|fog|hail|storms|clouds|thunder|showers|rainy|snowy|windy|sunny|foggy|stormy|cloudy'),
  ),
  kind(/^(temperature|warmth)$/, from('cold|warm|hot|chilly|mild|freezing|colder|warmer|cool|boiling|icy')),
  kind(/^(colou?r|shade)$/, from('red|green|blue|orange|purple|black|white|yellow|pink|turquoise|grey|dark blue')),
  strict(/^(size|fit)$/, from('small|medium|large|extra large|tiny')),
  kind(/^(material|fabric)$/, from('oak|cotton|leather|steel|wool|glass|linen|pine')),
  kind(
    /^(cinema|theatre|theater|venue|museum|gallery|club)$/,
    loose(
      oneOf(business, from('the Odeon|Palace|Regal|Grand Central|Union Hall|the Ritz|Lumen|Metropol|Old Playhouse')),
    ),
  ),
  kind(
    /^(property|building|residence|estate|complex)$/,
    (random) =>
      `${random.pick(['Maple', 'Harbour', 'Sunset', 'River', 'Cedar', 'Garden', 'Palm', 'North'])} ` +
      random.pick(['Court', 'House', 'Heights', 'Tower', 'Villas', 'Lofts', 'Residence', 'Park']),
  ),
  kind(/^(restaurant|cafe|bar|pub|hotel|shop|store|bakery|salon|clinic)$/, loose(business)),
  kind(
    /^(brand|manufacturer|make|vendor|supplier|company|business|employer|organi[sz]ation|firm|stock|seller|agency)$/,
    COMPANY,
  ),
  kind(/^(species|animal|pet)$/, from('dog|cat|horse|hamster|goat|pony|canary|guinea pig|duck|hen')),
  kind(/^breed$/, from('poodle|beagle|collie|siamese|terrier|dachshund')),
  kind(/^(medicine|drug|medication)$/, from('aspirin|ibuprofen|paracetamol|insulin|cough syrup|vitamin C')),
  kind(/^(problem|issue|symptom|complaint|reason|cause|fault|diagnosis|situation)$/, complaint),
  strict(/^(priority|urgency|severity|importance)$/, from('low|medium|high|urgent|normal|critical')),
  strict(/^status$/, from('open|closed|pending|done|in progress|active|cancelled|on hold')),
  kind(
    /^(department|division|team)$/,
    from('sales|marketing|finance|support|engineering|legal|human resources|logistics|design|IT'),
  ),
  kind(
    /^(job|profession|occupation|position|role)$/,
    from('nurse|electrician|accountant|designer|driver|teacher|cook|plumber|welder|editor'),
  ),
  kind(
    /^(goal|objective|ambition)$/,
    from(
      'run a half marathon|lose five kilos|learn Spanish|save for a holiday|read more books|sleep better|' +
        'get stronger|write every day|a faster 10k|walk more|double the sales|pass the exam',
    ),
  ),
  kind(
    /^(sport|hobby|activity|skill)$/,
    from('tennis|swimming|yoga|chess|hiking|judo|pottery|rowing|ballet|climbing|sewing|badminton'),
  ),
  kind(
    /^(course|lesson|class)$/,
    from('Spanish for beginners|algebra|first aid|watercolours|biology|guitar|world history|creative writing'),
  ),
  kind(/^(room|zone)$/, from(ROOMS)),
  kind(
    /^(lamp|light|lights|bulb)$/,
    from(
      'kitchen lamp|floor lamp|bedside lamp|desk lamp|ceiling light|hall light|night light|garden lights|reading lamp|' +
        'spotlights|Christmas lights|bathroom mirror',
    ),
  ),
  kind(
    /^(device|appliance|gadget|machine)$/,
    (random) =>
      `${random.pick(['kitchen', 'bedroom', 'hall', 'office', 'garden'])} ` +
      `${random.pick(['lamp', 'heater', 'speaker', 'fan', 'camera', 'blinds'])}`,
  ),
  kind(
    /^(exercise|workout)$/,
    from('squats|push-ups|lunges|bench press|deadlifts|rows|planks|pull-ups|burpees|sit-ups|leg press|bicep curls'),
  ),
  kind(
    /^(flavou?r|aroma|taste|scent|smell)$/,
    from('citrus|banana|caramel|vanilla|dark chocolate|honey|smoke|pine|peach|ginger|coffee|butter|grass|clove|mint'),
  ),
  kind(/^(product|item|article|thing|goods|merchandise)$/, THING),
  kind(/^project$/, from('website|garden|kitchen|office move|summer party|shop|app|thesis|house|newsletter|work|home')),
  kind(/^(task|todo|reminder|chore|what)$/, chore),
  kind(/^topic$/, TOPIC),
  kind(/^(subject|event|occasion|meeting|appointment|summary)$/, subject),
  kind(/^(body|message|text|note|comment|content|description|detail|remark|feedback|instruction)$/, sentence),
  kind(/^(who|companion|attendee|participant)$/, company),
  strict(/^(firstname|first|to|recipient|assignee|nickname)$/, firstName),
  strict(/^(lastname|last|surname)$/, lastName),
  strict(
    /^(person|people|user|owner|guest|contact|customer|client|employee|student|patient|member|passenger|driver|friend|colleague|buyer|tenant|visitor|player|neighbour)$/,
    person,
  ),
  strict(
    /^(id|code|sku|number|reference|ref|key|serial|ticket)$/,
    (random) => `${random.pick([...'ABCDEFGHKLMNPRSTWX'])}${100 + random.int(900)}`,
  ),
  strict(/^fullname$/, fullName),
  strict(/^weekday$/, loose(from('Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday'))),
  strict(/^initial$/, (random) => firstName(random)[0]! + lastName(random)[0]!),
  strict(
    /^(ticker|symbol)$/,
    from('AAPL|MSFT|TSLA|GOOG|AMZN|NVDA|META|NFLX|IBM|ORCL|INTC|SAP|BA|KO|DIS|NKE|UBER|SBUX'),
  ),
  strict(/^currency$/, from('EUR|USD|GBP|JPY|CHF|SEK')),
  strict(/^(locale|lang)$/, from('en|de|fr|es|ja|pl')),
  strict(/^language$/, from('English|German|French|Spanish|Japanese|Polish|Turkish|Arabic')),
  strict(/^unit$/, from('kilograms|miles|hours|grams|litres|pounds|metres|stars|points')),
  strict(/^decade$/, decade),
  strict(/^year$/, year),
  strict(/^month$/, MONTH),
  ...OF_DEVELOPERS.map(([words, draw]) => strict(words, draw)),
  SEARCH,
  kind(
    /^(tag|label|category|keyword|query|term|word|search|phrase)$/,
    oneOf(plain, THING, from('garden|music|travel|winter|family|history|health|cooking')),
  ),
  kind(/^name$/, fullName),
];
