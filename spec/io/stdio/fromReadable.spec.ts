import { PassThrough, Readable } from 'node:stream';
import { lastValueFrom, take, toArray } from 'rxjs';
import { fromReadable } from '../../../src/io/stdio/fromInput';
import { noBackpressure } from '../../../src/streams/backpressure';
import { slowReader } from '../../support/streams';

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
