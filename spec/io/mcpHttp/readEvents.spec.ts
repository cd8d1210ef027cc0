import fc from 'fast-check';
import { EventTooLong, readEvents } from '../../../src/io/mcpHttp/readEvents';
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
