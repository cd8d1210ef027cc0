import fc from 'fast-check';
import { type Journal, readJournal, toEntry } from '../../../src/executor/applying/journal';
import type { FilePlan } from '../../../src/executor/patch/plan';

const state = (text: string) => ({ bytes: Buffer.from(text), mode: 'default' as const, access: 'writable' as const });
const digest = (bytes: Uint8Array) => `#${Buffer.from(bytes)}`;
const entryOf = (own: Partial<FilePlan>) =>
  toEntry('id', digest, { plan: { path: 'b', real: '/w/a/b', ...own } as FilePlan, index: 3 });

const entry = {
  folder: '/w/a',
  name: 'b',
  staged: '.codex-rx-id-3.new',
  kept: '.codex-rx-id-3.old',
  oldDigest: '#x',
  newDigest: null,
};
const journal: Journal = { version: 1, id: 'id', host: 'h', pid: 7, start: '1', folders: ['/w/a'], entries: [entry] };

describe('toEntry', () => {
  it('has the digest of what is there, and names next to the file', () => {
    expect([entryOf({ before: state('x') }), entryOf({ after: state('y') })]).toEqual([
      entry,
      { ...entry, oldDigest: null, newDigest: '#y' },
    ]);
  });
});

describe('readJournal', () => {
  it('reads what was written', () => {
    expect(readJournal(JSON.stringify(journal))).toEqual(journal);
    expect(readJournal(JSON.stringify({ ...journal, folders: [], entries: [] }))).toMatchObject({ entries: [] });
  });

  it.each<[string, object | string]>([
    ['no JSON', '{'],
    ['another version', { ...journal, version: 2 }],
    ['no id', { ...journal, id: 7 }],
    ['no host', { ...journal, host: undefined }],
    ['half a pid', { ...journal, pid: 1.5 }],
    ['a folder that is no text', { ...journal, folders: [7] }],
    ['no entries', { ...journal, entries: {} }],
    ['an entry without a name', { ...journal, entries: [{ ...entry, name: null }] }],
    ['an entry without a digest', { ...journal, entries: [{ ...entry, oldDigest: undefined }] }],
  ])('takes a journal with %s for none', (_, value) => {
    expect(readJournal(typeof value === 'string' ? value : JSON.stringify(value))).toBeUndefined();
  });

  it('throws for no text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => expect(readJournal(text)).toBeUndefined()));
  });
});
