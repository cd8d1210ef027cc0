/** Owns the command line of the bench. */
import { parseArgs } from 'node:util';
import { metricNames } from './metrics/index.mjs';

const HELP = `Measures codex-rx beside other servers, in one run, under the same mock model.

  npm run bench -- [options] [NAME='COMMAND ARGS' ...]

Every metric runs the servers in turn (A B C A B C ...), each time in a fresh process with an empty HOME.
What counts is the ratio of medians; absolute figures belong to the machine. Run it on a quiet machine.

  --runs N         runs of every metric and server (5)
  --scale F        size of the loads, 1 = as documented; 0.05 is a smoke run (1)
  --only A,B       only these metrics: ${metricNames.join(', ')}
  --servers A,B    only these servers
  --checkout       measure the built checkout; without it, the package is packed and installed first, as a user has it
  --peers DIR      a folder with real codex packages: DIR/node_modules/@openai/codex or DIR/*/node_modules/@openai/codex
  --json FILE      every sample, with facts about the machine
  --md FILE        the table of results as Markdown
  --help

Real codex binaries are also found through CODEX_0_28 and CODEX_0_142: the path of each binary.
To get one:  npm install --prefix /tmp/codex-0.28 @openai/codex@0.28.0
Any other stdio MCP server joins as NAME='COMMAND ARGS'.

Examples
  npm run bench -- --runs 1 --scale 0.05                   a look, about a minute
  npm run bench -- --only pings,list --servers codex-rx,floor
  npm run bench -- --peers /tmp/codex-0.28 --json results.json --md results.md

Exit code: 0 when all ran, 1 when a server crashed, hung or lost something, 2 for wrong usage.
A target not reached is reported, not failed: figures depend on the machine.`;

const usage = (message) => {
  process.stderr.write(`${message}\nTry: npm run bench -- --help\n`);
  process.exit(2);
};

const positive = (name, text) => {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : usage(`--${name} must be a number above 0, not '${text}'`);
};

const listed = (text, known, what) => {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !known.includes(name));
  return wrong === undefined ? names : usage(`unknown ${what} '${wrong}'; known: ${known.join(', ')}`);
};

/** NAME='COMMAND ARGS' to { name, command }. */
const named = (text) => {
  const [, name, command] = /^([^=\s]+)=(.+)$/s.exec(text) ?? usage(`expected NAME='COMMAND ARGS', not '${text}'`);
  return { name, command };
};

const text = { type: 'string' };

/** Reads argv; ends the process with usage or help if it must. */
export const readOptions = (argv) => {
  let parsed;
  try {
    parsed = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        runs: text,
        scale: text,
        only: text,
        servers: text,
        peers: text,
        json: text,
        md: text, // biome-ignore format: one list
        checkout: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return usage(error.message);
  }
  const { values, positionals } = parsed;
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    process.exit(0);
  }
  return {
    runs: Math.ceil(positive('runs', values.runs ?? '5')),
    scale: positive('scale', values.scale ?? '1'),
    only: values.only === undefined ? metricNames : listed(values.only, metricNames, 'metric'),
    servers: values.servers?.split(','),
    checkout: values.checkout ?? false,
    peers: values.peers,
    json: values.json,
    md: values.md,
    others: positionals.map(named),
  };
};
