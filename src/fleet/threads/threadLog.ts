/** One thread on a server: its lines as they are read, and what its messages say of it. */
import {
  connect,
  defaultIfEmpty,
  filter,
  forkJoin,
  map,
  type Observable,
  type OperatorFunction,
  of,
  reduce,
} from 'rxjs';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { mapMulti } from '../../streams/gather';
import { parseLine } from '../../threads/lines/readRolloutLine';
import { addLines, nothingRead, type ReadLines } from '../../threads/lines/storedThread';
import type { NatsStored } from '../link/natsLink';
import { readStored } from '../operators/readStream';
import { isOfThread, readThreadFacts, type ThreadFacts, type ThreadPlace } from './threadPlace';

type LogPlace = Pick<ThreadPlace, 'link' | 'stream' | 'subjectOf'>;

/** A thread as the server has it. */
export type ThreadLog = {
  /** What its lines hold. */
  lines: ReadLines;
  /** The beginning of its text. */
  head: string;
  /** False if the last line was cut off by a crash, or if there is none. */
  isWhole: boolean;
  /** Sequence of its last message; 0 if there is none. */
  seq: number;
  /** Facts in the last message that a daemon wrote. */
  known?: KnownFacts;
};

/** The facts of a thread, and when they were written. */
export type KnownFacts = { facts: ThreadFacts; writtenMs: number };

/** Emits the thread once, up to the message that is its last now, without messages that no daemon wrote. */
export const readLog = ({ link, stream, subjectOf }: LogPlace, id: string): Observable<ThreadLog> =>
  readStored(link)(stream, subjectOf(id)).pipe(
    connect((stored$) => {
      const text$ = textOf(stored$);
      return forkJoin({
        lines: text$.pipe(
          splitLines(),
          reduce((read, line) => addLines(read, parseLine(line)), nothingRead()),
        ),
        head: text$.pipe(reduce((head, text) => head + text.slice(0, HEAD_CHARS - head.length), '')),
        isWhole: text$.pipe(reduce((_, text) => text.endsWith('\n'), false)),
        ends: stored$.pipe(toEnds()),
      });
    }),
    map(({ ends, ...log }) => ({ ...log, ...ends })),
  );

const HEAD_CHARS = 65_536;

/** The text of the messages that a daemon wrote. */
const textOf = (stored$: Observable<NatsStored>): Observable<string> =>
  stored$.pipe(
    filter(({ headers }) => isOfThread(headers)),
    map(({ data }) => data),
    decodeUtf8(),
  );

/** What the last messages of a thread say. */
const toEnds = (): OperatorFunction<NatsStored, Pick<ThreadLog, 'seq' | 'known'>> =>
  reduce<NatsStored, Pick<ThreadLog, 'seq' | 'known'>>(
    (ends, last) => ({ ...ends, seq: last.seq, ...(isOfThread(last.headers) && { known: toKnown(last) }) }),
    { seq: 0 },
  );

/** The lines of a thread of any size, as they are read; at least one piece. */
export const readLines = ({ link, stream, subjectOf }: LogPlace, id: string): Observable<readonly string[]> =>
  textOf(readStored(link)(stream, subjectOf(id))).pipe(
    splitLines(),
    map((line) => [line]),
    defaultIfEmpty([]),
  );

/** The facts in the last message that a daemon wrote. The thread is read only if another program wrote the last message. Empty if there are none. */
export const factsAt = (place: LogPlace, id: string, last: NatsStored): Observable<KnownFacts> =>
  isOfThread(last.headers)
    ? of(toKnown(last))
    : readStored(place.link)(place.stream, place.subjectOf(id)).pipe(
        toEnds(),
        mapMulti(({ known }, emit: (known: KnownFacts) => void) => known && emit(known)),
      );

const toKnown = ({ headers, atMs }: NatsStored): KnownFacts => ({ facts: readThreadFacts(headers), writtenMs: atMs });
