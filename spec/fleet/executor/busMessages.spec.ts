import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import {
  addPart,
  BROKEN,
  joinParts,
  kindHeader,
  kindOf,
  partBytes,
  toParts,
} from '../../../src/fleet/executor/busMessages';
import { marbles } from '../../support/marbles';

const part = (text: string, isLast: boolean) => ({ data: Buffer.from(text), isLast });

const parts = {
  a: part('a', false),
  b: part('b', false),
  C: part('c', true),
  D: part('d', true),
  L: part('long', false),
};

describe('kindOf', () => {
  it('reads what kindHeader writes, and takes all else for a whole message', () => {
    const kinds = ['begin', 'more', 'last', 'ping', 'unknown', 'end'] as const;
    expect(kinds.map((kind) => kindOf(kindHeader(kind)))).toEqual(kinds);
    expect([kindOf(undefined), kindOf({}), kindOf({ 'Codex-Rx-Kind': 'else' })]).toEqual(['last', 'last', 'last']);
  });
});

describe('toParts', () => {
  it('cuts any texts into parts that are not too long, which joinParts makes whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 1, max: 9 }),
        async (texts, maxBytes) => {
          const all = texts.flatMap((text) => toParts(text, maxBytes));
          expect(all.every(({ data }) => data.length <= maxBytes)).toBe(true);
          expect(await lastValueFrom(from(all).pipe(joinParts(1000), toArray()))).toEqual(texts);
        },
      ),
    );
  });
});

describe('partBytes', () => {
  it('leaves room for headers, and is not nothing on any server', () => {
    expect([1_048_576, 5_120, 1_000].map((maxPayload) => partBytes({ maxPayload }))).toEqual([1_044_480, 1_024, 1_024]);
  });
});

describe('addPart', () => {
  it('adds nothing to a message whose parts had to go', () => {
    expect(addPart(BROKEN, parts.a, 100)).toEqual({ unfinished: BROKEN });
    expect(addPart(BROKEN, parts.C, 100).text).toBe('');
  });
});

describe('joinParts', () => {
  it(
    'emits a text with its last part, and no more than the limit of it',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-b-C-D-|', parts).pipe(joinParts(9))).toBe('-----t-u-|', { t: 'abc', u: 'd' });
      expectObservable(hot('-a-L-C-D-|', parts).pipe(joinParts(4))).toBe('-----t-u-|', { t: 'a', u: 'd' });
      expectObservable(hot('-a-|', parts).pipe(joinParts(4))).toBe('---|');
      expectObservable(hot('-a#', parts).pipe(joinParts(4))).toBe('--#');
    }),
  );

  it('keeps 8,192 parts at most, so that empty ones take no memory either', async () => {
    const many = [...Array.from({ length: 9_000 }, () => part('a', false)), part('c', true), part('d', true)];
    const texts = await lastValueFrom(from(many).pipe(joinParts(1e6), toArray()));
    expect(texts).toEqual(['a'.repeat(8_192), 'd']);
  });
});
