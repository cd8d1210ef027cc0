/** The official scenarios of the protocol that apply to a server of these tools: those of tasks, and what needs no tools of its own. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, type Json, scripted } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { closePrograms, startProgram } from '../../support/servers/httpPrograms';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(120_000);

let bin: string;
let home: Home;
let url: string;

const shell = (...command: string[]) => ({ call: 'shell', args: { command } });
const runs = (when: string, ...items: object[]) => ({ when, answers: [{ items }, { items: [{ text: 'done' }] }] });
const fails = (when: string, fault: object) => ({ when, answers: [{ items: [{ delayMs: 1_000 }], fault }] });

/** The agent does what the tools of the scenarios do. */
const script = {
  scenes: [
    ...[0, 1, 2, 60].map((seconds) => runs(`^sleep ${seconds}$`, shell('sleep', `${seconds}`))),
    fails('^fail$', { error: 'the job failed' }),
    fails('^fail by the protocol$', { rpcError: { code: -32050, message: 'the job broke' } }),
    runs('^ask once$', shell('touch', 'one')),
    runs('^ask twice$', shell('touch', 'one'), shell('touch', 'two')),
    { when: '^greet slowly', answers: [{ items: [{ delayMs: 1_000 }, { text: '{{prompt}}' }] }] },
  ],
  otherwise: { items: [{ text: '{{prompt}}' }] },
};

beforeAll(async () => {
  bin = installed('conformance');
  home = openHome();
  home.write('.codex/prompts/review.md', '---\ndescription: Reviews\n---\nReview $1');
  home.write('.codex/prompts/test_prompt_with_arguments.md', '---\ndescription: Says\n---\nSay $ARG1'); // completion-complete asks for it
  const [program, args] = commandLine('mcp-server', '--task-after', '0', ...scripted(home, script));
  const fixture = [join(__dirname, 'scenarioServer.mjs'), home.work, program, ...args];
  url = await startProgram(home, process.execPath, fixture).found(/(http:\S+)/);
}, INSTALL_MS);
afterAll(async () => {
  closePrograms();
  await removeHomes();
});

const suite = (...args: string[]): Promise<string> =>
  new Promise((done) => {
    const program = join(bin, 'conformance');
    const options = { cwd: home.work, env: { ...home.env, NO_COLOR: '1' }, timeout: 90_000 };
    execFile(join(bin, 'node'), [program, ...args], options, (_, stdout, stderr) => done(stdout + stderr));
  });

/** The checks of a scenario by how they ended; a scenario that ends without results fails the spec. Scenarios of extensions have no revision. */
const play = async (scenario: string) => {
  const folder = join(home.path, scenario);
  const revision = scenario in TASKS ? [] : ['--spec-version', '2026-07-28'];
  const output = await suite('server', '--url', url, '--scenario', scenario, '-o', folder, ...revision);
  const [results] = readdirSync(folder);
  if (results === undefined) throw new Error(output);
  const checks: Json[] = JSON.parse(readFileSync(join(folder, results, 'checks.json'), 'utf8'));
  const of = (...statuses: string[]) => checks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
  return { passed: of('SUCCESS', 'INFO').length, failed: of('FAILURE', 'WARNING'), skipped: of('SKIPPED') };
};

const TASKS = {
  'tasks-lifecycle': { passed: 9, failed: [], skipped: [] },
  'tasks-capability-negotiation': { passed: 5, failed: [], skipped: [] },
  'tasks-wire-fields': { passed: 4, failed: [], skipped: [] },
  'tasks-request-state-removal': { passed: 3, failed: [], skipped: [] },
  'tasks-mrtr-input': { passed: 4, failed: [], skipped: [] },
  'tasks-request-headers': {
    passed: 3,
    // headers of HTTP, which this server does not speak: they would be checks of the fixture
    failed: ['tasks-headers-reject-mismatched-method', 'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get'],
    skipped: [],
  },
  'tasks-dispatch-and-envelope': { passed: 9, failed: [], skipped: [] },
  'tasks-status-notifications': { passed: 0, failed: [], skipped: ['tasks-status-notifications'] }, // not written yet
  'tasks-required-task-error': { passed: 3, failed: [], skipped: [] },
  'tasks-mrtr-composition': { passed: 2, failed: [], skipped: [] },
};

const OTHERS = {
  caching: { passed: 8, failed: [], skipped: [] },
  'completion-complete': { passed: 2, failed: [], skipped: [] },
  'prompts-list': { passed: 2, failed: [], skipped: [] },
  'resources-list': { passed: 2, failed: [], skipped: [] },
  'sep-2164-resource-not-found': { passed: 4, failed: [], skipped: [] },
  'tools-list': { passed: 4, failed: [], skipped: [] },
};

describe('the official scenarios', () => {
  it('of tasks are those that are played here', async () => {
    const names = (await suite('list')).match(/(?<=^ {2}- )tasks-\S+/gm);
    expect(names?.toSorted()).toEqual(Object.keys(TASKS).toSorted());
  });

  it.each(Object.entries({ ...TASKS, ...OTHERS }))('pass: %s', async (scenario, expected) => {
    expect(await play(scenario)).toEqual(expected);
  });
});
