import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, NEVER, of, throwError, toArray } from 'rxjs';
import { type PruneLimits, startPruning, startSearching } from '../../../src/cli/tapes/startPruning';
import { lockNamed } from '../../../src/io/disk/namedHere';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const TAPE = '{"meta":{"version":1}}\n{"t":0,"dir":"in","line":"{}"}\n';
const NOW = Date.parse('2026-11-30T12:00:00Z');
const DAY = 86_400_000;

/** A folder with files that are so many days old. */
const folderOf = (files: Record<string, [days: number, text: string]>) => {
  const folder = openHome().work;
  for (const [name, [days, text]] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), new Date(NOW), new Date(NOW - days * DAY));
  }
  return folder;
};

const prune = async (
  folder: string,
  limits: Partial<PruneLimits>,
  run: 'dry' | 'now' = 'now',
  consent = () => of<unknown>(true),
) => {
  const remarks: string[] = [];
  const deps = {
    stdin: process.stdin,
    nats: () => NEVER,
    remark: (text: string) => remarks.push(text),
    nowMs: NOW,
    consent,
  };
  const text = await lastValueFrom(startPruning(deps, { folder, limits: { keep: 0, ...limits }, run }));
  return { text, remarks, left: readdirSync(folder).sort() };
};

describe('tapes prune', () => {
  it('removes old tapes in all folders, and nothing that is no tape or a link', async () => {
    const folder = folderOf({
      'a.jsonl': [9, TAPE],
      'b.jsonl': [1, TAPE],
      'c/d.jsonl': [9, TAPE],
      'data.jsonl': [9, '{"a":1}\n'],
      'empty.jsonl': [9, ''],
      'notes.txt': [9, TAPE],
    });
    symlinkSync(join(folder, 'b.jsonl'), join(folder, 'link.jsonl'));
    symlinkSync('..', join(folder, 'up'));
    expect(await prune(folder, { maxAgeMs: 3 * DAY })).toEqual({
      text: 'removed 2 tapes, 108 bytes\n',
      remarks: [],
      left: ['b.jsonl', 'c', 'data.jsonl', 'empty.jsonl', 'link.jsonl', 'notes.txt', 'up'],
    });
    expect(readdirSync(join(folder, 'c'))).toEqual([]);
  });

  it('only lists them in a dry run, and removes nothing without a yes', async () => {
    const folder = folderOf({ 'a.jsonl': [9, TAPE], 'b.jsonl': [8, TAPE] });
    const { text, left } = await prune(folder, { maxCount: 1 }, 'dry');
    expect(text).toBe('    9 d           54  a.jsonl\nwould remove 1 tape of 2, 54 bytes\n');
    expect(left).toEqual(['a.jsonl', 'b.jsonl']);
    const declined = () => throwError(() => new Error('no'));
    await expect(prune(folder, { maxCount: 0 }, 'now', declined)).rejects.toThrow('no');
    expect(existsSync(join(folder, 'a.jsonl'))).toBe(true);
    expect((await prune(folder, { maxCount: 2 })).text).toBe('nothing to remove: 2 tapes within the limits\n');
  });

  it('leaves tapes that are being written', async () => {
    const folder = folderOf({ 'locked.jsonl': [9, TAPE], 'fresh.jsonl': [0, TAPE] });
    const release = lockNamed(join(folder, 'locked.jsonl'));
    const { remarks, left } = await prune(folder, { maxCount: 0 });
    if (typeof release === 'function') release();
    expect(remarks.sort()).toEqual([
      'fresh.jsonl is being written, so it stays',
      'locked.jsonl is being written, so it stays',
    ]);
    expect(left).toEqual(expect.arrayContaining(['fresh.jsonl', 'locked.jsonl']));
  });

  it('leaves a file that took the place of a tape while the person was asked', async () => {
    const folder = folderOf({ 'a.jsonl': [9, TAPE] });
    const replace = () => {
      writeFileSync(join(folder, 'a.jsonl'), 'precious');
      return of(true);
    };
    expect(await prune(folder, { maxCount: 0 }, 'now', replace)).toMatchObject({
      remarks: ['a.jsonl has changed since it was found, so it stays'],
      left: ['a.jsonl'],
    });
  });

  it('has a remedy for a folder that is not there', async () => {
    await expect(prune(join(openHome().work, 'none'), { maxCount: 0 })).rejects.toThrow(/none cannot be read: ENOENT/);
  });
});

afterEach(removeHomes);

const line = (id: number, text: string) =>
  `${JSON.stringify({ t: id, dir: 'out', line: JSON.stringify({ id, result: { text } }) })}\n`;
const META = '{"meta":{"started":"2026-11-30T12:00:00.000Z"}}\n';

const search = async (text: string, given: { most?: number; json?: boolean; file?: string } = {}) => {
  const folder = openHome().work;
  writeFileSync(join(folder, 'a.jsonl'), META + line(1, 'needle\u001b[2J') + line(2, 'hay'));
  writeFileSync(join(folder, 'b.jsonl'), 'no tape\n');
  writeFileSync(join(folder, 'c.jsonl'), META + line(3, 'hay') + line(4, 'a needle'));
  const remarks: string[] = [];
  const deps = { stdin: process.stdin, nats: () => NEVER, remark: (remark: string) => remarks.push(remark) };
  const found$ = startSearching(deps, join(folder, given.file ?? ''), { text, most: 100, json: false, ...given });
  return { lines: await lastValueFrom(found$.pipe(toArray())), remarks: remarks.map((one) => one.replace(folder, '')) };
};

describe('tapes search', () => {
  it('finds lines in all tapes of a folder, and remarks on files that are none', async () => {
    const { lines, remarks } = await search('needle');
    expect(lines).toEqual([
      'a.jsonl:2  2026-11-30T12:00:00  server  a line that is not a message  result.text: needle\\x1b[2J\n',
      'c.jsonl:3  2026-11-30T12:00:00  server  a line that is not a message  result.text: a needle\n',
    ]);
    expect(remarks).toEqual([
      expect.stringMatching(/^\/b\.jsonl:1: /),
      expect.stringMatching(/^\/b\.jsonl holds no tape/),
    ]);
  });

  it('stops at its limit, and remarks that there is more', async () => {
    const { lines, remarks } = await search('', { most: 1, json: true, file: 'a.jsonl' });
    expect(lines.map((one) => JSON.parse(one))).toMatchObject([{ tape: 'a.jsonl', lineNumber: 2 }]);
    expect(remarks).toEqual(['there are more than 1 lines; --limit finds more']);
  });

  it('finds nothing', async () => {
    expect((await search('thimble')).lines).toEqual([]);
  });
});
