/** The edges of NATS against a real server. */
import { createConnection } from 'node:net';
import {
  concatMap,
  filter,
  firstValueFrom,
  from,
  fromEvent,
  lastValueFrom,
  mergeMap,
  type Observable,
  ReplaySubject,
  take,
  toArray,
} from 'rxjs';
import { connectNats } from '../../src/fleet/link/connectNats';
import type { NatsLink, NatsStored, NatsStreamSpec } from '../../src/fleet/link/natsLink';
import { appendAfter } from '../../src/fleet/operators/appendAfter';
import { readStream } from '../../src/fleet/operators/readStream';
import { silentLog } from '../../src/protocol/log';
import { NATS_DEFAULTS } from '../../src/settings/readNats';
import { noBackpressure } from '../../src/streams/backpressure';
import { endNatsServers, type NatsServer, startNats } from '../support/nats/natsServer';
import { needs } from '../support/needs/needs';
import { slowReader } from '../support/streams';

const { describe } = needs('nats-server');

let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(endNatsServers);

const SPEC: NatsStreamSpec = {
  name: 'codex-rx-spec',
  subjects: ['codex-rx.spec.>'],
  maxBytes: 1_000_000,
  maxAgeMs: 0,
  discard: 'new',
  replicas: 1,
};
const text = (data: Uint8Array | undefined) => Buffer.from(data ?? []).toString();
const bytes = (content: string) => new Uint8Array(Buffer.from(content));

/** Runs on one connection, which is closed afterwards. */
const using = <T>(run: (link: NatsLink) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const open = connectNats({ address: server.address, settings: NATS_DEFAULTS, log: silentLog }).subscribe({
      next: (link) =>
        run(link)
          .then(resolve, reject)
          .finally(() => open.unsubscribe()),
      error: reject,
    });
  });
const one = <T>(source$: Observable<T>): Promise<T> => firstValueFrom(source$);
const messages = (count: number) => (source$: Observable<{ kind: string }>) =>
  source$.pipe(
    filter((read): read is NatsStored => read.kind === 'message'),
    take(count),
    toArray(),
  );

describe('NATS', () => {
  it('sends and receives long messages as they are, in no more memory than they need', () =>
    using(async (link) => {
      const sent = [524_288, 1_000, 900_000, 65_536].map((size, i) => Buffer.alloc(size, i + 1));
      const received = firstValueFrom(link.subscribe({ subject: 'long' }).pipe(take(sent.length), toArray()));
      for (const data of sent) link.publish({ subject: 'long', data });
      const messages = await received;
      expect(messages.map(({ data }, i) => sent[i]?.equals(data))).toEqual([true, true, true, true]);
      expect(messages[0]?.data.buffer.byteLength).toBeLessThan(700_000); // the package takes nearly twice as much as the message has
    }));

  it('reads on after a response whose headers are malformed', () =>
    using(async (link) => {
      const peer = createConnection({ port: server.port, host: '127.0.0.1' });
      const headers = 'NATS/1.0\r\nbad key: x\r\n\r\n';
      peer.on('data', (data) => {
        const [, inbox] = /MSG odd 1 (\S+) 0/.exec(String(data)) ?? [];
        if (inbox !== undefined) peer.write(`HPUB ${inbox} ${headers.length} ${headers.length}\r\n${headers}\r\n`);
      });
      peer.write('CONNECT {"verbose":false,"headers":true}\r\nSUB odd 1\r\nPING\r\n');
      await one(fromEvent(peer, 'data').pipe(filter((data) => String(data).includes('PONG'))));
      const odd = { subject: 'odd', data: bytes(''), timeoutMs: 2000 };
      expect(await one(link.request(odd))).toMatchObject({ headers: {} });
      const serving = link.subscribe({ subject: 'even' }).subscribe(({ respond }) => respond(bytes('here')));
      expect(text((await one(link.request({ ...odd, subject: 'even' }))).data)).toBe('here');
      serving.unsubscribe();
      peer.destroy();
    }));

  it('takes nothing but an acknowledgement of a stream for one', () =>
    using(async (link) => {
      const answers = ['{}', '{"stream":"s"}', '{"stream":"","seq":1}', 'x', ''];
      const left = [...answers];
      const forging = link
        .subscribe({ subject: 'forged' })
        .subscribe(({ respond }) => respond(bytes(left.shift() ?? '')));
      for (const _ of answers) {
        const appended = one(link.append({ subject: 'forged', data: bytes('x') }));
        await expect(appended).rejects.toMatchObject({ kind: 'failed' });
      }
      forging.unsubscribe();
    }));

  it('serves a subject and answers a request', () =>
    using(async (link) => {
      const serving = link
        .subscribe({ subject: 'a.b' })
        .subscribe(({ data, headers, respond }) => respond(bytes(`${text(data)} ${headers.x}`), { y: '2' }));
      const response = await one(
        link.request({ subject: 'a.b', data: bytes('hi'), headers: { x: '1' }, timeoutMs: 2000 }),
      );
      expect([text(response.data), response.headers]).toEqual(['hi 1', { y: '2' }]);
      serving.unsubscribe();
      await expect(one(link.request({ subject: 'a.b', data: bytes('hi'), timeoutMs: 2000 }))).rejects.toMatchObject({
        kind: 'noResponder',
      });
    }));

  it('reads thousands of messages, and more than one request for messages has room for', () =>
    using(async (link) => {
      await one(link.ensureStream({ ...SPEC, name: 'codex-rx-many', subjects: ['many.>'], maxBytes: 50_000_000 }));
      const read = (count: number) => {
        const wanted = { stream: 'codex-rx-many', subject: 'many.*', from: 1, backpressure: noBackpressure };
        return lastValueFrom(readStream(link)(wanted).pipe(messages(count)));
      };
      const send = (subject: string, count: number, size: number) =>
        lastValueFrom(
          from(Array.from({ length: count }, () => ({ subject, data: new Uint8Array(size) }))).pipe(
            mergeMap(link.append, 100),
            toArray(),
          ),
        );
      await send('many.small', 2_500, 10);
      await send('many.great', 40, 300_000);
      const all = await read(2_540);
      expect(all.map(({ seq, order }) => seq === order)).not.toContain(false);
      expect(all.reduce((sum, { data }) => sum + data.length, 0)).toBe(2_500 * 10 + 40 * 300_000);
    }));

  it('stores a message once, and reads a subject in order, also after the server was killed', () =>
    using(async (link) => {
      await one(link.ensureStream(SPEC));
      const sent = ['a', 'b', 'b', 'c'].map((content) => ({
        subject: 'codex-rx.spec.x',
        data: bytes(content),
        id: content,
      }));
      const acks = await lastValueFrom(from(sent).pipe(concatMap(link.append), toArray()));
      expect(acks.map(({ seq, isDuplicate }) => [seq, isDuplicate])).toEqual([
        [1, false],
        [2, false],
        [2, true],
        [3, false],
      ]);
      await one(link.append({ subject: 'codex-rx.spec.y', data: bytes('other') }));
      const read$ = readStream(link)({
        stream: SPEC.name,
        subject: 'codex-rx.spec.x',
        from: 2,
        backpressure: noBackpressure,
      });
      const seen = one(read$.pipe(messages(3)));
      await server.kill();
      await server.start();
      const next = appendAfter({ link, stream: SPEC.name, taken: () => new Error('taken') });
      await one(next({ subject: 'codex-rx.spec.x', data: bytes('d'), id: 'd', expectSubjectSeq: 3 }));
      expect((await seen).map(({ data }) => text(data))).toEqual(['b', 'c', 'd']);
    }));

  it('refuses what does not fit, and what another has changed', () =>
    using(async (link) => {
      await one(link.ensureStream({ ...SPEC, name: 'codex-rx-full', subjects: ['full'], maxBytes: 1_000 }));
      const put = (more: object) => one(link.append({ subject: 'full', data: bytes('x'.repeat(300)), ...more }));
      expect(await put({ expectSubjectSeq: 0 })).toEqual({ seq: 1, isDuplicate: false });
      await expect(put({ expectSubjectSeq: 0 })).rejects.toMatchObject({ kind: 'conflict' });
      await put({ expectSubjectSeq: 1 });
      await expect(put({})).rejects.toMatchObject({ kind: 'full' });
      await expect(one(link.append({ subject: 'nowhere', data: bytes('') }))).rejects.toMatchObject({
        kind: 'noResponder',
      });
      expect(await one(link.findStream('none'))).toBeUndefined();
      expect((await one(link.lastOf('codex-rx-full', 'full')))?.seq).toBe(2);
      expect(await one(link.lastOf('codex-rx-full', 'fuller'))).toBeUndefined();
      await one(
        link.ensureStream({ ...SPEC, name: 'codex-rx-full', subjects: ['full'], maxBytes: 9_000, maxAgeMs: 7 }),
      );
      expect(await one(link.findStream('codex-rx-full'))).toEqual({ name: 'codex-rx-full', maxAgeMs: 0 });
      await expect(put({})).rejects.toMatchObject({ kind: 'full' }); // as its operator made it
    }));

  it('removes one message, and what reads the stream goes on at the next one', () =>
    using(async (link) => {
      await one(link.ensureStream({ ...SPEC, name: 'codex-rx-removed', subjects: ['removed.>'] }));
      for (const name of ['a', 'b', 'c', 'a', 'd'])
        await one(link.append({ subject: `removed.${name}`, data: bytes(name) }));
      const reader = slowReader();
      reader.reader.long = true; // after the first message
      const wanted = { stream: 'codex-rx-removed', subject: 'removed.*', from: 1, backpressure: reader.backpressure };
      const read$ = new ReplaySubject<NatsStored>();
      const reading = readStream(link)(wanted)
        .pipe(
          messages(4),
          mergeMap((all) => all),
        )
        .subscribe(read$);
      await one(link.remove('codex-rx-removed', 4));
      reader.reader.long = false;
      reader.drain$.next();
      expect((await lastValueFrom(read$.pipe(toArray()))).map(({ data }) => text(data))).toEqual(['a', 'b', 'c', 'd']);
      reading.unsubscribe();
      await expect(one(link.remove('codex-rx-removed', 4))).rejects.toMatchObject({ name: 'NatsError' });
    }));

  it('keeps keys by compare and set', () =>
    using(async (link) => {
      const bucket = await one(
        link.ensureBucket({ name: 'codex-rx-spec', maxBytes: 100_000, maxAgeMs: 0, replicas: 1 }),
      );
      expect(await one(bucket.get('a'))).toBeUndefined();
      const first = await one(bucket.create('a', bytes('1')));
      await expect(one(bucket.create('a', bytes('2')))).rejects.toMatchObject({ kind: 'conflict' });
      const second = await one(bucket.update('a', bytes('2'), first));
      await expect(one(bucket.update('a', bytes('3'), first))).rejects.toMatchObject({ kind: 'conflict' });
      expect(await one(bucket.get('a'))).toMatchObject({ key: 'a', data: bytes('2'), revision: second });
      await expect(one(bucket.remove('a', first))).rejects.toMatchObject({ kind: 'conflict' });
      await one(bucket.remove('a', second));
      expect(await one(bucket.get('a'))).toMatchObject({ data: undefined });
    }));

  it('has an error for a server that is not there', async () => {
    await expect(
      one(connectNats({ address: 'nats://127.0.0.1:1', settings: NATS_DEFAULTS, log: silentLog })),
    ).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
