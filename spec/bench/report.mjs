/** Owns how results are shown: a table for people, Markdown, JSON. */
import { figure, judge, median } from './results.mjs';

const SUBJECT = 'codex-rx';

const medianOf = (results, key) => (name) => {
  const samples = results.samplesOf(key, name);
  return samples.length === 0 ? undefined : median(samples);
};

const verdicts = (row, results) => {
  const of = medianOf(results, row.key);
  return (row.targets ?? []).map((target) => judge(target, of(SUBJECT), of));
};

const serverLine = (row, name, results) => {
  const of = medianOf(results, row.key);
  const value = of(name);
  const samples = results.samplesOf(row.key, name);
  const range = samples.length > 1 ? `${figure(Math.min(...samples))} .. ${figure(Math.max(...samples))}` : '';
  const mine = of(SUBJECT);
  const ratio = name !== SUBJECT && mine && value ? `${figure(value / mine)} ×` : '';
  const notes = results.notesOf(row.key, name).join('; ');
  const columns = [name.padEnd(16), figure(value).padStart(11), ratio.padStart(9), range.padEnd(22), notes];
  return `  ${columns.join('  ')}`.trimEnd();
};

/** A block a row: medians, ratio to the daemon, range over the runs, notes; then its targets. */
export const toText = ({ rows, names, results, facts }) => {
  const blocks = rows.map((row) => {
    const extra = row.beside ?? [];
    const judged = verdicts(row, results).map(({ text, verdict }) => `  to reach ${text}: ${verdict}`);
    const lines = [...names, ...extra].map((name) => serverLine(row, name, results));
    return [`${row.label} [${row.better} is better]`, ...lines, ...judged].join('\n');
  });
  const head = Object.entries(facts).map(([key, value]) => `${key} ${value}`).join(', '); // biome-ignore format: one line
  const legend = `Columns: median, ratio to ${SUBJECT}, lowest .. highest.`;
  const wrong = results.troubles.map(({ key, name, text }) => `  ${name}, ${key}: ${text}`);
  const tail = wrong.length > 0 ? [`Went wrong:\n${wrong.join('\n')}`] : [];
  return [head, legend, ...blocks, ...tail].join('\n\n');
};

/** One line a row, one column a server. */
export const toMarkdown = ({ rows, names, results }) => {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => {
    const of = medianOf(results, row.key);
    const judged = verdicts(row, results).map(({ text, verdict }) => `${text}: ${verdict}`);
    const beside = (row.beside ?? []).map((name) => `${name}: ${figure(of(name))}`);
    const label = [row.label, ...beside].join('; ');
    return line([label, ...names.map((name) => figure(of(name))), judged.join('<br>')]);
  });
  const columns = ['metric', ...names, 'target'];
  return [line(columns), line(columns.map((_, at) => (at === 0 ? '---' : '---:'))), ...body, ''].join('\n');
};

/** Every sample. */
export const toJson = ({ rows, names, results, facts }) => {
  const ofRow = (row) => ({
    label: row.label,
    better: row.better,
    targets: verdicts(row, results),
    servers: Object.fromEntries(
      [...names, ...(row.beside ?? [])].map((name) => [
        name,
        { samples: results.samplesOf(row.key, name), notes: results.notesOf(row.key, name) },
      ]),
    ),
  });
  const measured = Object.fromEntries(rows.map((row) => [row.key, ofRow(row)]));
  return `${JSON.stringify({ ...facts, rows: measured, troubles: results.troubles }, null, 1)}\n`;
};
