import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { buildSync } from 'esbuild';

const root = resolve(__dirname, '../../..');

describe('createLog in a process', () => {
  let folder: string;
  let script: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
    script = join(folder, 'child.js');
    buildSync({
      entryPoints: [join(__dirname, 'child.ts')],
      bundle: true,
      platform: 'node',
      external: ['winston'],
      outfile: script,
      logLevel: 'error',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (stderr: 'pipe' | number, command = process.execPath, args = [script]) => {
    const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', stderr], env });
    const answer$ = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    const ask = async (records: number) => {
      child.stdin?.write(`${records}\n`);
      return JSON.parse((await answer$.next()).value as string);
    };
    return { child, ask };
  };

  const leave = async (child: ChildProcess) => {
    const exit = new Promise((done) => child.once('exit', (code, signal) => done(signal ?? code)));
    child.stdin?.end();
    return exit;
  };

  it('answers before it loads winston, and writes the record at once', async () => {
    const { child, ask } = start('pipe');
    expect(await ask(1)).toMatchObject({ winston: false });
    const seen = text(child.stderr as NodeJS.ReadableStream);
    expect(await leave(child)).toBe(0);
    expect(await seen).toMatch(/^\S+Z info a record i=0 text=x{4000} key="\[redacted\]"\n$/);
  });

  it('answers on, holds little and ends when nobody reads stderr', async () => {
    const { child, ask } = start('pipe');
    child.stderr?.pause();
    for (let i = 0; i < 20; i += 1) await ask(100);
    expect((await ask(0)).waiting).toBeLessThanOrEqual(256 * 1024);
    expect(await leave(child)).toBe(0);
  });

  it('reports how many were dropped once the reader reads', async () => {
    const { child, ask } = start('pipe');
    child.stderr?.pause();
    for (let i = 0; i < 20; i += 1) await ask(100);
    const lines = text(child.stderr as NodeJS.ReadableStream).then((all) => all.trimEnd().split('\n'));
    while ((await ask(0)).waiting > 0) {} // the process has written all that waited
    await ask(1);
    expect(await leave(child)).toBe(0);
    const seen = await lines;
    const counts = seen
      .flatMap((line) => /log records were dropped: .* count=(\d+)$/.exec(line)?.[1] ?? [])
      .map(Number);
    expect(seen.length - counts.length + counts.reduce((sum, count) => sum + count, 0)).toBe(2001);
    expect(counts.length).toBeGreaterThan(0);
  });

  it('answers on when the reader of stderr is gone', async () => {
    const { child, ask } = start('pipe');
    await ask(1);
    child.stderr?.destroy();
    for (let i = 0; i < 5; i += 1) expect(await ask(100)).toMatchObject({ answered: '100' });
    expect(await leave(child)).toBe(0);
  });

  it('answers on when stderr was closed from the start', async () => {
    const { child, ask } = start('pipe', 'sh', ['-c', `exec '${process.execPath}' '${script}' 2>&-`]);
    expect(await ask(100)).toMatchObject({ answered: '100' });
    expect(await leave(child)).toBe(0);
  });

  it('answers on when stderr cannot be written', async () => {
    const { child, ask } = start(openSync('/dev/null', 'r'));
    expect(await ask(100)).toMatchObject({ answered: '100' });
    expect(await ask(100)).toMatchObject({ answered: '100' });
    expect(await leave(child)).toBe(0);
  });
});
