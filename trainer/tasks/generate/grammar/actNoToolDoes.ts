/**
 * An act on a thing that the tools know, and none of them does: "print booking BK-17". What is right is to call none.
 */
import type { Random } from '../../../base/random';
import { splitWords } from '../../../base/words';
import { nameWordsOf, singular } from '../../../tools/schema/words';
import { fill } from './fill';
import { isPerson } from './nouns';
import { tidy, type Said } from './say';
import { chatter, FORMS } from './sentence';
import { numberedAs } from './thing';
import type { ParameterTalk, ToolTalk } from './toolTalk';

/** words that tell of such an act: orders; statements. {o} is the thing. */
const OF_THINGS = `
print printer paper: print {o}; print {o} out for me; get {o} on paper. I need {o} on paper; I want {o} printed
export download pdf csv spreadsheet: export {o} as a PDF; put {o} into a spreadsheet. I need {o} as a PDF
photo picture image upload: add a photo to {o}; upload a picture of {o}. there should be a photo on {o}
rename name title: rename {o}; give {o} a nicer name. {o} needs a better name; {o} should have another name
price cost rate fee amount charge discount reduce rebate total: put the price of {o} up; make {o} cheaper. {o} should cost less; {o} is too expensive
colour color paint: paint {o} green; change the colour of {o}. I want {o} in red; {o} should be blue
translate language: translate {o} into Spanish. I need {o} in French
copy duplicate clone: make a copy of {o}; duplicate {o}. I need {o} twice; I want a copy of {o}
share send: share {o} with my sister. my sister should see {o}; I'd like to share {o} with a friend
remind reminder alert notify notification schedule: remind me of {o} tomorrow; set a reminder for {o}. I don't want to forget {o}
rating review star feedback comment: give {o} five stars; write a review of {o}. {o} deserves five stars
cancel delete remove drop revoke withdraw void erase return refund close end archive stop deactivate: delete {o}; cancel {o}; get rid of {o}. {o} can go; I don't want {o}
merge combine join: merge {o} with the other one. {o} and the other one belong together
sell sale: sell {o}; put {o} up for sale. I want to sell {o}
repair fix maintenance broken problem issue damage damaged report ticket claim fault: have {o} repaired; get {o} fixed. {o} needs a repair; {o} is broken
move transfer relocate shift address redirect: move {o} somewhere else. {o} should be somewhere else
password lock protect: put a password on {o}. {o} should have a password
map direction route: show {o} on a map. I want to see {o} on a map
sign signature: sign {o} for me. {o} needs a signature
forward email mail send: forward {o} to my boss; email {o} to my mother. my boss should get {o} by email
tag label category: put a tag on {o}. {o} should have a label
approve approval permit accept confirm: approve {o}. {o} needs an approval
insure insurance: insure {o}. {o} has to be insured
`;
const OF_PERSONS = `
call phone ring telephone contact: call {o} for me; ring {o}. I need to talk to {o} on the phone; I want {o} on the phone
email mail message send text notify contact: send {o} an email; write {o} a message. {o} should get a message
invite lunch dinner: invite {o} to lunch. I'd like to have lunch with {o}
flower present gift: send {o} flowers. {o} should get flowers
salary pay raise bonus: give {o} a raise. {o} should earn more
delete remove fire dismiss deactivate cancel: delete {o}; throw {o} out. {o} has to go
photo picture image: show me a photo of {o}. I'd like to see what {o} looks like
birthday age born: congratulate {o} on the birthday. it's the birthday of {o}
`;

interface Family {
  words: readonly string[];
  order: readonly string[];
  statement: readonly string[];
}
const split = (text: string): string[] => text.split('; ').map((one) => one.trim());
const parse = (text: string): Family[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [, words = '', orders = '', statements = ''] = /^([^:]+): (.+)\. (.+)$/.exec(line) ?? [];
      return { words: words.split(' '), order: split(orders), statement: split(statements) };
    });
const FAMILIES = { things: parse(OF_THINGS), persons: parse(OF_PERSONS) };

/**
 * @param known all words that tell what the tools do, in the singular
 * @returns null: the tools do all that could be asked for
 */
export function sayActNoToolDoes(
  { nouns }: ToolTalk,
  parameter: ParameterTalk,
  value: string | number,
  known: ReadonlySet<string>,
  random: Random,
): Said | null {
  const isOfPerson = parameter.role === 'person' || isPerson(parameter.noun || (nouns[0] ?? ''));
  const open = FAMILIES[isOfPerson ? 'persons' : 'things'].filter(
    ({ words }) => !words.some((word) => known.has(word)),
  );
  if (open.length === 0) return null;
  const kind = random.next() < 0.7 ? 'order' : 'statement';
  const o = isOfPerson ? String(value) : numberedAs(String(value), parameter.noun || (nouns[0] ?? ''), random);
  const core = fill(random.pick(random.pick(open)[kind]), { o });
  const form = random.pick(FORMS.filter((one) => one.kind === kind));
  return { text: chatter(tidy(form.say(core, random)), [String(value)], random), form: 'actNoToolDoes' };
}

/** Words of names, descriptions and parameters, and of the acts that the tools may stand for. */
export function wordsOfTools(talks: readonly ToolTalk[]): Set<string> {
  return new Set(
    talks
      .flatMap(({ tool, nouns, acts }) => [
        ...nameWordsOf(tool),
        ...splitWords(tool.description),
        ...splitWords(JSON.stringify(tool.parameters)),
        ...nouns.flatMap((noun) => noun.split(' ')),
        ...acts.flatMap(({ verbs }) => verbs),
      ])
      .map(singular),
  );
}
