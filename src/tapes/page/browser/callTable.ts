/** Draws the table of calls below the picture. */
import { argumentsOf, type CallRow, COLUMNS, type Column, type Sort, sortCalls, toCalls } from '../calls';
import { toMoment, toShortCount, toTime } from '../labels';
import type { Model } from '../model';
import type { State } from '../state';
import { byId, fill, html } from './dom';

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
