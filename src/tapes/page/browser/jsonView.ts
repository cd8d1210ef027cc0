/** Shows a value as a tree that folds; a folded branch is built when it is opened. Own code: viewers of JSON are components of frameworks, see dom.ts. */
import { toNode } from '../json';
import { copyButton } from './copy';
import { fill, html } from './dom';

/** Further members are shown on request. */
const PAGE = 100;
const MAX_TEXT = 4000;
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
      copyOf(value),
    ),
    body,
    html('div', { class: 'sign' }, node.close),
  );
  if (open) addOnce();
  details.addEventListener('toggle', addOnce);
  return details;
};

/** A button that copies a branch, visible on the branch below the pointer. The panel has a button for the whole message. */
const copyOf = (value: unknown): HTMLElement => {
  const button = copyButton('Copy', () => JSON.stringify(value, null, 2));
  button.tabIndex = -1;
  button.addEventListener('click', (event) => event.preventDefault());
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
  if (text.length <= MAX_TEXT) return html('span', { class: kind }, shown(text));
  const more = html('button', { type: 'button', class: 'more' }, `all ${text.length} characters`);
  const span = html('span', { class: kind }, shown(`${text.slice(0, MAX_TEXT)}…`), more);
  more.addEventListener('click', () => fill(span, shown(text)));
  return span;
};
