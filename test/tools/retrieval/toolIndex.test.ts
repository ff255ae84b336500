import assert from 'node:assert/strict';
import { toolDocument, type FindableTool } from '../../../trainer/tools/retrieval/documents';
import { partsOfRequest } from '../../../trainer/tools/retrieval/requestParts';
import { ToolIndex } from '../../../trainer/tools/retrieval/toolIndex';
import { SCALE_MCP_WEIGHTS, VectorIndex, type Embedder } from '../../../trainer/tools/retrieval/vectorIndex';

const tool = (name: string, description: string, properties: Record<string, object> = {}): FindableTool => ({
  name,
  description,
  parameters: { type: 'object', properties },
});
const SHOP = [
  tool('searchBooks', 'Search the catalogue.', { words: { description: 'title or author' } }),
  tool('findMember', 'Look a member up.', { name: { type: 'string' } }),
  tool('payFine', 'Pay what a member owes.', { method: { enum: ['cash', 'card'] } }),
];
const names = (found: { name: string }[]): string[] => found.map(({ name }) => name);
/** A direction for each of a few words, so that every cosine is known: the n-th axis for the n-th word. */
function axes(words: Record<string, number>): Embedder & { asked: string[] } {
  const asked: string[] = [];
  return {
    id: 'axes',
    asked,
    embed(text) {
      asked.push(text);
      const vector = new Float32Array(4);
      for (const [word, axis] of Object.entries(words)) if (text.toLowerCase().includes(word)) vector[axis]! += 1;
      const length = Math.hypot(...vector);
      return length === 0 ? null : vector.map((x) => x / length);
    },
  };
}

describe('ToolIndex', () => {
  it("a document holds the name's words, the description, names and choices of parameters at any depth", () => {
    const nested = tool('bookVisit', 'Book a visit.', {
      visit: { type: 'object', properties: { dayPart: { enum: ['morning', 'noon'], description: 'when' } } },
      pets: { type: 'array', items: { type: 'object', properties: { chipNumber: {} } } },
    });
    const { parts } = toolDocument(nested, { questions: ['Can I come today?'], topics: ['vet'] });
    assert.deepEqual(parts, {
      name: 'book visit',
      description: 'Book a visit.',
      parameters: 'visit\nday part\nwhen\nmorning\nnoon\npets\nchip number',
      questions: 'Can I come today?',
      topics: 'vet',
    });
    const itself: Record<string, unknown> = {};
    itself.properties = { again: itself };
    assert.equal(toolDocument({ ...nested, parameters: itself }).parts.parameters.split('\n').length, 9);
  });

  it('by words: what the description, a parameter or a choice says; nothing fits: nothing', () => {
    const index = new ToolIndex({ embedder: null });
    index.sync(SHOP);
    assert.deepEqual(names(index.find('who is the author of Emma?', 1)), ['searchBooks']);
    assert.deepEqual(names(index.find('by card', 5)), ['payFine']);
    assert.deepEqual(index.find('what is it to you?', 5), []);
  });

  it('with vectors: what shares no word is found; 0.4 of the words beside 0.6 of the vectors', () => {
    const embedder = axes({ catalogue: 0, novel: 0, member: 1, owes: 2, debt: 2 });
    const index = new ToolIndex({ embedder });
    index.sync(SHOP);
    assert.equal(names(index.find('any novel', 1))[0], 'searchBooks');
    // words: findMember first (1), payFine last (0); cosines with (member, debt): 1, 1 / √2 and 0
    const found = index.find('debt of the member', 3);
    assert.deepEqual(names(found), ['findMember', 'payFine', 'searchBooks']);
    [0.4 + 0.6 * Math.SQRT1_2, 0.6, 0].forEach((score, i) => assert.ok(Math.abs(found[i]!.score - score) < 1e-6));
    assert.ok(!embedder.asked.some((text) => /author|cash/.test(text)), 'parameters are for words alone');
    const cosines = new ToolIndex({ embedder, byWords: false });
    cosines.sync(SHOP);
    assert.deepEqual(names(cosines.find('debt of the member', 3)), ['payFine', 'findMember', 'searchBooks']);
  });

  it("of a tool's synthetic questions, each a direction of its own, the nearest counts", () => {
    const embedder = axes({ catalogue: 0, kayak: 1, sourdough: 2, owes: 3 });
    const questions: Record<string, string[]> = { searchBooks: ['Anything on kayaks?', 'What is there on sourdough?'] };
    const index = new ToolIndex({
      embedder,
      byWords: false,
      enrich: ({ name }) => ({ questions: questions[name] ?? [] }),
    });
    index.sync(SHOP);
    assert.equal(embedder.asked.length, 5);
    assert.deepEqual(index.find('a kayak', 1), [{ name: 'searchBooks', score: 1 }]);
    index.sync(SHOP.slice(1));
    assert.deepEqual(names(index.find('a kayak', 3)), ['payFine'], 'its questions are gone with it');
  });

  it("by words the cosine with the nearest of a tool's questions counts four times; all their words do", () => {
    const questions: Record<string, string[]> = {
      payFine: ['Tell me what Ada owes', 'Put m17 on the card'],
      findMember: ['Anyone called Weber?'],
    };
    const index = new ToolIndex({ embedder: null, enrich: ({ name }) => ({ questions: questions[name] ?? [] }) });
    index.sync(SHOP);
    // "me" stands in one of three questions and is worth log(1 + 3 / 2), as "tell" and each other word of it
    const found = index.find('tell me', 3);
    assert.deepEqual(names(found), ['payFine']);
    assert.ok(Math.abs(found[0]!.score - (0.8 * 2) / Math.sqrt(2 * 5)) < 1e-6);
    assert.deepEqual(names(index.find('m16', 3)), ['payFine'], 'each number is one');
    assert.deepEqual(names(index.find('anyone: catalogue', 3)), ['findMember', 'searchBooks']);
    index.sync(SHOP.slice(0, 2));
    assert.deepEqual(index.find('tell me', 3), [], 'its questions are gone with it');
  });

  it('of many questions some are embedded, evenly spread', () => {
    const embedder = axes({ member: 1 });
    const questions = ['a?', 'b?', 'c?', 'd?', 'e?'];
    new ToolIndex({ embedder, embeddedQuestions: 2, enrich: () => ({ questions }) }).sync(SHOP.slice(0, 1));
    assert.deepEqual(embedder.asked.slice(1), ['a?', 'c?']);
  });

  it('as one average of its parts: a question is half of it, of two a quarter each', () => {
    const embedder = axes({ catalogue: 0, kayak: 1, sourdough: 2 });
    const questions = ['Anything on kayaks?', 'What is there on sourdough?'];
    const vectors = new VectorIndex(embedder, ['name', 'description', 'questions'], {
      weights: SCALE_MCP_WEIGHTS,
    });
    vectors.add(toolDocument(SHOP[0]!, { questions }));
    assert.equal(embedder.asked.length, 4, 'name, description and each question');
    const [found] = vectors.find('a kayak', 1);
    // the name says nothing here: (0.3, 0.25, 0.25)
    assert.ok(Math.abs(found!.score - 0.25 / Math.hypot(0.3, 0.25, 0.25)) < 1e-6);
  });

  it('one tool of many that changes is embedded again alone, question by question', () => {
    const embedder = axes({ member: 1 });
    const many = Array.from({ length: 500 }, (_, i) => tool(`tool${i}`, `Does ${i} of them.`));
    const enrich = ({ name }: FindableTool) => (name === 'tool7' ? { questions: ['Seven?', 'Or 7?'] } : {});
    const index = new ToolIndex({ embedder, enrich });
    index.sync(many);
    embedder.asked.length = 0;
    const changed = many.map((one, i) => (i === 7 ? { ...one, description: 'Does seven of them.' } : one));
    assert.deepEqual(index.sync(changed), { created: [], updated: ['tool7'], deleted: [] });
    assert.deepEqual(embedder.asked, ['tool 7 Does seven of them. ', 'Seven?', 'Or 7?']);
  });

  it('a request of two sentences finds the tool of each before the second-best of either', () => {
    const index = new ToolIndex({ embedder: null });
    index.sync([...SHOP, tool('listMembers', 'List every member of the library, member by member.')]);
    const request = 'Look up the member Jonas Weber please. Then search the catalogue for Emma.';
    assert.deepEqual(new Set(names(index.find(request, 2))), new Set(['findMember', 'searchBooks']));
    assert.deepEqual(partsOfRequest('Find Jonas and then pay what he owes.'), [], 'one sentence is looked up whole');
  });

  it('sync: only what changed is computed again, and what is gone is found no more', () => {
    const embedder = axes({ member: 1 });
    const index = new ToolIndex({ embedder });
    assert.deepEqual(index.sync(SHOP), { created: names(SHOP), updated: [], deleted: [] });
    assert.equal(embedder.asked.length, 3);
    assert.deepEqual(index.sync(SHOP), { created: [], updated: [], deleted: [] });
    const changed = [SHOP[0]!, tool('payFine', 'Settle a debt.')];
    assert.deepEqual(index.sync(changed), { created: [], updated: ['payFine'], deleted: ['findMember'] });
    assert.equal(embedder.asked.length, 4);
    assert.equal(index.size, 2);
    assert.deepEqual(names(index.find('settle', 5)), ['payFine']);
    assert.deepEqual(index.find('member owes cash', 5), [], 'the words of before are gone');
    assert.deepEqual(index.sync([...changed, SHOP[1]!]).created, ['findMember'], 'a tool that comes back is new');
  });
});
