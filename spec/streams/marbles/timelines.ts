/** Timelines as RxJS reads them from marbles. */
import { TestScheduler } from 'rxjs/testing';
import type { TimedEvent } from '../../../src/streams/marbles/marbles';

/** The events of a line of marbles; `#` is the error `broken`. */
export const timeline = (text: string, values?: Record<string, unknown>): TimedEvent[] =>
  new TestScheduler(() => {}).run(() => TestScheduler.parseMarbles(text, values, new Error('broken'), false, true));
