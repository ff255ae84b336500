/** Words that an answer may use whatever was said and found: they state nothing about the world. */
const words = (text: string): string[] => text.trim().split(/\s+/);

/** The grammar's own words. */
const FUNCTION_WORDS = words(`
  a an the this that these those it its it's he she they them their theirs his her hers him i me my mine we us our ours
  you your yours who whom whose which what when where why how there here then than so as if or and but nor not no yes
  none nothing any some all both each every either neither one ones other others another such same only just also too
  very more most less least much many few several own of to in on at by for from with without into onto out off up down
  over under about above below between after before since until till during through across per via again back still yet
  already now is are was were be been being am do does did doing done have has had having will would can could may might
  must shall should let let's i'm i've i'll i'd you're you've you'll we're we've that's there's here's what's isn't
  aren't wasn't weren't don't doesn't didn't can't couldn't cannot won't wouldn't haven't hasn't hadn't s t d ll re ve m
  because while though although however therefore
`);

/** How one speaks of having looked, found and answered. */
const SMALL_TALK = words(`
  ok okay sure fine great good well please thank thanks sorry welcome hello hi hey bye goodbye glad happy happily help
  assist assistance afraid pleasure cheers anytime apologies unfortunately course
  find found see look looked know tell told say said says give gave get got show showed follow follows following need
  want like ask asked mean means seem seems exist exists
  answer reply result results information info detail details request question tool tools list listed item items thing
  things something anything everything anyone total number amount value name named called
  first second third last next able unable available possible complete completed success successful successfully
  further else way make equal come call helper assistant small
  asked asks seen sees
`);

const MONTHS = words(`
  january february march april may june july august september october november december jan feb mar apr jun jul aug sep
  sept oct nov dec am pm
`);

const KNOWN: ReadonlySet<string> = new Set([...FUNCTION_WORDS, ...SMALL_TALK, ...MONTHS]);
/** The shorter ones only as they stand: Ines is no form of "in", and seed none of "see". */
const IN_ANY_FORM: ReadonlySet<string> = new Set(SMALL_TALK.filter((word) => word.length >= 4));

/** A word of the grammar, or of having looked, found and answered. Lower case in. */
export const isKnownWord = (word: string): boolean =>
  KNOWN.has(word) || formsOf(word).some((form) => IN_ANY_FORM.has(form));

export const NUMBER_WORDS: readonly string[] = words(
  'zero one two three four five six seven eight nine ten eleven twelve',
);

/** Past forms that no ending tells. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  words(`
    bought:buy brought:bring built:build caught:catch chose:choose chosen:choose came:come cut:cut drawn:draw drew:draw
    driven:drive drove:drive eaten:eat ate:eat fell:fall fallen:fall felt:feel flew:fly forgot:forget
    forgotten:forget gone:go went:go given:give grew:grow grown:grow heard:hear held:hold hid:hide hidden:hide kept:keep
    knew:know known:know laid:lay led:lead left:leave lent:lend lost:lose made:make met:meet paid:pay put:put ran:run
    read:read rose:rise risen:rise sang:sing sat:sit saw:see seen:see sent:send set:set shown:show sold:sell spent:spend
    spoke:speak spoken:speak stood:stand swam:swim taken:take took:take taught:teach thought:think threw:throw
    thrown:throw understood:understand won:win wore:wear worn:wear written:write wrote:write children:child feet:foot
    men:man mice:mouse people:person teeth:tooth women:woman
  `).map((pair) => pair.split(':') as [string, string]),
);

/** What a word may be a plural, a past form or a participle of, itself among them. Lower case in, lower case out. */
export function formsOf(word: string): string[] {
  const bare = word.replace(/'s?$/, '');
  const forms = new Set([bare, IRREGULAR.get(bare) ?? bare]);
  for (const [ending, ...instead] of ENDINGS) {
    if (!bare.endsWith(ending) || bare.length - ending.length < 2) continue;
    const stem = bare.slice(0, -ending.length);
    for (const end of instead) forms.add(stem + end);
    if (/([b-df-hj-np-tv-z])\1$/.test(stem)) forms.add(stem.slice(0, -1));
  }
  return [...forms];
}

const ENDINGS: readonly (readonly [ending: string, ...instead: string[]])[] = [
  ['ies', 'y'],
  ['ied', 'y'],
  ['ves', 'f', 'fe'],
  ['es', '', 'e'],
  ['s', ''],
  ['ed', '', 'e'],
  ['ing', '', 'e'],
  ['ation', 'e', ''],
  ['ion', '', 'e'],
  ['ly', ''],
  ['er', '', 'e'],
];
