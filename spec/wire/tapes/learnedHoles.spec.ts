/** The real program writes a spec from recordings of a real server, and jest runs it against that server. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const ROOT = resolve(__dirname, '../../..');

/** The server makes up an id and a time for each note. With `lossy` it forgets the title. */
const SERVER = `
const notes = new Map();
const lossy = process.argv[2] === 'lossy';
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params: { name, arguments: given } } = JSON.parse(line);
  const made = () => ({ noteId: require('node:crypto').randomUUID(), madeAt: new Date().toISOString(), title: given.title });
  const note = name === 'make' ? made() : { ...notes.get(given.noteId), ...(lossy && { title: '' }) };
  notes.set(note.noteId, note);
  const text = JSON.stringify(note);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], structuredContent: note } }));
});
`;

/** The client makes a note, then reads it by the id that it got, through the program that records. */
const CLIENT = `
const [program, ...args] = process.argv.slice(2);
const child = require('node:child_process').spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const call = (id, name, given) =>
  child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }) + '\\n');
require('node:readline').createInterface({ input: child.stdout }).on('line', (line) => {
  const { id, result } = JSON.parse(line);
  if (id === 0) call(1, 'read', { noteId: result.structuredContent.noteId });
  else child.stdin.end();
});
call(0, 'make', { title: 'Milk' });
`;

const run = ({ env, work }: Home, program: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { env, cwd: work, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
};

const codexRx = (home: Home, ...args: string[]) => run(home, ...commandLine(...args));

const recorded = () => {
  const home = openHome();
  const server = [process.execPath, home.write('work/server.cjs', SERVER)];
  const client = home.write('work/client.cjs', CLIENT);
  for (const tape of ['a.jsonl', 'b.jsonl']) {
    const [program, args] = commandLine('record', '-q', '-o', tape, '--', ...server);
    expect(run(home, process.execPath, [client, program, ...args])).toEqual({ status: 0, output: '' });
  }
  mkdirSync(join(home.work, 'node_modules'));
  symlinkSync(ROOT, join(home.work, 'node_modules/codex-rx'));
  home.write('work/jest.config.json', '{ "testRegex": "[.]test[.]cjs$" }');
  const test = (name: string) =>
    run(home, process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), '-c', 'jest.config.json', '-i', name]);
  return { home, server, test };
};

describe('codex-rx marbles with several recordings', () => {
  it('writes a spec that passes on the server of each, and fails if another value changes', () => {
    const { home, server, test } = recorded();
    const write = (out: string, ...args: string[]) =>
      codexRx(home, 'marbles', 'a.jsonl', 'b.jsonl', '--runner', 'jest', '-o', out, ...args).status;
    expect(write('well.test.cjs', '--', ...server)).toBe(0);
    expect(write('lossy.test.cjs', '--', ...server, 'lossy')).toBe(0);
    const text = readFileSync(join(home.work, 'well.test.cjs'), 'utf8');
    expect(text).toContain("r: request('tools/call', { name: 'read', arguments: { noteId: '<string $noteId>' } }),");
    expect(text).not.toMatch(/<(?:uuid|time)/);

    expect(test('well')).toMatchObject({ status: 0 });
    const { status, output } = test('lossy');
    expect(status).toBe(1);
    expect(output).toContain('message.result.structuredContent.title: expected "Milk", actual ""');
  });

  it('reports recordings of different behaviour with exit code 2', () => {
    const { home } = recorded();
    const tape = readFileSync(join(home.work, 'b.jsonl'), 'utf8');
    home.write('work/c.jsonl', tape.replaceAll('"name\\":\\"read', '"name\\":\\"find'));
    const { status, output } = codexRx(home, 'marbles', 'a.jsonl', 'c.jsonl');
    expect(status).toBe(2);
    expect(output).toMatch(
      /a\.jsonl:\d+ is tools\/call read of the client; c\.jsonl:\d+ is tools\/call find of the client/,
    );
  });
});
