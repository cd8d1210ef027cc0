/** The machines on which threads of an installed Codex began, kept for the next process. */
import { join } from 'node:path';
import { filesHere } from '../../io/disk/filesHere';
import { linkFactsOrThrow } from '../../io/paths/look';
import { isObject, parseJson } from '../../protocol/jsonrpc/json';
import { CannotBegin } from '../turns/rejection';
import { seamsOf, type Wiring } from '../wiring/wiring';

export type StoredPlace = {
  environment: string;
  /** The name of the executor, if the environment is a pool. */
  executor?: string;
};

type StoredPlaces = {
  /**
   * Keeps the place of a thread. If that fails, it is logged, and the thread is not found after a restart. A note is never changed: a machine that gives
   * a new thread the id of an older thread gets no calls for the older thread.
   */
  note: (threadId: string, place: StoredPlace) => void;
  /** Throws FileError if a note cannot be read, CannotBegin if other users may have written it. */
  find: (threadId: string) => StoredPlace | undefined;
};

/** Ids that may be the name of a file. */
const ID = /^[0-9a-f-]{1,64}$/i;
const MAX_BYTES = 4_096;

/** A file for each thread, of this user only, in the folder of codex-rx in the Codex home. Nothing is written if a tape answers. */
export const storedPlaces = (wiring: Pick<Wiring, 'processInfo' | 'log' | 'seams' | 'tape'>): StoredPlaces => {
  const { codexHome } = wiring.processInfo;
  const { files } = filesHere(codexHome);
  const fileOf = (id: string): string => join(codexHome, 'codex-rx', 'elsewhere', id);
  const find: StoredPlaces['find'] = (id) => {
    const text = ID.test(id) ? files.read(fileOf(id), MAX_BYTES) : undefined;
    if (text !== undefined) keepOthersOut(fileOf(id));
    return readPlace(text);
  };
  return {
    find,
    note: (id, place) => {
      if (!ID.test(id) || seamsOf(wiring).effects === 'none') return;
      try {
        if (find(id) !== undefined) throw new Error('the id is that of a thread that began before');
        files.replace(fileOf(id), JSON.stringify(place));
      } catch (error) {
        wiring.log('warning', 'the place of a thread is not kept', { id, reason: (error as Error).message });
      }
    },
  };
};

const WRITABLE_BY_OTHERS = 0o022;

/** Whoever may write a note decides to which machine the thread goes. */
const keepOthersOut = (path: string): void => {
  const { mode } = linkFactsOrThrow(path);
  if ((mode & WRITABLE_BY_OTHERS) === 0 || process.platform === 'win32') return;
  throw new CannotBegin(
    `${path}, which names the machine of the thread, can be written by other users (mode ${(mode & 0o777).toString(8)}): check what it holds, then run chmod 600 ${path}`,
  );
};

const readPlace = (text: string | undefined): StoredPlace | undefined => {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value) || typeof value.environment !== 'string') return undefined;
  const { environment, executor } = value;
  return { environment, ...(typeof executor === 'string' && { executor }) };
};
