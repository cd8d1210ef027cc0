import { defer, of, throwError } from 'rxjs';
import { keepAlive, receiveMessages, sendMessages } from '../../../src/fleet/backend/natsTransport';
import type { NatsDelivery, NatsMessage } from '../../../src/fleet/link/natsLink';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { encodeExecMessage } from '../../../src/protocol/exec/codec';
import { marbles } from '../../support/marbles';

const note = (text: string) => ({ kind: 'notification', method: 'm', params: { text } }) as const;

const [short, long] = [note('a'), note('x'.repeat(3_000))];

const response = (headers: Record<string, string> = {}): NatsMessage => ({
  subject: 'r',
  data: new Uint8Array(),
  headers,
});

const late = new NatsError('timeout', 'late');

const unserved = new NatsError('noResponder', 'nobody');

const failure = (text: string) =>
  expect.objectContaining({ message: expect.stringMatching(`^the executor build-1 ${text}`) });

const goneError = failure('is gone: start it again with codex-rx exec-server --listen nats://h --name build-1$');

const own = { subject: 's', executor: 'build-1' };

describe('receiveMessages', () => {
  it(
    'joins the parts of a message, and answers whoever asks for us',
    marbles(({ hot, expectObservable, flush }) => {
      const answers: number[] = [];
      const text = Buffer.from(encodeExecMessage(short));
      const delivery = (data: Uint8Array, kind?: string): Pick<NatsDelivery, 'data' | 'headers' | 'respond'> => ({
        data,
        headers: (kind === undefined ? {} : { 'Codex-Rx-Kind': kind }) as NatsDelivery['headers'],
        respond: (response) => void answers.push(response.length),
      });
      const received = {
        w: delivery(text),
        p: delivery(text.subarray(0, 5), 'more'),
        q: delivery(text.subarray(5)),
        a: delivery(new Uint8Array(), 'ping'),
      };
      const expected = '-W---W';
      expectObservable(hot('-w-paq', received).pipe(receiveMessages())).toBe(expected, {
        W: short,
      });
      flush();
      expect(answers).toEqual([0]);
    }),
  );
});

describe('sendMessages', () => {
  it(
    'publishes each message in parts that the server takes, the first as the begin of the connection',
    marbles(({ hot, expectObservable, flush }) => {
      const sent: NatsMessage[] = [];
      const link = { maxPayload: 5_120, publish: (message: NatsMessage) => void sent.push(message) };
      expectObservable(hot('-s-l-|', { s: short, l: long }).pipe(sendMessages(link, 'p.x'))).toBe('-----|');
      flush();
      expect(sent.map(({ subject, headers }) => [subject, headers?.['Codex-Rx-Kind']])).toEqual([
        ['p.x', 'begin'],
        ...[0, 1].map(() => ['p.x', 'more']),
        ['p.x', undefined],
      ]);
      expect(Buffer.concat(sent.slice(1).map(({ data }) => data)).toString()).toBe(encodeExecMessage(long));
    }),
  );
});

describe('keepAlive', () => {
  it(
    'emits nothing while the executor answers, and stops with its reader',
    marbles(({ expectObservable, flush }) => {
      const asked: string[] = [];
      const request = ({ subject, headers }: NatsMessage) =>
        defer(() => {
          asked.push(`${subject} ${headers?.['Codex-Rx-Kind']}`);
          return of(response());
        });
      expectObservable(keepAlive({ ...own, link: { address: 'nats://h', request } }), '6100ms !').toBe('-');
      flush();
      expect(asked).toEqual(['s ping', 's ping', 's ping', 's ping']);
    }),
  );

  it(
    'errors when nobody serves the connection, and when the executor does not know it',
    marbles(({ expectObservable }) => {
      const gone = keepAlive({ ...own, link: { address: 'nats://h', request: () => throwError(() => unserved) } });
      expectObservable(gone).toBe('1500ms #', {}, goneError);
      const unknown = () => of(response({ 'Codex-Rx-Kind': 'unknown' }));
      const error = failure('has lost the connection: it was restarted, .*; call again');
      expectObservable(keepAlive({ ...own, link: { address: 'nats://h', request: unknown } })).toBe(
        '1500ms #',
        {},
        error,
      );
    }),
  );

  it(
    'errors as the request does if that is the fault of NATS',
    marbles(({ expectObservable }) => {
      const refused = new NatsError('refused', 'the server denies the subject');
      const request = () => throwError(() => refused);
      expectObservable(keepAlive({ ...own, link: { address: 'nats://h', request } })).toBe('1500ms #', {}, refused);
    }),
  );

  it(
    'waits for an executor that is silent, but not for ever',
    marbles(({ cold, expectObservable }) => {
      const silent = () => cold<NatsMessage>('2s #', {}, late);
      const error = failure('has not answered for some 25 s: see whether ');
      expectObservable(keepAlive({ ...own, link: { address: 'nats://h', request: silent } })).toBe(
        '24500ms #',
        {},
        error,
      );
      let asked = 0;
      const slow = () =>
        defer(() => {
          asked += 1;
          return asked % 8 === 0 ? of(response()) : cold<NatsMessage>('2s #', {}, late);
        });
      expectObservable(keepAlive({ ...own, link: { address: 'nats://h', request: slow } }), '60s !').toBe('-');
    }),
  );
});
