import { tool } from './tool';

type Room = 'kitchen' | 'bathroom' | 'bedroom' | 'nursery' | 'study' | 'hall' | 'attic' | 'conservatory';
type Kind = 'any' | 'light' | 'speaker' | 'blind';

interface Device {
  device: string;
  room: Room;
  kind: Exclude<Kind, 'any'>;
  label: string;
  isOn: boolean;
}

const DEVICES: Device[] = [
  { device: 'L-11', room: 'kitchen', kind: 'light', label: 'counter strip', isOn: true },
  { device: 'L-14', room: 'bathroom', kind: 'light', label: 'mirror lamp', isOn: false },
  { device: 'L-17', room: 'bedroom', kind: 'light', label: 'reading lamp', isOn: true },
  { device: 'L-22', room: 'nursery', kind: 'light', label: 'moon lamp', isOn: true },
  { device: 'L-26', room: 'study', kind: 'light', label: 'desk lamp', isOn: false },
  { device: 'L-31', room: 'hall', kind: 'light', label: 'chandelier', isOn: true },
  { device: 'S-41', room: 'kitchen', kind: 'speaker', label: 'shelf speaker', isOn: false },
  { device: 'S-44', room: 'study', kind: 'speaker', label: 'monitor pair', isOn: true },
  { device: 'S-47', room: 'conservatory', kind: 'speaker', label: 'garden horn', isOn: false },
  { device: 'B-61', room: 'bedroom', kind: 'blind', label: 'east blind', isOn: false },
  { device: 'B-65', room: 'conservatory', kind: 'blind', label: 'roof blind', isOn: true },
];

const READINGS: Record<'temperature' | 'humidity' | 'brightness', Record<Room, number>> = {
  temperature: { kitchen: 21.5, bathroom: 23, bedroom: 18, nursery: 20.5, study: 20, hall: 17.5, attic: 12, conservatory: 15.5 },
  humidity: { kitchen: 48, bathroom: 71, bedroom: 44, nursery: 46, study: 39, hall: 42, attic: 58, conservatory: 63 },
  brightness: { kitchen: 320, bathroom: 40, bedroom: 90, nursery: 60, study: 410, hall: 120, attic: 15, conservatory: 2300 },
};

/** Everything in the house that listens to us. */
export class SmartHome {
  private readonly devices = DEVICES.map((device) => ({ ...device }));

  /** List the devices of a room with their numbers and whether they are switched on at the moment.
   *  @param room the room in which the devices are installed
   *  @param kind which kind of device is wanted, or any of them
   *  @param onlyOn leave out the devices that are switched off at the moment
   *  @param limit how many devices are listed at most */
  @tool()
  listDevices(room: Room, kind: Kind = 'any', onlyOn = false, limit = 10): Device[] {
    return this.devices.filter((each) => each.room === room && (kind === 'any' || each.kind === kind) && (each.isOn || !onlyOn)).slice(0, limit);
  }

  /** Set the brightness and the colour of one lamp, at once or slowly.
   *  @param device number of the lamp, such as L-11
   *  @param level brightness in percent, where 0 switches the lamp off
   *  @param colour the tone of the light
   *  @param fadeSeconds how many seconds the change may take */
  @tool()
  setLight(device: string, level: number, colour: 'warm' | 'cold' | 'red' | 'green' | 'blue' = 'warm', fadeSeconds = 0): { device: string; level: number; colour: string; fadeSeconds: number } {
    const lamp = this.find(device, 'light');
    lamp.isOn = level > 0;
    return { device, level, colour, fadeSeconds };
  }

  /** Heat a room to a temperature until a time of the same day.
   *  @param room the room whose radiators are meant
   *  @param degrees the wanted temperature in degrees Celsius
   *  @param until time of day at which the radiators go back to normal, HH:MM
   *  @param mode whether comfort or saving energy comes first */
  @tool()
  setHeating(room: Room, degrees: number, until = '22:00', mode: 'comfort' | 'saving' = 'comfort'): { room: Room; from: number; to: number; until: string; mode: string } {
    return { room, from: READINGS.temperature[room], to: degrees, until, mode };
  }

  /** Play a radio station on one of the speakers for a while.
   *  @param device number of the speaker, such as S-41
   *  @param station name of the radio station
   *  @param volume loudness in percent of what the speaker can do
   *  @param minutes after how many minutes the music ends by itself */
  @tool()
  playRadio(device: string, station: string, volume = 30, minutes = 60): { playing: string; on: string; volume: number; minutes: number } {
    const { label } = this.find(device, 'speaker');
    return { playing: station, on: label, volume, minutes };
  }

  /** Send the robot vacuum cleaner into a room.
   *  @param room the room whose floor is cleaned
   *  @param strength how hard the robot sucks
   *  @param startAt time of day at which it drives off, HH:MM, or now
   *  @param passes how many times it goes over the whole floor */
  @tool()
  startVacuum(room: Room, strength: 'quiet' | 'normal' | 'turbo' = 'normal', startAt = 'now', passes = 1): { room: Room; minutes: number; startAt: string; strength: string } {
    return { room, minutes: passes * (strength === 'quiet' ? 18 : strength === 'turbo' ? 9 : 12), startAt, strength };
  }

  /** Arm the burglar alarm of the house or of a part of it.
   *  @param mode home while somebody is in, away while nobody is
   *  @param delaySeconds how many seconds there are to leave the house
   *  @param zone the part of the house that is watched
   *  @param silent call for help without any noise in the house */
  @tool()
  armAlarm(mode: 'home' | 'away', delaySeconds = 30, zone: 'all' | 'downstairs' | 'upstairs' | 'garage' = 'all', silent = false): { armed: string; sensors: number; delaySeconds: number; silent: boolean } {
    return { armed: `${mode}, ${zone}`, sensors: { all: 19, downstairs: 9, upstairs: 7, garage: 3 }[zone] - (mode === 'home' ? 2 : 0), delaySeconds, silent };
  }

  /** Read what a sensor of a room says now, or said some hours ago.
   *  @param room the room in which the sensor hangs
   *  @param quantity what the sensor measures
   *  @param hoursAgo how many hours to look back, where 0 is the present
   *  @param decimals how many digits behind the point are given */
  @tool()
  readSensor(room: Room, quantity: 'temperature' | 'humidity' | 'brightness', hoursAgo = 0, decimals = 1): number {
    return Number((READINGS[quantity][room] - 0.25 * hoursAgo).toFixed(decimals));
  }

  private find(number: string, kind: Device['kind']): Device {
    const device = this.devices.find((each) => each.device === number && each.kind === kind);
    if (!device) throw new Error(`${number} is no ${kind} of this house`);
    return device;
  }
}
