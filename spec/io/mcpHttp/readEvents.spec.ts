import fc from 'fast-check';
import { EventTooLong, joinText, readEvents, toSingleLine } from '../../../src/io/mcpHttp/readEvents';
import { marbles } from '../../support/marbles';
import { cuts, through, tokenize } from '../../support/streams';

describe('readEvents', () => {
  it(
    'emits events with their names and ids, and the time to wait with the one behind it',
    marbles(({ hot, expectObservable }) => {
      const text = {
        a: 'id: 7\ndata: 1\n\nevent: x\nda',
        b: 'ta: 2\n\n',
        c: 'retry: 50\n\n',
        d: ': ping\n\nid: 8\ndata:\n\n',
      };
      const text$ = hot('  -a--b-c-d-a|', text);
      const expected = '   -A--B---C-A|';
      const events = {
        A: { id: '7', data: '1' },
        B: { event: 'x', data: '2' },
        C: { id: '8', data: '', retryMs: 50 },
      };
      expectObservable(text$.pipe(readEvents())).toBe(expected, events);
    }),
  );

  it('reads the same events of a text cut anywhere', () => {
    const text = 'event: message\nid: 1\ndata: {"a":\ndata: 1}\n\n: comment\n\ndata: two\r\n\r\n';
    const events = [{ event: 'message', id: '1', data: '{"a":\n1}' }, { data: 'two' }];
    fc.assert(
      fc.property(cuts, (places) => {
        expect(through(readEvents(), tokenize(text, places))).toEqual(events);
      }),
    );
  });

  it(
    'errors at an event that is too long, after those before it',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot('  -a-b-c|', { a: 'data: 1\n\ndata: 2', b: '345678', c: '9\n\n' });
      const expected = '   -A-#';
      expectObservable(text$.pipe(readEvents(12))).toBe(expected, { A: { data: '1' } }, new EventTooLong(12));
    }),
  );

  it(
    'is never, empty and an error as its source is',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<string>('---').pipe(readEvents())).toBe('---');
      expectObservable(cold<string>('--|').pipe(readEvents())).toBe('--|');
      expectObservable(cold<string>('--#').pipe(readEvents())).toBe('--#');
    }),
  );
});

describe('joinText', () => {
  it.each([
    ['joins pieces', '  -a-b-|', '-----(T|)', { T: 'xyz' }],
    ['drops the rest', '-a-b-a-b-|', '---------(T|)', { T: 'xyzx' }],
    ['is empty as its source is', '-|', '-(T|)', { T: '' }],
    ['errors with its source', '-a-#', '---#', {}],
  ])('%s', (_, source, expected, texts: Record<string, string>) => {
    marbles(({ hot, expectObservable }) => {
      const text$ = hot(source.trim(), { a: 'x', b: 'yz' });
      expectObservable(text$.pipe(joinText(4))).toBe(expected, texts);
    })();
  });
});

describe('toSingleLine', () => {
  it('keeps the value of any JSON, however it is laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const line = toSingleLine(JSON.stringify(value, null, space).replaceAll('\n', '\r\n')) as string;
        expect(line).not.toMatch(/[\r\n]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('makes no line of a blank body', () => {
    expect([toSingleLine(''), toSingleLine(' \r\n')]).toEqual([undefined, undefined]);
  });
});
