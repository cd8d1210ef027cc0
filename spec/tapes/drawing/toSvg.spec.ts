import { join } from 'node:path';
import fc from 'fast-check';
import { legendSvg, svgStyle, toSvg } from '../../../src/tapes/drawing/toSvg';
import { GROUPS, paletteCss } from '../../../src/tapes/page/palette';
import { sessionFrom, sessionOf } from '../../support/tapes';
import { anySession, draw, hostile } from '../diagram/tapes';
import { chartOf, marble } from './charts';

const tape = (name: string) => draw(sessionOf(join(__dirname, '../../fixtures/tapes', name)));
const options = { title: 'tape.jsonl', axis: 'ordinal' } as const;

/** What is wrong with a text as XML 1.0: tags that do not pair, bare signs, characters that may not be there. */
const faultOf = (xml: string): string | undefined => {
  const open: string[] = [];
  const pieces = xml.split(/(<[^>]*>)/);
  for (const piece of pieces) {
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(piece)) return 'a bad character';
    if (/&(?!(lt|gt|amp|quot|#39);)/.test(piece)) return `a bare & in ${piece}`;
    if (!piece.startsWith('<')) {
      if (/[<>]/.test(piece)) return `a bare sign in ${piece}`;
      continue;
    }
    const [, end, name, attributes, single] =
      /^<(\/?)([a-z][a-zA-Z]*)((?: [a-zA-Z-]+="[^"<]*")*)(\/?)>$/.exec(piece) ?? [];
    if (name === undefined) return `no tag: ${piece}`;
    const names = [...(attributes ?? '').matchAll(/ ([a-zA-Z-]+)="/g)].map(([, one]) => one);
    if (new Set(names).size < names.length) return `an attribute twice: ${piece}`;
    if (end) {
      if (open.pop() !== name) return `unpaired ${piece}`;
    } else if (!single) open.push(name);
  }
  return open.length > 0 ? `unclosed ${open.join(' ')}` : undefined;
};

describe('toSvg', () => {
  it.each(['exec-approval-parallel.jsonl', 'proto-garbage.jsonl', 'v0.142.0-approval_exec.jsonl'])(
    'draws %s as XML, by order and by the clock',
    (name) => {
      for (const axis of ['ordinal', 'linear'] as const) {
        const svg = toSvg(tape(name), { title: name, axis });
        expect(faultOf(svg)).toBe(undefined);
        expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox=/);
      }
    },
  );

  it('has a tooltip, a letter and a place for each marble, and a band for each call', () => {
    const svg = toSvg(
      draw(sessionFrom([0, 'in', { id: 1, method: 'ping' }], [5, 'out', { id: 1, result: { a: '<b>' } }])),
      options,
    );
    expect(svg).toContain(
      '<title>P ping · 5 ms · line 2\n{&quot;id&quot;:1,&quot;result&quot;:{&quot;a&quot;:&quot;&lt;b&gt;&quot;}}</title>',
    );
    expect(svg.match(/class="span answered"/g)).toHaveLength(1);
    expect(svg).toContain('>P</text>');
  });

  it('is light, and dark where the system is; loads nothing, runs nothing', () => {
    const svg = toSvg(tape('cancel-stream.jsonl'), options);
    expect(svg).toContain('@media(prefers-color-scheme:dark)');
    expect(svg).not.toMatch(/<script|href|url\(|@import|on[a-z]+=/);
  });

  it('stays small, however long the session is, and names what it left out', () => {
    const ping = (i: number): [number, string, object][] => [
      [i, 'in', { id: i, method: 'ping' }],
      [i, 'out', { id: i, result: {} }],
    ];
    const chart = draw(sessionFrom(...Array.from({ length: 5000 }, (_, i) => ping(i)).flat()));
    const svg = toSvg(chart, options);
    expect(svg).toContain('folded: a column stands for 22 marbles');
    expect(svg.length).toBeLessThan(1_000_000);
    expect(Number(/ height="(\d+)"/.exec(svg)?.[1])).toBeLessThan(3000);
  });

  it('is XML for any tape and title', () => {
    fc.assert(
      fc.property(
        anySession,
        hostile,
        fc.constantFrom('ordinal' as const, 'linear' as const),
        (session, title, axis) => {
          expect(faultOf(toSvg(draw({ ...session, meta: { started: title } }), { title, axis }))).toBe(undefined);
        },
      ),
    );
  });
});

describe('svgStyle', () => {
  it('has both palettes, the dark one where the system is, and the colours of each group', () => {
    const css = svgStyle();
    expect(css.startsWith(`svg{${paletteCss('light')};color-scheme:light dark}`)).toBe(true);
    expect(css).toContain(`@media(prefers-color-scheme:dark){svg{${paletteCss('dark')}}}`);
    for (const group of GROUPS) expect(css).toContain(`.${group}{--fill:var(--${group}-fill);`);
  });

  it('uses no variable that it does not set', () => {
    const css = svgStyle();
    const set = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    expect([...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name).filter((name) => !set.has(name))).toEqual(
      [],
    );
  });
});

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
