import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunConfig } from '../../trainer/protocol/runConfig';
import { rememberAgreement } from '../../trainer/rewards/judge/calibrateJudge';
import { PROMPT_HASH } from '../../trainer/rewards/judge/judge';
import { openRunJudge } from '../../trainer/rewards/judge/runJudge';

describe('what a run says of its judge when it begins', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'coach-agreement-'));
  after(() => rmSync(workspace, { recursive: true, force: true }));
  const baseUrl = 'http://127.0.0.1:9/v1';
  const openingFor = async (more: Partial<RunConfig> = {}): Promise<string> => {
    const config = RunConfig.parse({ toolFile: 'x', judgeUrl: baseUrl, judgeModel: 'm', ...more });
    const judge = await openRunJudge({
      config,
      workspace,
      environment: {},
      dir: workspace,
      tools: { schemas: [], call: async () => '' },
      signal: new AbortController().signal,
      record: () => undefined,
    });
    return `${judge.opening.level}: ${judge.opening.message}`;
  };

  it('at which agreement with people, for this judge and no other; a warning below the bar', async () => {
    assert.match(
      await openingFor(),
      /^info: Judge m at .*\. How far it agrees with people was not measured: coach judge --calibrate FILE$/,
    );
    rememberAgreement(workspace, {
      model: 'm',
      baseUrl,
      promptHash: PROMPT_HASH,
      mode: 'listwise',
      t: 1,
      accuracy: 0.625,
      n: 40,
      ci95: [0.47, 0.76],
    });
    assert.match(
      await openingFor(),
      /^warning: .*\. It agreed with people on 63 % of 40 pairs \(95 % interval 47 % to 76 %\), which is below 70 %/,
    );
    assert.match(
      await openingFor({ judgeAgreementBar: 60 }),
      /^info: .* 63 % of 40 pairs \(95 % interval 47 % to 76 %\)$/,
    );
    assert.match(await openingFor({ judgeMode: 'pairwise' }), /was not measured/);
    assert.match(await openingFor({ judgeModel: 'other' }), /was not measured/);
  });
});
