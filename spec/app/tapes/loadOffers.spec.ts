import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { firstValueFrom, NEVER } from 'rxjs';
import { loadOffers } from '../../../src/app/tapes/loadOffers';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const tools = [{ name: 'a', inputSchema: {} }];
const tape = (result: object): string =>
  [
    { meta: { version: 1 } },
    { t: 0, dir: 'in', line: JSON.stringify({ id: 1, method: 'tools/list' }) },
    { t: 1, dir: 'out', line: JSON.stringify({ id: 1, result }) },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

/** The lists in a file with this text. */
const load = (text: string) => {
  const path = join(openHome().work, 'lists');
  writeFileSync(path, text);
  return firstValueFrom(loadOffers({ stdin: Readable.from([]), remark: () => {}, nats: () => NEVER }, path));
};

describe('loadOffers', () => {
  const expected = { tools: new Map([['a', tools[0]]]) };

  it.each([
    ['a tape', tape({ tools })],
    ['the last session of a tape that has a list', tape({ tools: [] }) + tape({ tools }) + tape({})],
    ['a JSON file', JSON.stringify({ tools }, null, 2)],
    ['a response in a JSON file', JSON.stringify({ id: 1, result: { tools } })],
  ])('reads %s', async (_, text) => {
    expect(await load(text)).toEqual(expected);
  });

  it('errors for a tape without a list', async () => {
    await expect(load(tape({}))).rejects.toThrow('holds no list of a server: record a session with tools/list');
  });
});
