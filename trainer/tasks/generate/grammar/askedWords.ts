/**
 * How people ask for one thing that a result says, where they do not just say its name ("when is it due?" for a due
 * date). Plain English knowledge, of no tool file in particular.
 *
 * One block a word: the last word of a member's name, then questions. {o} the thing, {f} the member's name.
 */
const QUESTIONS = `
arrival checkin
when does {o} arrive; when is {o} coming; when does {o} get here; what day does {o} arrive; when will {o} be here
departure checkout
when does {o} leave; when is {o} leaving; what day does {o} leave; when will {o} be gone
start begin beginning
when does {o} start; when does {o} begin; when will {o} start
end finish
when does {o} end; when is {o} over; until when does {o} last; when will {o} be over
due deadline
when is {o} due; by when is {o} due; how long do I have for {o}; when does {o} have to be done
expiry expiration expires
when does {o} expire; how long is {o} good for; when does {o} run out
birth birthday born
when was {o} born; what day was {o} born
delivery
when does {o} arrive; when will {o} be delivered; when is {o} coming
release published publication
when did {o} come out; since when is {o} out
opening opens
when does {o} open; from when is {o} open
closing closes
when does {o} close; until when is {o} open
owner
who owns {o}; whose is {o}; who does {o} belong to
author writer
who wrote {o}; who is {o} by
artist singer band composer
who is {o} by; who made {o}; whose is {o}
director
who directed {o}; who made {o}
teacher instructor coach trainer
who teaches {o}; who runs {o}; who gives {o}
driver
who drives {o}; who is at the wheel of {o}
assignee agent engineer mechanic technician
who is working on {o}; who is on {o}; who takes care of {o}; who has {o}
customer client buyer guest tenant member borrower holder
whose is {o}; who has {o}; who is {o} for; whose name is on {o}; who is {o} under
sender
who sent {o}; who is {o} from
recipient
who gets {o}; who is {o} for
doctor vet
who treats {o}; who takes care of {o}
manager lead leader host organiser
who is in charge of {o}; who runs {o}; who looks after {o}
age
how old is {o}
weight
how heavy is {o}; how much does {o} weigh
height
how tall is {o}; how high is {o}
length duration
how long is {o}; how long does {o} take
minutes hours
how long is {o}; how long does {o} take; how many {f} is {o}
days nights weeks
how long is {o}; how many {f} is {o}; for how long is {o}
size area
how big is {o}; how large is {o}
distance
how far is {o}; how far away is {o}
speed
how fast is {o}
temperature
how warm is {o}; how hot is {o}
depth
how deep is {o}
width
how wide is {o}
capacity sleeps seats places
how many people fit in {o}; how many people is {o} for; how many people can stay in {o}; how big is {o}; is {o} big enough
stock quantity left remaining available inventory
how many of {o} are left; how much of {o} is left; is there any of {o} left; do we still have {o}; is {o} in stock
price cost
how much is {o}; what does {o} cost; how expensive is {o}; what do I pay for {o}
total sum
how much is {o}; what does {o} come to; what's the damage for {o}
balance
how much is on {o}; how much is left on {o}; how much do I owe on {o}
rating stars score
how good is {o}; how well is {o} rated; is {o} any good
year
what year is {o} from; from what year is {o}
severity
how bad is {o}; how serious is {o}
priority urgency
how urgent is {o}; how important is {o}
colour color
what colour is {o}
kind type category sort
what kind of thing is {o}; what kind is {o}; what sort is {o}
brand make maker manufacturer
who makes {o}; what make is {o}
language
what language is {o} in
version
which version of {o} do we have; what version is {o} on
reason
what was the reason for {o}; what is the reason for {o}; what is behind {o}
phone mobile telephone
how can I reach {o}; how do I call {o}; what number do I call for {o}
email mail
how can I reach {o}; where can I write to {o}
address
where is {o}; where does {o} live; how do I get to {o}
name title
what is {o} called; what is the {f} of {o}
status state stage progress
how is {o} doing; what is happening with {o}; where are we with {o}; is there any news on {o}; how far along is {o}
description summary
what is {o} about; what is {o}
notes note remarks comment
what does it say on {o}; is there anything noted on {o}
`;

/** Questions by a member's kind. {v} its value, {b} its name without "date", {fs} its name of many. */
const BY_KIND = `
date
when is {o}; what day is {o}; on what date is {o}; when is {o} again
dated
when is the {b} of {o}; when is the {b} for {o}; what is the {f} of {o}; what's the {f} on {o}
person
who is the {f} of {o}; who is the {f} for {o}; who is the {f} on {o}; who is {o} with
place
where is {o}; where can I find {o}; which {f} is {o} in; in which {f} is {o}; what {f} is {o} in
money
how much is the {f} of {o}; how much is {o}
rate
how much is the {f} of {o}; what is the {f} of {o}; what's the {f} for {o}; which {f} does {o} have
count
how many {fs} does {o} have; how many {fs} are there for {o}; how many {fs} are on {o}; how many {fs} are in {o}; how many {fs} with {o}
list
which {fs} does {o} have; what {fs} are on {o}; what {fs} does {o} have; are there any {fs} on {o}; what {fs} are in {o}
flag
is {o} {f}; is {o} {f} or not; is {o} really {f}
allowed
are {f} in {o}; are {f} at {o}; are {f} for {o}
state
is {o} {v}; is {o} {v} yet; is {o} already {v}; is {o} still {v}; is {o} {v} or not
done
has {o} been {v}; has {o} been {v} yet; was {o} {v}; did {o} get {v}
named
what is the {f} of {o}; what's the {f} of {o}; what {f} does {o} have; what is the {f} for {o}; which {f} does {o} have; what's the {f} on {o}
`;

const blocks = (text: string): [words: string[], texts: string[]][] => {
  const lines = text.trim().split('\n');
  return lines.flatMap((line, i) => (i % 2 === 0 ? [[line.split(' '), lines[i + 1]!.split('; ')]] : [])) as [
    string[],
    string[],
  ][];
};

const byWord = new Map(blocks(QUESTIONS).flatMap(([words, texts]) => words.map((word) => [word, texts] as const)));
const byKind = new Map(blocks(BY_KIND).map(([[kind], texts]) => [kind!, texts] as const));

/** Questions that go with a member's last word; [] for one that has none of its own. */
export const questionsOfWord = (word: string): readonly string[] => byWord.get(word) ?? [];

/** Questions for members of a kind; [] for one without. */
export const questionsOfKind = (kind: string): readonly string[] => byKind.get(kind) ?? [];
