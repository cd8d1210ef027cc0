/** Wires the engine that plays a tape. */
import { Readable } from 'node:stream';
import { catchError, map, type Observable, of } from 'rxjs';
import { tapeEngine } from '../../agent/tapeEngine/tapeEngine';
import type { Wiring } from '../../agent/wiring/wiring';
import { natsHere } from '../../fleet/link/connectNats';
import { factsAt } from '../../io/paths/look';
import type { Engine } from '../../protocol/codex/engine';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { loadSession } from '../tapes/loadTape';
import { rejectingEngine } from './lazyEngine';

/** Emits the engine once the tape is read; if that fails, an engine that rejects every call with the reason. */
export const openTapeEngine = (wiring: Wiring): Observable<Engine> => {
  const { options, newId, log } = wiring;
  const { path = '', speed, match } = options.tape;
  if (wouldWait(path))
    return of(rejectingEngine(`${path} is not a regular file: copy what it holds to one, and name that`));
  const remark = (reason: string) => log('warning', 'a line of the tape cannot be used', { reason });
  const stdin = Readable.from([]); // that of this process is the client's
  return loadSession({ stdin, remark, nats: natsHere(wiring) }, path, undefined).pipe(
    map((session) => tapeEngine({ speed, match, newId }, toSessionIndex(session))),
    catchError((error: Error) => of(rejectingEngine(error.message))),
  );
};

/** Opening a pipe would block the whole daemon. A folder is rejected by the loader of tapes, with a reason. */
const wouldWait = (path: string): boolean => {
  const facts = factsAt(path);
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
};
