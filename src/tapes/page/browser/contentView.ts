/** Shows the readable contents of a message: texts as text, JSON in them as a tree, images as images. */
import { type Content, contentsOf } from '../contents';
import { copyButton } from './copy';
import { fill, html } from './dom';
import { jsonTree } from './jsonView';

/** Further characters are shown on request. */
const MAX_TEXT = 6000;

/** The contents of a message. */
export const contentsView = (message: unknown): HTMLElement[] => contentsOf(message).map(viewOf);

const viewOf = (content: Content): HTMLElement => {
  if (content.kind === 'image') return imageView(content);
  const { kind, text } = content;
  const value = jsonIn(text);
  const title = kind === 'error' ? 'Error' : value === undefined ? 'Text' : 'Text, as JSON';
  const head = [html('h3', {}, title), copyButton('Copy', () => text)];
  return block(kind, head, value === undefined ? textBlock(text) : jsonTree(value));
};

const block = (kind: string, head: readonly HTMLElement[], body: HTMLElement): HTMLElement =>
  html('section', { class: `content ${kind}` }, html('div', { class: 'content-head' }, ...head), body);

/** An image; a text if the browser cannot decode it. */
const imageView = ({ url, type, bytes }: Extract<Content, { kind: 'image' }>): HTMLElement => {
  const text = `${type}, ${Math.max(1, Math.round(bytes / 1024))} KB`;
  const image = html('img', { src: url, alt: text, class: 'picture' });
  const body = html('div', { class: 'frame' }, image);
  image.addEventListener('error', () => fill(body, `${text}: cannot be shown as an image`));
  image.addEventListener('load', () => image.setAttribute('title', `${image.naturalWidth} × ${image.naturalHeight}`));
  return block('image', [html('h3', {}, `Image, ${text}`)], body);
};

/** A text; if it is long, its beginning and a button for the rest. */
export const textBlock = (text: string): HTMLElement => {
  if (text.length <= MAX_TEXT) return html('pre', {}, text);
  const more = html('button', { type: 'button', class: 'more' }, `all ${text.length} characters`);
  const pre = html('pre', {}, `${text.slice(0, MAX_TEXT)}…\n`, more);
  more.addEventListener('click', () => fill(pre, text));
  return pre;
};

const jsonIn = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
