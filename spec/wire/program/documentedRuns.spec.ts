/** Each command of the pages that needs nothing but this machine is run as it stands there, and understood: it ends, and not as a wrong command line. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, from, mergeMap, toArray } from 'rxjs';
import { commandLine } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';

const ROOT = join(__dirname, '../../..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (/\.md$/.test(name) ? [`docs/${name}`] : [])),
];

/** What is not run here, each with the reason. */
const SKIPPED: [pattern: RegExp, reason: string][] = [
  [/nats:/, 'a NATS server of that name; spec/wire/nats runs such commands'],
  [
    /--http|--listen (?:ws|unix)|--follow|tapes?\/ --report junit -- |codex-rx (?:conform|fuzz) .*-- |--times/,
    'listens until a signal ends it, or starts many servers; spec/wire runs such commands',
  ],
  [/https?:\/\/|typescript-language-server/, 'a server, or a file, of somebody else'],
  [/codex-rx demo/, 'spec/wire/program/demo.spec.ts runs it'],
  [/mcp log(?:in|out)|acp --login|doctor|environment_id/, 'a browser, a server or an executor'],
  [/codex-rx rerun|codex-rx threads \w/, 'a tape of the daemon itself, or a stored thread'],
];

const isRun = (line: string): boolean => !SKIPPED.some(([pattern]) => pattern.test(line));

const linesOf = (page: string): string[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/\s#.*$/, '').trim())
    .filter((line) => /^codex-rx |\| codex-rx /.test(line));

const quoted = ([program, args]: [string, string[]]): string => [program, ...args].map((word) => `'${word}'`).join(' ');

/** A folder with the files that the pages name: a tape under several names, and commands in PATH. */
const openReader = () => {
  const home = openHome();
  const tape = join(ROOT, 'docs/examples/session.jsonl');
  for (const folder of ['tapes', 'older', 'bin', 'site']) mkdirSync(join(home.work, folder));
  const names = ['tape', 'a', 'b', 'c', 'monday', 'tuesday', 'tools', 'v1', 'v2', 'tapes/one', 'older/one'];
  const text = readFileSync(tape, 'utf8').replace(/"started":"[^T]*/, '"started":"2026-11-30'); // a day that the pages name
  for (const name of names) writeFileSync(join(home.work, `${name}.jsonl`), text);
  const scripts = {
    'codex-rx': `exec ${quoted(commandLine())} "$@"`,
    'my-server': `exec ${quoted(commandLine('replay', tape))}`,
    SERVER: `exec ${quoted(commandLine('replay', tape))}`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    const path = join(home.work, 'bin', name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
  }
  cpSync(join(ROOT, 'docs/examples/marble-specs/server.js'), join(home.work, 'server.js'));
  writeFileSync(join(home.work, 'package.json'), '{"type":"module"}');
  home.write('.codex/config.toml', '[profiles.careful]\n[profiles.fast]\n');
  return { cwd: home.work, env: { ...home.env, PATH: `${join(home.work, 'bin')}:${process.env.PATH}` } };
};

type Ended = { line: string; code: unknown; output: string };

const run = (line: string, reader: ReturnType<typeof openReader>): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile('sh', ['-c', line], { ...reader, timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ line, code: error?.code ?? error?.signal ?? 0, output: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });

const wrong = ({ code, output }: Ended): boolean => (code !== 0 && code !== 1) || /^ {4}at /m.test(output);

afterAll(removeHomes);

describe('the commands of the pages', () => {
  const lines = [...new Set(PAGES.flatMap(linesOf))];

  it('are run, if they need nothing else', async () => {
    const run$ = from(lines.filter(isRun)).pipe(
      mergeMap((line) => run(line, openReader()), 3),
      toArray(),
    );
    const ended = await firstValueFrom(run$);
    expect(ended.length).toBeGreaterThan(25);
    expect(ended.filter(wrong)).toEqual([]);
  }, 240_000);

  it('are left out for a reason that still holds', () => {
    const unused = SKIPPED.filter(([pattern]) => !lines.some((line) => pattern.test(line)));
    expect(unused.map(([, reason]) => reason)).toEqual([]);
  });
});
