import { legendSvg } from '../../../src/diagram/svg/legendSvg';
import { chartOf, marble } from './charts';

/** Place, class and label of each entry. */
const entriesOf = (svg: string) =>
  [...svg.matchAll(/<g class="([^"]*)" transform="translate\(([^)]*)\)">.*?<\/g><text [^>]*>([^<]*)<\/text>/gs)].map(
    ([, group, at, label]) => `${group} @ ${at}: ${label}`,
  );

describe('legendSvg', () => {
  it('explains each marble that looks different once, lane by lane', () => {
    const marbles = [
      marble({ lane: 1, name: 'ping' }),
      marble({ name: 'go' }),
      marble({ name: 'go' }),
      marble({ name: 'go', symbol: 'G' }),
      marble({ lane: 1, name: 'bad', mark: 'error' }),
      marble({ name: 'worse', mark: 'error' }),
    ];
    const { svg, height } = legendSvg(chartOf({ marbles }), 100);
    expect(entriesOf(svg)).toEqual([
      'request @ 30 114: go',
      'request @ 322 114: go',
      'answer @ 614 114: ping, answered',
      'answer bad @ 906 114: an error',
    ]);
    expect(height).toBe(27);
  });

  it('fills columns from above', () => {
    const marbles = Array.from({ length: 5 }, (_, i) => marble({ name: `n${i}` }));
    const { svg, height } = legendSvg(chartOf({ marbles }), 0);
    expect(entriesOf(svg)).toEqual([
      'request @ 30 14: n0',
      'request @ 30 41: n1',
      'request @ 322 14: n2',
      'request @ 322 41: n3',
      'request @ 614 14: n4',
    ]);
    expect(height).toBe(54);
  });

  it('cuts long names, escapes them, and explains sixty at most', () => {
    const marbles = [
      marble({ name: '<'.repeat(35) }),
      ...Array.from({ length: 60 }, (_, i) => marble({ name: `n${i}` })),
    ];
    const entries = entriesOf(legendSvg(chartOf({ marbles }), 0).svg);
    expect(entries).toHaveLength(60);
    expect(entries[0]).toBe(`request @ 30 14: ${'&lt;'.repeat(33)}…`);
  });

  it('is empty without marbles', () => {
    expect(legendSvg(chartOf({ marbles: [] }), 0)).toEqual({ svg: '', height: 0 });
  });
});
