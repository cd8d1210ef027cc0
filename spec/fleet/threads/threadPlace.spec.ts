import fc from 'fast-check';
import { defer, firstValueFrom, map, NEVER, of, throwError } from 'rxjs';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import {
  inNats,
  openPlace,
  readThreadFacts,
  readWriter,
  toThreadHeaders,
} from '../../../src/fleet/threads/threadPlace';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { ThreadError } from '../../../src/threads/threadError';
import { anyText } from '../../support/hostile';
import { marbles } from '../../support/marbles';
import { FACTS } from './doubles';

describe('openPlace', () => {
  it.each(['a b', 'a.b', '*', 'x'.repeat(65)])('refuses a store named %j before it asks the server', async (name) => {
    const link = { prefix: 'p', address: 'nats://h:4222', state$: NEVER } as unknown as NatsLink;
    const refused = firstValueFrom(openPlace(link, name));
    await expect(refused).rejects.toThrow(ThreadError);
    await expect(refused).rejects.toThrow(
      'a thread store has a name of letters, digits, - and _, up to 64 of them. Set thread_store in config.toml.',
    );
  });
});

describe('openPlace, of a server that comes back without its store', () => {
  it(
    'makes the stream and the bucket again after each reconnection, until that works',
    marbles(({ hot, expectObservable, flush }) => {
      const state$ = hot('c-r--c------ 100ms r-c', { c: { kind: 'connected' }, r: { kind: 'reconnecting' } });
      const expected = '  P---- 100ms P--------P';
      const made: string[] = [];
      const ensureStream = ({ name }: { name: string }) =>
        defer(() => {
          made.push(name);
          return made.length === 2 ? throwError(() => new NatsError('noResponder', 'it starts')) : of({ name });
        });
      const found = { ensureBucket: () => of({}), findStream: () => of(undefined) };
      const link = { prefix: 'p', address: 'n', state$, ensureStream, ...found } as unknown as NatsLink;
      const place$ = openPlace(link, 'a');
      expectObservable(place$.pipe(map(({ stream }) => stream))).toBe(expected, { P: 'p-threads-a' });
      flush();
      expect(made).toEqual(Array(4).fill('p-threads-a'));
    }),
  );
});

describe('inNats', () => {
  it.each([
    [
      new NatsError('unreachable', 'no server'),
      'The thread store nats://a/s cannot be used: no server. Check the address in thread_store of config.toml.',
    ],
    [new NatsError('full', 'it is full'), 'The thread store nats://a/s cannot be used: it is full.'],
  ])('names the store, the cause and the remedy: %s', (fault, text) =>
    marbles(({ expectObservable }) => {
      expectObservable(throwError(() => fault).pipe(inNats('nats://a/s'))).toBe('#', {}, new ThreadError(text));
    })(),
  );

  it(
    'passes all else',
    marbles(({ cold, expectObservable }) => {
      const own = new ThreadError('in use');
      expectObservable(cold('-a|').pipe(inNats('n'))).toBe('-a|');
      expectObservable(throwError(() => own).pipe(inNats('n'))).toBe('#', {}, own);
    }),
  );
});

const facts = fc.record({
  startedMs: fc.nat(),
  archived: fc.boolean(),
  size: fc.nat(),
  cwd: anyText(),
  provider: fc.string(),
  source: fc.string(),
  cliVersion: fc.string(),
  preview: anyText(),
});

describe('toThreadHeaders', () => {
  it('is read as it was written, and is printable ASCII', () => {
    fc.assert(
      fc.property(facts, anyText(), fc.nat(), (one, host, pid) => {
        const headers = toThreadHeaders(one, { host, pid });
        expect(readThreadFacts(headers)).toEqual(one);
        expect(readWriter(headers)).toEqual({ host, pid });
        expect(Object.values(headers).join('')).toMatch(/^[ -~]*$/);
      }),
    );
  });

  it('cuts a long folder', () => {
    const { cwd } = readThreadFacts(toThreadHeaders({ ...FACTS, cwd: 'x'.repeat(9_000) }, { host: 'h', pid: 1 }));
    expect(cwd).toHaveLength(4_096);
  });
});

describe('readThreadFacts', () => {
  it('has something for what is missing, or wrong', () => {
    const none = {
      startedMs: 0,
      archived: false,
      size: 0,
      cwd: '',
      provider: '',
      source: '',
      cliVersion: '',
      preview: '',
    };
    expect(readThreadFacts({})).toEqual(none);
    expect(readThreadFacts({ 'Codex-Rx-Thread': '{"size":"1","cwd":2' })).toEqual(none);
    expect(readThreadFacts({ 'Codex-Rx-Thread': '{"size":"1","cwd":2}' })).toEqual(none);
    expect(readWriter({ 'Codex-Rx-Holder': '{"host":1}' })).toBeUndefined();
  });
});
