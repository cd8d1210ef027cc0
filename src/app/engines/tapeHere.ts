/** Owns wiring the engine that plays a tape. */
import { Readable } from 'node:stream';
import { catchError, map, type Observable, of } from 'rxjs';
import type { Engine } from '../../protocol';
import { tapeEngine, toRecording } from '../../transcript';
import { loadSession } from '../tape';
import { refusing } from './refusing';
import type { Wiring } from './wiring';

/** Emits the engine once the tape is read; where it cannot be, one that says so to every call. */
export const tapeHere = ({ options, newId, log }: Wiring): Observable<Engine> => {
  const { path, speed, match } = options.tape;
  const tell = (reason: string) => log('warning', 'a tape is not in order', { reason });
  const stdin = Readable.from([]); // that of this process is the client's
  return loadSession({ stdin, tell }, path ?? '', undefined).pipe(
    map((session) => tapeEngine({ speed, match, newId }, toRecording(session))),
    catchError((error: Error) => of(refusing(error.message))),
  );
};
