import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tapesIn } from '../../../src/app/tape/tapesIn';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

describe('tapesIn', () => {
  it('is the file itself, or stdin', () => {
    expect(tapesIn('-')).toEqual({ kind: 'file', name: '-' });
    expect(tapesIn('/no/such/tape.jsonl')).toEqual({ kind: 'file', name: 'tape.jsonl' });
  });

  it('lists the tapes below a folder by name, and follows no link', () => {
    const { path, write } = openHome();
    for (const name of ['b.jsonl', 'a/c.jsonl', 'a.masks.json', 'B.jsonl']) write(name, '');
    symlinkSync(join(path, 'b.jsonl'), join(path, 'link.jsonl'));
    const names = ['B.jsonl', 'a/c.jsonl', 'b.jsonl'];
    expect(tapesIn(path)).toEqual({
      kind: 'folder',
      files: names.map((name) => ({ path: join(path, name), name })),
    });
  });

  it('rejects a folder without tapes', () => {
    const { work } = openHome();
    expect(() => tapesIn(work)).toThrow(/holds no tape: none of its files ends with \.jsonl$/);
  });
});
