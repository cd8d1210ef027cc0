import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, NEVER, toArray } from 'rxjs';
import { startSearching } from '../../../src/cli/tapes/startSearching';
import { openHome, removeHomes } from '../../support/home';

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
