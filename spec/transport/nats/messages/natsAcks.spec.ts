import type { Msg, Status } from '@nats-io/transport-node';
import { mergeMap, NEVER, of, shareReplay, tap } from 'rxjs';
import { type AckDeps, type AckedMessage, natsAcks } from '../../../../src/transport/nats/messages/natsAcks';
import type { NatsState } from '../../../../src/transport/nats/natsLink';
import { natsPackages } from '../../../../src/transport/nats/natsPackages';
import { receivedErrors } from '../../../../src/transport/nats/receivedErrors';
import { marbles } from '../../../support/marbles';

type Callback = (error: Error | null, message: Msg) => void;

/** A connection that keeps what was published; `answer` acknowledges the message with this number, `deny` ends the subscription. */
const fakeConnection = () => {
  const published: { subject: string; reply: string }[] = [];
  const subscribed: string[] = [];
  let callback: Callback = () => {};
  const connection = {
    publish: (subject: string, _data: Uint8Array, { reply }: { reply: string }) => {
      if (subject === 'too-long') throw new Error('max_payload size exceeded');
      published.push({ subject, reply });
    },
    subscribe: (subject: string, options: { callback: Callback }) => {
      subscribed.push(subject);
      callback = options.callback;
      return { closed: new Promise(() => {}), unsubscribe: () => subscribed.push('end') };
    },
  };
  const answer = (at: number, seq: number) => {
    const data = Buffer.from(JSON.stringify({ stream: 's', seq }));
    callback(null, { subject: published[at]?.reply, data } as unknown as Msg);
  };
  return { connection, published, subscribed, answer, deny: (error: Error) => callback(error, {} as Msg) };
};

const STATES: Record<string, NatsState> = { c: { kind: 'connected', server: 'h' }, r: { kind: 'reconnecting' } };
const CONNECTED = of<NatsState>({ kind: 'connected', server: 'h' });
const depsOf = (fake: ReturnType<typeof fakeConnection>, more: Partial<AckDeps> = {}): AckDeps => ({
  ...{ packages: natsPackages(), inbox: '_INBOX', received: receivedErrors(), state$: CONNECTED, status$: NEVER },
  sendFrame: () => {},
  ...more,
  connection: { info: undefined, ...fake.connection } as unknown as AckDeps['connection'],
});
const message = (subject: string): AckedMessage => ({
  ...{ subject, payload: [new Uint8Array(1)], headers: {}, limitMs: 50 },
});
const failure = (kind: string, text: string) =>
  expect.objectContaining({ kind, message: expect.stringContaining(text) });
const denied = (subject: string): Status => {
  const error = Object.assign(new Error('no'), { name: 'PermissionViolationError', operation: 'publish', subject });
  return { type: 'error', error } as Status;
};

describe('natsAcks', () => {
  it(
    'emits where the stream has each message, in whatever order that is known, and subscribes once',
    marbles(({ hot, expectObservable, flush }) => {
      const fake = fakeConnection();
      const { publish, run$ } = natsAcks(depsOf(fake));
      expectObservable(run$).toBe('');
      expectObservable(hot('---ba', { a: 0, b: 1 }).pipe(tap((at) => fake.answer(at, at + 7)))).toBe('---ba', {
        ...{ a: 0, b: 1 },
      });
      expectObservable(publish(message('a'))).toBe('----(a|)', { a: { seq: 7, isDuplicate: false } });
      expectObservable(publish(message('b'))).toBe('---(b|) ', { b: { seq: 8, isDuplicate: false } });
      flush();
      expect(fake.subscribed).toHaveLength(1);
      expect(fake.published.map(({ subject }) => subject)).toEqual(['a', 'b']);
    }),
  );

  it(
    'sends once there is a connection, and errors when that is lost and when no acknowledgement comes in time',
    marbles(({ hot, expectObservable, flush }) => {
      const fake = fakeConnection();
      const state$ = hot('r--c--r', STATES).pipe(shareReplay({ bufferSize: 1, refCount: true }));
      const { publish, run$ } = natsAcks(depsOf(fake, { state$ }));
      expectObservable(run$).toBe('');
      expectObservable(publish(message('a'))).toBe('------#', {}, failure('timeout', 'the connection was lost'));
      expectObservable(publish({ ...message('b'), limitMs: 2 })).toBe('--#', {}, failure('timeout', 'in time'));
      expectObservable(publish({ ...message('c'), limitMs: 5 })).toBe('-----#', {}, failure('timeout', 'in time'));
      flush();
      expect(fake.published.map(({ subject }) => subject)).toEqual(['a', 'c']);
    }),
  );

  it(
    'errors where the login may not publish to the subject, and once for each message',
    marbles(({ hot, expectObservable }) => {
      const received = receivedErrors();
      const status$ = hot('-aab', { a: denied('a'), b: denied('other') });
      const { publish, run$ } = natsAcks(depsOf(fakeConnection(), { status$, received }));
      expectObservable(run$).toBe('');
      expectObservable(publish(message('a'))).toBe('-# ', {}, failure('refused', 'writing to a'));
      expectObservable(publish(message('a'))).toBe('--#', {}, failure('refused', 'writing to a'));
      expectObservable(publish(message('b'))).toBe('50ms #', {}, failure('timeout', 'in time'));
    }),
  );

  it(
    'errors where the subscription is denied, and subscribes again for the next message',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const fake = fakeConnection();
      const error = Object.assign(new Error('no'), { name: 'PermissionViolationError', operation: 'subscription' });
      const { publish, run$ } = natsAcks(depsOf(fake));
      expectObservable(run$).toBe('');
      expectObservable(hot('-d').pipe(tap(() => fake.deny(error)))).toBe('-d');
      expectObservable(publish(message('a'))).toBe('-#', {}, failure('refused', 'writing to a'));
      expectObservable(cold('--m').pipe(mergeMap(() => publish(message('b'))))).toBe(
        '-- 50ms #',
        {},
        failure('timeout', 'in time'),
      );
      flush();
      expect(fake.subscribed).toEqual([fake.subscribed[0], 'end', fake.subscribed[0]]);
    }),
  );

  it(
    'errors where the client throws, and forgets a message that is unsubscribed',
    marbles(({ hot, expectObservable }) => {
      const fake = fakeConnection();
      const { publish, run$ } = natsAcks(depsOf(fake));
      expectObservable(run$).toBe('');
      expectObservable(publish(message('too-long'))).toBe('#', {}, failure('large', 'max_payload'));
      expectObservable(publish(message('a')), '-!').toBe('');
      expectObservable(hot('--a').pipe(tap(() => fake.answer(0, 1)))).toBe('--a');
    }),
  );

  it('sends frames around the client, which was given the subscription before', () => {
    const fake = fakeConnection();
    const open = { info: { max_payload: 500_000 }, isClosed: () => false, isDraining: () => false };
    const steps = fake.subscribed;
    const sendFrame: AckDeps['sendFrame'] = (pieces) => steps.push(Buffer.concat(pieces).toString());
    const deps = depsOf({ ...fake, connection: { ...fake.connection, ...open } }, { sendFrame });
    const { publish, run$ } = natsAcks(deps);
    const running = run$.subscribe();
    const sending = publish({ ...message('a'), payload: [Buffer.from('b')] }).subscribe();
    expect(steps).toEqual([
      expect.stringMatching(/^_INBOX\./),
      expect.stringMatching(/^PUB a _INBOX\.\S+ 1\r\nb\r\n$/),
    ]);
    for (const one of [sending, running]) one.unsubscribe();
  });
});
