import { join } from 'node:path';
import fc from 'fast-check';
import { toSvg } from '../../../src/tapes/drawing/toSvg';
import { sessionFrom, sessionOf } from '../../support/tapes';
import { anySession, draw, hostile } from '../diagram/tapes';

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
