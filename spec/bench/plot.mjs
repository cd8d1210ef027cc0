/** A plot of results: `node spec/bench/plot.mjs results.json > plot.svg`. How many times as good as Codex 0.28.0 each median is, on a logarithmic axis. */
import { readFileSync } from 'node:fs';
import { median } from './results.mjs';

const THEIRS = 'codex-0.28.0';
const WIDTH = 890;
const NAMES = 330;
const ROW = 30;
const TOP = 54;
/** The axis: from a thirtieth as good to thirty times as good. */
const MOST = 30;
const SERVERS = { 'codex-rx': 'ours', floor: 'floor' };

const STYLE = `svg{--paper:#fff;--text:#1c2128;--quiet:#59626e;--rule:#dfe3e8;--ours:#0072b2;--floor:#b0568a}
@media(prefers-color-scheme:dark){svg{--paper:#0e1116;--text:#e6eaef;--quiet:#9aa4b1;--rule:#2b323c;--ours:#5cb4ea;--floor:#e29cc3}}
text{font:13px ui-sans-serif,system-ui,sans-serif;fill:var(--text)}.quiet{fill:var(--quiet);font-size:11.5px}.paper{fill:var(--paper)}
.rule{stroke:var(--rule)}.one{stroke:var(--quiet)}.ours{fill:var(--ours)}.floor{fill:var(--floor)}`;

const scale = (ratio) => {
  const at = Math.log(Math.min(MOST, Math.max(1 / MOST, ratio))) / Math.log(MOST);
  return NAMES + ((WIDTH - NAMES - 60) * (at + 1)) / 2;
};

const toLabel = (label) => label.split(/[,;] /)[0].replaceAll('&', '&amp;');

const medianOf = ({ servers }, name) => {
  const samples = servers[name]?.samples ?? [];
  return samples.length > 0 ? median(samples) : undefined;
};

/** More is better: a half of the time counts as 2. */
const ratioOf = (row, name) => {
  const [theirs, one] = [medianOf(row, THEIRS), medianOf(row, name)];
  if (theirs === undefined || one === undefined) return undefined;
  return row.better === 'lower' ? theirs / one : one / theirs;
};

const toMarks = (row, y) =>
  Object.entries(SERVERS).map(([name, style], at) => {
    const ratio = ratioOf(row, name);
    if (ratio === undefined) return '';
    const [from, to] = [scale(1), scale(ratio)];
    const text =
      name === 'codex-rx' ? `<text x="${WIDTH - 52}" y="${y + 12}">${ratio.toFixed(ratio < 1 ? 2 : 1)} ×</text>` : '';
    return `<rect class="${style}" x="${Math.min(from, to)}" y="${y + 9 * at}" width="${Math.abs(to - from)}" height="${at === 0 ? 10 : 4}"/>${text}`;
  });

const toTick = (bottom) => (ratio) => {
  const x = scale(ratio);
  const label = ratio < 1 ? `1/${Math.round(1 / ratio)}` : `${ratio} ×`;
  return `<path class="${ratio === 1 ? 'one' : 'rule'}" d="M${x} ${TOP - 8}V${bottom}"/><text class="quiet" x="${x}" y="${TOP - 14}" text-anchor="middle">${label}</text>`;
};

const toSvg = ({ rows }) => {
  const compared = Object.values(rows).filter(
    (row) => ratioOf(row, 'codex-rx') !== undefined && row.targets.length > 0,
  );
  const bottom = TOP + compared.length * ROW;
  const bars = compared.flatMap((row, at) => {
    const y = TOP + at * ROW;
    return [`<text x="${NAMES - 12}" y="${y + 12}" text-anchor="end">${toLabel(row.label)}</text>`, ...toMarks(row, y)];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 12}" role="img" aria-label="codex-rx beside Codex 0.28.0"><style>${STYLE}</style>`,
    '<rect class="paper" width="100%" height="100%"/><text class="quiet" x="12" y="20">Right of 1: better than Codex 0.28.0. Thick: codex-rx. Thin: the least that a Node process can do</text>',
    ...[1 / 30, 1 / 10, 1 / 3, 1, 3, 10, 30].map(toTick(bottom)),
    ...bars,
    '</svg>\n',
  ].join('\n');
};

process.stdout.write(toSvg(JSON.parse(readFileSync(process.argv[2], 'utf8'))));
