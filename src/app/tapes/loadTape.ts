/** Loads a tape from a file or from stdin, with remarks on lines that cannot be used. */
import { createReadStream, fstatSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  asyncScheduler,
  catchError,
  defer,
  EMPTY,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  tap,
  throwError,
  toArray,
} from 'rxjs';
import { readNatsTape } from '../../fleet/tapes/readNatsTape';
import { isNatsAddress, NatsError, parseNatsAddress } from '../../io/nats/natsAddress';
import { factsAt, isFile } from '../../io/paths/look';
import { fromReadable } from '../../io/stdio/fromInput';
import { noBackpressure } from '../../streams/backpressure';
import { decodeMarked } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { fileReasonOf } from '../../streams/text/reasons';
import { withoutLogin } from '../../streams/text/trim';
import { withResource } from '../../streams/withResource';
import { maxBytes, tooLarge, upTo } from '../../tapes/files/tapesIn';
import { readTape } from '../../tapes/format/readTape';
import {
  damageFinder,
  type LineProblem,
  type Session,
  TapeError,
  type TapeItem,
  toSessions,
} from '../../tapes/format/tape';
import type { TapeFileDeps } from './openTapeFile';

/** What loading a tape needs of the process. */
export type LoadDeps = TapeFileDeps & {
  /** Read for the path `-`. */
  stdin: Readable;
  /** Shows a text to the user. */
  remark: (text: string) => void;
};

const MAX_REMARKS = 10;

const linesOf = (deps: LoadDeps, path: string): Observable<string> =>
  defer(() => {
    if (sizeOf(path) > maxBytes()) throw tooLarge(path);
    return tapeBytes(deps, path).pipe(upTo(maxBytes(), path), decodeMarked(), splitLines());
  });

/** The bytes of a file; 0 for what has no size before it is read. */
const sizeOf = (path: string): number => (isFile(path) ? (factsAt(path)?.size ?? 0) : 0);

/** A file that is read twice in a stream rather than once as a whole. */
export const isLarge = (path: string): boolean => sizeOf(path) > maxBytes() / 3;

/** The lines of a file of any size, one by one. */
export const textLines = (deps: LoadDeps, path: string): Observable<string> =>
  tapeBytes(deps, path).pipe(
    remarkProgress(sizeOf(path), (text) => deps.remark(`${path}: ${text}`)),
    decodeMarked(),
    splitLines(),
  );

/** How often a person who waits reads how much has been read, in ms. */
const PROGRESS_MS = 10_000;

const MEGABYTE = 1_000_000;

/** Remarks now and then how much has been read. @param total the size in bytes; 0 if it is unknown */
export const remarkProgress = (total: number, remark: (text: string) => void): MonoTypeOperatorFunction<Uint8Array> => {
  const whole = total > 0 ? ` of ${Math.ceil(total / MEGABYTE)}` : '';
  return (chunk$) =>
    defer(() => {
      let [read, nextMs] = [0, asyncScheduler.now() + PROGRESS_MS];
      return chunk$.pipe(
        tap(({ length }) => {
          read += length;
          if (asyncScheduler.now() < nextMs) return;
          nextMs = asyncScheduler.now() + PROGRESS_MS;
          remark(`${Math.floor(read / MEGABYTE)}${whole} MB have been read`);
        }),
      );
    });
};

/** The items of a tape of any size, one by one. */
export const itemsOf = (deps: LoadDeps, path: string): Observable<TapeItem> => textLines(deps, path).pipe(readTape());

/** The lines of any file. Errors with TapeError when there is none. */
export const loadLines = (deps: LoadDeps, path: string): Observable<string[]> => linesOf(deps, path).pipe(toArray());

/** Remarks on a tape of a folder that cannot be used, and completes. */
export const skipUnusable = <T>({ remark }: LoadDeps): MonoTypeOperatorFunction<T> =>
  catchError((error: unknown) => {
    if (!(error instanceof TapeError)) throw error;
    remark(error.message);
    return EMPTY;
  });

/** Remarks on the first lines of a file that cannot be used, and counts the others. */
export const problemRemarks = ({ remark }: LoadDeps, path: string) => {
  const first: LineProblem[] = [];
  let total = 0;
  return {
    /** Takes a line that cannot be used. */
    report: (problem: LineProblem): void => {
      total += 1;
      if (total <= MAX_REMARKS) first.push(problem);
    },
    /** Shows the remarks. */
    end: (): void => {
      for (const { lineNumber, reason } of first) remark(`${path}:${lineNumber}: ${reason}`);
      if (total > MAX_REMARKS) remark(`${path}: ${total - MAX_REMARKS} more lines cannot be used as they are`);
    },
  };
};

/** Remarks on these lines of a file. */
export const remarkProblems = (deps: LoadDeps, path: string, problems: readonly LineProblem[]): void => {
  const { report, end } = problemRemarks(deps, path);
  problems.forEach(report);
  end();
};

/** All items of a tape file, bad ones too, with remarks on these. Errors with TapeError when there is no file. */
export const loadItems = (deps: LoadDeps, path: string): Observable<TapeItem[]> =>
  linesOf(deps, path).pipe(
    readTape(),
    toArray(),
    tap((items) => remarkProblems(deps, path, toSessions(items).problems)),
  );

/** One session of a tape file. @param number counts from 1; undefined for the last Emits it and completes. Errors with TapeError when there is none. */
export const loadSession = (deps: LoadDeps, path: string, number: number | undefined): Observable<Session> =>
  loadItems(deps, path).pipe(map((items) => pick(deps, { path, number }, toSessions(items).sessions)));

/** Which session of which tape. */
export type SessionChoice = {
  path: string;
  /** From 1; undefined for the last, or all. */
  number: number | undefined;
};

/** A session, and its number in its file, from 1. */
export type NumberedSession = { number: number; session: Session };

/**
 * All sessions of a tape file that hold entries, or only the one with this number. Errors with TapeError when there is none.
 * @param whole the option that takes a damaged tape, which is refused then; undefined if its lines are only remarked on
 */
export const loadSessions = (
  deps: LoadDeps,
  { path, number }: SessionChoice,
  whole?: string,
): Observable<NumberedSession[]> =>
  loadItems(deps, path).pipe(
    map((items) => {
      const { sessions } = toSessions(items);
      if (whole !== undefined && sessions.length > 0) refuseDamage(path, damageIn(items), whole);
      const used = sessions
        .map((session, i) => ({ number: i + 1, session }))
        .filter(({ session }) => session.entries.length > 0);
      if (number === undefined && used.length > 0) return used;
      return [{ number: number ?? sessions.length, session: pick(deps, { path, number }, sessions) }];
    }),
  );

const damageIn = (items: readonly TapeItem[]): LineProblem | undefined => {
  const damage = damageFinder();
  for (const item of items) damage.add(item);
  return damage.found();
};

/** Throws TapeError for a tape with this damage. @param remedy the option that takes such a tape */
export const refuseDamage = (path: string, damage: LineProblem | undefined, remedy: string): void => {
  if (damage === undefined) return;
  throw new TapeError(
    `${path} is damaged: line ${damage.lineNumber} ${damage.reason}; take an unchanged copy, or ${remedy} to leave such lines out`,
  );
};

const pick = (deps: LoadDeps, choice: SessionChoice, sessions: readonly Session[]): Session => {
  const chosen = chosenSession(deps, choice, sessions.length);
  const session = sessions[chosen - 1] as Session;
  if (session.entries.length === 0) throw new TapeError(`${choice.path}: session ${chosen} holds no entry`);
  return session;
};

/** The number of the chosen session of a tape with so many; remarks if it is the last of several. Throws TapeError if there is none. */
export const chosenSession = ({ remark }: LoadDeps, { path, number }: SessionChoice, total: number): number => {
  const chosen = number ?? total;
  if (total === 0)
    throw new TapeError(`${path} holds no tape: none of its lines is an entry; codex-rx record makes a tape`);
  if (chosen > total)
    throw new TapeError(
      `${path} holds ${total === 1 ? '1 session' : `${total} sessions`}; it has no session ${chosen}`,
    );
  if (total > 1 && number === undefined)
    remark(`${path} holds ${total} sessions; this is the last, --session N picks another`);
  return chosen;
};

/** The bytes of a file, of stdin, or of a tape on NATS. Errors with TapeError if there is none. */
export const tapeBytes = ({ stdin, nats }: LoadDeps, path: string): Observable<Uint8Array> =>
  defer(() => {
    if (!isNatsAddress(path)) return fromReadable<Uint8Array>(path === '-' ? stdin : openFile(path), noBackpressure);
    const { name } = parseNatsAddress(path);
    return nats(path).pipe(withResource((link) => readNatsTape(link, name)));
  }).pipe(catchError((error) => throwError(() => toTapeError(path, error))));

const openFile = (path: string): Readable => {
  try {
    const fd = openSync(path, 'r');
    if (fstatSync(fd).isDirectory()) throw new Error('it is a folder');
    return createReadStream(path, { fd });
  } catch (error) {
    throw new TapeError(`${path} cannot be read: ${fileReasonOf(error)}`);
  }
};

/** Rejects a session whose secrets were removed, as its lines are not the original ones. */
export const checkWhole = (session: Session, allow: 'whole' | 'redacted'): Session => {
  if (session.meta.redacted === undefined || allow === 'redacted') return session;
  throw new TapeError(
    'This tape is redacted, so its lines are not the original ones; --allow-redacted plays it anyway',
  );
};

/** A `TapeError` with the path, without login, for what makes a tape unusable; any other error unchanged. */
export const toTapeError = (path: string, error: unknown): unknown =>
  error instanceof NatsError || (error instanceof Error && error.name === 'MissingBytes')
    ? new TapeError(named(withoutLogin(path), error.message))
    : error;

/** The reason may begin with the address. */
const named = (path: string, reason: string): string => (reason.startsWith(path) ? reason : `${path}: ${reason}`);
