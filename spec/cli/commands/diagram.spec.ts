import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { firstValueFrom } from 'rxjs';
import { diagram, startFollowing } from '../../../src/cli/commands/diagram';
import { noColours } from '../../../src/io/terminal/paint';
import { givenBy, problemBy } from '../reading';

const lineOf = (t: number, dir: string, message: object) =>
  `${JSON.stringify({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) })}\n`;

const never = () => {
  throw new Error('no tape on NATS is opened');
};

const options = { paint: noColours, width: 80 };

/** Resolves when what was written has been read. */
const settled = () => new Promise((done) => setImmediate(done));

describe('diagram', () => {
  it.each(['x.svg', 'a/b.html'])('draws into %s', (out) => {
    expect(givenBy(diagram, 't', '-o', out, '-w', '100')).toMatchObject({ file: 't', out, width: 100 });
  });

  it.each([
    [['t', '--width', '29'], '--width must be a number from 30'],
    [['t', '-o', 'tape.jsonl'], '--out must be a file that ends with .svg or .html'],
    [['t', '-o', '.svg'], '--out must be a file that ends with .svg or .html'],
    [['t', 'u', '--session', '2'], '--session goes with one tape'],
    [['t', '--since', '8h', '--follow'], '--follow shows one tape'],
    [['t', '--since', '8h', '--day', '2026-11-30'], 'Give --day or --since, not both'],
    [['t', '--day', '8h'], '--day 8h is no day; write it as 2026-11-30'],
    [['t', '--axis', 'y'], /^--axis must be .*; it is y$/],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(diagram, ...argv)).toMatch(problem);
  });
});

describe('startFollowing, of stdin', () => {
  it('emits a line for each message as it comes, and completes with stdin', async () => {
    const stdin = new PassThrough();
    const lines: string[] = [];
    let ends = 0;
    startFollowing({ stdin, remark: never, nats: never }, '-', options).subscribe({
      next: (line) => lines.push(line),
      complete: () => {
        ends += 1;
      },
    });
    stdin.write('{"meta":{}}\n');
    stdin.write(lineOf(0, 'in', { id: 1, method: 'ping' }));
    await settled();
    expect([lines.length, ends]).toEqual([1, 0]);
    expect(lines[0]).toMatch(/ping/);
    stdin.end(lineOf(7, 'out', { id: 1, result: {} }));
    await settled();
    await settled();
    expect([lines.length, ends]).toEqual([2, 1]);
  });
});

describe('startFollowing, of a file that is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-rx-follow-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const deps = (remarks: string[]) => ({
    stdin: new PassThrough(),
    remark: (text: string) => remarks.push(text),
    nats: never,
  });

  it('remarks that it waits, and draws it once it is recorded', async () => {
    const path = join(folder, 'tape.jsonl');
    const remarks: string[] = [];
    const line = firstValueFrom(startFollowing(deps(remarks), path, options));
    expect(remarks).toEqual([`${path} is not there yet; it is drawn as soon as it is recorded`]);
    writeFileSync(path, `{"meta":{}}\n${lineOf(0, 'in', { id: 1, method: 'ping' })}`);
    expect(await line).toMatch(/ping/);
  });

  it('errors if its folder is not there', async () => {
    const path = join(folder, 'none', 'tape.jsonl');
    await expect(firstValueFrom(startFollowing(deps([]), path, options))).rejects.toThrow(
      `${path} cannot be followed: there is no folder ${join(folder, 'none')}`,
    );
  });
});
