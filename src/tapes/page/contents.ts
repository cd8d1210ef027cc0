/** Finds the readable contents of a message: texts, images, the text of an error. */

/** A readable part of a message. */
export type Content =
  | { kind: 'text' | 'error'; text: string }
  /** The scheme of `url` is always `data`, and its type cannot hold a script. */
  | { kind: 'image'; url: string; type: string; bytes: number };

/** Bitmaps only: an SVG can be crafted so that drawing it takes any amount of time. */
const IMAGE = /^image\/(?:png|jpeg|jpg|gif|webp|avif|bmp)$/;
const DATA_URL = /^data:(image\/[a-z]+);base64,(.*)$/s;
const BASE64 = /^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/;

const MAX_CONTENTS = 30;
const MAX_DEPTH = 12;
/** How many values are visited at most, so that a message of any size opens at once. */
const MAX_VALUES = 20_000;

type Members = Record<string, unknown>;

/** The contents of a message, in their order: content blocks, resources, data URLs of images, messages of errors. */
export const contentsOf = (message: unknown): Content[] => {
  const found: Content[] = [];
  let left = MAX_VALUES;
  const visit = (value: unknown, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH || found.length >= MAX_CONTENTS) return;
    if (typeof value === 'string') found.push(...imageOfUrl(value));
    if (typeof value !== 'object' || value === null) return;
    const own = Array.isArray(value) ? [] : contentOf(value as Members);
    found.push(...own);
    if (own.length === 0) for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit(message, 0);
  return [...errorOf(message), ...(isFailed(message) ? found.map(asError) : found)].slice(0, MAX_CONTENTS);
};

/** The text of a tool's result with `isError` is shown as an error. */
const asError = (content: Content): Content => (content.kind === 'text' ? { ...content, kind: 'error' } : content);

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});

const isFailed = (message: unknown): boolean => membersOf(membersOf(message).result).isError === true;

const contentOf = ({ type, text, data, blob, mimeType, uri }: Members): Content[] => {
  const isBlock = type === 'text' || type === 'output_text' || type === 'input_text' || typeof uri === 'string';
  if (isBlock && typeof text === 'string' && text !== '') return [{ kind: 'text', text }];
  return typeof mimeType === 'string' ? toImage(mimeType, type === 'image' ? data : blob) : [];
};

const imageOfUrl = (text: string): Content[] => {
  const [, type = '', data] = text.startsWith('data:image/') ? (DATA_URL.exec(text) ?? []) : [];
  return toImage(type, data);
};

const toImage = (type: string, data: unknown): Content[] => {
  if (!IMAGE.test(type) || typeof data !== 'string' || !BASE64.test(data)) return [];
  return [{ kind: 'image', url: `data:${type};base64,${data}`, type, bytes: Math.floor(data.length * 0.75) }];
};

const errorOf = (message: unknown): Content[] => {
  const { message: text } = membersOf(membersOf(message).error);
  return typeof text === 'string' && text !== '' ? [{ kind: 'error', text }] : [];
};
