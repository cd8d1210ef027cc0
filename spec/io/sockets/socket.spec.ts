import { type Frame, fromSocket, writeSocket } from '../../../src/io/sockets/socket';
import { noBackpressure } from '../../../src/streams/backpressure';
import { marbles } from '../../support/marbles';
import { emitAt, fakeSocket } from '../../support/sockets';
import { slowReader } from '../../support/streams';

describe('fromSocket', () => {
  it(
    'passes messages until the socket closes, and pauses it while the reader is slow',
    marbles(({ hot, expectObservable, flush }) => {
      const { done, socket, own } = fakeSocket();
      const { reader, backpressure, drain$ } = slowReader();
      hot('-a-b').pipe(emitAt(socket, 'message')).subscribe();
      hot('--l-').subscribe(() => {
        reader.long = true;
      });
      hot('----d').subscribe(() => drain$.next());
      hot('-----c').pipe(emitAt(socket, 'close')).subscribe();
      expectObservable(fromSocket(own, backpressure, 1000)).toBe('-a-b-|');
      flush();
      expect(done).toEqual(['pause', 'resume', 'resume']);
    }),
  );

  it(
    'cuts a connection that was silent for three pings',
    marbles(({ expectObservable, flush }) => {
      const { done, own } = fakeSocket();
      expectObservable(fromSocket(own, noBackpressure, 10)).toBe('40ms |');
      flush();
      expect(done).toEqual(['ping', 'ping', 'ping', 'cut', 'resume']);
    }),
  );

  it(
    'lets one be that answers, and one that only takes long to take what was sent',
    marbles(({ hot, expectObservable, flush }) => {
      const [alive, slow] = [fakeSocket(), fakeSocket(1)];
      hot('25ms p').pipe(emitAt(alive.socket, 'pong')).subscribe();
      expectObservable(fromSocket(alive.own, noBackpressure, 10)).toBe('60ms |');
      expectObservable(fromSocket(slow.own, noBackpressure, 10), '99ms !').toBe('');
      flush();
      expect(slow.done).toEqual(['resume']);
    }),
  );
});

describe('writeSocket', () => {
  const text = (length: number): Frame => ({ kind: 'text', text: 'x'.repeat(length) });

  it(
    'sends, long messages in pieces; closes after the last message, and completes when the socket has closed',
    marbles(({ hot, expectObservable, flush }) => {
      const { done, socket, own } = fakeSocket();
      const frame$ = hot('-a-b-w-a--', {
        a: text(3),
        b: text(9_000_000),
        w: { kind: 'close', code: 1001, reason: 'bye' } as Frame,
      });
      hot('--------c').pipe(emitAt(socket, 'close')).subscribe();
      expectObservable(frame$.pipe(writeSocket(own))).toBe('--------|');
      flush();
      expect(done).toEqual(['3', '4194304+', '4194304+', '611392', 'close 1001 bye']);
    }),
  );

  it(
    'closes when there is nothing more to send, and when nobody wants it to',
    marbles(({ hot, expectObservable, flush }) => {
      const [ended, left] = [fakeSocket(), fakeSocket()];
      expectObservable(hot<Frame>('-|').pipe(writeSocket(ended.own))).toBe('');
      expectObservable(hot<Frame>('--').pipe(writeSocket(left.own)), '-!').toBe('');
      flush();
      expect([ended.done, left.done]).toEqual([['close 1000'], ['close 1000']]);
    }),
  );
});
