import { tool } from './tool';

type Species = 'dog' | 'cat' | 'rabbit' | 'parrot' | 'tortoise' | 'ferret';

interface Pet {
  name: string;
  species: Species;
  /** year of birth */
  born?: number;
}

interface Patient extends Pet {
  patient: string;
  owner: string;
  history: string[];
}

interface Visit {
  visit: string;
  patient: string;
  date: string;
  time: string;
  reason: string;
}

const PATIENTS: Patient[] = [
  { patient: 'P207', name: 'Biscuit', species: 'dog', born: 2019, owner: 'Okafor', history: ['2025-04-11 rabies jab', '2025-11-02 torn claw, bandaged'] },
  { patient: 'P211', name: 'Luna', species: 'cat', born: 2021, owner: 'Haversham', history: ['2025-08-19 spayed'] },
  { patient: 'P214', name: 'Ziggy', species: 'parrot', owner: 'Marchetti', history: ['2025-12-05 beak trimmed'] },
  { patient: 'P219', name: 'Clover', species: 'rabbit', born: 2023, owner: 'Dunmore', history: [] },
  { patient: 'P222', name: 'Waffles', species: 'dog', born: 2016, owner: 'Nakagawa', history: ['2024-10-30 hip X-ray', '2025-10-28 senior check'] },
  { patient: 'P226', name: 'Sheldon', species: 'tortoise', born: 1988, owner: 'Pettigrew', history: ['2025-03-15 shell polished'] },
  { patient: 'P231', name: 'Mochi', species: 'cat', born: 2022, owner: 'Tanaka', history: ['2025-09-09 worming'] },
  { patient: 'P235', name: 'Bandit', species: 'ferret', born: 2024, owner: 'Olsson', history: ['2025-07-21 distemper jab'] },
  { patient: 'P238', name: 'Pickle', species: 'dog', born: 2020, owner: 'Ferraro', history: ['2025-06-01 ear infection'] },
  { patient: 'P243', name: 'Duchess', species: 'cat', born: 2012, owner: 'Abara', history: ['2025-02-14 two teeth out', '2025-12-18 kidney values'] },
  { patient: 'P247', name: 'Thumper', species: 'rabbit', born: 2022, owner: 'Kowalczyk', history: ['2025-05-05 myxomatosis jab'] },
  { patient: 'P250', name: 'Rufus', species: 'dog', born: 2018, owner: 'Sinclair', history: ['2025-01-23 swallowed a sock'] },
  { patient: 'P254', name: 'Kiwi', species: 'parrot', owner: 'Delacroix', history: [] },
  { patient: 'P258', name: 'Nimbus', species: 'cat', born: 2020, owner: 'Yilmaz', history: ['2025-11-27 abscess drained'] },
  { patient: 'P263', name: 'Maple', species: 'dog', born: 2023, owner: 'Brightwell', history: ['2025-09-30 chipped'] },
  { patient: 'P266', name: 'Houdini', species: 'ferret', born: 2023, owner: 'Castellanos', history: ['2025-10-10 worming'] },
];

const VISITS: Visit[] = [
  { visit: 'V3101', patient: 'P207', date: '2026-05-04', time: '09:00', reason: 'rabies booster' },
  { visit: 'V3104', patient: 'P222', date: '2026-05-04', time: '10:30', reason: 'stiff hips' },
  { visit: 'V3109', patient: 'P243', date: '2026-05-05', time: '11:00', reason: 'blood test' },
  { visit: 'V3112', patient: 'P231', date: '2026-05-05', time: '15:30', reason: 'check-up' },
  { visit: 'V3118', patient: 'P226', date: '2026-05-06', time: '09:30', reason: 'check-up' },
  { visit: 'V3123', patient: 'P250', date: '2026-05-06', time: '16:00', reason: 'stitches out' },
  { visit: 'V3127', patient: 'P258', date: '2026-05-07', time: '14:00', reason: 'check-up' },
  { visit: 'V3130', patient: 'P235', date: '2026-05-08', time: '10:00', reason: 'distemper booster' },
];

const TIMES = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30', '14:00', '14:30', '15:00', '15:30', '16:00', '16:30'];

/** milligrams for each kilogram of body weight */
const MEDICINES: Record<string, number> = { meloxicam: 0.1, amoxicillin: 12.5, prednisolone: 0.5, gabapentin: 10, maropitant: 2 };

/** The reception of a small animal practice. */
export class Practice {
  private patients = PATIENTS.map((patient) => ({ ...patient }));
  private visits = VISITS.map((visit) => ({ ...visit }));

  /** Look up an animal by its name. */
  @tool()
  findPatient(name: string): { patient: string; name: string; species: Species; owner: string }[] {
    return this.patients.filter((each) => each.name.toLowerCase() === name.toLowerCase()).map(({ patient, name, species, owner }) => ({ patient, name, species, owner }));
  }

  /** What was done with a patient so far.
   *  @param patient number such as P207 */
  @tool()
  patientHistory(patient: string): string[] {
    return this.patient(patient).history;
  }

  /** Coming visits of an owner's animals.
   *  @param owner surname */
  @tool()
  findVisits(owner: string): Visit[] {
    const numbers = this.patients.filter((each) => each.owner.toLowerCase() === owner.toLowerCase()).map(({ patient }) => patient);
    return this.visits.filter((visit) => numbers.includes(visit.patient));
  }

  /** Free times of a day.
   *  @param date YYYY-MM-DD
   *  @param part of the day */
  @tool()
  freeTimes(date: string, part: 'any' | 'morning' | 'afternoon' = 'any'): string[] {
    const taken = this.visits.filter((visit) => visit.date === date).map(({ time }) => time);
    return TIMES.filter((time) => !taken.includes(time) && (part === 'any' || (part === 'morning') === time < '12:00'));
  }

  /** Book a visit.
   *  @param patient number such as P207
   *  @param date YYYY-MM-DD
   *  @param time HH:MM */
  @tool()
  bookVisit(patient: string, date: string, time: string, reason = 'check-up'): Visit {
    this.patient(patient);
    if (!this.freeTimes(date).includes(time)) throw new Error(`${date} ${time} is not free`);
    const visit = { visit: `V${3131 + this.visits.length}`, patient, date, time, reason };
    this.visits.push(visit);
    return visit;
  }

  /** Cancel a visit.
   *  @param visit its number, e.g. V3101 */
  @tool()
  cancelVisit(visit: string): { cancelled: string } {
    const index = this.visits.findIndex((each) => each.visit === visit);
    if (index < 0) throw new Error(`there is no visit ${visit}`);
    this.visits.splice(index, 1);
    return { cancelled: visit };
  }

  /** Register a new animal.
   *  @param owner surname
   *  @param pet the animal */
  @tool()
  registerPatient(owner: string, pet: Pet): { patient: string } {
    const patient = `P${270 + this.patients.length}`;
    this.patients.push({ ...pet, patient, owner, history: [] });
    return { patient };
  }

  /** Milligrams of a medicine for an animal.
   *  @param kilos what it weighs
   *  @param doses a day */
  @tool({ name: 'doseOf', description: 'Milligrams of a medicine for one dose.' })
  dose(medicine: string, kilos: number, doses = 1): number {
    const perKilo = MEDICINES[medicine.toLowerCase()];
    if (perKilo === undefined) throw new Error(`${medicine} is not in the cabinet`);
    return Math.round((perKilo * kilos * 100) / doses) / 100;
  }

  private patient(number: string): Patient {
    const found = this.patients.find((each) => each.patient === number);
    if (!found) throw new Error(`there is no patient ${number}`);
    return found;
  }
}
