import { createHash } from 'node:crypto';
import { readSandboxJournal, toSandboxJournal } from '../../../src/executor/sandboxPatches/sandboxPatchesHere';

const holder = { host: 'h', pid: 7, start: '9' };
const content = (text: string) => ({ dataBase64: Buffer.from(text).toString('base64') });
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const change = (real: string, before?: string, after?: string) => ({
  path: 'p',
  absolute: real,
  real,
  found: before === undefined ? 'nothing' : 'file',
  ...(before !== undefined && { before: content(before) }),
  ...(after !== undefined && { after: content(after) }),
});
const permissions = {
  roots: { workspace: ['/w'], temporary: [] },
  readOnly: [],
  ifThere: [],
  denied: [],
  network: 'closed' as const,
};
const isThere = async (path: string) => ['/w', '/w/there'].includes(path);
const noteOf = (...changes: object[]) =>
  toSandboxJournal({ id: 'a1', holder, permissions, isThere }, { changes, sandbox: null });

describe('toSandboxJournal', () => {
  it('has the files that change, by the names that a patch of this id gives them, and the folders that it makes', async () => {
    const changes = [change('/w/there/a', 'a', 'b'), change('/w/same', 's', 's'), change('/w/x/y/n', undefined, 'n')];
    const entry = (folder: string, name: string, index: number) => ({
      folder,
      name,
      staged: `.codex-rx-a1-${index}.new`,
      kept: `.codex-rx-a1-${index}.old`,
    });
    expect(await noteOf(...changes)).toEqual({
      holder,
      permissions,
      journal: {
        ...holder,
        version: 1,
        id: 'a1',
        folders: ['/w/x', '/w/x/y'],
        entries: [
          { ...entry('/w/there', 'a', 0), oldDigest: digest('a'), newDigest: digest('b') },
          { ...entry('/w/x/y', 'n', 1), oldDigest: null, newDigest: digest('n') },
        ],
      },
    });
  });

  it('refuses params that are none', async () => {
    await expect(noteOf({ path: 'p' })).rejects.toThrow('missing field');
  });
});

describe('readSandboxJournal', () => {
  it('reads what was written', async () => {
    const held = await noteOf(change('/w/a', 'a', 'b'));
    expect(readSandboxJournal(JSON.stringify(held))).toEqual(held);
  });

  it.each(['', '[]', '{"holder":{}}', '{"holder":{},"journal":{"version":2}}'])('takes %j for none', (text) => {
    expect(readSandboxJournal(text)).toBeUndefined();
  });
});
