import { waitIn } from '../../../src/agent/modelHttp/waitIn';

describe('waitIn', () => {
  it.each<[string, number | undefined]>([
    ['Limit 30000, Used 29000, Requested 2000. Please try again in 11.054s. Visit https://a.b', 11_054],
    ['Please try again in 28ms.', 28],
    ['Please try again in 7m12.5s', 432_500],
    ['Try again in 1 hour and 2 minutes', 3_720_000],
    ['Please retry after 20 seconds.', 20_000],
    ['Please retry in 39.074s.', 39_074],
    ['Please try again in a moment', undefined],
    ['try again in 3 turns', undefined],
    ['Please try again later', undefined],
  ])('reads %j', (text, waitMs) => {
    expect(waitIn(text)).toBe(waitMs);
  });
});
