/** Shows the readable contents of a message: texts as text, JSON as a tree, images as images, each with a button that copies it. */
import { type Content, contentsOf } from '../contents';
import { toNode } from '../json';
import { fill, html } from './dom';

const SHOWN_MS = 1600;

/** A button that copies a text, and shows for a moment whether that succeeded. */
export const copyButton = (label: string, toText: () => string): HTMLElement => {
  const button = html('button', { type: 'button', class: 'copy' }, label);
  const show = (outcome: string): void => {
    button.textContent = outcome;
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  };
  button.addEventListener('click', () => {
    const text = toText();
    writeText(text).then(
      () => show('Copied'),
      () => show(copySelected(text) ? 'Copied' : 'Cannot copy'),
    );
  });
  return button;
};

/** Browsers offer the clipboard to pages that they trust, which most browsers do with a file. */
const writeText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

/** Without the clipboard, a field is selected and copied. */
const copySelected = (text: string): boolean => {
  const field = html('textarea', { class: 'hidden-field', 'aria-hidden': 'true' });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
};

/** Further members are shown on request. */
const PAGE = 100;
const MAX_LEAF = 4000;
/** Levels of a tree that are open at first. */
const OPEN_DEPTH = 3;
const MAX_OPEN = 24;

/** The tree of a value. */
export const jsonTree = (value: unknown): HTMLElement => html('div', { class: 'json' }, nodeOf(value, undefined, 0));

const keyOf = (key: string | undefined): (Node | string)[] =>
  key === undefined ? [] : [html('span', { class: 'key' }, key), html('span', { class: 'sign' }, ': ')];

const nodeOf = (value: unknown, key: string | undefined, depth: number): HTMLElement => {
  const node = toNode(value);
  if (node.kind !== 'branch') return html('div', { class: 'leaf' }, ...keyOf(key), textOf(node.kind, node.text));
  if (node.members.length === 0) {
    return html('div', { class: 'leaf' }, ...keyOf(key), html('span', { class: 'sign' }, node.open + node.close));
  }
  const open = depth < OPEN_DEPTH && node.members.length <= MAX_OPEN;
  const body = html('div', { class: 'body' });
  const addOnce = () => {
    if (body.childElementCount === 0) addMembers(body, { ...node, depth });
  };
  const details = html(
    'details',
    { open },
    html(
      'summary',
      {},
      ...keyOf(key),
      html('span', { class: 'sign' }, node.open),
      html('span', { class: 'peek' }, ` ${node.peek} ${node.close}`),
    ),
    body,
    html('div', { class: 'sign' }, node.close),
  );
  if (open) addOnce();
  details.addEventListener('toggle', addOnce);
  return html('div', { class: 'branch' }, details, copyOf(value));
};

/** A button that copies a branch, visible on the branch below the pointer. The panel has a button for the whole message. */
const copyOf = (value: unknown): HTMLElement => {
  const button = copyButton('Copy', () => JSON.stringify(value, null, 2));
  button.tabIndex = -1;
  return button;
};

type Branch = Pick<Extract<ReturnType<typeof toNode>, { kind: 'branch' }>, 'members' | 'open'> & { depth: number };

/** Adds a page of members; items of a list have no keys. */
const addMembers = (body: HTMLElement, { members, open, depth }: Branch, from = 0): void => {
  for (const [key, value] of members.slice(from, from + PAGE))
    body.append(nodeOf(value, open === '[' ? undefined : key, depth + 1));
  const left = members.length - from - PAGE;
  if (left <= 0) return;
  const more = html('button', { type: 'button', class: 'more' }, `${left} more`);
  more.addEventListener('click', () => {
    more.remove();
    addMembers(body, { members, open, depth }, from + PAGE);
  });
  body.append(more);
};

const textOf = (kind: string, text: string): HTMLElement => {
  const shown = kind === 'text' ? (part: string) => `"${part}"` : (part: string) => part;
  if (text.length <= MAX_LEAF) return html('span', { class: kind }, shown(text));
  const more = html('button', { type: 'button', class: 'more' }, `all ${text.length} characters`);
  const span = html('span', { class: kind }, shown(`${text.slice(0, MAX_LEAF)}…`), more);
  more.addEventListener('click', () => fill(span, shown(text)));
  return span;
};

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
