/** Draws what stands around the picture: title, facts, chips of lanes, threads, the count of hits, the legend, the keys. */
import { type Model, nameOf } from '../model';
import type { State } from '../state';
import { byId, html, svg } from './dom';
import { marbleShape } from './shapes';
import { isDark } from './theme';

const KEYS: [string[], string][] = [
  [['←', '→'], 'the marble before, the next'],
  [['↑', '↓'], 'the nearest on the lane above, below'],
  [['Home', 'End'], 'the first, the last'],
  [['Enter'], 'open the message'],
  [['Esc'], 'close it'],
  [['p'], 'from a question to its answer and back'],
  [['+', '−', '0'], 'zoom in, out, show all'],
  [['Shift ←', 'Shift →'], 'move along'],
  [['/'], 'search'],
  [['n', 'N'], 'next hit, previous hit'],
  [['t'], 'a column a message, or by the clock'],
  [['d'], 'dark or light'],
  [['a'], 'show all lanes and threads'],
  [['?'], 'these keys'],
];

/** Fills in what does not change. */
export const fillBar = (model: Model): void => {
  byId('title').textContent = model.title;
  byId('facts').append(
    ...model.facts.map(([label, text]) => html('div', {}, html('dt', {}, label), html('dd', {}, text))),
  );
  byId('lanes').append(...model.lanes.map((_, i) => chipOf(model, i)));
  fillThreads(model);
  fillKeys();
  fillLegend(model);
};

const chipOf = ({ lanes, laneCounts }: Model, index: number): HTMLElement => {
  const { title = '', group = 'log' } = lanes[index] ?? {};
  return html(
    'button',
    { type: 'button', class: `chip ${group}`, 'data-lane': index, 'aria-pressed': 'true' },
    html('i', {}),
    title,
    html('b', {}, String(laneCounts[index])),
  );
};

const MAX_ID = 18;
const shortId = (id: string): string => (id.length > MAX_ID ? `${id.slice(0, 8)}…${id.slice(-8)}` : id);

const fillThreads = ({ threads, threadCounts }: Model): void => {
  const list = byId('threads').querySelector('div');
  byId('threads').hidden = threads.length === 0;
  list?.append(
    ...[...threads, undefined].map((id, at) => {
      const box = html('input', { type: 'checkbox', 'data-thread': id === undefined ? -1 : at, checked: true });
      const name = html('span', { title: id }, id === undefined ? 'no thread' : shortId(id));
      return html('label', {}, box, name, html('b', {}, String(threadCounts[at])));
    }),
  );
};

const fillKeys = (): void => {
  const table = byId('help').querySelector('table');
  table?.append(
    ...KEYS.map(([keys, text]) =>
      html('tr', {}, html('td', {}, ...keys.flatMap((key) => [html('kbd', {}, key), ' '])), html('td', {}, text)),
    ),
  );
};

const MAX_ENTRIES = 200;
/** Pixels of a window in which the legend has to be asked for. */
const NARROW = 820;

/** Filled when it is opened: each marble that looks different, once. */
const fillLegend = (model: Model): void => {
  const legend = byId<HTMLDetailsElement>('legend');
  const list = legend.querySelector('div');
  legend.addEventListener('toggle', () => {
    if (!list || list.childElementCount > 0) return;
    list.append(...differing(model).map((i) => entryOf(model, i)));
  });
  legend.open = window.innerWidth > NARROW;
};

const differing = ({ size, marbles }: Model): number[] => {
  const known = new Map<string, number>();
  for (let i = 0; i < size; i += 1) {
    const key = `${marbles.lane[i]} ${marbles.symbol.charAt(i)} ${marbles.name[i]}`;
    if (!known.has(key)) known.set(key, i);
  }
  return [...known.values()].sort((a, b) => (marbles.lane[a] ?? 0) - (marbles.lane[b] ?? 0)).slice(0, MAX_ENTRIES);
};

const entryOf = (model: Model, i: number): HTMLElement => {
  const shape = marbleShape(model, i, '');
  for (const name of ['id', 'role', 'data-marble']) shape.removeAttribute(name);
  const lane = model.lanes[model.marbles.lane[i] ?? 0]?.title;
  return html(
    'div',
    { class: 'entry' },
    svg('svg', { width: 30, height: 30, viewBox: '-16 -16 32 32', 'aria-hidden': 'true' }, shape),
    html('span', {}, `${nameOf(model, i)} · ${lane}`),
  );
};

/** Brings what changes up to date. */
export const drawBar = (model: Model, { filter, hits, query, selected, theme, track }: State): void => {
  for (const chip of document.querySelectorAll<HTMLElement>('[data-lane]')) {
    chip.setAttribute('aria-pressed', String(!filter.lanes.has(Number(chip.dataset.lane))));
  }
  for (const box of document.querySelectorAll<HTMLInputElement>('[data-thread]')) {
    box.checked = !filter.threads.has(Number(box.dataset.thread));
  }
  const summary = byId('threads').querySelector('summary');
  const shown = model.threads.filter((_, i) => !filter.threads.has(i)).length;
  if (summary)
    summary.textContent = `Threads ${shown === model.threads.length ? shown : `${shown} of ${model.threads.length}`}`;
  byId('all').hidden = filter.lanes.size + filter.threads.size === 0;
  byId('empty').hidden = track.shown.length > 0;
  byId('axis').textContent = track.axis === 'ordinal' ? 'By order' : 'By clock';
  const at = selected === undefined ? -1 : hits.indexOf(selected);
  byId('hits').textContent = query === '' ? '' : at < 0 ? `${hits.length} hits` : `${at + 1} of ${hits.length}`;
  for (const id of ['hit-previous', 'hit-next']) byId<HTMLButtonElement>(id).disabled = hits.length === 0;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = isDark() ? 'Light' : 'Dark';
};
