/** Texts that are made to keep redaction busy: it reads each a few times, however it is made. */
import assert from 'node:assert/strict';
import { UserError } from '../../trainer/protocol/result';
import { redactTrace } from '../../trainer/store/redaction/redactTrace';
import { redactText, secretRules } from '../../trainer/store/redaction/secrets';
import { sampleTrace } from '../store/runs/sample';

const MB = 1e6;
const rules = secretRules();
const fill = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);

function timed<T>(action: () => T): { value: T; ms: number } {
  const started = performance.now();
  const value = action();
  return { value, ms: performance.now() - started };
}

describe('attacks: redaction', function () {
  this.timeout(60_000);

  /** Each took seconds for 100 kB, and a hundred times as long for ten times as much. */
  const nothing = ['eyJ-', 'eyJaaaaaaaaa-', 'a.', 'a-b+', 'sk-', 'bearer ', '-----BEGIN ', 'a://b:', 'deadbeef.'];
  for (const part of nothing)
    it(`reads 10 MB of ${part} in about a second`, () => {
      const { ms } = timed(() => redactText(fill(part, 10 * MB), rules));
      assert.ok(ms < 4_000, `${ms.toFixed(0)} ms`); // a second on a free machine
    });

  it('10 MB of secrets, too', () => {
    const { value, ms } = timed(() => redactText(fill('Bearer abcdef0123456789.x ', 10 * MB), rules));
    assert.ok(value.startsWith('Bearer [redacted:bearer-token] Bearer [redacted:bearer-token] '));
    assert.ok(ms < 4_000, `${ms.toFixed(0)} ms`);
  });

  for (const [kind, start, part] of [
    ['private-key', '-----BEGIN RSA PRIVATE KEY-----\n', 'A'],
    ['private-key', '-----BEGIN RSA PRIVATE KEY-----\n', '-----END '],
    ['api-key', 'sk-', 'A'],
    ['slack-token', 'xoxb-', 'A-'],
    ['gitlab-token', 'glpat-', '_'],
    ['github-token', 'github_pat_', 'A'],
    ['jwt', 'eyJhbGciOiJI.eyJzdWIiOiIx.', 'A'],
    ['bearer-token', 'Bearer abcdefabcdefabcdef', '='],
  ] as const)
    it(`a ${kind} of 10 MB of ${part} without an end goes, whole`, () => {
      const text = `before ${start}${fill(part, 10 * MB)}`;
      assert.equal(redactText(text, rules).replace('Bearer ', ''), `before [redacted:${kind}]`);
    });

  it('finds what it found: the first of a run that is a token, and a password behind any scheme', () => {
    const jwt = 'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl';
    for (const [text, expected] of [
      [`x-${jwt}`, 'x-[redacted:jwt]'],
      [`eyJ-${jwt}`, '[redacted:jwt]'],
      [`a.${jwt}.b`, 'a.[redacted:jwt].b'],
      [`x_${jwt}`, `x_${jwt}`],
      ['svn+ssh://u:hunter22@h', 'svn+ssh://u:[redacted:url-password]@h'],
      ['9://u:hunter22@h', '9://u:hunter22@h'],
      ['9.a://u:hunter22@h', '9.a://u:[redacted:url-password]@h'],
    ] as const)
      assert.equal(redactText(text, rules), expected);
  });

  it("a user's pattern that goes back and forth is ended with one message", () => {
    const { ms } = timed(() =>
      assert.throws(
        () => redactText(`${'a'.repeat(40)}!`, secretRules(['(a+)+$'])),
        (error: Error) =>
          error instanceof UserError &&
          error.message === 'redactPatterns: (a+)+$: it took more than 2 seconds over a text of 41 characters',
      ),
    );
    assert.ok(ms < 4_000, `${ms} ms`);
  });

  const said = (content: string) => sampleTrace('t', { messages: [{ role: 'user', content }] });
  it('a secret of 10 MB goes from all texts of its trace', () => {
    const key = `-----BEGIN PRIVATE KEY-----${fill('A', 10 * MB)}`;
    const { value, ms } = timed(() => redactTrace(said(key), rules, () => 'x'));
    assert.equal(value.messages[0]!.content, '[redacted:private-key]');
    assert.ok(ms < 4_000, `${ms.toFixed(0)} ms`);
  });

  it('a trace of 100,000 different secrets keeps no text at all', () => {
    const secrets = Array.from({ length: 100_000 }, (_, i) => `sk-${String(i).padStart(30, '0')}`);
    const { value, ms } = timed(() => redactTrace(said(secrets.join(' ')), rules, () => 'x'));
    assert.equal(value.messages[0]!.content, '[redacted:over-200-secrets]');
    assert.ok(value.tokens.ids.every((id) => id === -1));
    assert.deepEqual(value.redactions![0]!.kind, 'over-200-secrets');
    assert.ok(ms < 4_000, `${ms.toFixed(0)} ms`);
  });
});
