/** Draws the whole session in small: how many messages there were when, where errors are, which part is seen. */
import { MARKS } from '../data';
import type { Model } from '../model';
import type { State } from '../state';
import { byId, svg } from './dom';

const HEIGHT = 34;
const BAR = 3;

type Bars = { volume: string; bad: string; found: string };

const toBars = ({ marbles }: Model, { track, hits }: Pick<State, 'track' | 'hits'>, width: number): Bars => {
  const many = Math.max(1, Math.floor(width / BAR));
  const counts = new Float64Array(many);
  const bad = new Uint8Array(many);
  const found = new Uint8Array(many);
  const barOf = (rank: number): number => Math.min(many - 1, Math.floor(((track.xs[rank] ?? 0) / track.length) * many));
  track.shown.forEach((i, rank) => {
    const bar = barOf(rank);
    counts[bar] = (counts[bar] ?? 0) + (marbles.count[i] ?? 1);
    if (MARKS[marbles.mark[i] ?? 0] === 'error') bad[bar] = 1;
  });
  for (const hit of hits) found[barOf(track.rank[hit] ?? 0)] = 1;
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  const bars = Array.from(counts, (count, i) => {
    const height = count === 0 ? 0 : 3 + Math.sqrt(count / most) * (HEIGHT - 10);
    return height === 0 ? '' : `M${i * BAR} ${HEIGHT}v${-Math.round(height * 10) / 10}h${BAR - 1}V${HEIGHT}z`;
  });
  const flags = (set: Uint8Array, at: string) => Array.from(set, (on, i) => (on ? `M${i * BAR} ${at}z` : '')).join('');
  return {
    volume: bars.join(''),
    bad: flags(bad, `0h${BAR}v5h-${BAR}`),
    found: flags(found, `0h${BAR}v${HEIGHT}h-${BAR}`),
  };
};

/** What was drawn last. */
type Drawn = Pick<State, 'track' | 'hits'> & { width: number; bars: Bars };

/** Draws the states that it is given; makes the bars anew only when something else than the view has changed. */
export const openMinimap = (model: Model) => {
  let drawn: Drawn | undefined;
  return ({ track, view, hits }: State): void => {
    const map = byId<SVGSVGElement>('minimap');
    const width = map.clientWidth;
    const isSame = drawn?.track === track && drawn.hits === hits && drawn.width === width;
    const { bars } = drawn && isSame ? drawn : { bars: toBars(model, { track, hits }, width) };
    drawn = { track, hits, width, bars };
    const left = (view.start / track.length) * width;
    const size = Math.max(6, Math.min(1, view.span / track.length) * width);
    map.setAttribute('viewBox', `0 0 ${Math.max(1, width)} ${HEIGHT}`);
    map.replaceChildren(
      svg('path', { class: 'found', d: bars.found }),
      svg('path', { class: 'volume', d: bars.volume }),
      svg('path', { class: 'bad', d: bars.bad }),
      svg('rect', { class: 'seen', x: Math.min(left, width - size), y: 0.5, width: size, height: HEIGHT - 1, rx: 4 }),
    );
  };
};
