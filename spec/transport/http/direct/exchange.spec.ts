import { Duplex } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { concatMap, NEVER, Observable, Subject } from 'rxjs';
import type { Backpressure } from '../../../../src/streams';
import type { Connection, ConnectionUser } from '../../../../src/transport/http/direct/connections';
import { exchange } from '../../../../src/transport/http/direct/exchange';
import type { HttpResponse } from '../../../../src/transport/http/httpRequest';
import { noBackpressure } from '../../../support/models';
import { someTurns } from '../../../support/turns';

/** A connection in memory, and what becomes of it: `kept`, `destroyed`, or still in use. */
const open = (backpressure: Backpressure = noBackpressure) => {
  const socket = Object.assign(new Duplex({ read: () => {}, write: (_, __, done) => done() }), {
    ref: () => {},
    unref: () => {},
  });
  const log: unknown[] = [];
  const users: (ConnectionUser | undefined)[] = [];
  const connection: Connection = { socket, use: (user) => users.push(user) };
  const response$ = new Observable<HttpResponse>((subscriber) =>
    exchange({
      connection,
      backpressure,
      subscriber,
      keep: () => log.push('kept'),
      failed: ({ error, isUnanswered }) => log.push(['failed', error.message, isUnanswered]),
    }),
  );
  socket.on('close', () => log.push('destroyed'));
  const send = (text: string | Uint8Array) => users.at(-1)?.data(Buffer.from(text as string));
  return { socket, log, response$, send, user: () => users.at(-1) };
};

/** Reads every response as text into the log. */
const readInto = ({ response$, log }: ReturnType<typeof open>) =>
  response$.subscribe({
    next: ({ status, body$ }) => {
      log.push(status);
      body$.subscribe({
        next: (text) => log.push(text),
        error: (error) => log.push(['broken', error.message]),
        complete: () => log.push('|'),
      });
    },
    complete: () => log.push('over'),
  });

const immediate = () => new Promise((resolve) => setImmediate(resolve));

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('exchange', () => {
  it('emits the text of each piece, and keeps the connection before the end is passed on', () => {
    const one = open();
    readInto(one);
    one.send(`${CHUNKED}1\r\na\r\n2\r\nbc\r\n`);
    one.send('2\r\nde\r\n0\r\n\r\n');
    expect(one.log).toEqual([200, 'abc', 'kept', 'de', '|', 'over']);
    expect(one.user()).toBeUndefined();
  });

  it('emits a response that came whole at once', () => {
    const one = open();
    readInto(one);
    one.send('HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nab');
    expect(one.log).toEqual(['kept', 500, 'ab', '|', 'over']);
  });

  it('ends a connection that cannot be used again', async () => {
    const one = open();
    readInto(one);
    one.send('HTTP/1.1 200 OK\r\n\r\na');
    one.user()?.end();
    await someTurns();
    expect(one.log).toEqual([200, 'a', '|', 'over', 'destroyed']);
  });

  it('ends a connection whose request is still being sent behind its response', async () => {
    const one = open();
    readInto(one);
    one.socket._write = () => {}; // the server reads no more
    one.socket.write('the rest of the request');
    one.send('HTTP/1.1 413 No\r\nContent-Length: 1\r\n\r\na');
    await someTurns();
    expect(one.log).toEqual([413, 'a', '|', 'over', 'destroyed']);
  });

  it.each([
    ['before the first byte', '', [['failed', 'gone', true], 'destroyed']],
    ['in the head          ', 'HTTP/1.1 2', [['failed', 'gone', false], 'destroyed']],
    ['in the body          ', `${CHUNKED}1\r\na\r\n`, [200, 'a', ['broken', 'gone'], 'destroyed']],
  ])('reports a connection that is lost %s', async (_, text, log) => {
    const one = open();
    readInto(one);
    if (text !== '') one.send(text);
    one.user()?.error(new Error('gone'));
    await someTurns();
    expect(one.log.filter((entry) => entry !== 'over')).toEqual(log);
  });

  it('reports what is no response, before and in its body', async () => {
    const [strange, broken] = [open(), open()];
    readInto(strange);
    readInto(broken);
    strange.send('SSH-2.0\r\n\r\n');
    broken.send(`${CHUNKED}1\r\na\r\nzz\r\n`);
    await someTurns();
    expect(strange.log[0]).toEqual(['failed', expect.stringContaining('does not speak HTTP/1.1'), true]);
    expect(broken.log.slice(0, 3)).toEqual([
      200,
      'a',
      ['broken', expect.stringContaining('a chunk of its response has no size')],
    ]);
  });

  it('ends the connection at once when nobody waits for the response', async () => {
    const one = open();
    readInto(one).unsubscribe();
    await someTurns();
    expect(one.log).toEqual(['destroyed']);
  });

  it('errors for a reader of the body who comes too late', () => {
    const one = open();
    const responses: HttpResponse[] = [];
    one.response$.subscribe((response) => responses.push(response));
    one.send('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na');
    responses[0]?.body$.subscribe({ error: ({ message }) => one.log.push(message) });
    expect(one.log).toEqual(['kept', expect.stringContaining('read too late')]);
  });

  it('reads on when nobody reads the body, for 100 ms', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const [short, long] = [open(), open()];
    for (const { response$, send, log } of [short, long]) {
      response$.subscribe({ complete: () => log.push('over') });
      send(`${CHUNKED}1\r\na\r\n`);
    }
    short.send('0\r\n\r\n');
    jest.advanceTimersByTime(99);
    await immediate();
    expect([short.log, long.log]).toEqual([['kept', 'over'], []]);
    jest.advanceTimersByTime(1);
    await immediate();
    expect(long.log).toEqual(['over', 'destroyed']);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('pauses the connection under backpressure, and not one that is kept', () => {
    const drain$ = new Subject<void>();
    const [slow, whole] = [open({ isFull: () => true, drain$ }), open({ isFull: () => true, drain$: NEVER })];
    readInto(slow);
    readInto(whole);
    slow.send(`${CHUNKED}1\r\na\r\n`);
    whole.send('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na');
    expect([slow.socket.isPaused(), whole.socket.isPaused()]).toEqual([true, false]);
    drain$.next();
    expect(slow.socket.isPaused()).toBe(false);
  });

  it.each([
    ['whole        ', 0],
    ['not yet whole', 1],
  ])('unpacks no more of a body that nobody reads any more and that is %s', async (_, missing) => {
    const one = open();
    const ended = jest.spyOn(createGunzip().constructor.prototype, '_destroy');
    const read = one.response$.pipe(concatMap(({ body$ }) => body$)).subscribe();
    const packed = gzipSync(Buffer.alloc(3_000_000, 'x'));
    one.send(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`);
    one.send(packed.subarray(0, packed.length - missing));
    expect(ended).not.toHaveBeenCalled();
    read.unsubscribe();
    await someTurns();
    expect(ended).toHaveBeenCalledTimes(1);
    ended.mockRestore();
  });

  it('unpacks what is compressed, while the connection waits for whoever reads it', async () => {
    const one = open();
    readInto(one);
    const packed = gzipSync(Buffer.alloc(3_000_000, 'x'));
    one.send(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`);
    one.send(packed);
    while (one.log.at(-1) !== '|') await someTurns();
    expect(one.log.filter((entry) => typeof entry === 'string' && entry.startsWith('x')).join('')).toHaveLength(
      3_000_000,
    );
  });
});
