/** Shows the messages of a marble. */
import { joinedDeltas, messageIn } from '../json';
import { toMoment, toTime } from '../labels';
import { lineName, linesOf, linkedTo, type Model, nameOf } from '../model';
import type { State } from '../state';
import { contentsView, copyButton, jsonTree, textBlock } from './contentView';
import { byId, fill, html, svg } from './dom';
import { isNarrow } from './lanes';
import { marbleShape } from './shapes';

/** Further messages of a run are listed on request. */
const PAGE = 50;
/** How many deltas are joined at most. */
const MAX_JOINED = 5000;

/** Draws the panel of a state; does nothing while the same marble is shown. */
export const openPanel = (model: Model) => {
  let shown: number | undefined;
  return ({ selected, open }: State): void => {
    const marble = open ? selected : undefined;
    if (marble === shown) return;
    const opens = shown === undefined;
    shown = marble;
    const panel = byId('panel');
    panel.hidden = marble === undefined;
    fill(panel, ...(marble === undefined ? [] : [html('div', { class: 'inner' }, ...contentOf(model, marble))]));
    if (opens && isNarrow()) byId('score').scrollIntoView(); // the panel lies over the lower half of the window
  };
};

const contentOf = (model: Model, i: number): HTMLElement[] => {
  const [from, to] = linesOf(model, i);
  const messages = to - from === 1 ? [messageOf(model, i, from)] : [runOf(model, i, [from, to])];
  return [headOf(model, i), toolsOf(model, i), factsOf(model, i), ...messages];
};

const headOf = (model: Model, i: number): HTMLElement => {
  const shape = marbleShape(model, i, '');
  for (const name of ['id', 'role', 'data-marble', 'aria-label']) shape.removeAttribute(name);
  return html(
    'div',
    { class: 'panel-head' },
    svg('svg', { width: 32, height: 32, viewBox: '-16 -16 32 32', 'aria-hidden': 'true' }, shape),
    html('h2', {}, nameOf(model, i)),
    html('button', { type: 'button', 'data-do': 'close', 'aria-label': 'Close', title: 'Close (Esc)' }, '✕'),
  );
};

const toolsOf = (model: Model, i: number): HTMLElement => {
  const partner = model.partner[i] ?? -1;
  const label = partner > i ? 'To its response' : 'To its request';
  return html(
    'div',
    { class: 'panel-tools' },
    html('button', { type: 'button', 'data-step': 'previous', title: 'Previous marble (←)' }, '← Previous'),
    html('button', { type: 'button', 'data-step': 'next', title: 'Next marble (→)' }, 'Next →'),
    partner < 0 ? '' : html('button', { type: 'button', 'data-step': 'partner', title: `${label} (p)` }, label),
    ...linkedTo(model, i).map((other) =>
      html('button', { type: 'button', 'data-call': other, title: nameOf(model, other) }, linkText(model, other)),
    ),
    copyButton('Copy', () => model.lines.text.slice(...linesOf(model, i)).join('\n')),
  );
};

/** The lane is named by its server. */
const linkText = ({ lanes, marbles }: Model, other: number): string => `To ${lanes[marbles.lane[other] ?? 0]?.title}`;

const factsOf = (model: Model, i: number): HTMLElement => {
  const { marbles, lanes, threads, partner } = model;
  const [from, to] = linesOf(model, i);
  const other = partner[i] ?? -1;
  const tookMs = other < 0 ? 0 : Math.abs((marbles.at[other] ?? 0) - (marbles.at[i] ?? 0));
  const thread = threads[marbles.thread[i] ?? -1];
  const moment = (ms = 0) => toMoment(ms, model.story?.originMs);
  const until = to - from > 1 ? ` to ${moment(marbles.until[i])}` : '';
  const last = to - from > 1 ? ` to ${lineName(model, to - 1)}` : '';
  const facts: [string, string | undefined][] = [
    ['lane', lanes[marbles.lane[i] ?? 0]?.title],
    ['time', `${moment(marbles.at[i])}${until}`],
    ['place on the tape', `${lineName(model, from)}${last}`],
    ['thread', thread],
    [other > i ? 'answered after' : 'took', other < 0 ? undefined : toTime(tookMs)],
  ];
  const shown = facts.flatMap(([label, text]) =>
    text === undefined ? [] : [html('dt', {}, label), html('dd', {}, text)],
  );
  return html('dl', { class: 'panel-facts' }, ...shown);
};

const messageOf = ({ lines, marbles }: Model, i: number, line: number): HTMLElement => {
  const text = lines.text[line] ?? '';
  const value = messageIn(text, marbles.part[i] ?? -1);
  if (value === undefined) return textBlock(text);
  const sent = html('details', { class: 'message' }, html('summary', {}, 'As it was sent'));
  sent.addEventListener('toggle', () => {
    if (sent.childElementCount === 1) sent.append(textBlock(text));
  });
  const contents = contentsView(value);
  const title = contents.length === 0 ? [] : [html('h3', {}, 'Message')];
  return html('div', {}, ...contents, ...title, jsonTree(value), sent);
};

const runOf = (model: Model, i: number, [from, to]: readonly [number, number]): HTMLElement => {
  const values = model.lines.text.slice(from, Math.min(to, from + MAX_JOINED)).map((text) => messageIn(text, -1));
  const joined = joinedDeltas(values);
  const list = html('div', {});
  const add = (start: number) => {
    for (let line = start; line < Math.min(to, start + PAGE); line += 1) list.append(pieceOf(model, i, line));
    const left = to - start - PAGE;
    if (left <= 0) return;
    const more = html('button', { type: 'button', class: 'more' }, `${left} more`);
    more.addEventListener('click', () => {
      more.remove();
      add(start + PAGE);
    });
    list.append(more);
  };
  add(from);
  const text = joined === undefined ? [] : [html('h3', {}, 'The pieces together'), textBlock(joined)];
  return html('div', {}, ...text, html('h3', {}, `${to - from} messages`), list);
};

const pieceOf = (model: Model, i: number, line: number): HTMLElement => {
  const { t } = model.lines;
  const piece = html(
    'details',
    { class: 'message' },
    html('summary', {}, `${lineName(model, line)}, ${toMoment(t[line] ?? 0, model.story?.originMs)}`),
  );
  piece.addEventListener('toggle', () => {
    if (piece.childElementCount === 1) piece.append(messageOf(model, i, line));
  });
  return piece;
};
