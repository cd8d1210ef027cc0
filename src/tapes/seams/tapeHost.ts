/** The machine behind the Codex methods in a daemon that runs again: what it was on the tape. */
import { concatMap, EMPTY, type Observable, of, throwError } from 'rxjs';
import { type CodexHost, HostError } from '../../protocol/methods/host';
import type { Chance } from '../format/chance';
import type { CallAnswers, Recorded } from '../rerun/answerCalls';
import { FAILED, type Live, NOT_RECORDED } from './live';
import { HOST_DRAWS, HOST_SEAM, type HostRequest } from './recordHost';

/** Where commands are live, they and git really run. config.toml is read as it is now. A login has no token, which no tape holds. */
export const tapeHost =
  ({ ask }: CallAnswers, chance: Chance, live: Live) =>
  (plain: CodexHost): CodexHost => {
    const played = <R>(...request: HostRequest): Observable<R> =>
      ask(HOST_SEAM, JSON.stringify(request)).pipe(concatMap((recorded) => toAnswer<R>(recorded)));
    const commands = live === 'executor' ? plain : undefined;
    const { login, preferred } = HOST_DRAWS;
    return {
      savedConfig: plain.savedConfig,
      folder: plain.folder,
      git: commands?.git ?? ((folder, args) => played('git', folder, args)),
      runOneOff: commands?.runOneOff ?? ((command) => played('runOneOff', command)),
      files: (folder) => played('files', folder),
      listStored: (page) => played('listStored', page),
      findStored: (named) => played('findStored', named),
      archiveStored: (id) => played('archiveStored', id),
      account: {
        current: chance(login, () => ({})),
        preferred: chance(preferred, plain.account.preferred),
        refresh$: played('refresh'),
        logout$: played('logout'),
        login$: played('login'),
      },
    };
  };

const toAnswer = <R>(recorded: Recorded): Observable<R> => {
  if (recorded.kind === 'unrecorded') return throwError(() => new HostError(NOT_RECORDED));
  const { dir, line } = recorded.entry;
  if (dir === 'out') return of(JSON.parse(line) as R);
  return line.startsWith(FAILED) ? throwError(() => new HostError(line.slice(FAILED.length))) : EMPTY;
};
