/** Hostile tapes and servers against the commands that write for people: nothing in them commands a terminal. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../support/daemon/peer';
import { openHome, removeHomes } from '../support/home';
import { faultsOf, HOSTILE, HOSTILE_LINE } from '../support/hostile';

afterAll(removeHomes);

const message = (member: object): string => JSON.stringify({ jsonrpc: '2.0', ...member });
const info = { name: `${HOSTILE}n`, version: HOSTILE };

/** A tape whose every text is hostile. `answer` differs between two of them. */
const tapeOf = (answer: string): string => {
  const wire: [dir: string, line: string, more?: object][] = [
    ['in', message({ id: HOSTILE, method: 'initialize', params: { protocolVersion: HOSTILE, clientInfo: info } })],
    ['out', message({ id: HOSTILE, result: { protocolVersion: HOSTILE, serverInfo: info } })],
    ['in', message({ id: 1, method: 'tools/call', params: { name: HOSTILE, arguments: { threadId: `t${HOSTILE}` } } })],
    [
      'out',
      message({ method: 'codex/event', params: { _meta: { requestId: 1 }, msg: { type: HOSTILE, [HOSTILE]: 1 } } }),
    ],
    ['out', message({ method: `${HOSTILE}/x`, params: { [HOSTILE]: answer } })],
    ['out', message({ id: 'q', method: HOSTILE, params: { message: HOSTILE } })],
    ['in', message({ id: 'q', error: { code: 1, message: HOSTILE } })],
    ['out', message({ id: 1, result: { [HOSTILE]: answer, content: [{ type: 'text', text: HOSTILE }] } })],
    ['out', `no JSON ${HOSTILE_LINE} ${answer}`],
    ['in', HOSTILE_LINE],
    ['err', HOSTILE],
    ['note', HOSTILE],
    ['in', '{}', { seam: `s${HOSTILE}`, call: 1 }],
    ['note', HOSTILE, { seam: `s${HOSTILE}`, call: 1 }],
    ['exit', HOSTILE],
  ];
  const meta = { started: HOSTILE, server: HOSTILE, redacted: undefined, version: HOSTILE, codex: HOSTILE };
  const entries = wire.map(([dir, line, more], t) => ({ t: t * 300, dir, line, ...more }));
  return [{ meta }, ...entries].map((one) => JSON.stringify(one)).join('\n');
};

const { path: home } = openHome();
const [tape, other] = ['one', 'two'].map((name) => {
  const path = join(home, `${name}.jsonl`);
  writeFileSync(path, `${tapeOf(name)}\n{"t":1,"dir":${JSON.stringify(HOSTILE)},"line":3}\nno JSON ${HOSTILE_LINE}\n`);
  return path;
}) as [string, string];

/** A server that is hostile in its messages, its stderr and its end. */
const server = join(home, 'server.js');
writeFileSync(
  server,
  `const h = ${JSON.stringify(HOSTILE)};
  process.stderr.write(h + '\\n');
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    let id; try { id = JSON.parse(line).id } catch {}
    console.log(JSON.stringify({ jsonrpc: '2.0', method: h, params: { [h]: h } }));
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { serverInfo: { name: h, version: h }, [h]: h } }));
    console.log('no JSON ' + h.replaceAll('\\n', ''));
  }).on('close', () => process.exit(3));`,
);

/** A stored thread that is hostile wherever a list shows it. */
const thread = '01a204a1-0000-4000-8000-000000000000';
const codexHome = join(home, '.codex');
const day = join(codexHome, 'sessions', '2026', '11', '22');
mkdirSync(day, { recursive: true });
const [cwd, cli_version, source, model_provider] = Array(4).fill(HOSTILE);
const prompt = { type: 'message', role: 'user', content: [{ type: 'input_text', text: HOSTILE }] };
const rollout = [
  { type: 'session_meta', payload: { id: thread, cwd, cli_version, source, model_provider } },
  { type: 'response_item', payload: prompt },
  { type: 'event_msg', payload: { type: 'user_message', message: HOSTILE } },
].map((line) => JSON.stringify({ timestamp: '2026-11-22T10:00:00Z', ...line }));
const rolloutPath = join(day, `rollout-2026-11-22T10-00-00-${thread}.jsonl`);
writeFileSync(rolloutPath, `${rollout.join('\n')}\n`);

type Ran = { stdout: string; stderr: string };

const run = (args: readonly string[], input = ''): Ran => {
  const [program, argv] = commandLine(...args);
  const { stdout, stderr } = spawnSync(program, argv, {
    input,
    encoding: 'utf8',
    cwd: home,
    env: { ...process.env, HOME: home, CODEX_HOME: codexHome },
  });
  return { stdout, stderr };
};

describe('what a person reads of a hostile tape', () => {
  it.each<[string, string[]]>([
    ['diagram', ['diagram', tape]],
    ['diagram by the clock', ['diagram', tape, '--axis', 'linear']],
    ['diagram of no such session', ['diagram', tape, '--session', '9']],
    ['diagram into a file', ['diagram', tape, '-o', join(home, 'x.svg')]],
    ['stats', ['stats', tape]],
    ['stats --json', ['stats', tape, '--json']],
    ['diff', ['diff', tape, other]],
    ['diff --report json', ['diff', tape, other, '--report', 'json']],
    ['diff --report junit', ['diff', tape, other, '--report', 'junit']],
    ['replay as a client', ['replay', tape, '--timeout', '1', '--', process.execPath, server]],
    [
      'replay as a client, as JUnit',
      ['replay', tape, '--timeout', '1', '--report', 'junit', '--', process.execPath, server],
    ],
    ['replay as a client of itself', ['replay', tape, '--', ...commandLine('replay', other).flat()]],
    ['marbles', ['marbles', tape, '--against', 'tape']],
    ['redact', ['redact', tape]],
    ['threads export', ['threads', 'export', thread]],
    ['import', ['import', rolloutPath]],
    ['threads', ['threads', '--width', '300']],
    ['threads --json', ['threads', '--json']],
    ['threads show', ['threads', 'show', thread]],
    ['threads show --json', ['threads', 'show', thread, '--json']],
    ['marbles of no such thread', ['marbles', tape, '--thread', 'none']],
  ])('%s', (_, args) => {
    const { stdout, stderr } = run(args);
    expect(faultsOf(stdout)).toEqual([]);
    expect(faultsOf(stderr)).toEqual([]);
    expect(stdout + stderr).toMatch(/\\(x|u00)1b|session|x\.svg/);
  });

  it.each<[string, string[]]>([
    ['replay as a server', ['replay', tape]],
    ['replay --lenient', ['replay', tape, '--lenient']],
  ])('remarks of %s', (_, args) => {
    const asked = message({ id: 5, method: `un${HOSTILE}`, params: { name: HOSTILE } });
    const { stderr } = run(args, `${message({ id: 1, method: 'tools/call', params: { name: HOSTILE } })}\n${asked}\n`);
    expect(faultsOf(stderr)).toEqual([]);
  });

  it('remarks of redact, import and record, which passes on the stderr of its command as it is', () => {
    const record = ['record', '-o', join(home, 'new.jsonl'), '--', process.execPath, server];
    for (const args of [['redact', tape, '-o', join(home, 'redacted.jsonl')], ['import', tape], record]) {
      const { stderr } = run(args, `${message({ id: 1, method: HOSTILE })}\n`);
      const own = stderr.split('\n').filter((line) => line.startsWith('codex-rx'));
      expect(own.flatMap(faultsOf)).toEqual([]);
    }
  });
});
