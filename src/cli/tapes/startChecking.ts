/** Checks the sessions of tapes and of folders of tapes, and exports their calls. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { catchError, concatMap, defer, from, map, type Observable, of, reduce } from 'rxjs';
import { type LoadDeps, loadSessions } from '../../app/tapes/loadTape';
import { writeNew } from '../../app/tapes/writeNew';
import { checkSession } from '../../tapes/check/checkSession';
import type { CheckedSession, CheckOptions, ListedTool } from '../../tapes/check/finding';
import { listedTools, toolsOf } from '../../tapes/check/listedTools';
import { type NamedIndex, toHar } from '../../tapes/check/toHar';
import { toOtlp } from '../../tapes/check/toOtlp';
import { type NamedTape, tapesOf } from '../../tapes/files/tapesIn';
import { TapeError } from '../../tapes/format/tapeFile';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';

/** `paths` are tapes and folders of tapes; `baseline` is a tape or a JSON file with `tools`; `har` and `otlp` are new files for exports. */
export type CheckChoice = {
  paths: readonly string[];
  session?: number;
  options: Omit<CheckOptions, 'baseline'>;
  baseline?: string;
  har?: string;
  otlp?: string;
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

type Read = NamedIndex | { name: string; problem: string };

/** Emits the checked sessions once, and completes. Where there are more tapes than one, one that cannot be used is a session with a problem. */
export const startChecking = (
  deps: LoadDeps & { version: string },
  { paths, session, options, baseline, har, otlp }: CheckChoice,
): Observable<CheckedSession[]> =>
  baselineOf(deps, baseline).pipe(
    concatMap((tools) =>
      readAll(deps, paths, session).pipe(
        map((read) => {
          const usable = read.filter((one) => 'index' in one);
          const program = { name: 'codex-rx', version: deps.version };
          if (har !== undefined) writeNew(har, toHar(usable, program));
          if (otlp !== undefined) writeNew(otlp, toOtlp(usable, { scope: program, digest }));
          return read.map((one) => toChecked(one, { ...options, baseline: tools }));
        }),
      ),
    ),
  );

const toChecked = (one: Read, options: CheckOptions): CheckedSession => {
  if ('problem' in one) return { name: one.name, calls: 0, findings: [], problem: one.problem };
  return { name: one.name, calls: one.index.calls.length, findings: checkSession(one.index, options) };
};

const readAll = (deps: LoadDeps, paths: readonly string[], session: number | undefined): Observable<Read[]> =>
  defer(() => {
    const tapes = tapesOf(paths);
    if (tapes.kind === 'file') return read(deps, tapes, session);
    return from(tapes.files).pipe(
      concatMap((file) =>
        read(deps, file, session).pipe(
          catchError((error: Error) => {
            if (!(error instanceof TapeError)) throw error;
            return of<Read[]>([{ name: file.name, problem: error.message }]);
          }),
        ),
      ),
      reduce<Read[], Read[]>((all, some) => [...all, ...some], []),
    );
  });

const read = (deps: LoadDeps, { path, name }: NamedTape, number: number | undefined): Observable<Read[]> =>
  loadSessions(deps, path, number).pipe(
    map((sessions) =>
      sessions.map(({ number, session }) => ({
        name: sessions.length > 1 ? `${name} session ${number}` : name,
        index: toSessionIndex(session),
      })),
    ),
  );

const baselineOf = (deps: LoadDeps, path: string | undefined): Observable<ListedTool[] | undefined> => {
  if (path === undefined) return of(undefined);
  const tools = toolsInJson(path);
  if (tools !== undefined) return of(tools);
  return loadSessions(deps, path, undefined).pipe(
    map((sessions) => {
      const listed = sessions.map(({ session }) => listedTools(toSessionIndex(session))).findLast((one) => one);
      if (listed === undefined) throw new TapeError(`${path} holds no tool: no tools/list has a response on it`);
      return listed;
    }),
  );
};

/** The tools of a JSON file; undefined for what may be a tape. */
const toolsInJson = (path: string): ListedTool[] | undefined => {
  try {
    const tools = toolsOf(JSON.parse(readFileSync(path, 'utf8')));
    return tools.length > 0 ? tools : undefined;
  } catch {
    return undefined; // the loader of tapes reports what is wrong with it
  }
};
