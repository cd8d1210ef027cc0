import { receiveMessages, sendMessages } from '../../../src/fleet/backend/natsTransport';
import type { NatsDelivery, NatsMessage } from '../../../src/fleet/link/natsLink';
import { encodeExecMessage } from '../../../src/protocol/exec/codec';
import { marbles } from '../../support/marbles';

const note = (text: string) => ({ kind: 'notification', method: 'm', params: { text } }) as const;
const [short, long] = [note('a'), note('x'.repeat(3_000))];

describe('receiveMessages', () => {
  it(
    'joins the parts of a message, and answers whoever asks for us',
    marbles(({ hot, expectObservable, flush }) => {
      const answers: number[] = [];
      const text = Buffer.from(encodeExecMessage(short));
      const delivery = (data: Uint8Array, kind?: string): Pick<NatsDelivery, 'data' | 'headers' | 'respond'> => ({
        ...{ data, headers: (kind === undefined ? {} : { 'Codex-Rx-Kind': kind }) as NatsDelivery['headers'] },
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
