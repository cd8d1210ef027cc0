import { PassThrough, Readable, Writable } from 'node:stream';
import { lastValueFrom, take, toArray } from 'rxjs';
import { fromInput, fromReadable, pauseWhileFull } from '../../../src/io/stdio/fromInput';
import { type Backpressure, noBackpressure } from '../../../src/streams/backpressure';
import { marbles } from '../../support/marbles';
import { slowReader } from '../../support/streams';

/** One turn of the event loop. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Turns enough for all that nobody waits for; no clock, which may run ahead of them. */
const soon = async () => {
  for (let i = 0; i < 20; i += 1) await turn();
};

const MAX_BYTES = 200_000;

/** An output that is read when the spec says so. */
const openOutput = () => {
  const taken: (() => void)[] = [];
  const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void taken.push(done) });
  return { output, take: () => taken.shift()?.(), fill: (bytes: number) => output.write(Buffer.alloc(bytes)) };
};

/** What a subscriber of an input has received so far: the length of each chunk, and `|` for its end. */
const listen = (readable: Readable, output: Writable = openOutput().output, answer = (_: Uint8Array): void => {}) => {
  const received: (number | string)[] = [];
  const subscription = fromInput(readable, { output, maxBytes: MAX_BYTES }).subscribe({
    next: (chunk) => {
      received.push(chunk.length);
      answer(chunk);
    },
    error: () => received.push('#'),
    complete: () => received.push('|'),
  });
  return { received, subscription };
};

const inputOf = (bytes: number): PassThrough => {
  const readable = new PassThrough({ highWaterMark: 1_000_000 });
  readable.end(Buffer.alloc(bytes));
  return readable;
};

describe('fromInput', () => {
  it('emits all there is, in order, and completes at the end', async () => {
    const readable = new PassThrough();
    readable.write('one ');
    readable.write('two ');
    readable.end('three');
    const chunk$ = fromInput(readable, { output: openOutput().output, maxBytes: 9 });
    expect(Buffer.concat(await lastValueFrom(chunk$.pipe(toArray()))).toString()).toBe('one two three');
  });

  it('emits nothing for an empty stream, and stays open as long as the stream does', async () => {
    expect(
      await lastValueFrom(fromInput(inputOf(0), { output: openOutput().output, maxBytes: 9 }).pipe(toArray())),
    ).toEqual([]);
    const readable = new PassThrough();
    readable.write('abc');
    const { received } = listen(readable);
    await soon();
    readable.write('d');
    await soon();
    expect(received).toEqual([3, 1]);
  });

  it('completes at a read error, at a close without an end, and at once when the end is past', async () => {
    const [broken, closed] = [new PassThrough(), new PassThrough()];
    const ends = [listen(broken), listen(closed)];
    broken.write('a');
    await soon();
    broken.destroy(new Error('EIO'));
    closed.destroy();
    await soon();
    expect(ends.map(({ received }) => received)).toEqual([[1, '|'], ['|']]);
    expect(listen(closed).received).toEqual(['|']);
    const read = new PassThrough({ autoDestroy: false });
    listen(read);
    read.end();
    await soon();
    expect([read.destroyed, listen(read).received]).toEqual([false, ['|']]);
  });

  it('reads all at once while the output is taken', async () => {
    const { received } = listen(inputOf(16_000));
    await soon();
    expect(received).toEqual([16_000, '|']);
  });

  it('reads 16 KB in a turn of the event loop, for they may begin a hundred calls', async () => {
    const readable = new PassThrough({ highWaterMark: 1_000_000 });
    const { received } = listen(readable);
    for (let i = 0; i < 2; i += 1) readable.write(Buffer.alloc(32_768));
    readable.end();
    await turn();
    const first = [...received];
    await soon();
    expect(first.length).toBeLessThan(3);
    expect(received).toEqual([16_384, 16_384, 16_384, 16_384, '|']);
  });

  it('reads 4 KB in a turn of the event loop while 64 KB of output wait', async () => {
    const { output, fill } = openOutput();
    fill(70_000);
    const { received } = listen(inputOf(9000), output);
    await turn();
    const first = [...received];
    await soon();
    expect([first, received]).toEqual([[4096], [4096, 4096, 808, '|']]);
  });

  it('reads all again once the output was taken', async () => {
    const { output, fill, take: takeOne } = openOutput();
    fill(70_000);
    const { received } = listen(inputOf(20_000), output, takeOne);
    await soon();
    expect(received).toEqual([4096, 15_904, '|']);
  });

  it('reads nothing after the piece that made the output too long, until that drains', async () => {
    const { output, fill, take: takeOne } = openOutput();
    const { received } = listen(inputOf(9000), output, () => received.length === 1 && fill(MAX_BYTES + 1));
    fill(70_000);
    await soon();
    expect(received).toEqual([4096]);
    takeOne();
    await soon();
    takeOne();
    await soon();
    expect(received).toEqual([4096, 4904, '|']);
    expect(output.listenerCount('drain')).toBe(0);
  });

  it('stops reading when nobody listens, and forgets what it waited for', async () => {
    const { output, fill } = openOutput();
    fill(MAX_BYTES + 1);
    const readable = inputOf(9000);
    const { received, subscription } = listen(readable, output);
    await soon();
    subscription.unsubscribe();
    await soon();
    expect(received).toEqual([4096]);
    expect(readable.isPaused()).toBe(true);
    expect(['data', 'end', 'close'].map((event) => readable.listenerCount(event))).toEqual([0, 0, 0]);
    expect(output.listenerCount('drain')).toBe(0);
  });

  it('leaves what comes after it was unsubscribed', async () => {
    const readable = new PassThrough();
    const { subscription } = listen(readable);
    readable.write('a');
    await soon();
    subscription.unsubscribe();
    readable.write('b');
    await soon();
    expect(readable.read()).toEqual(Buffer.from('b'));
  });

  it('passes no piece beyond those that were asked for, and takes an error that comes after', async () => {
    const { output, fill } = openOutput();
    fill(70_000);
    const readable = inputOf(9000);
    expect(await lastValueFrom(fromInput(readable, { output, maxBytes: MAX_BYTES }).pipe(take(1)))).toHaveLength(4096);
    await soon();
    expect([readable.isPaused(), readable.readableLength]).toEqual([true, 9000 - 4096]);
    readable.destroy(new Error('EIO'));
    await soon();
    expect(readable.errored).toEqual(new Error('EIO'));
  });
});

describe('fromReadable', () => {
  /** Time enough for what Node does between two turns of its loop. */
  const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

  const all = (readable: Readable): Promise<string[]> =>
    lastValueFrom(fromReadable<Buffer>(readable, noBackpressure).pipe(toArray())).then((chunks) => chunks.map(String));

  /** What a subscriber of a stream has received so far. */
  const listen = (readable: Readable, backpressure = noBackpressure) => {
    const received: string[] = [];
    const subscription = fromReadable<Buffer>(readable, backpressure).subscribe({
      next: (chunk) => received.push(String(chunk)),
      error: () => received.push('#'),
      complete: () => received.push('|'),
    });
    return { received, subscription };
  };

  describe('fromReadable', () => {
    it('emits the chunks in order and completes at the end', async () => {
      const readable = new PassThrough({ highWaterMark: 2 });
      for (const word of ['one', 'two', 'three']) readable.write(word);
      readable.end('four');
      expect((await all(readable)).join(' ')).toBe('one two three four');
    });

    it('emits nothing for an empty stream, and nothing before it is subscribed', async () => {
      const readable = new PassThrough();
      const chunk$ = fromReadable<Buffer>(readable, noBackpressure);
      readable.end('x');
      await soon();
      expect(readable.readableLength).toBe(1);
      expect(String(await lastValueFrom(chunk$))).toBe('x');
      expect(await all(Readable.from([]))).toEqual([]);
    });

    it('stays open as long as the stream does', async () => {
      const readable = new PassThrough();
      readable.write('a');
      const { received } = listen(readable);
      await soon();
      expect(received).toEqual(['a']);
    });

    it('completes at a read error and at a close without an end', async () => {
      const broken = new PassThrough();
      const closed = new PassThrough();
      const ends = [listen(broken), listen(closed)];
      broken.write('a');
      await soon();
      broken.destroy(new Error('EIO'));
      closed.destroy();
      await soon();
      expect(ends.map(({ received }) => received)).toEqual([['a', '|'], ['|']]);
    });

    it('completes at once when the end is past', async () => {
      const destroyed = new PassThrough();
      destroyed.destroy();
      const ended = new PassThrough({ autoDestroy: false });
      ended.end();
      await all(ended);
      expect(listen(destroyed).received).toEqual(['|']);
      expect(listen(ended).received).toEqual(['|']);
    });

    it('waits after the chunk that made the queue long, until it drains', async () => {
      const { reader, backpressure, drain$ } = slowReader();
      const readable = new PassThrough({ highWaterMark: 1, readableObjectMode: true });
      for (const word of ['a', 'b', 'c']) readable.write(word);
      reader.long = true;
      const { received } = listen(readable, backpressure);
      await soon();
      expect(received).toEqual(['a']);
      expect(readable.isPaused()).toBe(true);
      drain$.next();
      await soon();
      expect(received).toEqual(['a', 'b']);
      reader.long = false;
      drain$.next();
      await soon();
      expect(received).toEqual(['a', 'b', 'c']);
      expect(drain$.observed).toBe(false);
    });

    it('pauses again when another hand has resumed it, and waits once', async () => {
      const { reader, backpressure, drain$ } = slowReader();
      const readable = new PassThrough({ readableObjectMode: true });
      for (const word of ['a', 'b', 'c']) readable.write(word);
      reader.long = true;
      const { received, subscription } = listen(readable, backpressure);
      await soon();
      readable.resume();
      await soon();
      expect(received).toEqual(['a', 'b']);
      subscription.unsubscribe();
      expect(drain$.observed).toBe(false);
    });

    it('stops reading when nobody listens, and forgets the wait for a drain', async () => {
      const { reader, backpressure, drain$ } = slowReader();
      const readable = new PassThrough({ readableObjectMode: true });
      readable.write('a');
      reader.long = true;
      const { received, subscription } = listen(readable, backpressure);
      await soon();
      subscription.unsubscribe();
      readable.write('b');
      drain$.next();
      await soon();
      expect(received).toEqual(['a']);
      expect(readable.isPaused()).toBe(true);
      expect(['data', 'end', 'close'].map((event) => readable.listenerCount(event))).toEqual([0, 0, 0]);
    });

    it('passes no chunk beyond those that were asked for, and takes an error that comes after', async () => {
      const { reader, backpressure, drain$ } = slowReader();
      reader.long = true;
      const readable = new PassThrough({ readableObjectMode: true });
      readable.write('a');
      readable.write('b');
      expect(String(await lastValueFrom(fromReadable(readable, backpressure).pipe(take(1))))).toBe('a');
      expect(drain$.observed).toBe(false);
      readable.destroy(new Error('EIO'));
      await soon();
      expect(readable.errored).toEqual(new Error('EIO'));
    });
  });
});

describe('pauseWhileFull', () => {
  it(
    'pauses when the queue is full, and resumes when it drains',
    marbles(({ hot, flush }) => {
      const done: string[] = [];
      const source = { pause: () => done.push('pause'), resume: () => done.push('resume') };
      let isFull = false;
      const backpressure: Backpressure = { isFull: () => isFull, drain$: hot('----d-d') };
      const { check } = pauseWhileFull(backpressure, source);
      hot('-a-b', { a: false, b: true }).subscribe((full) => {
        isFull = full;
        check();
        done.push(`checked ${full}`);
      });
      flush();
      expect(done).toEqual(['checked false', 'pause', 'checked true', 'resume']);
    }),
  );

  it(
    'waits for one drain, however often the queue is found full, and for none once it is stopped',
    marbles(({ hot, flush, expectSubscriptions }) => {
      const done: string[] = [];
      const source = { pause: () => done.push('pause'), resume: () => done.push('resume') };
      const drain$ = hot('-----d');
      const { check, stop } = pauseWhileFull({ isFull: () => true, drain$ }, source);
      hot('-ab-s').subscribe((letter) => (letter === 's' ? stop() : check()));
      flush();
      expect(done).toEqual(['pause', 'pause']);
      expectSubscriptions(drain$.subscriptions).toBe(['-^!', '--^-!']);
    }),
  );
});
