import { Subject, timer } from 'rxjs';
import type { NatsDelivery } from '../../../src/fleet/link/natsLink';
import { natsService } from '../../../src/fleet/operators/natsService';
import { marbles } from '../../support/marbles';

/** A link whose subjects receive what `receive` is called with; it returns the responses. */
const fakeLink = () => {
  const subjects = new Map<string, Subject<NatsDelivery>>();
  const subscribe = ({ subject }: { subject: string }) => {
    const delivery$ = new Subject<NatsDelivery>(); // from `receive` to the service
    subjects.set(subject, delivery$);
    return delivery$;
  };
  const receive = (subject: string) => {
    const responses: unknown[] = [];
    const respond: NatsDelivery['respond'] = (data, headers) =>
      void responses.push(headers ?? (data.length === 0 ? '' : JSON.parse(Buffer.from(data).toString())));
    subjects.get(subject)?.next({ subject, data: new Uint8Array(), headers: {}, respond });
    return responses;
  };
  return { link: { subscribe }, receive, subjects };
};

const spec = {
  name: 'codex-rx',
  id: 'X1',
  version: '1.2.3',
  description: 'runs commands',
  metadata: { platform: 'linux' },
  endpoints: [{ name: 'start', subject: 'codex-rx.x.start' }],
  data: () => ({ load: 2 }),
};
const own = { name: 'codex-rx', id: 'X1', version: '1.2.3', metadata: { platform: 'linux' } };

describe('natsService', () => {
  it(
    'answers who it is, at each of three subjects',
    marbles(({ hot, expectObservable, flush }) => {
      const { link, receive } = fakeLink();
      expectObservable(natsService(link)(spec)).toBe('');
      const seen: unknown[] = [];
      hot('-x').subscribe(() => {
        const ping = { ...own, type: 'io.nats.micro.v1.ping_response' };
        const pings = ['$SRV.PING', '$SRV.PING.codex-rx', '$SRV.PING.codex-rx.X1'].map((subject) => receive(subject));
        seen.push(pings);
        expect(pings).toEqual([[ping], [ping], [ping]]);
        const endpoint = { name: 'start', subject: 'codex-rx.x.start', queue_group: '', metadata: {} };
        const info = { type: 'io.nats.micro.v1.info_response', description: 'runs commands', endpoints: [endpoint] };
        expect(receive('$SRV.INFO')).toEqual([{ ...own, ...info }]);
      });
      flush();
      expect(seen).toHaveLength(1);
    }),
  );

  it(
    'emits requests, and counts them, their errors and their time',
    marbles(({ hot, flush }) => {
      const { link, receive } = fakeLink();
      const seen: unknown[] = [];
      const serving = natsService(link)(spec).subscribe(({ endpoint, respond, refuse }) => {
        const end = seen.length === 0 ? () => respond(new Uint8Array()) : () => refuse(400, 'bad');
        seen.push(endpoint);
        timer(3).subscribe(end);
      });
      const responses: unknown[][] = [];
      const receiveAt = (timeline: string, subject: string) =>
        hot(timeline).subscribe(() => responses.push(receive(subject)));
      receiveAt('-x', 'codex-rx.x.start');
      receiveAt('--x', 'codex-rx.x.start');
      receiveAt('---------x', '$SRV.STATS');
      flush();
      serving.unsubscribe();
      expect(seen).toEqual(['start', 'start']);
      expect(responses[1]).toEqual([{ 'Nats-Service-Error': 'bad', 'Nats-Service-Error-Code': '400' }]);
      const numbers = { num_requests: 2, num_errors: 1, last_error: 'bad' };
      const times = { processing_time: 6_000_000, average_processing_time: 3_000_000 };
      const place = { name: 'start', subject: 'codex-rx.x.start', queue_group: '' };
      const endpoints = [{ ...place, ...numbers, ...times, data: { load: 2 } }];
      const type = 'io.nats.micro.v1.stats_response';
      expect(responses[2]).toEqual([{ ...own, type, started: '1970-01-01T00:00:00.000Z', endpoints }]);
    }),
  );

  it(
    'leaves all subjects when it is unsubscribed',
    marbles(({ expectObservable, flush }) => {
      const { link, subjects } = fakeLink();
      expectObservable(natsService(link)(spec), '-!').toBe('');
      flush();
      expect([...subjects.values()].filter(({ observed }) => observed)).toEqual([]);
      expect(subjects.size).toBe(10);
    }),
  );
});
