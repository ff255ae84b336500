import type { Random } from '../../base/random';
import type { ToolSchema } from '../../protocol/task';
import { splitWords } from '../../base/words';
import { singular, nameWordsOf } from '../../tools/schema/words';

/** Ways to ask for something that needs no tool. */
export const NO_TOOL_FAMILIES: readonly { name: string; say(topic: string): string }[] = [
  { name: 'bare', say: (topic) => topic },
  { name: 'quick', say: (topic) => `Quick one: ${lower(topic)}` },
  { name: 'before', say: (topic) => `Before we start, ${lower(topic)}` },
  { name: 'byTheWay', say: (topic) => `By the way, ${lower(topic)}` },
  { name: 'curious', say: (topic) => `${topic} Just curious.` },
  { name: 'aside', say: (topic) => `Let us talk about something else. ${topic}` },
  { name: 'oneMore', say: (topic) => `One more thing: ${lower(topic)}` },
  { name: 'niece', say: (topic) => `My niece would like to know: ${lower(topic)}` },
];

/** What one may say to an assistant that no tool is for. */
export const TOPICS: readonly string[] = [
  'How are you today?',
  'What is your name?',
  'Who made you?',
  'Thank you very much!',
  'That was helpful, thanks.',
  'Good morning!',
  'Have a nice evening!',
  'Can you tell me a joke?',
  'Do you ever sleep?',
  'Are you a person?',
  'Why is the sky blue?',
  'Who wrote Hamlet?',
  'What is the capital of Peru?',
  'How many legs has a spider?',
  'Which planet is the largest?',
  'What does a botanist study?',
  'Why do leaves fall?',
  'How do bees make honey?',
  'What is a haiku?',
  'Who painted the Mona Lisa?',
  'What is the opposite of brave?',
  'Give me a word that rhymes with stone.',
  'Write a line of verse about snow.',
  'Explain gravity in one sentence.',
  'What is a synonym for happy?',
  'Describe a sunset in five words.',
  'Tell me a riddle.',
  'Do cats dream?',
  'Is a tomato a fruit?',
  'What colour do blue and yellow make?',
  'What is the meaning of life?',
  'Which is heavier, iron or cork?',
  'How does a magnet work?',
  'What language is spoken in Brazil?',
  'Who was Marie Curie?',
  'What is the freezing point of water?',
  'Why do we yawn?',
  'What do pandas eat?',
  'Can penguins fly?',
  'What makes bread rise?',
  'Is chess older than poker?',
  'Do you like music?',
  'What is your favourite season?',
  'Should I learn the violin or the flute?',
  'Is it rude to whistle indoors?',
  'How do I fold a paper boat?',
  'What helps against hiccups?',
  'What is an oxymoron?',
  'Name three rivers in Africa.',
  'Name a famous bridge.',
  'Why is the sea salty?',
  'What is a proverb about patience?',
  'How tall are giraffes?',
  'Do fish have ears?',
  'What is the plural of goose?',
  'Who discovered penicillin?',
  'What is irony?',
  'Is glass a liquid?',
  'How old is the universe?',
  'Say something kind.',
  'I am bored.',
  'I feel tired today.',
  'You are doing well.',
  'Never mind, forget it.',
  'Sorry, wrong window.',
  'Hello there!',
  'What can robots not do?',
  'Which came first, the chicken or the egg?',
  'Why do onions make us cry?',
  'What is a palindrome?',
];

/** Topics that touch none of the tools' words, so that no tool could be meant. */
export function noToolTopics(tools: readonly ToolSchema[], random: Random): string[] {
  const toolWords = new Set(
    tools
      .flatMap((tool) => [
        ...nameWordsOf(tool),
        ...splitWords(tool.description),
        ...splitWords(JSON.stringify(tool.parameters)),
      ])
      .filter((word) => word.length > 3)
      .map(singular),
  );
  return random.shuffle(
    TOPICS.filter((topic) => !splitWords(topic).some((word) => !COMMON.has(word) && toolWords.has(singular(word)))),
  );
}

const COMMON = new Set(
  'what which that this have tell give does your with from name make today three like know five'.split(' '),
);
const lower = (text: string): string => (/^I\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1));
