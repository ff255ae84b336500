/** Requests of the bench that are drawn from public data: people's words as they stand, gold from their slots. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Task } from '../../../trainer/protocol/task';
import { Random } from '../../../trainer/base/random';

const ROOT = resolve(__dirname, '../../..');
const SEED = 30;
const WITH_TOOL = 88;
const WITHOUT_TOOL = 12;

interface Line {
  text: string;
  intent: string;
  slots?: [name: string, value: string][];
  split: string;
}

interface Act {
  tool: string;
  /** slot -> parameter; a line with another slot is not drawn */
  parameters: Record<string, string>;
}

export interface Drawn {
  data: 'snips' | 'hwu64';
  split: string;
  acts: Record<string, Act>;
  /** parameters that are numbers: "four" is 4 */
  numbers: readonly string[];
  /** a line that may be asked of these tools is no request without a tool */
  servable: RegExp;
}

const camel = (slots: string): Record<string, string> =>
  Object.fromEntries(
    slots.split(' ').map((slot) => [slot, slot.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]),
  );

export const SNIPS: Drawn = {
  data: 'snips',
  split: 'validate',
  acts: {
    AddToPlaylist: {
      tool: 'addToPlaylist',
      parameters: camel('playlist entity_name artist music_item playlist_owner'),
    },
    BookRestaurant: {
      tool: 'bookRestaurant',
      parameters: camel(
        'party_size_number party_size_description restaurant_type restaurant_name cuisine served_dish timeRange city state country spatial_relation poi sort facility',
      ),
    },
    GetWeather: {
      tool: 'getWeather',
      parameters: camel(
        'timeRange city state country condition_description condition_temperature spatial_relation current_location geographic_poi',
      ),
    },
    PlayMusic: {
      tool: 'playMusic',
      parameters: camel('artist track album playlist genre year service music_item sort'),
    },
    RateBook: {
      tool: 'rateBook',
      parameters: camel(
        'rating_value best_rating rating_unit object_name object_type object_select object_part_of_series_type',
      ),
    },
    SearchCreativeWork: { tool: 'searchCreativeWork', parameters: camel('object_name object_type') },
    SearchScreeningEvent: {
      tool: 'searchScreeningEvent',
      parameters: camel(
        'movie_name movie_type location_name object_location_type object_type spatial_relation timeRange',
      ),
    },
  },
  numbers: ['partySizeNumber', 'ratingValue', 'bestRating'],
  servable:
    /play|music|song|album|artist|movie|film|cinema|book|novel|restaurant|eat|food|table|weather|rain|temperature|forecast|rate|rating|star|find|search|look/i,
};

export const HWU64: Drawn = {
  data: 'hwu64',
  split: 'test',
  acts: {
    alarm_set: {
      tool: 'setAlarm',
      parameters: {
        time: 'time',
        date: 'date',
        timeofday: 'timeofday',
        general_frequency: 'frequency',
        event_name: 'event',
      },
    },
    calendar_set: {
      tool: 'addEvent',
      parameters: {
        event_name: 'event',
        date: 'date',
        time: 'time',
        timeofday: 'timeofday',
        person: 'person',
        general_frequency: 'frequency',
      },
    },
    iot_cleaning: {
      tool: 'startCleaning',
      parameters: { device_type: 'device', house_place: 'place', time: 'time', general_frequency: 'frequency' },
    },
    iot_hue_lightchange: {
      tool: 'changeLight',
      parameters: { color_type: 'color', house_place: 'place', change_amount: 'amount', device_type: 'device' },
    },
    transport_ticket: {
      tool: 'bookTicket',
      parameters: {
        transport_type: 'transport',
        place_name: 'place',
        date: 'date',
        time: 'time',
        timeofday: 'timeofday',
      },
    },
    transport_taxi: {
      tool: 'callTaxi',
      parameters: {
        transport_agency: 'agency',
        transport_type: 'transport',
        place_name: 'place',
        time: 'time',
        timeofday: 'timeofday',
        date: 'date',
      },
    },
    qa_stock: { tool: 'stockPrice', parameters: { business_name: 'business', date: 'date' } },
    play_radio: { tool: 'playRadio', parameters: { radio_name: 'station', app_name: 'app', music_genre: 'genre' } },
  },
  numbers: [],
  servable:
    /alarm|wake|timer|remind|calendar|meeting|schedule|event|clean|vacuum|light|lamp|ticket|train|flight|bus|travel|trip|taxi|uber|cab|ride|stock|share|price|worth|radio|music|play|song/i,
};

/** The folder of public data. @throws Error that says how it is named */
export function sharedData(): string {
  const folder = process.env['COACH_SHARED_DATA'] ?? resolve(ROOT, '../shared/data');
  if (!existsSync(join(folder, 'intents', 'snips.jsonl'))) {
    throw new Error(
      `anyFile: ${folder} holds no intents/snips.jsonl. Two of the four files draw their requests from it: name the folder of data in COACH_SHARED_DATA, or take --files library,vet.`,
    );
  }
  return folder;
}

/**
 * 100 requests: 88 with one call, as many of each intent as can be, and 12 out of CLINC150 that need no tool. Always
 * the same ones.
 */
export function drawRequests(drawn: Drawn, folder = sharedData()): Task[] {
  const random = Random.fromSeed(SEED).fork(drawn.data);
  const lines = readLines(folder, drawn.data).filter(({ split }) => split === drawn.split);
  const queues = Object.entries(drawn.acts).map(([intent, act]) =>
    random
      .fork(intent)
      .shuffle(lines.filter((line) => line.intent === intent).flatMap((line) => goldOf(line, act, drawn.numbers))),
  );
  const asked: Omit<Task, 'id'>[] = [];
  for (let i = 0; asked.length < WITH_TOOL; i++) {
    const round = queues.flatMap((queue) => queue.slice(i, i + 1));
    if (round.length === 0) throw new Error(`anyFile: ${drawn.data} has only ${asked.length} requests that fit`);
    asked.push(...round.slice(0, WITH_TOOL - asked.length));
  }
  const outside = readLines(folder, 'clinc150').filter(
    ({ split, text }) => split === 'oos_test' && !drawn.servable.test(text),
  );
  asked.push(
    ...random
      .fork('oos')
      .shuffle(outside)
      .slice(0, WITHOUT_TOOL)
      .map(({ text }) => ({ prompt: text, calls: [], tags: ['noTool', styleOf(text)] })),
  );
  return asked.map((task, i) => ({ id: `${drawn.data}-${String(i + 1).padStart(3, '0')}`, ...task }));
}

function readLines(folder: string, name: string): Line[] {
  return readFileSync(join(folder, 'intents', `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** One task, or none: a line needs slots, each once, each a parameter of the tool, and numbers that can be read. */
function goldOf({ text, slots = [] }: Line, { tool, parameters }: Act, numbers: readonly string[]): Omit<Task, 'id'>[] {
  if (slots.length === 0 || new Set(slots.map(([name]) => name)).size < slots.length) return [];
  const entries = slots.map(
    ([name, value]) => [parameters[name], numbers.includes(parameters[name] ?? '') ? numberOf(value) : value] as const,
  );
  if (entries.some(([name, value]) => name === undefined || value === null)) return [];
  const isMissing = REQUIRED[tool] !== undefined && !entries.some(([name]) => name === REQUIRED[tool]);
  if (isMissing) return [];
  return [
    {
      prompt: text,
      calls: [{ name: tool, arguments: Object.fromEntries(entries) as Record<string, unknown> }],
      tags: ['oneCall', styleOf(text)],
    },
  ];
}

const REQUIRED: Record<string, string> = {
  addToPlaylist: 'playlist',
  rateBook: 'ratingValue',
  searchCreativeWork: 'objectName',
  stockPrice: 'business',
};
const NUMBER_WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

function numberOf(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const index = NUMBER_WORDS.indexOf(text.toLowerCase());
  return index < 0 ? null : index;
}

/** Nobody labelled these lines, so their style is read off their form. */
function styleOf(text: string): string {
  if (/\b(please|could you|would you|can you)\b/i.test(text)) return 'polite';
  if (/\b(i'd like|i would like|i want|wish)\b/i.test(text)) return 'wish';
  if (/\b(i need|need to)\b/i.test(text)) return 'need';
  if (/\?|^(what|where|when|who|how|is|are|will|does|do|can)\b/i.test(text)) return 'question';
  return text.split(' ').length <= 4 ? 'terse' : 'plain';
}
