/** What people give to tools of their trade: repositories, files, channels, queries. Of nothing in particular. */
import { from, oneOf, two, type Draw } from './draw';
import { isoDate, isoTime } from './everydayTimes';
import { firstName, hex, plain } from './everydayValues';

const NAMES = from(
  'index|main|notes|report|config|readme|invoice|budget|todo|server|utils|draft|summary|backup|photo|log',
);
const ENDINGS = from('ts|js|py|md|txt|json|csv|pdf|html|yaml|png|docx|sql|log');
const FOLDERS = from('src|docs|test|lib|data|assets|images|scripts|reports|archive|projects/web|backup/2024|tmp');

const file: Draw = (random) => `${NAMES(random)}.${ENDINGS(random)}`;
const glob: Draw = (random) => `${random.pick(['', '', '**/'])}*.${ENDINGS(random)}`;
const folder: Draw = oneOf(
  FOLDERS,
  FOLDERS,
  (random) => `${FOLDERS(random)}/${plain(random)}`,
  (random) => `/home/${firstName(random).toLowerCase()}/${FOLDERS(random)}`,
  (random) => `./${FOLDERS(random)}`,
);
const path: Draw = oneOf(
  file,
  file,
  (random) => `${FOLDERS(random)}/${file(random)}`,
  (random) => `${FOLDERS(random)}/${file(random)}`,
  (random) => `${plain(random)}/${plain(random)}.txt`,
  (random) => `/home/${firstName(random).toLowerCase()}/${file(random)}`,
);

const handle: Draw = oneOf(
  (random) => firstName(random).toLowerCase(),
  (random) => `${firstName(random).toLowerCase()}${random.int(100)}`,
  (random) => `${plain(random)}-${random.pick(['labs', 'io', 'dev', 'team', 'org'])}`,
);
const repository: Draw = oneOf(
  (random) => `${plain(random)}-${random.pick(['api', 'app', 'web', 'docs', 'cli', 'core', 'mobile', 'infra'])}`,
  (random) => `${random.pick(['website', 'shop', 'blog', 'dotfiles', 'backend', 'frontend', 'handbook'])}`,
);
const branch: Draw = oneOf(
  from('main|develop|master|staging|release|hotfix'),
  (random) =>
    `${random.pick(['feature', 'fix', 'chore'])}/${random.pick(['login', 'search', 'typo', 'dark-mode', 'cache'])}`,
  (random) => `release-${1 + random.int(4)}.${random.int(10)}`,
);

/** By a parameter's name, in the singular; `isStrict` in `everydayKinds.ts`: no other words will do. */
export const OF_DEVELOPERS: readonly (readonly [words: RegExp, Draw])[] = [
  [/^(folder|directory|dir)$/, folder],
  [/^(path|file|filename|filepath)$/, path],
  [/^(repo|repository)$/, repository],
  [/^(sha|commit|revision)$/, (random) => hex(random, random.pick([7, 7, 10, 40]))],
  [/^(timestamp|datetime)$/, (random) => `${isoDate(random)}T${isoTime(random)}:${two(random.int(60))}`],
  [/^(reaction|emoji)$/, from('thumbsup|heart|tada|eyes|rocket|smile|fire|clap|wave|100')],
  [/^channel$/, from('#general|#random|#support|#team|#marketing|#dev|#announcements|#sales|#lunch|#on-call')],
  [/^(glob|wildcard)$/, glob],
  [
    /^(command|cmd|shell)$/,
    from('ls -la|git status|npm test|df -h|whoami|npm run build|docker ps|git pull|uptime|date'),
  ],
  [
    /^(expression|formula|equation)$/,
    (random) =>
      random.pick([
        `${1 + random.int(90)} * ${1 + random.int(40)}`,
        `${1 + random.int(90)} + ${1 + random.int(900)}`,
        `(${1 + random.int(9)} + ${1 + random.int(9)}) / ${2 + random.int(7)}`,
        `sqrt(${(2 + random.int(12)) ** 2})`,
        `${1 + random.int(20)}^${2 + random.int(3)}`,
      ]),
  ],
  [/^selector$/, from('#submit|.btn-primary|#login|h1|nav a|#search-box|.price|form button|footer')],
  [
    /^(timezone|tz)$/,
    from(
      'Europe/London|Europe/Berlin|America/New_York|America/Los_Angeles|Asia/Tokyo|Asia/Kolkata|Australia/Sydney|' +
        'Europe/Paris|America/Sao_Paulo|Africa/Cairo|Asia/Singapore|UTC',
    ),
  ],
];

/** What a file ends in that a tool is about; the first in its words counts ("PDF to Markdown"). */
const ENDS_IN: Readonly<Record<string, readonly string[]>> = {
  pdf: ['pdf'],
  docx: ['docx'],
  xlsx: ['xlsx'],
  excel: ['xlsx'],
  spreadsheet: ['xlsx', 'csv'],
  pptx: ['pptx'],
  csv: ['csv'],
  json: ['json'],
  yaml: ['yaml'],
  image: ['png', 'jpg'],
  picture: ['jpg'],
  photo: ['jpg'],
  screenshot: ['png'],
  audio: ['mp3', 'wav'],
  video: ['mp4', 'mov'],
  markdown: ['md'],
  document: ['pdf', 'docx'],
  receipt: ['pdf', 'jpg'],
  invoice: ['pdf'],
  contract: ['pdf', 'docx'],
  resume: ['pdf', 'docx'],
  cv: ['pdf', 'docx'],
};

/** null: it is no file, or the tool is about files of any kind. @param about words of its own and the tool's first */
export function drawFileOf(word: string, about: readonly string[]): Draw | null {
  const kind = /^(path|file|filename|filepath)$/.test(word) && about.find((one) => Object.hasOwn(ENDS_IN, one));
  return kind ? (random) => path(random).replace(/\.\w+$/, `.${random.pick([...ENDS_IN[kind]!])}`) : null;
}

const OF_FILES = /^(file|directory|folder|path)$/;
const OF_CODE = /^(repository|repo|github|gitlab|git|commit|pull|branch)$/;
/** The same word in tools about code: an owner has a handle, a branch is none of a bank. */
const IN_CODE: Readonly<Record<string, Draw>> = {
  owner: handle,
  user: handle,
  username: handle,
  author: handle,
  assignee: handle,
  reviewer: handle,
  organization: handle,
  org: handle,
  branch,
  base: branch,
  head: branch,
  label: from('bug|enhancement|documentation|question|good first issue|help wanted|security|performance'),
};

/** null: the tools are not about code, or the word means there what it means elsewhere. @param about their words */
export const drawInCode = (word: string, about: readonly string[]): Draw | null =>
  word === 'pattern' && about.some((one) => OF_FILES.test(one)) ? glob : inCode(word, about);

const inCode = (word: string, about: readonly string[]): Draw | null =>
  Object.hasOwn(IN_CODE, word) && about.some((one) => OF_CODE.test(one)) ? IN_CODE[word]! : null;
