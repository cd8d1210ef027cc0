/** The table of recorded scenarios in `docs/differences.md`, made from `docs/differences.json`: `node build/differences.mjs [--print]`. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

const PAGE = path.join(root, 'docs/differences.md');
const REASONS = path.join(root, 'docs/differences.json');

const TABLE = /(<!-- made by node build\/differences\.mjs -->\n)[\s\S]*?(<!-- end -->)/;

/** Scenarios by their reason, in the order in which reasons first appear; a reason is `CITATION, …: text`. */
const groupsOf = (reasons) =>
  Object.entries(reasons).reduce(
    (groups, [scenario, reason]) => groups.set(reason, [...(groups.get(reason) ?? []), scenario]),
    new Map(),
  );

const rowOf = ([reason, scenarios]) => {
  const [, cited, text] = /^(.+?): (.*)$/.exec(reason);
  return `| ${cited} | ${text} | ${scenarios.join(', ')} |`;
};

/** One row per reason, sorted by its citation. */
const toTable = (reasons) => {
  const rows = [...groupsOf(reasons)]
    .map(rowOf)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  return ['| cites | in codex-rx | scenarios |', '|---|---|---|', ...rows, ''].join('\n');
};

const table = toTable(JSON.parse(readFileSync(REASONS, 'utf8')));
const page = readFileSync(PAGE, 'utf8').replace(TABLE, (_, start, end) => `${start}\n${table}\n${end}`);
if (process.argv.includes('--print')) process.stdout.write(page);
else writeFileSync(PAGE, page);
