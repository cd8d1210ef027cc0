/** What a user sends, as a message to the model. */
import { resolve } from 'node:path';
import { forkJoin, map, type Observable, of } from 'rxjs';
import type { UserInput } from '../protocol/codex';
import type { ContentPart, ResponseItem } from '../protocol/model';
import type { ReadImage } from '../tools';

/**
 * Emits the message once. In place of a picture that cannot be read the model reads the reason. Never errors.
 * @param cwd the folder that relative paths begin at
 * Source: Codex 0.28.0, CORE 5.1; there such a picture was left out in silence.
 */
export const toUserMessage = (
  readImage: ReadImage,
  cwd: string,
  input: readonly UserInput[],
): Observable<ResponseItem> => {
  const parts = input.map((item) => toPart(readImage, cwd, item));
  return (parts.length === 0 ? of<ContentPart[]>([]) : forkJoin(parts)).pipe(
    map((content): ResponseItem => ({ type: 'message', role: 'user', content })),
  );
};

const toPart = (readImage: ReadImage, cwd: string, item: UserInput): Observable<ContentPart> => {
  switch (item.type) {
    case 'text':
      return of({ type: 'input_text', text: item.text });
    case 'image':
      return of({ type: 'input_image', image_url: item.url });
    case 'localImage':
      return readImage(resolve(cwd, item.path)).pipe(
        map(
          (read): ContentPart =>
            read.kind === 'image'
              ? { type: 'input_image', image_url: read.url }
              : { type: 'input_text', text: `The picture ${item.path} could not be read: ${read.reason}` },
        ),
      );
  }
};
