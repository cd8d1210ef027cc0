/** What the recorder adds to a pipe: `cat` behind it beside `cat` alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { echoTimes, throughput } from '../pipes.mjs';
import { commandLine } from '../program.mjs';
import { median, quantile } from '../results.mjs';

const CAT = 'cat';
const WARM_UP = 200;
const SIZES = [200, 4096];

/** Measures one command and hands each figure with its key to `report`. */
const measure = async (command, scaled, report) => {
  const times = (await echoTimes(command, { count: WARM_UP + scaled(3000, 300), size: 200 })).slice(WARM_UP);
  report('record.p50', median(times));
  report('record.p99', quantile(times, 0.99));
  for (const size of SIZES) {
    report(`record.${size}`, await throughput(command, { bytes: scaled(60, 2) * 1e6, size }));
  }
};

export default {
  name: 'record',
  needs: [],
  rows: (scaled) => [
    {
      key: 'record.p50',
      label: 'a line of 200 bytes through record and back, median, ms',
      better: 'lower',
      beside: [CAT],
      targets: [{ atMost: 1 }],
    },
    { key: 'record.p99', label: 'the same, 99th percentile, ms', better: 'lower', beside: [CAT] },
    ...SIZES.map((size) => ({
      key: `record.${size}`,
      label: `${scaled(60, 2)} MB in lines of ${size} bytes through record, MB/s`,
      better: 'higher',
      beside: [CAT],
      targets: size === 4096 ? [{ atLeast: 150 }] : [],
    })),
  ],
  run: async ({ server, scaled, add, beside, note }) => {
    if (server.name !== 'codex-rx') return note('record.p50', 'records nothing');
    const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
    try {
      await measure(commandLine('record', '-q', '-o', path.join(folder, 'tape.jsonl'), '--', CAT), scaled, add);
      await measure([CAT], scaled, (key, value) => beside(key, CAT, value));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
