import { readAge, readSize, readTime } from '../../../src/streams/text/amounts';

const DAY = 86_400_000;

describe('amounts', () => {
  it.each([
    ['30d', 30 * DAY],
    ['12h', DAY / 2],
    ['2w', 14 * DAY],
    ['5min', 300_000],
    ['90s', 90_000],
    ['0d', 0],
  ])('reads the age %s', (text, ms) => expect(readAge(text)).toBe(ms));

  it.each([
    ['1000', 1_000],
    ['500MB', 5e8],
    ['2GB', 2e9],
    ['1.5k', 1_500],
    ['1 tb', 1e12],
  ])('reads the size %s', (text, bytes) => expect(readSize(text)).toBe(bytes));

  it.each(['', 'd', '-1d', '1y', '1 d', '1e9d', '99999999999d'])('reads no age in %j', (text) => {
    expect(readAge(text)).toBeUndefined();
  });

  it.each(['', 'GB', '-1', '1PB', '1.2.3', '0x10'])('reads no size in %j', (text) => {
    expect(readSize(text)).toBeUndefined();
  });

  it('reads times', () => {
    const now = Date.parse('2026-11-30T12:00:00Z');
    expect(readTime('1d', now)).toBe(now - DAY);
    expect(readTime('2026-11-30', now)).toBe(Date.parse('2026-11-30'));
    expect(readTime('2026-11-30T08:15:00+01:00', now)).toBe(Date.parse('2026-11-30T07:15:00Z'));
    expect(['yesterday', '2026', '2026-13-41', '30.11.2026'].map((text) => readTime(text, now))).toEqual(
      Array(4).fill(undefined),
    );
  });
});
