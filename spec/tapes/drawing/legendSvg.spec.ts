import { legendSvg } from '../../../src/tapes/drawing/toSvg';
import { chartOf, marble } from './charts';

/** Place, classes of the marbles, and the name of each entry. */
const entriesOf = (svg: string) =>
  [...svg.matchAll(/<g transform="translate\(([^)]*)\)">(.*?)<\/g><text [^>]*>([^<]*)<\/text>/gs)].map(
    ([, at, signs, name]) =>
      `${at} ${[...(signs ?? '').matchAll(/<g class="([^"]*)"/g)].map(([, one]) => one)}: ${name}`,
  );

describe('legendSvg', () => {
  it('explains each name once with its letters, lane by lane, and errors as one', () => {
    const marbles = [
      marble({ lane: 1, name: 'pong' }),
      marble({ name: 'go' }),
      marble({ name: 'go' }),
      marble({ lane: 1, name: 'go', symbol: 'G' }),
      marble({ lane: 1, name: 'bad', mark: 'error' }),
      marble({ name: 'worse', mark: 'error' }),
    ];
    const { svg, height } = legendSvg(chartOf({ marbles }), 100);
    expect(entriesOf(svg)).toEqual([
      '30 114 request,answer: go',
      '263 114 answer: pong',
      '496 114 answer bad: an error',
    ]);
    expect(height).toBe(27);
  });

  it('fills columns from above, as many as long names leave', () => {
    const named = (name: string) => Array.from({ length: 6 }, (_, i) => marble({ name: `${name}${i}` }));
    const placesOf = (name: string) =>
      entriesOf(legendSvg(chartOf({ marbles: named(name) }), 0).svg).map((entry) => entry.split(' request')[0]);
    expect(placesOf('n')).toEqual(['30 14', '30 41', '263 14', '263 41', '496 14', '496 41']);
    expect(placesOf('n'.repeat(60))).toEqual(['30 14', '30 41', '30 68', '612 14', '612 41', '612 68']);
  });

  it('writes whole names, escaped; cuts those that are wider than the picture', () => {
    const nameOf = (name: string) => entriesOf(legendSvg(chartOf({ marbles: [marble({ name })] }), 0).svg)[0];
    expect(nameOf('<'.repeat(90))).toBe(`30 14 request: ${'&lt;'.repeat(90)}`);
    expect(nameOf('n'.repeat(900))).toMatch(/^30 14 request: n{150,190}…$/);
  });

  it('explains eighty names, and counts the rest', () => {
    const marbles = Array.from({ length: 83 }, (_, i) => marble({ name: `n${i}` }));
    const { svg, height } = legendSvg(chartOf({ marbles }), 0);
    expect([entriesOf(svg).length, height]).toEqual([80, 17 * 27]);
    expect(svg).toContain('>and 3 more names</text>');
  });

  it('is empty without marbles', () => {
    expect(legendSvg(chartOf({ marbles: [] }), 0)).toEqual({ svg: '', height: 0 });
  });
});
