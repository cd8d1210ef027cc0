import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { firstValueFrom } from 'rxjs';
import { diagram, startDrawing } from '../../../src/cli/commands/diagram';
import { startFollowing } from '../../../src/cli/tapes/followTape';
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
    [['t', '--follow', '--from', '1'], '--follow shows each message as it comes, without --from'],
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

describe('startDrawing, of a part', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-rx-part-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'tape.jsonl');
  const calls = [1, 2, 3].map(
    (id) => lineOf(100 * id, 'in', { id, method: `m${id}` }) + lineOf(100 * id + 10, 'out', { id, result: {} }),
  );
  writeFileSync(path, `{"meta":{}}\n${calls.join('')}`);
  const drawn = async (begin: number, end: number) => {
    const deps = { stdin: new PassThrough(), remark: never, nats: never, template: '' };
    const drawing = { part: { begin, end }, taken: 'error', axis: 'ordinal', ...options } as const;
    const result = await firstValueFrom(startDrawing(deps, path, drawing));
    return result.kind === 'lines' ? result.lines.join('\n') : '';
  };

  it('draws what was sent in that time, its ends included', async () => {
    const names = (text: string) => [1, 2, 3].filter((id) => text.includes(`m${id}`));
    expect(names(await drawn(200, 300))).toEqual([2, 3]);
    expect(names(await drawn(0, 199))).toEqual([1]);
  });

  it('errors if nothing was sent in that time', async () => {
    await expect(drawn(400, 500)).rejects.toThrow(`${path}: nothing was sent between --from and --to`);
  });
});
