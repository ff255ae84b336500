/** The inbox that the tools work on: oldest first, invented from end to end. */
export interface Email {
  id: string;
  from: string;
  subject: string;
  body: string;
  unread: boolean;
}

const mail = (id: string, from: string, subject: string, body: string, unread = false): Email => ({ id, from, subject, body, unread });
const UNREAD = true;

export const INBOX: readonly Email[] = [
  mail('m1', 'Landlord', 'Boiler inspection', 'The boiler inspection is on 3 March at 9:30.'),
  mail('m2', 'Ines', 'Kayak rental', 'The kayak costs 45 euros a day, paddles included.'),
  mail('m3', 'Library', 'Overdue books', 'Two books are overdue; the fine is 3.60 euros.', UNREAD),
  mail('m4', 'Otto', 'Sourdough starter', 'Feed the starter with 50 grams of flour.'),
  mail('m5', 'Priya', 'Choir rehearsal', 'Rehearsal moves to the chapel, Tuesday at 19:00.'),
  mail('m6', 'Dentist', 'Checkup reminder', 'Your checkup is on 12 May at 8:15.'),
  mail('m7', 'Marek', 'Tile invoice', 'The bathroom tiles come to 312.50 euros.', UNREAD),
  mail('m8', 'Yuki', 'Origami workshop', 'Bring 20 sheets of paper to the workshop.'),
  mail('m9', 'Helga', 'Allotment keys', 'The allotment padlock opens with 4417.'),
  mail('m10', 'Bruno', 'Marathon training', 'Sunday we run 18 kilometres along the canal.'),
  mail('m11', 'Leila', 'Wedding menu', 'Please pick trout or lentils by Friday.', UNREAD),
  mail('m12', 'Sven', 'Cabin weekend', 'The cabin door code is 7720.'),
  mail('m13', 'Amara', 'Novel club', 'We read chapters 1 to 6 of Middlemarch.'),
  mail('m14', 'Noor', 'Budget draft', 'The budget draft ends at 9400 euros.'),
  mail('m15', 'Greta', 'Compost newsletter', 'Turn the heap every 10 days this spring.', UNREAD),
  mail('m16', 'Dario', 'Scooter repair', 'The scooter is ready; the repair was 88 euros.'),
  mail('m17', 'Railway', 'Ticket to Lisbon', 'Your seat is 42 in coach 7.'),
  mail('m18', 'Bank', 'Statement available', 'The balance is 1284.30 euros.', UNREAD),
  mail('m19', 'Ines', 'Paddling route', 'We start at the pier and cover 9 kilometres.'),
  mail('m20', 'Otto', 'Rye loaves', 'I set aside 3 loaves for you.'),
  mail('m21', 'Tomas', 'Piano tuning', 'The tuner comes Thursday at 16:00.'),
  mail('m22', 'Landlord', 'Rent increase', 'The rent rises to 815 euros from June.', UNREAD),
  mail('m23', 'Priya', 'Concert programme', 'We open with Purcell and close with Holst.'),
  mail('m24', 'Marek', 'Grout colour', 'I suggest pearl grey for the grout.'),
  mail('m25', 'Yuki', 'Crane template', 'The crane has 34 folds.', UNREAD),
  mail('m26', 'Helga', 'Tomato seedlings', 'I have 12 seedlings left for you.', UNREAD),
  mail('m27', 'Dentist', 'Filling invoice', 'The filling was 140 euros.'),
  mail('m28', 'Bruno', 'Race bib', 'Your bib number is 2093.', UNREAD),
  mail('m29', 'Leila', 'Wedding guests', 'We count 96 guests so far.'),
  mail('m30', 'Sven', 'Sauna logs', 'Please bring two baskets of birch.'),
  mail('m31', 'Library', 'Reservation ready', 'The atlas waits at shelf 14.'),
  mail('m32', 'Amara', 'Potluck signup', 'I wrote you down for couscous.', UNREAD),
  mail('m33', 'Noor', 'Grant application', 'The deadline for the grant is 30 April.', UNREAD),
  mail('m34', 'Greta', 'Hedgehog survey', 'We counted 17 hedgehogs last night.'),
  mail('m35', 'Dario', 'Helmet size', 'The helmet comes in size 58.', UNREAD),
  mail('m36', 'Railway', 'Delay compensation', 'We pay back 26.40 euros for the delay.'),
  mail('m37', 'Bank', 'New card', 'Your card arrives on 8 August.', UNREAD),
  mail('m38', 'Ines', 'Wetsuit sizes', 'The rental has wetsuits in S, M and L.', UNREAD),
  mail('m39', 'Tomas', 'Lost metronome', 'I left the metronome at the studio.'),
  mail('m40', 'Landlord', 'Stairwell paint', 'Painters come on Monday; the colour is ivory.'),
  mail('m41', 'Otto', 'Cinnamon buns', 'Bake them at 210 degrees for 14 minutes.', UNREAD),
  mail('m42', 'Priya', 'Soprano solo', 'The solo goes to Beatrix.', UNREAD),
  mail('m43', 'Marek', 'Plumber visit', 'The plumber needs 2 hours on Wednesday.', UNREAD),
  mail('m44', 'Helga', 'Watering rota', 'Your watering week starts on 5 July.', UNREAD),
  mail('m45', 'Bruno', 'Physio exercises', 'Do 3 sets of 15 squats daily.'),
  mail('m46', 'Yuki', 'Kimono photos', 'The album password is lantern.', UNREAD),
  mail('m47', 'Leila', 'Florist quote', 'The florist asks 430 euros for peonies.', UNREAD),
  mail('m48', 'Sven', 'Snow chains', 'The chains are in the blue box.', UNREAD),
  mail('m49', 'Amara', 'Quiz evening', 'Our quiz team is called Mothballs.'),
  mail('m50', 'Noor', 'Meeting minutes', 'The next meeting is in room 312.', UNREAD),
  mail('m51', 'Greta', 'Beekeeping course', 'The course has 8 evenings.', UNREAD),
  mail('m52', 'Dario', 'Parking permit', 'The permit is valid until 2027.'),
  mail('m53', 'Library', 'Membership renewal', 'Renew by 19 October to keep your loans.', UNREAD),
  mail('m54', 'Dentist', 'Retainer pickup', 'The retainer is ready at desk 3.', UNREAD),
  mail('m55', 'Railway', 'Timetable change', 'The sleeper leaves at 22:47 now.', UNREAD),
  mail('m56', 'Bank', 'Mortgage offer', 'The mortgage rate is 3.15 percent.'),
  mail('m57', 'Tomas', 'Waltz score', 'The waltz has 5 flats.', UNREAD),
  mail('m58', 'Ines', 'Life jackets', 'I booked 4 jackets in orange.', UNREAD),
  mail('m59', 'Bruno', 'Shoe discount', 'The voucher code is STRIDE25.', UNREAD),
  mail('m60', 'Helga', 'Harvest supper', 'Supper is in the barn at 18:30.', UNREAD),
];
