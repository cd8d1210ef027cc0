/** Turns the bytes of a body into text. */
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Subscriber } from 'rxjs';
import type { Backpressure } from '../../streams';
import { type Pausable, pauseWhileFull } from '../pauseWhileFull';
import { decompressed } from './decompressed';
import { readText } from './readText';

/** Takes a body in pieces, the last of them with its end, or an error; `stop` when nobody reads the text any more. */
export type BodySink = {
  next: (pieces: readonly Uint8Array[]) => void;
  end: (pieces: readonly Uint8Array[]) => void;
  error: (error: Error) => void;
  stop: () => void;
};

/** @param source of the bytes, which pauses while the queue ahead is full; @param encoding of the body, as its header names it */
export type BodySinkDeps = {
  source: Pausable;
  encoding: string | undefined;
  backpressure: Backpressure;
  subscriber: Subscriber<string>;
};

/** Pieces that arrive together are emitted as one text. */
export const bodySink = (deps: BodySinkDeps): BodySink =>
  deps.encoding === undefined || deps.encoding === 'identity' ? plainSink(deps) : packedSink(deps);

const plainSink = ({ source, backpressure, subscriber }: BodySinkDeps): BodySink => {
  const decoder = new StringDecoder('utf8');
  const pressure = pauseWhileFull(backpressure, source);
  const textOf = (pieces: readonly Uint8Array[]): string =>
    pieces.reduce((text, piece) => text + decoder.write(piece as Buffer), '');
  const emit = (text: string): void => {
    if (text !== '') subscriber.next(text);
  };
  return {
    next: (pieces) => {
      emit(textOf(pieces));
      if (!subscriber.closed) pressure.check();
    },
    end: (pieces) => {
      emit(textOf(pieces) + decoder.end());
      subscriber.complete();
    },
    error: (error) => subscriber.error(error),
    stop: pressure.stop,
  };
};

const packedSink = ({ source, encoding, backpressure, subscriber }: BodySinkDeps): BodySink => {
  const packed = new Readable({ read: () => !packed.readableEnded && source.resume() });
  const body = decompressed(packed, encoding);
  const read = readText(body, backpressure).subscribe(subscriber);
  return {
    next: (pieces) => {
      for (const piece of pieces) if (!packed.push(piece)) source.pause();
    },
    end: (pieces) => {
      for (const piece of pieces) packed.push(piece);
      packed.push(null);
    },
    error: (error) => packed.destroy(error),
    stop: () => {
      read.unsubscribe();
      body.destroy(); // a few bytes can take more than a minute to unpack
    },
  };
};
