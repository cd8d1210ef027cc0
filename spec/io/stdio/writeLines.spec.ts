import { PassThrough, Writable } from 'node:stream';
import { concat, EMPTY, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { fromReadable } from '../../../src/io/stdio/fromInput';
import { backpressureOf, writeLines } from '../../../src/io/stdio/writeLines';

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

type Done = (error?: Error | null) => void;

/** A sink that takes one write at a time and is done with it on demand. */
const sink = (highWaterMark = 16) => {
  const writes: string[] = [];
  const dones: Done[] = [];
  const writable = new Writable({
    highWaterMark,
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      dones.push(done);
    },
  });
  const free = async (error?: Error) => {
    while (dones.length > 0) {
      dones.shift()?.(error);
      await soon();
    }
  };
  return { writable, writes, free };
};

const listen = (line$: Observable<string | Uint8Array>, writable: Writable) => {
  const received: string[] = [];
  const subscription = line$.pipe(writeLines(writable)).subscribe({
    next: () => received.push('a value'),
    error: (error) => received.push(`# ${error}`),
    complete: () => received.push('|'),
  });
  return { received, subscription };
};

describe('writeLines', () => {
  it('writes all lines of one tick in one write, each with its newline, in order', async () => {
    const { writable, writes, free } = sink();
    const line$ = new Subject<string>();
    const { received } = listen(line$, writable);
    for (const line of ['a', '', 'é😀']) line$.next(line);
    expect(writes).toEqual([]);
    await soon();
    expect(writes).toEqual(['a\n\né😀\n']);
    line$.next('b');
    await soon();
    line$.next('c');
    await free();
    expect(writes.join('')).toBe('a\n\né😀\nb\nc\n');
    expect(received).toEqual([]);
  });

  it.each([
    ['a short text as it is', 10, 'string'],
    ['a long one as its bytes', 10_000, 'object'],
  ])('writes %s', async (_, chars, kind) => {
    const written: unknown[] = [];
    const write = (chunk: unknown, _encoding: unknown, done: Done) => {
      written.push(chunk);
      done();
    };
    const line = '\u00e9'.repeat(chars);
    listen(of(line), new Writable({ decodeStrings: false, write }));
    await soon();
    expect(written.map((chunk) => typeof chunk)).toContain(kind);
    expect(written.join('')).toBe(`${line}\n`);
  });

  it('writes a long line by itself, in order', async () => {
    const { writable, writes, free } = sink();
    const line$ = new Subject<string>();
    listen(line$, writable);
    const long = 'é'.repeat(10_000);
    for (const line of ['a', 'b', long, 'c', 'd']) line$.next(line);
    await free();
    expect(writes).toEqual(['a\nb\n', `${long}\n`, 'c\nd\n']);
  });

  it('writes bytes as they are, in order', async () => {
    const { writable, writes, free } = sink();
    const line$ = new Subject<string | Uint8Array>();
    listen(line$, writable);
    for (const line of ['a', Buffer.from('b'), Buffer.from('c\n'), 'd']) line$.next(line);
    await free();
    expect(writes.join('')).toBe('a\nbc\nd\n');
  });

  it('writes 100,000 lines of one tick at once and in order', async () => {
    const { writable, writes, free } = sink();
    const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i}`);
    const { received } = listen(of(...lines), writable);
    await free();
    expect(writes[0] === `${lines.join('\n')}\n`).toBe(true);
    expect(received).toEqual(['|']);
  });

  it('completes only after the last byte was handed over', async () => {
    const { writable, free, writes } = sink();
    const { received } = listen(of('a', 'b'), writable);
    await soon();
    expect([received, writes]).toEqual([[], ['a\nb\n']]);
    await free();
    expect(received).toEqual(['|']);
  });

  it('completes when there is nothing to write, and stays open as its source does', async () => {
    const none = sink();
    const empty = listen(EMPTY, none.writable);
    const never = listen(NEVER, sink().writable);
    await none.free();
    expect([empty.received, never.received]).toEqual([['|'], []]);
  });

  it('keeps everything for a reader that never drains', async () => {
    const { writable, writes } = sink(1);
    const line$ = new Subject<string>();
    const { received } = listen(line$, writable);
    for (let i = 0; i < 100; i += 1) {
      line$.next('x'.repeat(99));
      await Promise.resolve();
    }
    await soon();
    line$.complete();
    await soon();
    expect([writes.length, writable.writableLength, received]).toEqual([1, 10_000, []]);
  });

  it.each(['EPIPE', 'ECONNRESET'])('completes when the reader is gone: %s', async (code) => {
    const { writable, free } = sink();
    const line$ = new Subject<string>();
    const { received } = listen(line$, writable);
    line$.next('a');
    await soon();
    await free(Object.assign(new Error(code), { code }));
    expect(received).toEqual(['|']);
    expect(line$.observed).toBe(false);
  });

  it('completes when the stream is destroyed while lines wait, and when it was before', async () => {
    const { writable } = sink();
    const line$ = new Subject<string>();
    const { received } = listen(line$, writable);
    line$.next('a');
    line$.complete();
    writable.destroy();
    await soon();
    expect(received).toEqual(['|']);
    expect(listen(NEVER, writable).received).toEqual(['|']);
  });

  it('drops lines that come after the stream was ended', async () => {
    const writable = new PassThrough();
    const line$ = new Subject<string>();
    const { received } = listen(line$, writable);
    line$.next('a');
    writable.end();
    line$.next('b');
    await soon();
    line$.complete();
    expect([received, writable.read()]).toEqual([['|'], null]);
  });

  it('takes an error that comes when nobody listens any more', async () => {
    const { writable, free } = sink();
    const { subscription } = listen(NEVER, writable);
    subscription.unsubscribe();
    writable.write('x');
    await free(new Error('EPIPE'));
    expect(writable.errored).toEqual(new Error('EPIPE'));
  });

  it('passes an error of its source on; lines that came before still leave', async () => {
    const { writable, writes } = sink();
    const { received } = listen(
      concat(
        of('a'),
        throwError(() => 'bug'),
      ) as never,
      writable,
    );
    await soon();
    expect([received, writes]).toEqual([['# bug'], ['a\n']]);
  });

  it('stops when nobody listens', async () => {
    const { writable, writes } = sink();
    const line$ = new Subject<string>();
    const { subscription } = listen(line$, writable);
    line$.next('a');
    subscription.unsubscribe();
    line$.next('b');
    await soon();
    expect(writes).toEqual(['a\n']);
    expect([line$.observed, writable.listenerCount('close')]).toEqual([false, 0]);
  });
});

describe('backpressureOf', () => {
  it('is long beyond the bytes, and drains when the queue is empty', async () => {
    const { writable, free } = sink(4);
    const backpressure = backpressureOf(writable, 8);
    const drains = { count: 0 };
    backpressure.drain$.subscribe(() => {
      drains.count += 1;
    });
    writable.write('12345678');
    expect(backpressure.isFull()).toBe(false);
    writable.write('9');
    expect([backpressure.isFull(), drains.count]).toEqual([true, 0]);
    await free();
    expect([backpressure.isFull(), drains.count]).toEqual([false, 1]);
  });

  it('is never long when no drain would come: below the mark of the stream, and when it is gone', async () => {
    const { writable } = sink(100);
    const backpressure = backpressureOf(writable, 8);
    writable.write('x'.repeat(50));
    expect(backpressure.isFull()).toBe(false);
    writable.write('x'.repeat(50));
    expect(backpressure.isFull()).toBe(true);
    writable.destroy();
    expect(backpressure.isFull()).toBe(false);
  });

  it('listens once, however many wait', () => {
    const { writable } = sink();
    const { drain$ } = backpressureOf(writable, 8);
    const waiting = Array.from({ length: 50 }, () => drain$.subscribe());
    expect(writable.listenerCount('drain')).toBe(1);
    for (const each of waiting) each.unsubscribe();
    expect(writable.listenerCount('drain')).toBe(0);
  });

  it('slows a source to the pace of a slow reader, and nothing is lost', async () => {
    const { writable, writes, free } = sink(1000);
    const source = new PassThrough({ highWaterMark: 1000 });
    const backpressure = backpressureOf(writable, 2000);
    const queues: number[] = [];
    const done = new Promise<void>((complete) => {
      fromReadable<Buffer>(source, backpressure).subscribe({
        next: (chunk) => {
          writable.write(chunk);
          queues.push(writable.writableLength);
        },
        complete,
      });
    });
    for (let i = 0; i < 100; i += 1) source.write(Buffer.alloc(500, i));
    source.end();
    const freeing = setInterval(free, 1);
    await done;
    clearInterval(freeing);
    await free();
    expect(Math.max(...queues)).toBe(2500);
    expect(writes.join('')).toBe(Array.from({ length: 100 }, (_, i) => String(Buffer.alloc(500, i))).join(''));
  });
});
