/**
 * Loaded into a server (`--require`): at each SIGUSR2 it collects garbage and writes what is alive to the file LIVE_MEMORY names, in MiB:
 * `heap` with what objects hold outside of it, and `rss`.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const MIB = 1024 * 1024;

process.on('SIGUSR2', () => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external, rss } = process.memoryUsage();
  const file = process.env.LIVE_MEMORY;
  writeFileSync(`${file}.part`, JSON.stringify({ heap: (heapUsed + external) / MIB, rss: rss / MIB }));
  renameSync(`${file}.part`, file);
});
