/** Draws what surrounds the picture: title, facts, chips of lanes, threads, the count of hits, the legend, the keys, and the table of calls below. */
import { argumentsOf, type CallRow, COLUMNS, type Column, type Sort, sortCalls, toCalls } from '../calls';
import { legendEntries, toMoment, toShortCount, toTime } from '../labels';
import { type Model, nameOf } from '../model';
import type { State } from '../state';
import { byId, fill, html, isDark, svg } from './dom';
import { marbleShape } from './shapes';

const KEYS: [string[], string][] = [
  [['←', '→'], 'the previous marble, the next'],
  [['↑', '↓'], 'the nearest on the lane above, below'],
  [['Home', 'End'], 'the first, the last'],
  [['Enter'], 'open the message'],
  [['Esc'], 'close it'],
  [['p'], 'from a request to its response and back'],
  [['+', '−', '0'], 'zoom in, out, show all'],
  [['Shift ←', 'Shift →'], 'move the view'],
  [['e', 'E'], 'next error, previous error'],
  [['/'], 'search'],
  [['n', 'N'], 'next hit, previous hit'],
  [['t'], 'a column per message, or by the clock'],
  [['d'], 'dark or light'],
  [['a'], 'show all lanes and threads'],
  [['c'], 'a table of the calls'],
  [['?'], 'these keys'],
];

/** Fills in what does not change. */
export const fillBar = (model: Model): void => {
  fill(byId('title'), model.title);
  byId('facts').append(
    ...model.facts
      .filter(([label]) => label !== 'failed' || model.errors.length === 0)
      .map(([label, text]) => html('div', {}, html('dt', {}, label), html('dd', {}, text))),
  );
  byId('errors').hidden = model.errors.length === 0;
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

/** Updates what changes. */
export const drawBar = (model: Model, state: State): void => {
  drawFilters(model, state);
  drawCounts(model, state);
  const { theme, track } = state;
  byId('axis').textContent = track.axis === 'ordinal' ? 'By order' : 'By clock';
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = isDark() ? 'Light' : 'Dark';
};

const drawFilters = (model: Model, { filter, track }: State): void => {
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
};

const drawCounts = ({ errors }: Model, { hits, query, selected }: State): void => {
  const at = selected === undefined ? -1 : hits.indexOf(selected);
  byId('hits').textContent = query === '' ? '' : at < 0 ? `${hits.length} hits` : `${at + 1} of ${hits.length}`;
  for (const id of ['hit-previous', 'hit-next']) byId<HTMLButtonElement>(id).disabled = hits.length === 0;
  const error = selected === undefined ? -1 : errors.indexOf(selected);
  const many = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  byId('errors').textContent = error < 0 ? many : `error ${error + 1} of ${errors.length}`;
};

const MAX_ENTRIES = 200;
/** In a window up to this width the legend starts closed; pixels. */
const NARROW = 820;
/** The distance from marble to marble, in pixels. */
const SIGN = 30;

const fillLegend = (model: Model): void => {
  const legend = byId<HTMLDetailsElement>('legend');
  const list = legend.querySelector('div');
  legend.addEventListener('toggle', () => {
    if (!list || list.childElementCount > 0) return;
    const entries = legendEntries(differing(model));
    list.append(...entries.slice(0, MAX_ENTRIES).map(({ name, signs }) => entryOf(model, name, signs)));
    if (entries.length > MAX_ENTRIES) list.append(`and ${entries.length - MAX_ENTRIES} more names`);
  });
  legend.open = window.innerWidth > NARROW;
};

type Sign = { symbol: string; name: string; marble: number };

/** One marble of each look, lane by lane. */
const differing = (model: Model): Sign[] => {
  const { size, marbles } = model;
  const known = new Map<string, number>();
  for (let i = 0; i < size; i += 1) {
    const key = `${marbles.lane[i]} ${marbles.symbol.charAt(i)} ${marbles.name[i]}`;
    if (!known.has(key)) known.set(key, i);
  }
  return [...known.values()]
    .sort((a, b) => (marbles.lane[a] ?? 0) - (marbles.lane[b] ?? 0))
    .map((marble) => ({ symbol: marbles.symbol.charAt(marble), name: nameOf(model, marble), marble }));
};

const entryOf = (model: Model, name: string, signs: readonly Sign[]): HTMLElement => {
  const shapes = signs.map(({ marble }, i) => {
    const shape = marbleShape(model, marble, '');
    for (const attribute of ['id', 'role', 'data-marble', 'aria-label']) shape.removeAttribute(attribute);
    shape.setAttribute('transform', `translate(${i * SIGN} 0)`);
    return shape;
  });
  const [width, height] = [signs.length * SIGN, SIGN];
  const view = { width, height, viewBox: `-15 -15 ${width} ${height}`, 'aria-hidden': 'true' };
  return html('div', { class: 'entry' }, svg('svg', view, ...shapes), html('span', {}, name));
};

/** More rows are not drawn: sorting brings the calls that matter to the top. */
const MAX_ROWS = 500;

type Drawn = Pick<State, 'track' | 'selected'> & { sort: Sort | undefined };

/** Draws the table of a state; does nothing while it would stay the same. */
export const openCallTable = (model: Model) => {
  const rows = toCalls(model);
  byId('calls').hidden = rows.length === 0;
  let drawn: Drawn | undefined;
  return ({ sort, track, selected }: State): void => {
    if (drawn && drawn.sort === sort && drawn.track === track && drawn.selected === selected) return;
    drawn = { sort, track, selected };
    const shown =
      sort === undefined ? [] : sortCalls(rows, sort).filter(({ marble }) => (track.rank[marble] ?? -1) >= 0);
    byId('calls').setAttribute('aria-pressed', String(sort !== undefined));
    const table = byId('call-table');
    table.hidden = sort === undefined;
    if (sort === undefined) return;
    fill(table, tableOf(model, { shown: shown.slice(0, MAX_ROWS), sort, selected }));
    if (shown.length > MAX_ROWS) table.append(html('p', {}, `The first ${MAX_ROWS} of ${shown.length} calls.`));
  };
};

const TITLES: Record<Column, string> = {
  time: 'At',
  name: 'Call',
  took: 'Took',
  size: 'Characters',
  state: 'State',
};

type Table = { shown: readonly CallRow[]; sort: Sort; selected: number | undefined };

const tableOf = (model: Model, { shown, sort, selected }: Table): HTMLElement => {
  const heads = COLUMNS.flatMap((column) => [
    headOf(column, sort),
    ...(column === 'name' ? [html('th', { scope: 'col' }, 'Arguments')] : []),
  ]);
  const rows = shown.map((row) => {
    const isSelected = row.marble === selected || model.partner[row.marble] === selected;
    const slow = row.took !== undefined && row.took >= model.slowMs ? 'slow' : undefined;
    return html(
      'tr',
      { class: row.state, 'aria-current': isSelected ? 'true' : undefined },
      html('td', { class: 'number' }, toMoment(row.time, model.story?.originMs)),
      html('td', {}, html('button', { type: 'button', 'data-call': row.marble }, row.name)),
      html('td', { class: 'arguments' }, argumentsOf(model, row.marble)),
      html('td', { class: `number ${slow ?? ''}` }, row.took === undefined ? '' : toTime(row.took)),
      html('td', { class: 'number' }, toShortCount(row.size)),
      html('td', { class: 'state' }, row.state),
    );
  });
  return html('table', {}, html('thead', {}, html('tr', {}, ...heads)), html('tbody', {}, ...rows));
};

const headOf = (column: Column, sort: Sort): HTMLElement => {
  const isSorted = sort.by === column;
  const arrow = isSorted ? (sort.order === 'ascending' ? ' ↑' : ' ↓') : '';
  return html(
    'th',
    { scope: 'col', 'aria-sort': isSorted ? sort.order : undefined },
    html('button', { type: 'button', 'data-sort': column }, `${TITLES[column]}${arrow}`),
  );
};
