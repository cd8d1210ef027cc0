/** Images on the disk as data URLs. Own code: only these four formats may leave the machine; libraries that detect types know hundreds. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { catchError, defer, of } from 'rxjs';
import { isWithin } from '../../streams/text/trim';
import type { ImageRead, ReadImage } from '../tools/builtInTools';

const MAX_BYTES = 20 * 1024 * 1024;

/** How files begin, in Latin-1. Source: the specifications of the formats. */
const FORMATS: readonly (readonly [start: RegExp, mime: string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
];

/**
 * Reads an image. Only files that begin as one of the known formats are read, so that no other file leaves the machine in the guise of an
 * image. Pipes and devices are not waited for.
 * @param secrets files and folders whose images are not read, such as the profile of a browser; links are resolved
 */
export const readImage =
  ({ secrets }: { secrets: () => readonly string[] }): ReadImage =>
  (path, denied = []) =>
    defer(() => readPublic([...secrets(), ...denied], path)).pipe(
      catchError(({ message }: Error) => of(unreadable(message))),
    );

const readPublic = async (secrets: readonly string[], path: string): Promise<ImageRead> => {
  const real = await realpath(path);
  return (await isInPlaces(secrets, real))
    ? unreadable('it is in a place of keys and passwords, or the permission profile denies it')
    : read(real);
};

/** Whether a path without links is at or below one of these places, which may be links. */
export const isInPlaces = async (places: readonly string[], real: string): Promise<boolean> => {
  const found = await Promise.all(places.map((place) => realpath(place).catch(() => place)));
  return found.some((place) => isWithin(place, real));
};

const unreadable = (reason: string): ImageRead => ({ kind: 'unreadable', reason });

const read = async (path: string): Promise<ImageRead> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const { size, isFile } = await file.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }));
    const fault = imageFault({ isFile, size });
    if (fault !== undefined) return unreadable(fault);
    return toImage(await file.readFile());
  } finally {
    await file.close();
  }
};

/** Why a file cannot be an image for a model, by its facts. */
export const imageFault = ({ isFile, size }: { isFile: boolean; size: number }): string | undefined => {
  if (!isFile) return 'it is not a file';
  return size > MAX_BYTES ? `it has ${size} bytes; at most ${MAX_BYTES} are sent` : undefined;
};

/** The bytes of a file as an image, or why they are not an image. */
export const toImage = (bytes: Buffer): ImageRead => {
  const start = bytes.toString('latin1', 0, 16);
  const format = FORMATS.find(([pattern]) => pattern.test(start));
  if (format === undefined) return unreadable('it is not a PNG, JPEG, GIF or WebP picture');
  return { kind: 'image', url: `data:${format[1]};base64,${bytes.toString('base64')}` };
};
