/** Draws the whole session in miniature: a row per lane, errors and hits, and the part in view. */
import type { Model } from '../model';
import type { State } from '../state';
import { LEVELS, toOverview } from '../track';
import { byId, svg } from './dom';

/** Pixels: of the narrowest and the widest bar, of the flags of errors at the top, of a row, and of all rows. */
const BAR = { least: 3, most: 9 };
const FLAGS = 6;
const ROW = 5;
const ROWS = { least: 24, most: 60 };

type Drawn = Pick<State, 'track' | 'hits'> & { width: number; height: number; shapes: SVGElement[] };

/** Draws each state; redraws the rows only if more than the view has changed. */
export const openMinimap = (model: Model) => {
  let drawn: Drawn | undefined;
  return (state: State): void => {
    const { track, view, hits } = state;
    const map = byId<SVGSVGElement>('minimap');
    const width = map.clientWidth;
    const isSame = drawn?.track === track && drawn.hits === hits && drawn.width === width;
    drawn = drawn && isSame ? drawn : { track, hits, width, ...drawRows(model, state, width) };
    const { height, shapes } = drawn;
    const left = (view.start / track.length) * width;
    const size = Math.max(6, Math.min(1, view.span / track.length) * width);
    map.setAttribute('height', String(height));
    map.setAttribute('viewBox', `0 0 ${Math.max(1, width)} ${height}`);
    map.replaceChildren(
      ...shapes,
      svg('rect', { class: 'seen', x: Math.min(left, width - size), y: 0.5, width: size, height: height - 1, rx: 4 }),
    );
  };
};

const drawRows = (model: Model, state: State, width: number): Pick<Drawn, 'height' | 'shapes'> => {
  const bar = Math.min(BAR.most, Math.max(BAR.least, Math.floor(width / Math.max(1, state.track.shown.length))));
  const { levels, bad, found } = toOverview(model, state, Math.max(1, Math.floor(width / bar)));
  const height = FLAGS + Math.min(ROWS.most, Math.max(ROWS.least, levels.size * ROW)) + 2;
  const row = (height - FLAGS - 2) / Math.max(1, levels.size);
  const lanes = [...levels].map(([lane, own], at) =>
    svg('g', { class: model.lanes[lane]?.group }, ...pathsOf(own, { y: FLAGS + at * row, row, step: bar, bar })),
  );
  const flagsOf = (set: Uint8Array, flag: number): string =>
    rects(set, 1, { y: 0, row: flag + 1, step: bar, bar: bar + 1 });
  return {
    height,
    shapes: [
      svg('path', { class: 'found', d: flagsOf(found, height) }),
      ...lanes,
      svg('path', { class: 'bad', d: flagsOf(bad, FLAGS) }),
    ],
  };
};

/** Pixels: the top and the height of a row, the distance from bar to bar, the width of a bar. A pixel to the right and below stays free. */
type Size = { y: number; row: number; step: number; bar: number };

/** The bars of a lane: a path for each strength. */
const pathsOf = (own: Uint8Array, size: Size): SVGElement[] =>
  Array.from({ length: LEVELS }, (_, i) => svg('path', { class: `volume level${i + 1}`, d: rects(own, i + 1, size) }));

const rects = (values: Uint8Array, value: number, { y, row, step, bar }: Size): string =>
  Array.from(values, (one, at) =>
    one === value ? `M${at * step} ${round(y)}h${bar - 1}v${round(row - 1)}h${1 - bar}z` : '',
  ).join('');

const round = (px: number): number => Math.round(px * 10) / 10;
