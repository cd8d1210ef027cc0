import fc from 'fast-check';
import { decodeMarked, decodeUtf8, withoutByteOrderMark } from '../../../src/streams/bytes/decodeUtf8';
import { anyText } from '../../support/hostile';
import { marbles } from '../../support/marbles';
import { cuts, through, tokenize } from '../../support/streams';

const byte = {
  a: Buffer.from('a'),
  e: Buffer.from('é€'),
  f: Buffer.from([0xf0, 0x9f]), // the first half of 😀
  g: Buffer.from([0x98, 0x80]), // and the second
  x: Buffer.from([0xff]),
  n: new Uint8Array(0),
};

const text = { A: 'a', E: 'é€', G: '😀', X: '\ufffd' };

describe('decodeUtf8', () => {
  it(
    'emits text per chunk and puts a character together that chunks have cut',
    marbles(({ hot, expectObservable }) => {
      const byte$ = hot('  -a-e-f-g-a-|', byte);
      const expected = '   -A-E---G-A-|';
      expectObservable(byte$.pipe(decodeUtf8())).toBe(expected, text);
    }),
  );

  it(
    'emits a sign for bytes that are no text, and for a character that breaks off',
    marbles(({ hot, expectObservable }) => {
      const byte$ = hot('  -x-f-a-f-|', byte);
      const expected = '   -X---Y---(X|)';
      expectObservable(byte$.pipe(decodeUtf8())).toBe(expected, { ...text, Y: '\ufffda' });
    }),
  );

  it(
    'emits nothing for nothing',
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot('-n-n-|', byte).pipe(decodeUtf8())).toBe('-----|');
      expectObservable(cold<Uint8Array>('---|').pipe(decodeUtf8())).toBe('---|');
      expectObservable(cold<Uint8Array>('----').pipe(decodeUtf8())).toBe('----');
    }),
  );

  it(
    'passes an error on, stops when nobody listens, keeps each subscription to itself',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-a-f-#', byte).pipe(decodeUtf8())).toBe('-A---#', text);
      const byte$ = hot('-a-a', byte);
      expectObservable(byte$.pipe(decodeUtf8()), '--!').toBe('-A', text);
      expectSubscriptions(byte$.subscriptions).toBe('^-!');
      const half$ = cold('-f-g-|', byte).pipe(decodeUtf8());
      expectObservable(half$, '--!').toBe('---', text);
      expectObservable(half$).toBe('---G-|', text);
    }),
  );

  it('decodes any bytes however they are cut', () => {
    const valid = anyText().map((one) => Buffer.from(one));
    const any = fc.uint8Array({ maxLength: 60 }).map((one) => Buffer.from(one));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(valid, any)).map((all) => Buffer.concat(all)),
        cuts,
        (whole, places) => {
          expect(through(decodeUtf8(), tokenize(whole, places)).join('')).toBe(whole.toString('utf8'));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('decodes plain bytes that are no Buffer', () => {
    const whole = new Uint8Array(Buffer.from('a€😀'));
    expect(through(decodeUtf8(), tokenize(whole, [2, 6])).join('')).toBe('a€😀');
  });
});

describe('decodeMarked', () => {
  it(
    'decodes UTF-16 behind its mark, and anything else as UTF-8, without the mark',
    marbles(({ hot, expectObservable }) => {
      const bytes = {
        ...byte,
        w: Buffer.from('\ufeffa', 'utf16le'),
        v: Buffer.from('é€', 'utf16le'),
        B: Buffer.from('\ufeffa'),
      };
      expectObservable(hot(' -w-v-|', bytes).pipe(decodeMarked())).toBe('-A-E-|', text);
      expectObservable(hot(' -B-e-|', bytes).pipe(decodeMarked())).toBe('-A-E-|', text);
      expectObservable(hot(' -e-f-g-|', bytes).pipe(decodeMarked())).toBe('-E---G-|', text);
    }),
  );

  it(
    'is never, empty and failing as its source is, and stops with it',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<Uint8Array>('---').pipe(decodeMarked())).toBe('---');
      expectObservable(cold<Uint8Array>('--|').pipe(decodeMarked())).toBe('--|');
      expectObservable(hot('-a-|', byte).pipe(decodeMarked())).toBe('---(A|)', text);
      expectObservable(hot('-e-#', byte).pipe(decodeMarked())).toBe('-E-#', text);
      const byte$ = hot('-e-e', byte);
      expectObservable(byte$.pipe(decodeMarked()), '--!').toBe('-E', text);
      expectSubscriptions(byte$.subscriptions).toBe('^-!');
    }),
  );

  it('decodes any text however it is cut', () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom('utf8', 'utf16le'), cuts, (whole, encoding, places) => {
        const bytes = Buffer.from(`\ufeff${whole}`, encoding as BufferEncoding);
        expect(through(decodeMarked(), tokenize(bytes, places)).join('')).toBe(
          bytes.toString(encoding as BufferEncoding).slice(1),
        );
      }),
    );
  });
});

const all = { B: '\ufeffb', b: 'b', a: 'a', e: '\ufeff', o: '' };

describe('withoutByteOrderMark', () => {
  it(
    'leaves out a byte order mark at the very beginning, and no other',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot(' -B-a-B-|', all);
      const expected = '  -b-a-B-|';
      expectObservable(text$.pipe(withoutByteOrderMark())).toBe(expected, all);
    }),
  );

  it(
    'passes text without one, and what comes after one that is alone',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-B-|', all).pipe(withoutByteOrderMark())).toBe('a-B-|', all);
      expectObservable(cold('e-a-|', all).pipe(withoutByteOrderMark())).toBe('o-a-|', all);
    }),
  );

  it(
    'is never, empty and failing as its source is, and stops with it',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<string>('---').pipe(withoutByteOrderMark())).toBe('---');
      expectObservable(cold<string>('--|').pipe(withoutByteOrderMark())).toBe('--|');
      expectObservable(cold('-a-#', all).pipe(withoutByteOrderMark())).toBe('-a-#', all);
      const text$ = hot('a-b-c-|', all);
      expectObservable(text$.pipe(withoutByteOrderMark()), '---!').toBe('a-b', all);
      expectSubscriptions(text$.subscriptions).toBe('^--!');
    }),
  );
});
