/**
 * What people ask of assistants elsewhere: tools of other walks of life, worded like the tools' own, so that what tells
 * a request apart is what it is about. Plain knowledge of everyday services, of no tool file in particular.
 */
import type { ToolSchema } from '../../../protocol/task';
import { toolTalk, type ToolTalk } from './toolTalk';

/** name; what it does; parameters */
const OTHERS = `
bookFlight; Book a flight; origin, destination, date
flightStatus; Whether a flight is on time; flightNumber
bookHotel; Book a hotel room; city, date, nights#
findTrain; Trains between two cities; origin, destination, time
rentCar; Rent a car; city, date, days#
callTaxi; Call a taxi; address, time
parkingSpot; Find a place to park; street
trafficReport; How the traffic is; city
routeTo; The way to a place; place
exchangeRate; What a currency is worth in another; currency, amount#
accountBalance; Money on a bank account; account
transferMoney; Send money to somebody; amount#, recipient
payBill; Pay a bill; company, amount#
blockCard; Block a credit card; cardNumber
creditScore; The credit rating of a person; customer
taxReturn; File a tax return; year
stockPrice; What a share costs; company
askForMortgage; Ask the bank for a mortgage; amount#
reportFraud; Report a payment that nobody made; date
weatherForecast; What the weather will be; city, when
newsHeadlines; Read the news; topic
setAlarm; Set an alarm; time
setTimer; Start a timer; minutes#
addReminder; Remind somebody of something; task, when
calendarEvents; What is in the calendar; date
scheduleMeeting; Set up a meeting; person, when
sendMessage; Send a message; recipient, message
callContact; Call somebody on the phone; person
readMail; Read the newest mail; person
translatePhrase; Say something in another language; phrase, language
defineWord; What a word means; word
spellWord; Spell a word; word
calculate; Work out a sum; amount#
convertUnits; Change miles into kilometres; distance#
tellJoke; Tell a joke; topic
playSong; Play a song; song, artist
nextEpisode; Play the next part of a series; series
findMovie; Find a film to watch; genre
buyTickets; Buy tickets for a concert; band, date
sportsResult; How a match ended; team
findRecipe; Find something to cook; dish
calories; How much energy a meal has; dish
orderPizza; Order a pizza; size, address
reserveTable; Reserve a table; restaurant, time
shoppingList; Add to the shopping list; item
groceryDelivery; Have groceries brought; date
trackParcel; Where a parcel is; trackingNumber
returnShoes; Send shoes back; reason
compareLaptops; Compare two computers; brand
writeReview; Write a review of a hotel; hotel, text
turnOnLights; Turn on the lights; room
setThermostat; Make it warmer or cooler; degrees#
lockDoor; Lock the front door; when
startVacuumCleaner; Let the robot clean; room
waterGarden; Water the garden; minutes#
cameraFeed; Show what a camera sees; room
doctorAppointment; See a doctor; doctor, when
dentistAppointment; See a dentist; when
refillPrescription; Get more of a medicine; medicine
vaccineStatus; Whether a shot is due; person
findPharmacy; A pharmacy that is open; city
gymClasses; Classes at the gym; sport, when
heartRate; How fast the heart beats; time
sleepReport; How well somebody slept; date
jobOffers; Find a job; profession, city
updateResume; Change a CV; person
sickLeave; Report sick; days#
vacationDays; Days off that are left; employee
salarySlip; Show the pay slip; month
bookMeetingRoom; Book a meeting room; room, time
printDocument; Print a document; file
resetPassword; Get a new password; email
internetOutage; Report that the internet is down; address
mobileData; How much data is left; phone
changeTariff; Change a phone plan; plan
electricityMeter; Read the electricity meter; number
garbageDates; When the bins are emptied; street
renewPassport; Apply for a new passport; name
drivingTest; Book a driving test; date
visaRules; Whether a visa is needed; country
timeZone; What time it is somewhere; city
publicHolidays; Which days are free; country
holidayPhotos; Show photos of a trip; place
horoscope; What the stars say; sign
lotteryNumbers; The lottery numbers; date
coinFlip; Flip a coin; times#
rollDice; Roll dice; count#
findPlumber; Find somebody to repair a pipe; city
carService; Have a car looked at; car, date
tyrePressure; How much air the tyres have; car
fuelPrice; What petrol costs; city
chargeScooter; Charge an electric scooter; scooterId
schoolTimetable; Lessons of a class; class
homework; What homework there is; subject
babysitter; Find a babysitter; when
dogWalker; Somebody to walk the dog; time
adoptPuppy; Adopt a puppy; breed
petInsurance; Insure a horse; animal
houseInsurance; Insure a house; address
flatSearch; Find a flat; city, rooms#
movingVan; Rent a van to move house; date
cleanWindows; Have the windows cleaned; date
giftIdeas; Ideas for a present; person
weddingCake; Order a wedding cake; date
flowerDelivery; Send flowers; recipient, address
hairdresser; Get a haircut; time
dressSize; Which size fits; size
donate; Give money to charity; amount#
votingPlace; Where to vote; address
policeReport; Report a theft; item, street
museumHours; When a museum is open; museum
skiLifts; Which ski lifts run; place
swimmingPool; How warm the pool is; place
fishingLicence; Get a fishing licence; name
campsite; Book a campsite; place, nights#
boatTour; Book a boat tour; date
languageCourse; Sign up for a language course; language
pianoLesson; Book a piano lesson; when
chessGame; Play a game of chess; opponent
quizQuestion; Ask a quiz question; topic
poem; Write a poem; topic
summarise; Sum up a text; file
proofread; Find mistakes in a letter; text
codeReview; Look through a program; repository
deployServer; Put a program on a server; server
backupFiles; Back up a disk; folder
virusScan; Look for viruses; device
`;

let all: readonly ToolTalk[] | null = null;

/** How the tools of other walks of life are spoken of; their schemas stand in them. */
export function otherTools(): readonly ToolTalk[] {
  return (all ??= OTHERS.trim()
    .split('\n')
    .map((line) => {
      const [name, description, parameters] = line.split('; ');
      return toolTalk(schemaOf(name!, description!, parameters!.split(', ')));
    }));
}

/** A '#' behind a parameter's name says that it is a number. */
const schemaOf = (name: string, description: string, parameters: readonly string[]): ToolSchema => ({
  name,
  description: `${description}.`,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => [
        parameter.replace('#', ''),
        parameter.endsWith('#') ? { type: 'integer' } : { type: 'string' },
      ]),
    ),
    required: [parameters[0]!.replace('#', '')],
  },
  changesWorld: true,
  source: { file: '', line: 1 },
  binding: { exportName: name, positional: 'object' },
});
