/** The body of a response: its bytes become text for a reader, and are dropped without one. */
import { Observable } from 'rxjs';
import type { Backpressure } from '../../../streams';
import type { Pausable } from '../../pauseWhileFull';
import { type BodySink, bodySink } from '../bodySink';
import { LINGER_MS } from '../lingerMs';

/**
 * @param source of the bytes, which pauses while the queue ahead is full; @param encoding of the body, as its header names it
 * @param onLate is called when a body that nobody reads does not end in time
 */
export type ResponseBodyDeps = {
  source: Pausable;
  encoding: string | undefined;
  backpressure: Backpressure;
  onLate: () => void;
};

/**
 * `text$` is to be subscribed once, and errors after `leave`. The bytes come by `next`, the last by `end`; without a reader they are dropped.
 * `leave`: nobody reads what is left. `closeSource`: no more bytes come from the source.
 */
export type ResponseBody = Omit<BodySink, 'stop'> & {
  text$: Observable<string>;
  isRead: () => boolean;
  leave: () => void;
  closeSource: () => void;
};

/** A body that nobody reads may end within 100 ms, so that its connection can be used again. */
export const responseBody = ({ source, encoding, backpressure, onLate }: ResponseBodyDeps): ResponseBody => {
  let sink: BodySink | undefined; // while there is a reader
  let linger: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isLeft = false;
  const leave = (): void => {
    isLeft = true;
    sink = undefined;
    if (isClosed || linger !== undefined) return;
    source.resume();
    linger = setTimeout(onLate, LINGER_MS);
    linger.unref();
  };
  const closeSource = (): void => {
    isClosed = true;
    clearTimeout(linger);
  };
  const text$ = new Observable<string>((subscriber) => {
    if (isLeft) return subscriber.error(new Error('the body of a response was read too late: it is dropped'));
    const own = bodySink({ source, encoding, backpressure, subscriber });
    sink = own;
    return () => {
      own.stop();
      leave();
    };
  });
  return { ...toSink(() => sink), text$, isRead: () => sink !== undefined, leave, closeSource };
};

const toSink = (current: () => BodySink | undefined): Omit<BodySink, 'stop'> => ({
  next: (pieces) => current()?.next(pieces),
  end: (pieces) => current()?.end(pieces),
  error: (error) => current()?.error(error),
});
