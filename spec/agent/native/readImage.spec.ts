import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { readImage } from '../../../src/agent/native/readImage';

describe('readImage', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pictures-')));
  const at = (name: string) => join(root, name);
  const read = (name: string) => lastValueFrom(readImage({ secrets: () => [at('browser'), at('none')] })(at(name)));
  const secret = {
    kind: 'unreadable',
    reason: 'it is in a place of keys and passwords, or the permission profile denies it',
  };
  beforeAll(() => {
    for (const folder of ['browser', 'browser2']) {
      mkdirSync(at(folder));
      writeFileSync(at(`${folder}/p.gif`), 'GIF89a');
    }
    writeFileSync(at('text.gif'), 'no picture');
    symlinkSync('browser2/p.gif', at('link.gif'));
    symlinkSync('browser', at('folder'));
    symlinkSync('browser/p.gif', at('secret.gif'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('reads a picture, through a link too', async () => {
    const picture = { kind: 'image', url: 'data:image/gif;base64,R0lGODlh' };
    expect([await read('browser2/p.gif'), await read('link.gif')]).toEqual([picture, picture]);
  });

  it('reads none in a place of secrets, whatever leads there', async () => {
    const all = [await read('browser/p.gif'), await read('secret.gif'), await read('folder/p.gif')];
    expect(all).toEqual([secret, secret, secret]);
  });

  it('gives the reason why something is not read', async () => {
    expect([await read('text.gif'), await read('browser2')]).toEqual([
      { kind: 'unreadable', reason: 'it is not a PNG, JPEG, GIF or WebP picture' },
      { kind: 'unreadable', reason: 'it is not a file' },
    ]);
    expect(await read('nothing')).toMatchObject({ kind: 'unreadable' });
  });
});
