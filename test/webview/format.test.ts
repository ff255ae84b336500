import assert from 'node:assert/strict';
import {
  decimal,
  duration,
  metric,
  oneLine,
  percent,
  percentInterval,
  points,
  pointsInterval,
  setLocale,
  shortPath,
  signed,
  withMinusSigns,
} from '../../webview/shared/format';

describe('webview: numbers in words', () => {
  afterEach(() => setLocale('en'));

  it('signs the figures of a sentence as its own', () =>
    assert.equal(
      withMinusSigns('its gain, -16.0, is not above -5.0 points of run-7'),
      'its gain, −16.0, is not above −5.0 points of run-7',
    ));

  it('shows what was not measured as a dash, never as 0', () => {
    assert.deepEqual(
      [
        decimal(null),
        percent(undefined),
        points(null),
        signed(null),
        duration(null),
        metric(NaN),
        percentInterval(null),
      ],
      Array(7).fill('–'),
    );
    assert.equal(decimal(0), '0.00');
  });

  it('writes a true minus, and none before a zero', () => {
    assert.equal(decimal(-1.5, 1), '−1.5');
    assert.equal(decimal(-0.001, 2), '0.00');
    assert.equal(signed(0.35), '+0.35');
    assert.equal(signed(-0.004), '0.00');
    assert.equal(signed(0.004), '0.00'); // not +0.00
  });

  it('writes differences of fractions in points', () => {
    assert.equal(points(0.313), '+31.3');
    assert.equal(pointsInterval([0.249, 0.376]), '[+24.9, +37.6]');
    assert.equal(pointsInterval([-0.021, 0.07]), '[−2.1, +7.0]');
    assert.equal(percent(0.412), '41.2\u202f%');
  });

  it('keeps about three digits of a metric of unknown range', () => {
    assert.deepEqual([0, 2e-7, 0.0123, 0.456, 1.234, 45.67, 456.7, 12345, 2.5e6].map(metric), [
      '0',
      '2.0e−7',
      '0.0123',
      '0.456',
      '1.23',
      '45.7',
      '457',
      '12,345',
      '2.5e6',
    ]);
  });

  it('writes durations with one unit, hours with minutes', () => {
    assert.deepEqual([0.2, 41, 1234, 48_000, 120_000, 3_900_000].map(duration), [
      '0.2 ms',
      '41 ms',
      '1.2 s',
      '48 s',
      '2 min',
      '1 h 05 min',
    ]);
  });

  it('uses the editor’s language, and English for a tag that Intl refuses', () => {
    setLocale('de');
    assert.equal(decimal(1234.5, 1), '1.234,5');
    setLocale('en-US@posix');
    assert.equal(decimal(1234.5, 1), '1,234.5');
  });

  it('shortens paths and texts without breaking a character', () => {
    assert.equal(shortPath('C:\\a\\email\\tools.ts'), 'email/tools.ts');
    assert.equal(oneLine(' a\n b\t c '), 'a b c');
    assert.equal(oneLine('😀😀😀', 2), '😀…');
  });
});
