/** Owns the run: metrics one after another, and for each the servers in turn, each time in a fresh process. `--help` explains. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openHomes } from './homes.mjs';
import { learn } from './learn.mjs';
import { metrics } from './metrics/index.mjs';
import { startMockModel } from './mockModel.mjs';
import { readOptions } from './options.mjs';
import { load, machine } from './processes.mjs';
import { installPackage } from './program.mjs';
import { toJson, toMarkdown, toText } from './report.mjs';
import { collectResults } from './results.mjs';
import { findServers } from './servers.mjs';
import { useServer } from './useServer.mjs';

const options = readOptions(process.argv.slice(2));
const say = (text) => process.stderr.write(`${text}\n`);

const started = load();
if (started > 0.5) say(`load average ${started}: figures taken on a busy machine mean little`);

const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

if (!options.checkout) {
  say('packing and installing the package');
  installPackage(folder);
}
const model = await startMockModel();
const homes = openHomes(folder, model.url);
const results = collectResults();
const servers = [];
for (const found of findServers(options, process.env)) {
  say(`looking at ${found.name}`);
  const server = await learn(found, { homes, folder, tools: servers.find(({ can }) => can.codex)?.toolsFile });
  if (server.problem) results.trouble('start', server.name, server.problem);
  else servers.push(server);
}

const chosen = metrics.filter(({ name }) => options.only.includes(name));
const scaled = (full, least) => Math.max(least, Math.round(full * options.scale));

const measure = async (metric, server) => {
  const row = metric.rows(scaled)[0].key;
  const record = {
    add: (key, value) => results.add(key, server.name, value),
    note: (key, text) => results.note(key, server.name, text),
    trouble: (key, text) => results.trouble(key, server.name, text),
    beside: (key, name, value) => results.add(key, name, value),
  };
  const lacks = metric.needs.find((ability) => !server.can[ability]);
  if (lacks) return record.note(row, `no ${lacks}`);
  try {
    await metric.run({ server, scaled, model, ...record, use: useServer({ server, homes, model, note: record.note }) });
  } catch (error) {
    record.trouble(row, error.message);
  }
};

for (const metric of chosen) {
  for (let run = 1; run <= options.runs; run += 1) {
    for (const server of servers) {
      say(`${metric.name} ${run}/${options.runs} ${server.name}`);
      await measure(metric, server);
    }
  }
}

await model.stop();
const facts = { ...machine(), runs: options.runs, scale: options.scale, loadBefore: started, loadAfter: load() };
const rows = chosen.flatMap(({ rows }) => rows(scaled));
const shown = { rows, names: servers.map(({ name }) => name), results, facts };
process.stdout.write(`${toText(shown)}\n`);
if (options.json) writeFileSync(options.json, toJson(shown));
if (options.md) writeFileSync(options.md, toMarkdown(shown));
process.exit(results.troubles.length > 0 ? 1 : 0);
