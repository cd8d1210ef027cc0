import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, lastValueFrom, tap } from 'rxjs';
import { listFolder, readSmallText } from '../../../src/app/codex/folders';

describe('the folders of this machine', () => {
  const root = mkdtempSync(join(tmpdir(), 'folders-'));
  beforeAll(() => {
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'f'), 'text');
    symlinkSync('f', join(root, 'l'));
    writeFileSync(join(root, 'd', 'big'), 'x'.repeat(1_048_577));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('are listed with what is in them, links as neither files nor folders', async () => {
    const entries = await firstValueFrom(listFolder(root));
    expect([...entries].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'd', kind: 'folder' },
      { name: 'f', kind: 'file' },
      { name: 'l', kind: 'other' },
    ]);
    expect(await firstValueFrom(listFolder(join(root, 'none')))).toEqual([]);
  });

  it('are listed in batches, between which others run, and no further when unsubscribed', async () => {
    const many = join(root, 'many');
    mkdirSync(many);
    for (let at = 0; at < 20; at++) writeFileSync(join(many, `${at}`), '');
    const seen: (number | 'other')[] = [];
    await lastValueFrom(
      listFolder(many).pipe(
        tap(({ length }) => {
          seen.push(length);
          setImmediate(() => seen.push('other'));
        }),
      ),
    );
    expect(seen).toEqual([8, 'other', 8, 'other', 4]);
    expect(await firstValueFrom(listFolder(many))).toHaveLength(8);
  });

  it('give the text of small files, and follow no link', () => {
    const read = (name: string) => readSmallText(join(root, name));
    expect([read('f'), read('l'), read('d'), read('none'), read('d/big')]).toEqual([
      'text',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
