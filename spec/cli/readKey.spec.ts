import { Readable } from 'node:stream';
import { firstValueFrom } from 'rxjs';
import { readKey } from '../../src/cli/commands/login';

const read = (...parts: string[]) => firstValueFrom(readKey(Readable.from(parts.map((part) => Buffer.from(part)))));

describe('readKey', () => {
  it('reads a key in any number of parts', async () => {
    expect(await read(' sk-', 'test\n')).toBe('sk-test');
  });

  it.each([
    ['no key', []],
    ['white space', [' \n']],
  ])('names what is missing at %s', async (_, parts) => {
    await expect(read(...parts)).rejects.toThrow('there is no key on standard input');
  });

  it('refuses more than a key, and does not repeat it', async () => {
    await expect(read('sk-1\nsk-2\n')).rejects.toThrow(/^standard input holds more than a key; send the key alone$/);
  });
});
