import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { HostError } from '../../../src/protocol/methods/host';
import { libraryHere } from '../../../src/server/host/libraryHere';
import { tapesHere } from '../../../src/server/host/tapesHere';
import { openFolder, removeFolders } from '../../support/files';

afterEach(removeFolders);

const entry = (dir: string, message: object, t = 0): string =>
  `${JSON.stringify({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) })}\n`;
const call = (text: string, id = 1): string =>
  entry('in', { id, method: 'tools/call', params: { name: 'say', arguments: { text } } });
const META = `${JSON.stringify({ meta: { version: 1, recorder: 'spec' } })}\n`;

const offer = (folder: string | undefined, secrets: string[] = []) => {
  const { listTapes, readTape } = tapesHere({ folder, secrets });
  return { list: () => lastValueFrom(listTapes()), read: (name: string) => lastValueFrom(readTape(name)) };
};

describe('the tapes of a folder', () => {
  it('are listed, the newest first, and neither links, hidden files, folders nor other files', async () => {
    const folder = openFolder();
    const elsewhere = openFolder();
    writeFileSync(join(elsewhere, 'secret.jsonl'), META);
    symlinkSync(join(elsewhere, 'secret.jsonl'), join(folder, 'link.jsonl'));
    mkdirSync(join(folder, 'folder.jsonl'));
    for (const name of ['.hidden.jsonl', 'notes.txt']) writeFileSync(join(folder, name), META);
    expect([await offer(folder).list(), libraryHere(folder, folder).hasTapes()]).toEqual([[], false]);
    for (const [name, time] of [
      ['old.jsonl', 1],
      ['new.jsonl', 2],
    ] as const) {
      writeFileSync(join(folder, name), META);
      utimesSync(join(folder, name), time, time);
    }
    expect([await offer(folder).list(), libraryHere(folder, folder).hasTapes()]).toEqual([
      ['new.jsonl', 'old.jsonl'],
      true,
    ]);
    await expect(offer(folder).read('link.jsonl')).rejects.toThrow(HostError);
    await expect(offer(folder).read('../secret.jsonl')).rejects.toThrow(HostError);
  });

  it('are none without a folder, in one that is not there, and behind a link', async () => {
    const folder = openFolder();
    writeFileSync(join(folder, 'a.jsonl'), META);
    symlinkSync(folder, join(openFolder(), 'link'));
    const link = join(openFolder(), 'link');
    symlinkSync(folder, link);
    for (const none of [undefined, '/nowhere', link]) {
      expect(await offer(none).list()).toEqual([]);
      await expect(offer(none).read('a.jsonl')).rejects.toThrow(HostError);
    }
  });

  it('are read as text, without what is secret anywhere in them', async () => {
    const folder = openFolder();
    const key = `sk-${'a1B2c3D4'.repeat(5)}`;
    const result = entry('out', { id: 1, result: { content: [{ type: 'text', text: `known ${key} hidden-word` }] } });
    writeFileSync(join(folder, 'a.jsonl'), META + call('hello') + result + META + call('again'));
    const text = await offer(folder, ['hidden-word']).read('a.jsonl');
    expect(text).toMatch(
      /^> tools\/call say\n[\s\S]*"text": "hello"[\s\S]*< the response to tools\/call[\s\S]*"text": "again"/,
    );
    expect(text).not.toMatch(/a1B2c3D4|hidden-word/);
  });

  it('are read from their beginning only if they are long', async () => {
    const folder = openFolder();
    const many = Array.from({ length: 2_000 }, (_, i) => call(`number ${i}`, i)).join('');
    writeFileSync(join(folder, 'long.jsonl'), META + many);
    writeFileSync(join(folder, 'line.jsonl'), META + call('x'.repeat(600_000)) + call('after'));
    const [long, line] = [await offer(folder).read('long.jsonl'), await offer(folder).read('line.jsonl')];
    expect(long.length).toBeLessThan(200_200);
    expect(long).toMatch(/number 0[\s\S]*\n\[This is the beginning of the tape; codex-rx tapes show long\.jsonl/);
    expect(line).toMatch(/^\s*\[This is the beginning/);
  });
});
