import {
  type Action,
  frameMarbles,
  type Move,
  nextOf,
  openState,
  reduce,
  type State,
  search,
  selectMarble,
  stepFrom,
} from '../../../src/tapes/page/state';
import { modelOf } from './model';

/** A request, its response, two requests; the last belongs to thread two. */
const model = modelOf(
  [
    { lane: 0, thread: 0, text: '{"method":"Alpha"}' },
    { lane: 1, thread: 0, text: '{"result":"beta"}' },
    { lane: 0, thread: 1, text: '{"method":"alphabet"}' },
    { lane: 0, text: '{"method":"gamma"}' },
    { lane: 1, thread: 1, text: '{}' },
  ],
  [
    [0, 1, 0, 0],
    [2, 4, 0, 0],
  ],
);

const stateAfter = (...actions: Action[]): State => actions.reduce(reduce(model), openState(model, 800));
const selectedAfter = (...actions: Action[]): number | undefined => stateAfter(...actions).selected;
const step = (to: Extract<Action, { do: 'step' }>['to']): Action => ({ do: 'step', to });
const select = (marble: number): Action => ({ do: 'select', marble });

describe('openState', () => {
  it('hides and selects nothing, and shows the beginning at the size of letters', () => {
    const { track, ...state } = openState(modelOf(Array.from({ length: 100 }, () => ({}))), 852);
    expect([track.axis, track.shown.length]).toEqual(['ordinal', 100]);
    expect(state).toEqual({
      filter: { lanes: new Set(), threads: new Set() },
      view: { start: 0, span: 25, width: 852 },
      selected: undefined,
      open: false,
      query: '',
      hits: [],
      theme: 'system',
    });
  });
});

describe('reduce', () => {
  it('steps from marble to marble', () => {
    expect(selectedAfter(step('next'))).toBe(0);
    expect(selectedAfter(step('next'), step('next'))).toBe(1);
    expect(selectedAfter(select(1), step('previous'), step('previous'))).toBe(0);
    expect([selectedAfter(step('last')), selectedAfter(step('last'), step('first'))]).toEqual([4, 0]);
  });

  it('steps to the nearest on the lane above and below, and stays if there is none', () => {
    expect(selectedAfter(select(2), step('down'))).toBe(1);
    expect(selectedAfter(select(3), step('down'))).toBe(4);
    expect(selectedAfter(select(1), step('up'))).toBe(0);
    expect(selectedAfter(select(1), step('down'))).toBe(1);
  });

  it('opens the marble of a line of the file, also a hidden one; ignores a line that is not drawn', () => {
    expect(stateAfter({ do: 'line', number: 4 })).toMatchObject({ selected: 2, open: true });
    const hidden = stateAfter({ do: 'lane', index: 1 }, { do: 'line', number: 3 });
    expect(hidden).toMatchObject({ selected: 1, open: true });
    expect(hidden.filter.lanes.size).toBe(0);
    for (const number of [0, 1, 99]) expect(stateAfter({ do: 'line', number })).toMatchObject({ open: false });
  });

  it('shows and hides the table of calls, sorted by time first', () => {
    expect(stateAfter({ do: 'calls' }).sort).toEqual({ by: 'time', order: 'ascending' });
    expect(stateAfter({ do: 'calls' }, { do: 'sort', by: 'size' }).sort).toEqual({ by: 'size', order: 'descending' });
    expect(stateAfter({ do: 'calls' }, { do: 'calls' }).sort).toBeUndefined();
  });

  it('goes from a request to its response and back', () => {
    expect(selectedAfter(select(2), step('partner'))).toBe(4);
    expect(selectedAfter(select(2), step('partner'), step('partner'))).toBe(2);
    expect(selectedAfter(select(3), step('partner'))).toBe(3);
  });

  it('opens what is selected; closes it first, then selects nothing', () => {
    expect(stateAfter({ do: 'open' }).open).toBe(false);
    const open = [select(2), { do: 'open' }] as const;
    expect(stateAfter(...open).open).toBe(true);
    expect(stateAfter(...open, { do: 'close' })).toMatchObject({ open: false, selected: 2 });
    expect(stateAfter(...open, { do: 'close' }, { do: 'close' })).toMatchObject({ open: false, selected: undefined });
  });

  it('hides a lane, and what was selected on it', () => {
    const hidden = stateAfter(select(1), { do: 'open' }, { do: 'lane', index: 1 });
    expect([...hidden.track.shown]).toEqual([0, 2, 3]);
    expect(hidden).toMatchObject({ selected: undefined, open: false });
    expect([...stateAfter({ do: 'lane', index: 1 }, { do: 'lane', index: 1 }).track.shown]).toEqual([0, 1, 2, 3, 4]);
    expect(stateAfter({ do: 'lane', index: 1 }, select(1)).selected).toBe(undefined);
  });

  it('hides a thread, and marbles of none; shows all again', () => {
    expect([...stateAfter({ do: 'thread', index: 1 }).track.shown]).toEqual([0, 1, 3]);
    expect([...stateAfter({ do: 'thread', index: -1 }).track.shown]).toEqual([0, 1, 2, 4]);
    const none: Action[] = [0, 1, -1].map((index) => ({ do: 'thread', index }));
    expect(stateAfter(...none, step('next')).selected).toBe(undefined);
    expect([...stateAfter(...none, { do: 'all' }).track.shown]).toHaveLength(5);
  });

  it('goes from error to error that is shown, and opens each', () => {
    const failing = modelOf([{}, { mark: 1 }, { mark: 1, lane: 1 }, {}, { mark: 1 }]);
    const failingAfter = (...actions: Action[]) => actions.reduce(reduce(failing), openState(failing, 800));
    const next: Action = { do: 'error', by: 1 };
    expect(failingAfter(next)).toMatchObject({ selected: 1, open: true });
    expect([failingAfter(next, next).selected, failingAfter(next, { do: 'error', by: -1 }).selected]).toEqual([2, 4]);
    expect(failingAfter({ do: 'lane', index: 1 }, next, next).selected).toBe(4);
    expect(stateAfter(next)).toEqual(stateAfter());
  });

  it('finds text of any case, and goes from hit to hit in a circle', () => {
    const search: Action = { do: 'search', query: 'alpha' };
    expect(stateAfter(search).hits).toEqual([0, 2]);
    const hit: Action = { do: 'hit', by: 1 };
    expect([selectedAfter(search, hit), selectedAfter(search, hit, hit)]).toEqual([0, 2]);
    expect(selectedAfter(search, hit, hit, hit)).toBe(0);
    expect(selectedAfter(search, { do: 'hit', by: -1 })).toBe(2);
    expect(stateAfter(search, { do: 'lane', index: 0 }).hits).toEqual([]);
    expect(stateAfter(search, { do: 'search', query: '' }).hits).toEqual([]);
    expect(stateAfter({ do: 'search', query: 'PONG' }).hits).toEqual([1, 4]);
    expect(selectedAfter({ do: 'search', query: 'nowhere' }, hit)).toBe(undefined);
  });

  it('changes the axis and keeps what is selected in sight', () => {
    const clock = stateAfter(select(4), { do: 'axis' });
    expect(clock).toMatchObject({ track: { axis: 'linear' }, selected: 4, view: { start: 0, span: 40 } });
    expect(reduce(model)(clock, { do: 'axis' })).toMatchObject({ track: { axis: 'ordinal' }, selected: 4 });
  });

  it('shows a cluster larger, and opens it if it cannot be larger', () => {
    const clock = stateAfter({ do: 'axis' });
    const closer = reduce(model)(clock, { do: 'frame', first: 1, last: 2 });
    expect(closer).toMatchObject({ selected: 1, open: false, view: { start: 8.75, span: 12.5 } });
    const frame: Action = { do: 'frame', first: 1, last: 2 };
    expect(stateAfter(frame, frame)).toMatchObject({ selected: 1, open: true });
  });

  it('zooms, moves, shows all, goes to the place clicked in the minimap', () => {
    const long = modelOf(Array.from({ length: 500 }, () => ({})));
    const act = (...actions: Action[]) => actions.reduce(reduce(long), openState(long, 852)).view;
    expect(act({ do: 'zoom', by: 2, px: 26 })).toEqual({ start: 0, span: 12.5, width: 852 });
    expect(act({ do: 'pan', px: 800 }).start).toBeCloseTo(25);
    expect(act({ do: 'fit' }).span).toBe(500);
    expect(act({ do: 'centre', part: 0.5 }).start).toBeCloseTo(237.5);
    expect(act({ do: 'resize', width: 426 })).toEqual({ start: 0, span: 12.5, width: 426 });
  });

  it('keeps what is selected in sight when the window becomes narrower', () => {
    const long = modelOf(Array.from({ length: 500 }, () => ({})));
    const act = (...actions: Action[]) => actions.reduce(reduce(long), openState(long, 852)).view;
    const narrow: Action = { do: 'resize', width: 252 };
    const span = (25 * 252) / 852;
    expect(act(select(20), narrow)).toEqual({ start: 20.5 - span / 2, span, width: 252 });
    expect(act(narrow)).toEqual({ start: 0, span, width: 252 });
  });

  it('takes the theme that is chosen', () => {
    expect(stateAfter({ do: 'theme', theme: 'dark' }).theme).toBe('dark');
  });
});

describe('search', () => {
  const model = modelOf([{ text: 'Alpha' }, { lane: 1, text: 'beta' }, { text: 'gamma' }]);
  const all = Int32Array.from([0, 1, 2]);

  it.each([
    ['alpha', [0]],
    ['A', [0, 1, 2]],
    ['pong', [1]],
    ['delta', []],
    ['', []],
  ])('finds %j in names and lines, whatever its case', (query, hits) => {
    expect(search(model, all, query)).toEqual(hits);
  });

  it('finds only marbles that are shown', () => {
    expect(search(model, Int32Array.from([2]), 'a')).toEqual([2]);
  });
});

describe('selectMarble', () => {
  const model = modelOf(
    Array.from({ length: 100 }, (_, i) => ({ lane: i % 2 })),
    [[0, 3, 0, 0]],
  );

  const state = openState(model, 852);

  describe('selectMarble', () => {
    it('moves the view only for a marble that is not in sight', () => {
      expect(selectMarble(state, 2)).toEqual({ ...state, selected: 2 });
      expect(selectMarble(state, 80).view.start).toBeGreaterThan(60);
    });

    it('leaves the state as it is if there is no such marble', () => {
      expect(selectMarble(state, undefined)).toBe(state);
      expect(selectMarble(state, 100)).toBe(state);
    });
  });

  describe('stepFrom', () => {
    it.each<[Move, number | undefined, number | undefined]>([
      ['next', undefined, 0],
      ['next', 99, undefined],
      ['previous', 5, 4],
      ['first', 5, 0],
      ['last', 5, 99],
      ['down', 4, 3],
      ['up', 5, 4],
      ['up', 4, undefined],
      ['partner', 0, 3],
      ['partner', 3, 0],
    ])('goes %s from %s to %s', (to, selected, marble) => {
      expect(stepFrom(model, { ...state, selected }, to)).toBe(marble);
    });
  });

  describe('nextOf', () => {
    it.each([
      [1, [undefined, 3, 7], [3, 7, 3]],
      [-1, [undefined, 5, 3], [7, 3, 7]],
    ] as const)('goes by %i in a circle', (by, selected, expected) => {
      expect(selected.map((one) => nextOf([3, 7], one, by))).toEqual(expected);
      expect(nextOf([], 3, by)).toBeUndefined();
    });
  });

  describe('frameMarbles', () => {
    it('shows a cluster larger; opens its first marble if it cannot be larger', () => {
      const framed = frameMarbles(state, { first: 4, last: 6 });
      expect(framed).toMatchObject({ selected: 4, open: false });
      expect(framed.view.span).toBeLessThan(state.view.span);
      expect(frameMarbles(framed, { first: 4, last: 6 })).toMatchObject({ selected: 4, open: true });
    });
  });
});
