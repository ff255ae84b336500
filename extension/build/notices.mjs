// `npm run notices`: writes the part of THIRD-PARTY-NOTICES.md that is about npm packages; --check only compares.
// Each package that ships stands there with its copyright, and each licence text once.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './install.mjs';
import { shippedPackages } from './shipped.mjs';

const FILE = path.join(root, 'THIRD-PARTY-NOTICES.md');
const START = '<!-- from here on written by `npm run notices` -->';
const LICENCE = /^(licen[cs]e|copying)/i;
const NOTICE = /notice/i;
const COPYRIGHT = /^\W*([Cc]opyright:?\s+(\([Cc]\)|©|\d{4}|[A-Z]\w+\s+[A-Z<])|\([Cc]\)\s|©)/;
/** Who holds what has no text of its own. */
const HOLDERS = {
  '@tensorflow': 'Google LLC',
  '@microsoft': 'Microsoft Corporation',
  'onnxruntime-': 'Microsoft Corporation',
};

const read = (folder, pattern) =>
  readdirSync(path.join(root, folder))
    .filter((name) => pattern.test(name) && /^[^.]*(\.(md|txt))?$/.test(name))
    .sort()
    .map((name) =>
      readFileSync(path.join(root, folder, name), 'utf8')
        .replace(/\r\n/g, '\n')
        .trim(),
    );

/** Lines of copyright, and the rest: the same words for most packages of a licence. */
function split(text) {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const isHolder = (line, i) => i < 12 && COPYRIGHT.test(line.trim());
  return {
    holders: lines.filter(isHolder).map((line) => line.trim().replace(/^\W*copyright:?\s*/i, '')),
    body: lines
      .filter((line, i) => !isHolder(line, i))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

const same = (body) =>
  body
    .replace(/[\s>*#"'“”`]+/g, ' ')
    .toLowerCase()
    .trim();

/** @returns the generated part */
function notices() {
  const packages = shippedPackages().map((one) => ({ ...one, texts: read(one.folder, LICENCE).map(split) }));
  const bodies = new Map();
  const known = new Map();
  const note = (title, body, name) => {
    const entry = bodies.get(same(body)) ?? { title, body, names: new Set() };
    bodies.set(same(body), { ...entry, names: entry.names.add(name) });
  };
  for (const { license, name, texts } of packages)
    for (const { body } of texts) {
      if (texts.length === 1 && !known.has(license)) known.set(license, body);
      note(license, body, name);
    }
  // those that name a licence and bring no text
  for (const { license, name, texts } of packages) {
    if (texts.length > 0) continue;
    for (const id of license.split(' AND ')) {
      if (!known.has(id)) throw new Error(`notices: ${name} is under ${id}, of which there is no text`);
      note(id, known.get(id), name);
    }
  }
  const rows = packages.map(({ name, version, license, author, texts }) => {
    const holders = [...new Set(texts.flatMap((text) => text.holders))];
    const holder = Object.entries(HOLDERS).find(([start]) => name.startsWith(start))?.[1];
    const who = holders.length > 0 ? holders.join('; ') : (holder ?? author ?? `the authors of ${name}`);
    return `| ${name} | ${version} | ${license} | ${who.replaceAll('|', '\\|')} |`;
  });
  const texts = [...bodies.values()].sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
  const own = packages.flatMap(({ name, folder }) => read(folder, NOTICE).map((text) => ({ name, text })));
  return [
    START,
    '',
    '## npm packages',
    '',
    'In the bundles of `dist/`, or beside them. The icons (codicons) are by Microsoft, under CC BY 4.0, unchanged.',
    '',
    '| Package | Version | Licence | Copyright |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...texts.flatMap(({ title, body, names }) => ['', `### ${title}: ${[...names].join(', ')}`, '', fenced(body)]),
    ...own.flatMap(({ name, text }) => ['', `### Notices of ${name}`, '', fenced(text)]),
    '',
  ].join('\n');
}

const fenced = (text) => `~~~~\n${text}\n~~~~`;

const {
  values: { check },
} = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const before = readFileSync(FILE, 'utf8');
const wanted = `${before.split(START)[0].trimEnd()}\n\n${notices()}`;
if (!check) writeFileSync(FILE, wanted);
else if (before !== wanted) {
  console.error('notices: THIRD-PARTY-NOTICES.md is not what ships: npm run notices');
  process.exitCode = 1;
}
