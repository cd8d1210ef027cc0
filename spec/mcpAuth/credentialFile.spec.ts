import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { credentialFile } from '../../src/mcpAuth/credentialFile';
import { fileOf } from './support';

/** What codex 0.169.0 writes. */
const OF_CODEX = {
  'guarded|e2ae2bc3182f2633': {
    ...{ server_name: 'guarded', server_url: 'http://127.0.0.1:40451/mcp', issuer: 'http://127.0.0.1:40451' },
    ...{
      client_id: 'a-client',
      access_token: 'AT',
      expires_at: 1_795_438_098_727,
      refresh_token: 'RT',
      scopes: ['tools'],
    },
  },
};
const guarded = { name: 'guarded', url: 'http://127.0.0.1:40451/mcp' };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('credentialFile', () => {
  it('finds a login of codex 0.169.0', () => {
    const files = { read: () => JSON.stringify(OF_CODEX), replace: () => {} };
    const file = credentialFile({ files, path: '/p', sha256 });
    expect(file.find(guarded)).toMatchObject({
      ...{ issuer: 'http://127.0.0.1:40451', clientId: 'a-client', accessToken: 'AT', refreshToken: 'RT' },
      ...{ expiresMs: 1_795_438_098_727, scopes: ['tools'] },
    });
    expect(file.find({ ...guarded, name: 'other' })).toBeUndefined();
    expect(file.find({ ...guarded, url: 'http://127.0.0.1:1/mcp' })).toBeUndefined();
  });

  it('keeps a login as codex 0.169.0 does, beside all others, and the members it does not know', () => {
    let stored = JSON.stringify({
      other: { a: 1 },
      'guarded|e2ae2bc3182f2633': { new_one: 1, expires_at: 7, refresh_token: 'x' },
    });
    const files = {
      read: () => stored,
      replace: (_: string, text: string) => {
        stored = text;
      },
    };
    const file = credentialFile({ files, path: '/p', sha256 });
    file.keep(guarded, { clientId: 'c', accessToken: 'AT', scopes: [] });
    expect(JSON.parse(stored)).toEqual({
      other: { a: 1 },
      'guarded|e2ae2bc3182f2633': {
        ...{ new_one: 1, server_name: 'guarded', server_url: guarded.url },
        ...{ client_id: 'c', access_token: 'AT', scopes: [] },
      },
    });
  });

  it('forgets a login, once', () => {
    const file = fileOf();
    const server = { name: 's', url: 'https://x' };
    file.keep(server, { clientId: 'c', accessToken: 'AT', scopes: [] });
    expect([file.remove(server), file.remove(server), file.text()]).toEqual([true, false, '{}']);
  });

  it('writes nothing where nobody was logged in', () => {
    const files = { read: () => 'broken', replace: jest.fn() };
    expect(credentialFile({ files, path: '/p', sha256 }).remove(guarded)).toBe(false);
    expect(files.replace).not.toHaveBeenCalled();
  });

  it('finds what it keeps, and reads any file', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (text, accessToken, name) => {
        const file = fileOf(text);
        const server = { name, url: 'https://x' };
        file.find(server);
        file.keep(server, { clientId: 'c', accessToken, scopes: ['a'] });
        expect(file.find(server)?.accessToken).toBe(accessToken);
      }),
    );
  });
});
