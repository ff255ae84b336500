import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { decisionBetween } from '../../../trainer/store/preferences/pairOf';
import type { Trace } from '../../../trainer/protocol/trace';
import { redactorFor, secretsInSources } from '../../../trainer/store/redaction/redactor';
import { redactTrace } from '../../../trainer/store/redaction/redactTrace';
import { findSecrets, redactText, secretRules } from '../../../trainer/store/redaction/secrets';
import { readTrace } from '../../../trainer/store/runs/readRun';
import { Tokenizer } from '../../../trainer/model/tokenizer/tokenizer';
import { newRun, sampleTool, sampleTrace, tempFolder } from '../runs/sample';

const rules = secretRules();
const nano = resolve(__dirname, '../../../trainer/model/nano');
// made up for this test; split, so that no scanner takes them for real ones
const KEY = `sk-${'proj-'}abcDEF0123456789abcDEF0123`;
const GITHUB = `gh${'p'}_abcdefghijklmnopqrstuvwxyz0123456789`;
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';
const PEM =
  '-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu\n-----END RSA PRIVATE KEY-----';

describe('redaction', () => {
  it('knows the shapes of keys, and leaves ordinary text alone', () => {
    const redacted: [string, string][] = [
      [`key ${KEY}.`, 'key [redacted:api-key].'],
      [`x=${GITHUB};`, 'x=[redacted:github-token];'],
      [`id AKIA${'IOSFODNN7EXAMPLE'}`, 'id [redacted:aws-key]'],
      [`Authorization: Bearer abcdef0123456789.x`, 'Authorization: Bearer [redacted:bearer-token]'],
      [`(${JWT})`, '([redacted:jwt])'],
      [`a\n${PEM}\nb`, 'a\n[redacted:private-key]\nb'],
      [PEM.slice(0, 60), '[redacted:private-key]'],
      ['postgres://me:hunter22@db/x', 'postgres://me:[redacted:url-password]@db/x'],
      [JSON.stringify({ k: KEY }), '{"k":"[redacted:api-key]"}'],
    ];
    for (const [text, expected] of redacted) assert.equal(redactText(text, rules), expected);
    for (const text of [
      'sk-short',
      'ask-me-about-the-weather-tomorrow-please',
      'the bearer of news',
      'http://localhost:8080/a@b',
      'task-0123456789abcdef0123456789',
      'AKIA',
      'm-12',
      'a.b.c',
      '',
    ])
      assert.equal(redactText(text, rules), text);
    // two rules, one place
    assert.deepEqual(findSecrets(`Bearer ${KEY}`, rules), [{ kind: 'api-key', start: 7, end: 7 + KEY.length }]);
  });

  it('takes patterns of the user; says which can not be used', () => {
    assert.equal(redactText('ACME-12345678 and 9', secretRules(['ACME-\\d{8}'])), '[redacted:user-pattern] and 9');
    assert.throws(() => secretRules(['(']), /redactPatterns: \( is no regular expression/);
    assert.throws(() => secretRules(['x*']), /matches the empty text/);
  });

  const tokenizer = Tokenizer.load(nano);
  /** A prompt, a call with the key, a result that has it behind "Bearer", an answer: as the rollout records them. */
  function secretTrace(): Trace {
    const parts = [
      `<|user|>Log in with ${GITHUB}<|assistant|>`,
      `<|call|>search{"query":"${GITHUB}"}<|end|>`,
      `<|result|>{"auth":"Bearer 0123456789abcdefXYZ"}<|assistant|>`,
      'Done: 0123456789abcdefXYZ<|end|>',
    ].map((text) => tokenizer.encode(text));
    const ids = parts.flat();
    const at = [0, ...parts.map((_, i) => parts.slice(0, i + 1).flat().length)];
    const isSampled = ids.map((_, i) => (i >= at[1]! && i < at[2]!) || i >= at[3]!);
    const result = {
      kind: 'ok' as const,
      content: '{"auth":"Bearer 0123456789abcdefXYZ"}',
      policy: 'real' as const,
      startedAt: 0,
      durationMs: 1,
    };
    const call = { id: 'c', name: 'search', arguments: { query: GITHUB } };
    return sampleTrace('secret', {
      messages: [
        { role: 'user', content: `Log in with ${GITHUB}` },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'search', arguments: { query: GITHUB } } }],
        },
        { role: 'tool', content: result.content, tool_call_id: 'c', name: 'search' },
        { role: 'assistant', content: 'Done: 0123456789abcdefXYZ' },
      ],
      turns: [
        {
          start: at[1]!,
          end: at[2]!,
          text: tokenizer.decode(parts[1]!, true),
          calls: [{ ...call, result }],
          sampleMs: 1,
        },
        { start: at[3]!, end: at[4]!, text: tokenizer.decode(parts[3]!, true), calls: [], sampleMs: 1 },
      ],
      tokens: {
        ids,
        logprobs: isSampled.map((s) => (s ? -0.5 : null)),
        completionMask: isSampled.map((s) => (s ? 1 : 0)),
        writer: isSampled.map((s) => (s ? 's' : 'p')).join(''),
      },
    });
  }

  it('a trace: texts, arguments, results and the ids that spell them; what was sampled in memory stays', () => {
    const trace = secretTrace();
    const before = JSON.stringify(trace);
    const out = redactTrace(trace, rules, (id) => tokenizer.tokenText(id));
    assert.equal(JSON.stringify(trace), before);
    const json = JSON.stringify(out);
    for (const secret of [GITHUB, '0123456789abcdefXYZ']) assert.ok(!json.includes(secret), secret);
    const spelt = tokenizer.decode(
      out.tokens.ids.filter((id) => id >= 0),
      true,
    );
    for (const part of [GITHUB.slice(4, 16), '0123456789', 'XYZ']) assert.ok(!spelt.includes(part), spelt);
    assert.ok(spelt.includes('Log in with') && spelt.includes('"auth":"Bearer'), spelt);
    // known from the result, bare in the answer
    assert.equal(out.messages[3]!.content, 'Done: [redacted:bearer-token]');
    assert.deepEqual(out.turns[0]!.calls[0]!.arguments, { query: '[redacted:github-token]' });
    assert.deepEqual(
      [out.tokens.ids.length, out.tokens.writer, out.tokens.completionMask],
      [trace.tokens.ids.length, trace.tokens.writer, trace.tokens.completionMask],
    );
    assert.ok(out.tokens.ids.every((id, i) => id >= 0 || out.tokens.logprobs[i] === null));
    assert.deepEqual(out.redactions!.map((r) => r.kind).sort(), ['bearer-token', 'github-token']);
  });

  it('without a tokenizer all ids of such a trace go; a trace without a secret is the same object', () => {
    assert.ok(redactTrace(secretTrace(), rules, null).tokens.ids.every((id) => id === -1));
    const plain = sampleTrace('plain');
    assert.equal(redactTrace(plain, rules, null), plain);
    assert.equal(redactorFor({ redact: false }, () => nano).trace(plain), plain);
  });

  it('what an answer states and nobody said is text, too', () => {
    assert.deepEqual(redactTrace({ ...secretTrace(), ungrounded: [`"${KEY}"`, '12'] }, rules, null).ungrounded, [
      '"[redacted:api-key]"',
      '12',
    ]);
    assert.ok(!('ungrounded' in redactTrace(secretTrace(), rules, null)));
  });

  it('a pair of redacted traces brings no sampled ids along', () => {
    const [a, b] = [secretTrace(), { ...secretTrace(), id: 'other' }].map((t) =>
      redactTrace(t, rules, (id) => tokenizer.tokenText(id)),
    );
    b!.messages[1] = { role: 'assistant', content: 'No.' };
    const decision = decisionBetween(a!, b!, { toolFile: 'tools.ts' })!;
    assert.deepEqual(
      decision.pair.sides.map((side) => side.tokens),
      [undefined, undefined],
    );
  });

  it('on disk: a run with secrets holds none, its summary neither; one without is byte for byte what it was', () => {
    const { dir, remove } = tempFolder();
    try {
      const record = (folder: string, trace: Trace) => {
        const run = newRun(dir, { runDir: join(dir, folder), redactor: redactorFor({}, () => nano) });
        const summary = run.recordTrace(trace);
        run.append({ type: 'traceRecorded', trace: summary });
        run.append({ type: 'noted', level: 'warning', code: 'lateToolError', message: `the tool said ${KEY}` });
        run.close();
        return {
          summary,
          bytes: readFileSync(join(dir, folder, summary.file), 'utf8'),
          events: readFileSync(join(dir, folder, 'events.jsonl'), 'utf8'),
        };
      };
      const secret = record('a', secretTrace());
      for (const text of [secret.bytes, secret.events])
        for (const each of [GITHUB, KEY, '0123456789abcdefXYZ']) assert.ok(!text.includes(each));
      assert.equal(secret.summary.prompt, 'Log in with [redacted:github-token]');
      assert.deepEqual(readTrace(join(dir, 'a'), secret.summary).redactions!.length, 2);
      const plain = sampleTrace('plain');
      assert.equal(record('b', plain).bytes, `${JSON.stringify(plain)}\n`);
    } finally {
      remove();
    }
  });

  it('says when tools or tasks hold a secret, which their files keep', () => {
    const task = { id: '1', prompt: `Use ${KEY}` };
    assert.match(
      secretsInSources({}, { tools: [sampleTool], tasks: [task] }).join(),
      /^the tasks hold what looks like a secret \(api-key\); tasks\.json/,
    );
    assert.deepEqual(secretsInSources({ redact: false }, { tools: [], tasks: [task] }), []);
  });
});
