// Towns around the North Atlantic: where they lie and how far apart.

/** @typedef {{ code: string, name: string, country: string, lat: number, lon: number, metres: number }} Place */

/** @type {Place[]} */
const PLACES = [
  { code: 'is-rkv', name: 'Reykjavik', country: 'Iceland', lat: 64.15, lon: -21.94, metres: 37 },
  { code: 'is-aku', name: 'Akureyri', country: 'Iceland', lat: 65.68, lon: -18.09, metres: 25 },
  { code: 'fo-tor', name: 'Torshavn', country: 'Faroe Islands', lat: 62.01, lon: -6.77, metres: 24 },
  { code: 'fo-kla', name: 'Klaksvik', country: 'Faroe Islands', lat: 62.23, lon: -6.59, metres: 10 },
  { code: 'sc-ler', name: 'Lerwick', country: 'Scotland', lat: 60.15, lon: -1.14, metres: 16 },
  { code: 'sc-kir', name: 'Kirkwall', country: 'Scotland', lat: 58.98, lon: -2.96, metres: 8 },
  { code: 'sc-sto', name: 'Stornoway', country: 'Scotland', lat: 58.21, lon: -6.39, metres: 9 },
  { code: 'no-ber', name: 'Bergen', country: 'Norway', lat: 60.39, lon: 5.32, metres: 12 },
  { code: 'no-sta', name: 'Stavanger', country: 'Norway', lat: 58.97, lon: 5.73, metres: 15 },
  { code: 'no-tro', name: 'Tromso', country: 'Norway', lat: 69.65, lon: 18.96, metres: 11 },
  { code: 'gl-nuu', name: 'Nuuk', country: 'Greenland', lat: 64.18, lon: -51.72, metres: 5 },
  { code: 'gl-ilu', name: 'Ilulissat', country: 'Greenland', lat: 69.22, lon: -51.1, metres: 29 },
  { code: 'ie-gal', name: 'Galway', country: 'Ireland', lat: 53.27, lon: -9.05, metres: 25 },
  { code: 'ie-cor', name: 'Cork', country: 'Ireland', lat: 51.9, lon: -8.47, metres: 20 },
  { code: 'ca-stj', name: "St. John's", country: 'Newfoundland', lat: 47.56, lon: -52.71, metres: 140 },
];

/**
 * Look up a town.
 * @tool
 * @param {string} name
 * @returns {Place[]}
 */
export function findPlace(name) {
  return PLACES.filter((place) => place.name.toLowerCase() === name.toLowerCase());
}

/**
 * Height above the sea.
 * @tool
 * @param {string} code of the town, such as is-rkv
 * @returns {{ name: string, metres: number }}
 */
export function elevation(code) {
  const { name, metres } = known(code);
  return { name, metres };
}

/**
 * Towns in the neighbourhood of another.
 * @tool
 * @param {string} code of the town
 * @param {number} [km] radius
 * @returns {string[]}
 */
export function nearby(code, km = 250) {
  const from = known(code);
  return PLACES.filter((place) => place !== from && kilometres(from, place) <= km).map(({ name }) => name);
}

/**
 * How far two towns are apart, as the crow flies.
 * @tool
 * @param {string} from code
 * @param {string} to code
 * @param {'km' | 'miles' | 'nautical'} [unit]
 * @returns {number}
 */
export function distance(from, to, unit = 'km') {
  const km = kilometres(known(from), known(to));
  return Math.round(unit === 'km' ? km : unit === 'miles' ? km / 1.609344 : km / 1.852);
}

/**
 * The town that is closest to a point.
 * @tool
 * @param {{ lat: number, lon: number }} point in degrees
 * @returns {{ code: string, name: string }}
 */
export function closestTo(point) {
  const [{ code, name }] = [...PLACES].sort((a, b) => kilometres(point, a) - kilometres(point, b));
  return { code, name };
}

/** @param {string} code */
function known(code) {
  const place = PLACES.find((each) => each.code === code);
  if (!place) throw new Error(`no place has the code ${code}`);
  return place;
}

/**
 * @param {{ lat: number, lon: number }} a
 * @param {{ lat: number, lon: number }} b
 */
function kilometres(a, b) {
  const rad = Math.PI / 180;
  const h = Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2;
  return 12_742 * Math.asin(Math.sqrt(h));
}
