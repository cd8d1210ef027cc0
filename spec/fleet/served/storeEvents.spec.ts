import { defer, EMPTY, map, type Observable, of, throwError, timer } from 'rxjs';
import type { StoredEvent } from '../../../src/executor/backend';
import type { NatsAppend, NatsLink, NatsStreamSpec } from '../../../src/fleet/link/natsLink';
import {
  appendForever,
  type EventMessage,
  operatorStream,
  ownStream,
  storeEvents,
} from '../../../src/fleet/served/storeEvents';
import { NatsError, type NatsFailure } from '../../../src/io/nats/natsAddress';
import { silentLog } from '../../../src/protocol/log';
import { closed, exited, output } from '../../executor/events';
import { marbles } from '../../support/marbles';

const events = {
  a: output(1, 'aa'),
  b: output(2, 'b', 'stderr'),
  x: exited(3, 1),
  z: closed(4),
  l: output(1, 'l'.repeat(4_096)),
  m: output(2, 'm'),
} as Record<string, StoredEvent>;

const own = { messageBytes: 10_000 };

/** A stream that takes 3 frames for a message, and numbers them from 11. */
const slowStream = () => {
  const sent: string[] = [];
  const append = ({ id, headers, data, more = [] }: EventMessage): Observable<{ seq: number }> => {
    sent.push(`${id} [${headers['Codex-Rx-Events']}] ${Buffer.concat([data, ...more]).length}`);
    const seq = 10 + sent.length;
    return timer(3).pipe(map(() => ({ seq })));
  };
  return { sent, append };
};

const message = { subject: 's', data: new Uint8Array(), headers: {}, id: 's:1', isOneEvent: true };

/** A stream whose attempts fail with these, one after another, and which then takes the message. */
const failing = (failures: readonly NatsFailure[]) => {
  const log: string[] = [];
  const left = [...failures];
  const append = ({ id }: { id?: string }): Observable<{ seq: number; isDuplicate: boolean }> =>
    defer(() => {
      const kind = left.shift();
      log.push(`append ${id}`);
      return kind === undefined ? of({ seq: 7, isDuplicate: false }) : throwError(() => new NatsError(kind, kind));
    });
  const done = (what: string) => () =>
    defer(() => {
      log.push(what);
      return what === 'room' ? EMPTY : throwError(() => new Error('not now'));
    });
  return { log, deps: { link: { append }, makeRoom: done('room'), makeStream: done('stream'), log: silentLog } };
};

const large = new NatsError('large', 'large');

describe('storeEvents', () => {
  it(
    'sends one message after another, and what comes meanwhile as the next, then completes',
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, append } = slowStream();
      const event$ = hot('abx-----z|', events);
      const expected = '  ---s--t----(u|)';
      expectObservable(event$.pipe(storeEvents({ ...own, subject: 'p.1', append }))).toBe(expected, {
        s: { throughSeq: 1, bytes: 2, seq: 11 },
        t: { throughSeq: 3, bytes: 1, seq: 12 },
        u: { throughSeq: 4, bytes: 0, seq: 13 },
      });
      flush();
      expect(sent).toEqual(['p.1:1 [1 0 o2] 2', 'p.1:2 [2 2 e1,x1] 1', 'p.1:4 [4 3 c 3:1] 0']);
    }),
  );

  it(
    'gathers no more if the process has closed',
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, append } = slowStream();
      expectObservable(hot('l-z|', events).pipe(storeEvents({ ...own, subject: 'p', append }))).toBe('---s--(t|)', {
        s: { throughSeq: 1, bytes: 4_096, seq: 11 },
        t: { throughSeq: 4, bytes: 0, seq: 12 },
      });
      flush();
      expect(sent).toHaveLength(2);
    }),
  );

  it(
    'ends the gathering with the close',
    marbles(({ hot, expectObservable }) => {
      const { append } = slowStream();
      const expected = '---s---(t|)';
      expectObservable(hot('l---z|', events).pipe(storeEvents({ ...own, subject: 'p', append }))).toBe(expected, {
        s: { throughSeq: 1, bytes: 4_096, seq: 11 },
        t: { throughSeq: 4, bytes: 0, seq: 12 },
      });
    }),
  );

  it(
    'gathers for a moment after bulk output',
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, append } = slowStream();
      expectObservable(hot('(lm)|', events).pipe(storeEvents({ ...own, subject: 'p', append }))).toBe('---s-----(t|)', {
        s: { throughSeq: 1, bytes: 4_096, seq: 11 },
        t: { throughSeq: 2, bytes: 1, seq: 12 },
      });
      flush();
      expect(sent).toHaveLength(2);
    }),
  );

  it(
    'gathers no longer than until the next message is full',
    marbles(({ hot, expectObservable }) => {
      const { append } = slowStream();
      const half = { ...events, h: output(2, 'h'.repeat(5_000)), i: output(3, 'i'.repeat(5_000)) } as typeof events;
      const source$ = hot('l---hi-|', half).pipe(storeEvents({ ...own, subject: 'p', append }));
      expectObservable(source$).toBe('   ---s----(t|)', {
        s: { throughSeq: 1, bytes: 4_096, seq: 11 },
        t: { throughSeq: 3, bytes: 10_000, seq: 12 },
      });
      const early$ = hot('lhi---|', half).pipe(storeEvents({ ...own, subject: 'p', append: slowStream().append }));
      expectObservable(early$).toBe(' ---s--(t|)', {
        s: { throughSeq: 1, bytes: 4_096, seq: 11 },
        t: { throughSeq: 3, bytes: 10_000, seq: 12 },
      });
    }),
  );

  it(
    'adds nothing to a message that is full, and sends what follows at once',
    marbles(({ hot, expectObservable }) => {
      const { append } = slowStream();
      const event$ = hot('(gm)|', { ...events, g: output(1, 'g'.repeat(10_000)) as StoredEvent });
      expectObservable(event$.pipe(storeEvents({ ...own, subject: 'p', append }))).toBe('---s--(t|)', {
        s: { throughSeq: 1, bytes: 10_000, seq: 11 },
        t: { throughSeq: 2, bytes: 1, seq: 12 },
      });
    }),
  );

  it(
    'sends a message that is too large for the server in two, and each of these likewise',
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, append } = slowStream();
      const small = (message: EventMessage) =>
        message.data.length + (message.more ?? []).reduce((sum, { length }) => sum + length, 0) <= 2
          ? append(message)
          : throwError(() => new NatsError('large', 'max_payload'));
      const four = { p: output(1, 'pp'), q: output(2, 'qq'), r: output(3, 'r'), z: closed(4) } as typeof events;
      const source$ = hot('p(qrz)|', four).pipe(storeEvents({ ...own, subject: 'p', append: small }));
      expectObservable(source$).toBe('---s--t--u--(v|)', {
        s: { throughSeq: 1, bytes: 2, seq: 11 },
        t: { throughSeq: 2, bytes: 2, seq: 12 },
        u: { throughSeq: 3, bytes: 1, seq: 13 },
        v: { throughSeq: 4, bytes: 0, seq: 14 },
      });
      flush();
      expect(sent.map((line) => line.split(' ')[0])).toEqual(['p:1', 'p:2', 'p:3', 'p:4']);
    }),
  );

  it(
    'errors as the stream does',
    marbles(({ hot, expectObservable }) => {
      const append = () => throwError(() => new NatsError('failed', 'odd'));
      const source$ = hot('(ab)|', events).pipe(storeEvents({ ...own, subject: 'p', append }));
      expectObservable(source$).toBe('#', {}, new NatsError('failed', 'odd'));
    }),
  );

  it(
    'completes without events, and stops with its reader',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { append } = slowStream();
      expectObservable(hot('--|', events).pipe(storeEvents({ ...own, subject: 'p', append }))).toBe('--|');
      const event$ = hot('a---', events);
      expectObservable(event$.pipe(storeEvents({ ...own, subject: 'p', append })), '--!').toBe('---');
      expectSubscriptions(event$.subscriptions).toBe('^-!');
    }),
  );
});

describe('appendForever', () => {
  it(
    'emits the sequence at which the stream has the message',
    marbles(({ expectObservable }) => {
      const { deps } = failing([]);
      expectObservable(appendForever(deps)(message)).toBe('(s|)', { s: { seq: 7, isDuplicate: false } });
    }),
  );

  it(
    'sends it again with its id, ever more slowly, and does what helps, whether that works or not',
    marbles(({ expectObservable, flush }) => {
      const { deps, log } = failing(['timeout', 'full', 'noResponder', 'refused', 'failed', 'timeout', 'timeout']);
      const waits = 100 + 200 + 400 + 800 + 1600 + 2000 + 2000;
      expectObservable(appendForever(deps)(message)).toBe(`${waits}ms (s|)`, { s: { seq: 7, isDuplicate: false } });
      flush();
      expect(log.filter((line) => line !== 'append s:1')).toEqual(['stream', 'room', 'stream', 'stream', 'stream']);
      expect(log.filter((line) => line === 'append s:1')).toHaveLength(8);
    }),
  );

  it(
    'logs once that output waits',
    marbles(({ expectObservable, flush }) => {
      const { deps } = failing(['timeout', 'timeout', 'full']);
      const logged: unknown[] = [];
      const log = (...record: unknown[]) => void logged.push(record);
      expectObservable(appendForever({ ...deps, log })(message)).toBe('700ms (s|)', {
        s: { seq: 7, isDuplicate: false },
      });
      flush();
      expect(logged).toEqual([['warning', 'output waits for the stream', { reason: 'timeout' }]]);
    }),
  );

  it(
    'errors if several events are too large for the server together; one waits for it',
    marbles(({ expectObservable }) => {
      const several = { ...message, isOneEvent: false };
      expectObservable(appendForever(failing(['timeout', 'large']).deps)(several)).toBe('100ms #', {}, large);
      expectObservable(appendForever(failing(['large']).deps)(message)).toBe('100ms (s|)', {
        s: { seq: 7, isDuplicate: false },
      });
    }),
  );

  it(
    'stops with its reader',
    marbles(({ expectObservable, flush }) => {
      const { deps, log } = failing(['full', 'full', 'full']);
      expectObservable(appendForever(deps)(message), '250ms !').toBe('-');
      flush();
      expect(log).toEqual(['append s:1', 'room', 'append s:1', 'room']);
    }),
  );
});

describe('ownStream', () => {
  const LIMITS = { maxBytes: 10, maxAgeMs: 20, replicas: 3 };
  const failing = (kind: NatsFailure | undefined) =>
    kind === undefined ? of('there' as never) : throwError(() => new NatsError(kind, kind));

  /** A server that answers a stream and a message with these failures, if any; `asked` has what it received. */
  const server = (ofStream?: NatsFailure, ofMessage?: NatsFailure) => {
    const asked: unknown[] = [];
    const ensureStream = (spec: NatsStreamSpec) => {
      asked.push(spec);
      return failing(ofStream);
    };
    const append = (message: NatsAppend) => {
      asked.push(message);
      return failing(ofMessage);
    };
    return { asked, link: { prefix: 'p', ensureStream, append } as unknown as NatsLink };
  };

  describe('ownStream', () => {
    it(
      'makes the stream of an executor with its limits if there is none',
      marbles(({ expectObservable, flush }) => {
        const { asked, link } = server(undefined, 'noResponder');
        expectObservable(ownStream(link, 'e', LIMITS)).toBe('(t|)', { t: 'there' });
        flush();
        const description = 'Events of processes on the executor e of codex-rx';
        expect(asked[1]).toEqual({
          name: 'p-exec-e',
          subjects: ['p.events.e.>'],
          discard: 'new',
          ...LIMITS,
          description,
        });
      }),
    );

    it(
      'needs the right to publish only if the operator made it, and stores nothing to find out',
      marbles(({ expectObservable, flush }) => {
        const { asked, link } = server('refused', 'conflict');
        expectObservable(ownStream(link, 'e', LIMITS)).toBe('(t|)', { t: 'there' });
        flush();
        expect(asked).toMatchObject([{ subject: 'p.events.e.none.none', expectSubjectSeq: Number.MAX_SAFE_INTEGER }]);
      }),
    );

    it.each<[NatsFailure, NatsFailure, RegExp]>([
      [
        'refused',
        'noResponder',
        /^no stream takes p\.events\.e\.>, and this login may not make p-exec-e: let the operator make it .*; if it is there, see that the accounts/,
      ],
      ['full', 'timeout', /^full$/],
    ])('errors where a stream is %s and a message %s', (ofStream, ofMessage, message) =>
      marbles(({ expectObservable }) => {
        const error = expect.objectContaining({ message: expect.stringMatching(message) });
        expectObservable(ownStream(server(ofStream, ofMessage).link, 'e', LIMITS)).toBe('#', {}, error);
      })(),
    );
  });

  describe('operatorStream', () => {
    it(
      'makes the stream in which the oldest events give way, for an executor that may not remove any',
      marbles(({ expectObservable, flush }) => {
        const { asked, link } = server();
        expectObservable(operatorStream(link, 'e', LIMITS)).toBe('(t|)', { t: 'there' });
        flush();
        expect(asked).toMatchObject([{ name: 'p-exec-e', subjects: ['p.events.e.>'], discard: 'old', ...LIMITS }]);
      }),
    );
  });
});
