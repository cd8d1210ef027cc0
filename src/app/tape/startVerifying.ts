/** Verifies a server that runs as a child process: it plays the client of a tape and compares the responses. */
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { concatMap, map, type Observable } from 'rxjs';
import { collapseUnplayed, compare, type LaneResult } from '../../diff';
import { type MaskWords, type SessionIndex, toSessionIndex } from '../../session';
import { noBackpressure } from '../../streams';
import { INPUT_ENDED, type Session, TAPE_VERSION, type TapeItem, toTapeLine } from '../../tape';
import { fromPeer, watchGroups } from '../../transport';
import { serverProcess } from '../serverProcess';
import { loadMasks } from './loadMasks';
import { checkWhole, type LoadDeps, loadItems, loadSession } from './loadTape';
import { playClientHalf } from './playClientHalf';
import type { TapeChoice } from './startServing';
import { TapeError } from './tapeError';

/** `env` is that of the server, `cwd` its folder. */
export type VerifyingDeps = LoadDeps & {
  env: Record<string, string | undefined>;
  cwd: string;
  version: string;
  started: Date;
};

/**
 * `words` name the masks of the command line; `limitMs` is how long the server may be silent; `write: 'tape'` replaces the session on
 * the tape with the new one.
 */
export type VerifyingOptions = {
  command: readonly string[];
  words: MaskWords;
  limitMs: number;
  write: 'nothing' | 'tape';
};

/** How long to wait for a notification that was recorded before a line of the client. */
const PATIENCE_MS = 1_000;

/** Plays a tape against a command. Emits how the new session compares with the recorded one, and completes. */
export const startVerifying = (
  deps: VerifyingDeps,
  choice: TapeChoice,
  options: VerifyingOptions,
): Observable<readonly LaneResult[]> =>
  loadSession(deps, choice.path, choice.session).pipe(
    map((session) => checkWhole(session, choice.allow)),
    concatMap((session) => {
      const masks = loadMasks(deps.remark, choice.path, options.words);
      const recorded = toSessionIndex(session);
      return play(deps, options, recorded).pipe(
        concatMap((now) => {
          checkStarted(now);
          const index = toSessionIndex(now);
          const results = collapseUnplayed(compare(recorded, index, masks), causeOf(recorded, index));
          if (options.write === 'nothing') return [results];
          checkPlayed(choice.path, recorded, index);
          return rewrite(deps, choice, now).pipe(map(() => results));
        }),
      );
    }),
  );

const play = (
  deps: VerifyingDeps,
  { command, limitMs }: VerifyingOptions,
  recorded: SessionIndex,
): Observable<Session> => {
  const env = Object.fromEntries(Object.entries(deps.env).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const server = serverProcess(
    fromPeer(
      { spawn, backpressure: noBackpressure, signals: constants.signals, watch: watchGroups({ spawn }) },
      { argv: command, cwd: deps.cwd, env },
    ),
  );
  const meta = {
    ...recorded.meta,
    version: TAPE_VERSION,
    recorder: `codex-rx ${deps.version}`,
    started: deps.started.toISOString(),
    command: [...command],
  };
  return playClientHalf({ server, patience: { patienceMs: Math.min(PATIENCE_MS, limitMs), limitMs }, meta }, recorded);
};

/** Rejects the command where it could not be started. */
const checkStarted = ({ entries }: Session): void => {
  const failed = entries.find(({ entry }) => entry.dir === 'note' && entry.line !== INPUT_ENDED);
  if (failed) throw new TapeError(failed.entry.line);
};

/** Why the client could not send all its lines; undefined where it could. */
const causeOf = (recorded: SessionIndex, now: SessionIndex): string | undefined => {
  const [all, some] = [countLines(recorded), countLines(now)];
  if (some >= all) return undefined;
  const { code = null } = now.exit ?? {};
  const cause = code === null ? 'the server did not respond in time' : `the server ended with exit code ${code}`;
  return `${cause}; the client got to send ${some} of its ${all} lines`;
};

const countLines = ({ clientLines }: SessionIndex): number => clientLines.filter(({ kind }) => kind === 'line').length;

/** Keeps the tape where the command did not start, failed or hung. */
const checkPlayed = (path: string, recorded: SessionIndex, now: SessionIndex): void => {
  const cause = causeOf(recorded, now);
  if (cause !== undefined) throw new TapeError(`${path} stays as it was: ${cause}`);
  if (now.serverLines.length === 0 && recorded.serverLines.length > 0) {
    throw new TapeError(`${path} stays as it was: the command sent nothing`);
  }
};

/** Replaces the chosen session; the file is whole at any time. */
const rewrite = (deps: VerifyingDeps, { path, session }: TapeChoice, now: Session): Observable<void> =>
  loadItems({ ...deps, remark: () => {} }, path).pipe(
    map((items) => {
      const parts = splitSessions(items);
      const chosen = (session ?? parts.length) - 1;
      const fresh: TapeItem[] = [
        { kind: 'meta', lineNumber: 1, meta: now.meta },
        ...now.entries.map((entry): TapeItem => ({ kind: 'entry', ...entry })),
      ];
      const lines = parts.flatMap((part, i) => (i === chosen ? fresh : part)).flatMap((item) => toTapeLine(item) ?? []);
      writeFileSync(`${path}.new`, `${lines.join('\n')}\n`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      deps.remark(`${path} now holds the session with ${(now.meta.command as string[])[0]}`);
    }),
  );

/** The items of each session. */
const splitSessions = (items: readonly TapeItem[]): TapeItem[][] => {
  const parts: TapeItem[][] = [];
  for (const item of items) {
    if (item.kind === 'meta' || parts.length === 0) parts.push([item]);
    else parts.at(-1)?.push(item);
  }
  return parts;
};
