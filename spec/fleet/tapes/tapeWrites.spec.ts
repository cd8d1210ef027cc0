import fc from 'fast-check';
import { defer, map, type Observable, of } from 'rxjs';
import type { NatsAppend, NatsStored } from '../../../src/fleet/link/natsLink';
import {
  applyWrites,
  endOfTape,
  isWrite,
  joinWrites,
  sendWrites,
  sizeAfter,
  type TapeWrite,
  tapeName,
  tapeSubject,
  tapesStream,
  tapesSubject,
  toWrite,
  toWriteHeaders,
} from '../../../src/fleet/tapes/tapeWrites';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

const write = (at: number, text: string) => ({ at, bytes: bytesOf(text) });

const shown = ({ at, bytes }: { at: number; bytes: Uint8Array }) => `${at}:${Buffer.from(bytes)}`;

const messageOf = (at: number, text: string, size: number) => ({
  data: bytesOf(text),
  headers: toWriteHeaders(write(at, text), size),
});

describe('joinWrites', () => {
  it('joins what follows, leaves a write before the end by itself, cuts what is long', () => {
    const writes = [write(0, 'ab'), write(2, 'c'), write(0, 'X'), write(3, 'defgh')];
    expect(joinWrites(writes, 3).map(shown)).toEqual(['0:abc', '0:X', '3:def', '6:gh']);
    expect(joinWrites([], 3)).toEqual([]);
  });

  it('makes the same tape of any writes', () => {
    const piece = fc.record({ text: fc.string({ minLength: 1, maxLength: 5 }), back: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 6 }), (pieces, maxBytes) => {
        let size = 0;
        const writes = pieces.map(({ text, back }) => {
          const one = write(Math.max(0, size - back), text);
          size = sizeAfter(size, one);
          return one;
        });
        const joined = joinWrites(writes, maxBytes);
        expect(Buffer.from(applyWrites(joined))).toEqual(Buffer.from(applyWrites(writes)));
        expect(joined.every(({ bytes }) => bytes.length <= maxBytes)).toBe(true);
      }),
    );
  });
});

describe('applyWrites', () => {
  it('writes over what is there, also beyond its end', () => {
    expect(Buffer.from(applyWrites([write(0, 'abc'), write(1, 'XYZ')])).toString()).toBe('aXYZ');
    expect(applyWrites([])).toEqual(new Uint8Array());
  });

  it('names the bytes that are missing', () => {
    expect(() => applyWrites([write(0, 'ab'), write(5, 'c')])).toThrow(
      /^bytes 2 to 4 are missing: the server has removed them .* Record the session again/,
    );
  });
});

describe('toWrite', () => {
  it('is what the message was made of', () => {
    expect(shown(toWrite(messageOf(7, 'ab', 9)))).toBe('7:ab');
  });
});

describe('endOfTape', () => {
  it.each([
    ['a new tape', undefined, 0, false],
    ['whole lines', messageOf(3, 'ab\n', 6), 6, false],
    ['a line that was cut off', messageOf(3, 'ab', 5), 5, true],
    ['a write before the end', messageOf(0, 'ab', 9), 9, false],
  ])('of %s', (_, last, size, isCutOff) => {
    expect(endOfTape(last)).toEqual({ size, isCutOff });
  });
});

describe('isWrite', () => {
  it.each([
    [{ 'Codex-Rx-At': '0' }, true],
    [{ 'Codex-Rx-At': '9', 'Codex-Rx-Size': '12' }, true],
    [{ 'Codex-Rx-At': '9', 'Codex-Rx-Size': 'all' }, false],
    [{ 'Codex-Rx-At': '9007199254740993' }, false],
    [{}, false],
  ])('%j: %s', (headers, expected) => {
    expect(isWrite({ headers })).toBe(expected);
  });
});

describe('sendWrites', () => {
  const write = (at: number, text: string): TapeWrite => ({ at, bytes: new Uint8Array(Buffer.from(text)) });

  const writes = { a: write(0, 'a'), b: write(1, 'bb'), c: write(3, 'c') };

  const bytes = { '1': 1, '2': 2, '3': 3 };

  const LATE = new NatsError('timeout', 'late');

  const CONFLICT = new NatsError('conflict', 'wrong last sequence');

  /** A link whose appends are answered in this order; `sent` lists what it was asked to append, `last` is the last message on the subject. */
  const linkOf = (responses: Observable<number>[], last?: Partial<NatsStored>) => {
    const sent: string[] = [];
    const append = (message: NatsAppend) =>
      defer(() => {
        const { at, bytes: data } = toWrite({ headers: {}, ...message });
        sent.push(`${message.id} ${at}:${Buffer.from(data)} after ${message.expectSubjectSeq}`);
        return (responses.shift() as Observable<number>).pipe(map((seq) => ({ seq, isDuplicate: false })));
      });
    return { sent, link: { prefix: 'p', maxPayload: 1_000_000, append, lastOf: () => of(last as NatsStored) } };
  };

  const sending = (link: ReturnType<typeof linkOf>['link'], end = { lastSeq: 0, size: 0 }) =>
    sendWrites({ link, name: 'n', recorder: 'r', ...end });

  it(
    'sends one message at a time, with all that came meanwhile in the next',
    marbles(({ cold, hot, expectObservable, flush }) => {
      const { link, sent } = linkOf([cold('---(5|)', { 5: 5 }), cold('-(9|)', { 9: 9 })]);
      const write$ = hot('a-bc----|', writes);
      const expected = '  ---13---|';
      expectObservable(write$.pipe(sending(link))).toBe(expected, bytes);
      flush();
      expect(sent).toEqual(['r-1 0:a after 0', 'r-2 1:bbc after 5']);
    }),
  );

  it(
    'loses nothing while the server is away and how much it takes is not known',
    marbles(({ hot, expectObservable, flush }) => {
      const { link, sent } = linkOf([of(1), of(2)]);
      expectObservable(hot('a-b', writes).pipe(sending({ ...link, maxPayload: 0 }))).toBe('1-2', bytes);
      flush();
      expect(sent).toEqual(['r-1 0:a after 0', 'r-2 1:bb after 1']);
    }),
  );

  it(
    'sends again what is in doubt, with the same id, before the rest',
    marbles(({ cold, hot, expectObservable, flush }) => {
      const { link, sent } = linkOf([cold('-#', {}, LATE), of(1), of(2)]);
      expectObservable(hot('a-b', writes).pipe(sending(link))).toBe('101ms (12)', bytes);
      flush();
      expect(sent).toEqual(['r-1 0:a after 0', 'r-1 0:a after 0', 'r-2 1:bb after 1']);
    }),
  );

  it(
    'goes on where the tape ends',
    marbles(({ hot, expectObservable, flush }) => {
      const { link, sent } = linkOf([of(8)]);
      expectObservable(hot('-c', writes).pipe(sending(link, { lastSeq: 7, size: 3 }))).toBe('-1', bytes);
      flush();
      expect(sent).toEqual(['r-1 3:c after 7']);
    }),
  );

  it(
    'takes a conflict with its own message for an acknowledgement',
    marbles(({ cold, hot, expectObservable, flush }) => {
      const own = { seq: 4, headers: { 'Nats-Msg-Id': 'r-1' } };
      const { link, sent } = linkOf([cold('-#', {}, CONFLICT), of(5)], own);
      expectObservable(hot('a-b', writes).pipe(sending(link))).toBe('-12', bytes);
      flush();
      expect(sent.at(-1)).toBe('r-2 1:bb after 4');
    }),
  );

  it(
    'sends again what a cluster is still storing',
    marbles(({ cold, hot, expectObservable, flush }) => {
      const before = { seq: 7, headers: { 'Nats-Msg-Id': 'r-0' } };
      const { link, sent } = linkOf([cold('-#', {}, CONFLICT), of(8)], before);
      expectObservable(hot('a', writes).pipe(sending(link, { lastSeq: 7, size: 0 }))).toBe('101ms 1', bytes);
      flush();
      expect(sent).toEqual(['r-1 0:a after 7', 'r-1 0:a after 7']);
    }),
  );

  it(
    'errors if another writes to the tape, and with what does not pass',
    marbles(({ cold, hot, expectObservable }) => {
      const other = { seq: 4, headers: { 'Nats-Msg-Id': 'x-1' } };
      const taken = expect.objectContaining({ message: expect.stringContaining('another recorder') });
      const { link } = linkOf([cold('-#', {}, CONFLICT)], other);
      expectObservable(hot('a', writes).pipe(sending(link))).toBe('-#', {}, taken);
      const full = new NatsError('full', 'full');
      expectObservable(hot('a', writes).pipe(sending(linkOf([cold('-#', {}, full)]).link))).toBe('-#', {}, full);
    }),
  );

  it(
    'completes after the last acknowledgement',
    marbles(({ cold, hot, expectObservable }) => {
      const { link } = linkOf([cold('---(5|)', { 5: 5 })]);
      expectObservable(hot('(a|)', writes).pipe(sending(link))).toBe('---(1|)', bytes);
      expectObservable(hot('|', writes).pipe(sending(linkOf([]).link))).toBe('|');
    }),
  );
});

const link = { prefix: 'codex-rx' };

describe('tapeSubject', () => {
  it.each([
    ['nightly', 'codex-rx.tapes.nightly'],
    ['a/b c.jsonl', 'codex-rx.tapes.a%2Fb%20c%2Ejsonl'],
    ['*', 'codex-rx.tapes.%2A'],
    ['>', 'codex-rx.tapes.%3E'],
  ])('of %s', (name, subject) => {
    expect(tapeSubject(link, name)).toBe(subject);
  });

  it('is one token of any name, and names it again', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        const subject = tapeSubject(link, name);
        expect(subject).toMatch(/^codex-rx\.tapes\.[^.*>\s\0]+$/);
        expect(tapeName(link, subject)).toBe(name);
      }),
    );
  });

  it('refuses a tape without a name, and one whose name is longer than a subject may be', () => {
    expect(() => tapeSubject(link, '')).toThrow('nats://HOST/NAME');
    expect(tapeSubject(link, 'x'.repeat(1_024))).toHaveLength(1_039);
    expect(() => tapeSubject(link, 'x'.repeat(1_025))).toThrow(/too long: 1024/);
    expect(() => tapeSubject(link, '/'.repeat(342))).toThrow(/too long/);
  });
});

describe('tapeName', () => {
  it('of a subject that no recorder has made is what stands there', () => {
    expect(tapeName(link, 'codex-rx.tapes.%zz')).toBe('%zz');
  });
});

describe('tapesStream', () => {
  it('holds all tapes of the prefix', () => {
    expect([tapesStream(link), tapesSubject(link)]).toEqual(['codex-rx-tapes', 'codex-rx.tapes.*']);
  });
});
