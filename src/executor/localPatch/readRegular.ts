/** Reads a file that is to be patched. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** The bytes of a regular file. Links are not followed, and a pipe is not waited for. */
export const readRegular = async (path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> => {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return readHandle(handle, maxBytes).finally(() => handle.close());
};

const readHandle = async (handle: FileHandle, maxBytes: number): Promise<Buffer> => {
  const facts = await handle.stat();
  if (!facts.isFile()) throw new Error('it is not a regular file');
  if (facts.size > maxBytes)
    throw new Error(`it has ${facts.size} bytes, and only ${maxBytes} are left for the files of a patch`);
  return handle.readFile();
};
