import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createLog, type LogOptions } from '../../../src/io/log/createLog';
import { someTurns } from '../../support/turns';

const PATIENCE_MS = 50_000;

const now = () => Date.UTC(2026, 10, 20, 23, 1, 2, 345);
const TIME = '2026-11-20T23:01:02.345Z';

/** All that was written; from Node 26 on, `read()` gives one chunk at a time. */
const textIn = (stream: PassThrough): string => {
  const chunks: unknown[] = [];
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(chunk);
  return chunks.join('');
};

const started = (options: Partial<LogOptions> = {}) => {
  const stderr = Object.assign(new PassThrough(), { isTTY: false });
  const waits: (() => void)[] = [];
  const log = createLog({
    level: 'info',
    stderr,
    secrets: () => [],
    now,
    later: (run) => void waits.push(run),
    ...options,
  });
  const lines = async () => {
    await log.flush(PATIENCE_MS);
    return textIn(stderr)
      .split('\n')
      .filter((line) => line !== '');
  };
  return { log, lines, stderr, waits };
};

describe('createLog', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('writes a line a record to stderr, and nothing below the level', async () => {
    const { log, lines } = started();
    log('debug', 'unheard');
    log('warning', 'bad line', { bytes: 7, text: 'a b' });
    log('error', 'no fields');
    expect(await lines()).toEqual([`${TIME} warning bad line bytes=7 text="a b"`, `${TIME} error no fields`]);
  });

  it('hides secrets in message and fields', async () => {
    const { log, lines } = started({ secrets: () => ['hunter2hunter2'] });
    log('info', 'with hunter2hunter2', { header: { authorization: 'x' }, url: 'https://a/?k=hunter2hunter2' });
    expect(await lines()).toEqual([
      `${TIME} info with [redacted] header={"authorization":"[redacted]"} url="https://a/?k=[redacted]"`,
    ]);
  });

  it('colours the level on a terminal unless NO_COLOR is set', async () => {
    const painted = started({ stderr: Object.assign(new PassThrough(), { isTTY: true }) });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    const plain = createLog({ level: 'info', stderr, secrets: () => [], now, later: () => {}, env: { NO_COLOR: '1' } });
    painted.log('info', 'm');
    expect(await painted.lines()).toEqual([]);
    plain('info', 'm');
    await plain.flush(PATIENCE_MS);
    expect(textIn(stderr)).toBe(`${TIME} info m\n`);
  });

  it('never throws, whatever it is given', async () => {
    const { log, lines } = started();
    const circle: Record<string, unknown> = { big: 1n };
    circle.self = circle;
    log('info', 'odd', circle);
    log('info', undefined as unknown as string, null as unknown as undefined);
    expect(await lines()).toHaveLength(2);
  });

  it('reports its own failure once, in plain text', async () => {
    const { log, lines } = started({ now: () => Number.NaN });
    log('info', 'm');
    log('info', 'm');
    expect(await lines()).toEqual([expect.stringMatching(/^\S+Z error the log failed RangeError/)]);
  });

  it('drops what is beyond the rate, and reports how many', async () => {
    const { log, lines, waits } = started();
    for (let i = 0; i < 4000; i += 1) log('warning', 'bad line', { i });
    waits[0]?.();
    const seen = await lines();
    expect(seen).toHaveLength(201);
    expect(seen.at(-1)).toBe(`${TIME} warning log records were dropped: more than 200 a second count=3800`);
  });

  it('appends JSON lines to a file that only its owner may read', async () => {
    const file = join(folder, 'a', 'b', 'log.jsonl');
    const { log, lines } = started({ file });
    log('notice', 'first', { a: 1n });
    log('notice', 'second');
    expect(await lines()).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(
      `{"time":"${TIME}","level":"notice","message":"first","fields":{"a":"1"}}\n` +
        `{"time":"${TIME}","level":"notice","message":"second"}\n`,
    );
    expect([statSync(file).mode & 0o777, statSync(join(folder, 'a')).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('keeps what a file held and closes it to others', async () => {
    const file = join(folder, 'log.jsonl');
    writeFileSync(file, 'old\n');
    chmodSync(file, 0o644);
    const { log, lines } = started({ file });
    log('info', 'm');
    await lines();
    expect(readFileSync(file, 'utf8')).toMatch(/^old\n\{.*\}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('reports on stderr that a file is unusable, and goes on there', async () => {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const { log, lines } = started({ file: fifo });
    log('info', 'm');
    expect(await lines()).toEqual([
      expect.stringMatching(/ error the log file cannot be written; records go to stderr file=\S+ error=".*ENXIO/),
      `${TIME} info m`,
    ]);
  });

  it('goes on at stderr when the disk is full', async () => {
    const { log, lines, stderr } = started({ file: '/dev/full' });
    log('info', 'not taken');
    await log.flush(PATIENCE_MS);
    while (stderr.readableLength === 0) await someTurns(1);
    log('info', 'seen');
    expect(await lines()).toEqual([
      expect.stringContaining('ENOSPC'),
      expect.stringContaining('"message":"not taken"'),
      `${TIME} info seen`,
    ]);
  });
});
