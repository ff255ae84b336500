/** What a speaker on the kitchen table can do. */

const playlists = new Map<string, string[]>([['chill vibes', ['Sunrise']], ['workout twerkout', ['Run']]]);
const reservations: string[] = [];
const ratings = new Map<string, string>();

const SKIES = ['clear', 'cloudy', 'rain', 'storm', 'fog', 'snow', 'windy'];
const SERVICES = ['Spotify', 'Deezer', 'Youtube', 'iTunes'];

/**
 * Add music to a playlist.
 * @param playlist name of the playlist
 * @param entityName the piece that is added
 * @param musicItem what it is: track, album, song, artist
 * @param playlistOwner whose playlist it is
 * @tool
 */
export function addToPlaylist(playlist: string, entityName?: string, artist?: string, musicItem?: string, playlistOwner?: string): { playlist: string; added: string; length: number } {
  const added = [entityName ?? musicItem ?? 'music', artist].filter((part) => part !== undefined).join(' by ');
  const list = playlists.get(playlist.toLowerCase()) ?? [];
  playlists.set(playlist.toLowerCase(), [...list, added]);
  return { playlist: playlistOwner ? `${playlistOwner} ${playlist}` : playlist, added, length: list.length + 1 };
}

/**
 * Book a table.
 * @param partySizeNumber how many people
 * @param partySizeDescription who comes along
 * @param restaurantType such as restaurant, pub, diner
 * @param timeRange when
 * @param sort such as best, popular
 * @param facility such as wifi, parking
 * @param poi a place near which it is
 * @tool
 */
export function bookRestaurant(
  partySizeNumber?: number, partySizeDescription?: string, restaurantType?: string, restaurantName?: string, cuisine?: string, servedDish?: string, timeRange?: string, city?: string, state?: string,
  country?: string, spatialRelation?: string, poi?: string, sort?: string, facility?: string,
): { booked: string; for: number | string; at: string } {
  const where = [sort, cuisine, servedDish, restaurantName ?? restaurantType ?? 'restaurant', facility, spatialRelation, poi, city, state, country].filter((part) => part !== undefined).join(' ');
  reservations.push(where);
  return { booked: where, for: partySizeNumber ?? partySizeDescription ?? 2, at: timeRange ?? 'the next free table' };
}

/**
 * The weather forecast.
 * @param timeRange when
 * @param conditionDescription such as rain, fog, snow
 * @param conditionTemperature such as hot, freezing
 * @param geographicPoi such as a park
 * @param currentLocation words such as here
 * @tool
 */
export function getWeather(
  timeRange?: string, city?: string, state?: string, country?: string, conditionDescription?: string, conditionTemperature?: string, spatialRelation?: string, currentLocation?: string, geographicPoi?: string,
): { place: string; sky: string; degrees: number; asked?: string } {
  const place = [geographicPoi, city, state, country, currentLocation].filter((part) => part !== undefined).join(', ') || 'here';
  const seed = sum(`${place} ${timeRange ?? ''} ${spatialRelation ?? ''}`);
  const asked = conditionDescription ?? conditionTemperature;
  return { place, sky: SKIES[seed % SKIES.length]!, degrees: (seed % 41) - 8, ...(asked === undefined ? {} : { asked }) };
}

/**
 * Play music.
 * @param year year or decade
 * @param service such as Spotify
 * @param musicItem such as song, album
 * @param sort such as best, newest
 * @tool
 */
export function playMusic(artist?: string, track?: string, album?: string, playlist?: string, genre?: string, year?: string, service?: string, musicItem?: string, sort?: string): { playing: string; on: string } {
  const playing = [sort, year, genre, track ?? album ?? playlist ?? musicItem ?? 'music', artist].filter((part) => part !== undefined).join(' ');
  return { playing, on: service ?? SERVICES[sum(playing) % SERVICES.length]! };
}

/**
 * Rate a book.
 * @param ratingValue how many
 * @param bestRating out of how many
 * @param ratingUnit stars or points
 * @param objectName title
 * @param objectType such as book, novel, album
 * @param objectSelect such as this, current, next
 * @param objectPartOfSeriesType such as series, saga
 * @tool
 */
export function rateBook(ratingValue: number, bestRating?: number, ratingUnit?: string, objectName?: string, objectType?: string, objectSelect?: string, objectPartOfSeriesType?: string): { rated: string; with: string } {
  const rated = objectName ?? [objectSelect, objectType ?? objectPartOfSeriesType].filter((part) => part !== undefined).join(' ');
  ratings.set(rated, `${ratingValue}${bestRating === undefined ? '' : `/${bestRating}`} ${ratingUnit ?? 'stars'}`);
  return { rated, with: ratings.get(rated)! };
}

/**
 * Search for a creative work.
 * @param objectName title
 * @param objectType such as movie, song, painting
 * @tool
 */
export function searchCreativeWork(objectName: string, objectType?: string): { title: string; type: string; year: number } {
  return { title: objectName, type: objectType ?? 'work', year: 1920 + (sum(objectName) % 100) };
}

/**
 * Search what is on in the cinemas.
 * @param movieName title
 * @param movieType such as films, animated movies
 * @param locationName name of the cinema
 * @param objectLocationType such as cinema, movie theatre
 * @param objectType such as movie schedule, movie times
 * @param spatialRelation such as nearest
 * @param timeRange when
 * @tool
 */
export function searchScreeningEvent(
  movieName?: string, movieType?: string, locationName?: string, objectLocationType?: string, objectType?: string, spatialRelation?: string, timeRange?: string,
): { what: string; where: string; starts: string } {
  const what = movieName ?? movieType ?? objectType ?? 'movies';
  const where = locationName ?? [spatialRelation, objectLocationType ?? 'cinema'].filter((part) => part !== undefined).join(' ');
  return { what, where, starts: timeRange ?? `${14 + (sum(what + where) % 9)}:15` };
}

const sum = (text: string): number => [...text].reduce((total, letter) => (total * 31 + letter.codePointAt(0)!) % 9973, 7);
