import { toUsageText } from '../../../src/agent/modelHttp/statusFailure';

const limit = (own: object) => toUsageText({ type: 'usage_limit_reached', ...own });

describe('toUsageText', () => {
  it.each([
    [30, 'less than a minute'],
    [60, '1 minute'],
    [12_720, '3 hours 32 minutes'],
    [93_600, '1 day 2 hours'],
    [180_061, '2 days 2 hours 1 minute'],
  ])('writes %d seconds as %s', (resets_in_seconds, words) => {
    expect(limit({ resets_in_seconds })).toBe(`You've hit your usage limit. Try again in ${words}.`);
  });

  it.each([Number.POSITIVE_INFINITY, Number.NaN, -60, '60'])('names no time for %p seconds', (resets_in_seconds) => {
    expect(limit({ resets_in_seconds })).toBe("You've hit your usage limit. Try again later.");
  });

  it('offers the upgrade to those who can have it', () => {
    const offer = "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again";
    expect(limit({ plan_type: 'plus', resets_in_seconds: 60 })).toBe(`${offer} in 1 minute.`);
    expect(limit({ plan_type: 'plus' })).toBe(`${offer} later.`);
    expect(limit({ plan_type: 'pro' })).toBe("You've hit your usage limit. Try again later.");
  });

  it('knows a plan without Codex, and nothing else', () => {
    expect(toUsageText({ type: 'usage_not_included' })).toContain('upgrade to Plus');
    expect(toUsageText({ type: 'rate_limit' })).toBeUndefined();
  });
});
