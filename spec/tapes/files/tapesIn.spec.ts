import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tapesIn, tapesOf } from '../../../src/tapes/files/tapesIn';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

describe('tapesIn', () => {
  it('is the file itself, or stdin', () => {
    expect(tapesIn('-')).toEqual({ kind: 'file', path: '-', name: '-' });
    expect(tapesIn('/no/such/tape.jsonl')).toEqual({ kind: 'file', path: '/no/such/tape.jsonl', name: 'tape.jsonl' });
  });

  it('lists the tapes below a folder by name, and follows no link', () => {
    const { path, write } = openHome();
    for (const name of ['b.jsonl', 'a/c.jsonl', 'a.masks.json', 'B.jsonl']) write(name, '');
    symlinkSync(join(path, 'b.jsonl'), join(path, 'link.jsonl'));
    const names = ['B.jsonl', 'a/c.jsonl', 'b.jsonl'];
    expect(tapesIn(path)).toEqual({
      kind: 'files',
      files: names.map((name) => ({ path: join(path, name), name })),
    });
  });

  it('rejects a folder without tapes', () => {
    const { work } = openHome();
    expect(() => tapesIn(work)).toThrow(/holds no tape: none of its files ends with \.jsonl$/);
  });
});

describe('tapesOf', () => {
  it('names the tapes of several paths as they are given', () => {
    const { path, write } = openHome();
    for (const name of ['a/c.jsonl', 'b.jsonl']) write(name, '');
    expect(tapesOf([join(path, 'b.jsonl'), join(path, 'a'), 'nats://me:secret@host/tape', '-'])).toEqual({
      kind: 'files',
      files: [
        { path: join(path, 'b.jsonl'), name: join(path, 'b.jsonl') },
        { path: join(path, 'a/c.jsonl'), name: join(path, 'a/c.jsonl') },
        { path: 'nats://me:secret@host/tape', name: 'nats://host/tape' },
        { path: '-', name: '-' },
      ],
    });
  });

  it('is that of a path where there is one', () => {
    expect(tapesOf(['x/tape.jsonl'])).toEqual(tapesIn('x/tape.jsonl'));
  });
});
