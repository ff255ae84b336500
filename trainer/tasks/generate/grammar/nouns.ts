/**
 * Other words for everyday things that tools are about; the rest comes from WordNet. Plain English knowledge, of no
 * tool file in particular.
 */
const NOUNS = `
account: profile, login
address: place, location
alarm: wake-up call, alert
amount: sum, quantity
appointment: slot, meeting, visit, date
article: piece, post, story
balance: money, funds
bill: invoice, check, tab
book: title, copy, volume
booking: reservation
bug: problem, issue, defect
calendar: schedule, agenda, diary
car: vehicle, auto, ride
case: matter, file
category: kind, group, sort
channel: station
chat: conversation
city: town, place
class: course, lesson
client: customer
comment: remark, note
company: firm, business
contact: person, address, number
cost: price, expense
course: class, lesson
customer: client, buyer, guest
deal: offer
delivery: shipment, parcel
device: gadget, machine, unit
discount: rebate, reduction, money off
doctor: physician, GP
document: file, paper, doc
employee: staff member, colleague, worker
event: happening
expense: cost, spending
fee: charge, price
file: document
film: movie, picture
flight: plane, trip
folder: directory
fine: penalty, fee
friend: buddy, pal
game: match
goods: stuff, things
guest: visitor
heating: heat, radiator
holiday: vacation, time off, leave
hotel: place to stay
hour: time
house: home, place
inventory: stock
invoice: bill
issue: problem, bug, ticket
item: thing, article, piece, product
job: task, work
journey: trip, ride
lamp: light
leave: time off, days off, holiday
lesson: class
letter: mail
light: lamp, lights
list: overview
loan: lending
location: place, spot
lunch: meal
mail: message, e-mail
medicine: drug, pills, medication
meeting: appointment, get-together, call
member: user, customer, card holder
message: note, text, word
money: cash, funds
movie: film, picture
music: song, tune
note: memo, remark
number: figure
office: workplace
offer: deal, proposal
order: purchase
package: parcel, box
parcel: package, box
part: piece, component
patient: sick person, client
payment: money, transfer
person: someone
phone: number, telephone
place: spot, location
plant: flower
price: cost
problem: issue, trouble
product: item, article, thing
project: undertaking
question: query
recipe: dish, meal
record: entry
refund: money back
reminder: note, nudge
repair: fix, job
report: summary, write-up
reservation: booking, table
restaurant: diner, eatery
result: outcome
review: opinion, rating
room: place, chamber
route: way, path
sale: purchase
schedule: plan, timetable
seat: place, chair
service: help
shipment: delivery, parcel
shop: store
song: track, tune
staff: people, team
status: state
stock: supply, inventory
store: shop
student: pupil, learner
subscription: plan, membership
supplier: vendor
table: spot, place
task: job, to-do
tax: duty
teacher: tutor, instructor
team: group, crew
temperature: heat, degrees, warmth
ticket: case, issue, request
time: hour
todo: task
tool: thing
track: song
train: rail
transaction: payment, booking
trip: journey, travel
user: person, member
vehicle: car
video: clip
visit: appointment
weather: forecast, conditions
word: term
`;

const own = new Map(
  NOUNS.trim()
    .split('\n')
    .map((line) => {
      const [noun, rest] = line.split(': ');
      return [noun!, rest!.split(', ')] as const;
    }),
);

/** Other words for a noun in the singular, of everyday use; [] where none is known. */
export const ownSynonyms = (noun: string): readonly string[] => own.get(noun) ?? [];

const PERSON = new Set(
  (
    'member customer client user guest patient person friend contact employee colleague student ' +
    'teacher doctor driver owner author artist passenger player visitor tenant worker manager ' +
    'recipient sender assignee ' +
    'attendee participant borrower reader buyer seller vendor supplier staff people who ' +
    'candidate pupil citizen rider host subscriber resident mechanic nurse chef actor singer vet ' +
    'trainer instructor agent traveller cook coach lawyer engineer editor speaker organiser'
  ).split(' '),
);

/** Is the thing a person? */
export const isPerson = (noun: string): boolean => PERSON.has(noun);

/** Does a parameter take somebody, by what it is or by what it points at? */
export const isPersons = ({ role, noun }: { role: string; noun: string }): boolean =>
  role === 'person' || isPerson(noun);

/** ORD-5512, KTWX: nobody says "number new-checkout". */
export const isNumbered = (said: string): boolean => /\d|^[A-Z]+$/.test(said);
