/** What a user sends, as a message to the model. */
import { resolve } from 'node:path';
import { forkJoin, map, type Observable, of } from 'rxjs';
import type { UserInput } from '../../protocol/codex/input';
import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import type { Awaitable } from '../../streams/awaitable';
import { isPrompt } from '../../threads/lines/prompts';
import type { ReadImage } from '../tools/image';

/**
 * The message. If an image cannot be read, the model reads the reason instead. A text that begins like one of this program's own, such as a
 * summary, is marked as the user's: otherwise a compaction would drop it. Never errors.
 * @param cwd the folder to which relative paths refer
 * Source: Codex 0.28.0, CORE 5.1; there such an image was left out silently.
 */
export const toUserMessage = (
  readImage: ReadImage,
  cwd: string,
  input: readonly UserInput[],
): Awaitable<ResponseItem> => {
  const plain = input.map(toPlainPart);
  return plain.every((part) => part !== undefined)
    ? toMessage(plain)
    : forkJoin(input.map((item) => toPart(readImage, cwd, item))).pipe(map(toMessage));
};

const toMessage = (content: ContentPart[]): ResponseItem => {
  const message: ResponseItem = { type: 'message', role: 'user', content };
  return isPrompt(message) ? message : { ...message, content: [OF_USER, ...content] };
};

const OF_USER: ContentPart = { type: 'input_text', text: 'The user writes:\n' };

/** The part of an item that needs nothing from the disk; undefined for any other. */
const toPlainPart = (item: UserInput): ContentPart | undefined => {
  if (item.type === 'text') return { type: 'input_text', text: item.text };
  return item.type === 'image' ? { type: 'input_image', image_url: item.url } : undefined;
};

const toPart = (readImage: ReadImage, cwd: string, item: UserInput): Observable<ContentPart> =>
  item.type === 'localImage'
    ? readImage(resolve(cwd, item.path)).pipe(
        map(
          (read): ContentPart =>
            read.kind === 'image'
              ? { type: 'input_image', image_url: read.url }
              : { type: 'input_text', text: `The picture ${item.path} could not be read: ${read.reason}` },
        ),
      )
    : of(toPlainPart(item) as ContentPart);
