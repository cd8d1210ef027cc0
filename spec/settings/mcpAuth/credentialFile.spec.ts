import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { ignoreElements, tap, timer } from 'rxjs';
import type { TokenResponse } from '../../../src/settings/auth/tokenRequest';
import { credentialFile, toTokens } from '../../../src/settings/mcpAuth/credentialFile';
import { marbles } from '../../support/marbles';
import { fileOf, locksOf, outcomeOf } from './support';

/** What codex 0.169.0 writes. */
const OF_CODEX = {
  'guarded|e2ae2bc3182f2633': {
    server_name: 'guarded',
    server_url: 'http://127.0.0.1:40451/mcp',
    issuer: 'http://127.0.0.1:40451',
    client_id: 'a-client',
    access_token: 'AT',
    expires_at: 1_795_438_098_727,
    refresh_token: 'RT',
    scopes: ['tools'],
  },
};
const guarded = { name: 'guarded', url: 'http://127.0.0.1:40451/mcp' };
const lockPath = '/lock';
const { lock } = locksOf();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('credentialFile', () => {
  it('finds a login of codex 0.169.0', () => {
    const files = { read: () => JSON.stringify(OF_CODEX), replace: () => {}, lock };
    const file = credentialFile({ files, path: '/p', lockPath, sha256 });
    expect(file.find(guarded)).toMatchObject({
      issuer: 'http://127.0.0.1:40451',
      clientId: 'a-client',
      accessToken: 'AT',
      refreshToken: 'RT',
      expiresMs: 1_795_438_098_727,
      scopes: ['tools'],
    });
    expect(file.find({ ...guarded, name: 'other' })).toBeUndefined();
    expect(file.find({ ...guarded, url: 'http://127.0.0.1:1/mcp' })).toBeUndefined();
  });

  it('keeps a login as codex 0.169.0 does, next to all others, and the members it does not know', () => {
    let stored = JSON.stringify({
      other: { a: 1 },
      'guarded|e2ae2bc3182f2633': { new_one: 1, expires_at: 7, refresh_token: 'x' },
    });
    const files = {
      read: () => stored,
      replace: (_: string, text: string) => {
        stored = text;
      },
      lock,
    };
    const file = credentialFile({ files, path: '/p', lockPath, sha256 });
    file.change(guarded, () => ({ clientId: 'c', accessToken: 'AT', scopes: [] })).subscribe();
    expect(JSON.parse(stored)).toEqual({
      other: { a: 1 },
      'guarded|e2ae2bc3182f2633': {
        new_one: 1,
        server_name: 'guarded',
        server_url: guarded.url,
        client_id: 'c',
        access_token: 'AT',
        scopes: [],
      },
    });
  });

  it('forgets a login, once', () => {
    const file = fileOf();
    const server = { name: 's', url: 'https://x' };
    const login = { clientId: 'c', accessToken: 'AT', scopes: [] };
    file.keep(server, login);
    const forget = () => outcomeOf(file.change(server, () => undefined));
    expect([forget(), forget(), file.text()]).toEqual([{ found: login }, {}, '{}']);
  });

  it('writes nothing if nobody was logged in', () => {
    const files = { read: () => 'broken', replace: jest.fn(), lock };
    const file = credentialFile({ files, path: '/p', lockPath, sha256 });
    expect(outcomeOf(file.change(guarded, () => undefined))).toEqual({});
    expect(files.replace).not.toHaveBeenCalled();
  });

  it('writes nothing if the login stays as it was found', () => {
    const files = { read: () => JSON.stringify(OF_CODEX), replace: jest.fn(), lock };
    const file = credentialFile({ files, path: '/p', lockPath, sha256 });
    const found = file.find(guarded);
    expect(outcomeOf(file.change(guarded, (one) => one))).toEqual({ found, kept: found });
    expect(files.replace).not.toHaveBeenCalled();
  });

  it('is written by one process behind another, and the lock is given back, however it ends', () =>
    marbles(({ expectObservable, flush }) => {
      const { lock: one, taken } = locksOf();
      const files = { read: () => undefined, replace: jest.fn(), lock: one };
      const file = credentialFile({ files, path: '/p', lockPath, sha256 });
      taken.add(lockPath);
      const fails = (): never => {
        throw new Error('full');
      };
      expectObservable(
        timer(150).pipe(
          tap(() => taken.delete(lockPath)),
          ignoreElements(),
        ),
      ).toBe('150ms |');
      expectObservable(file.change(guarded, fails)).toBe('200ms #', undefined, new Error('full'));
      flush();
      expect([...taken]).toEqual([]);
    })());

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

const known = { issuer: 'i', clientId: 'c', refreshToken: 'old', scopes: ['a'] };
const given = (json: object, status = 200): TokenResponse => ({ status, statusText: 'S', json: { ...json } });

describe('toTokens', () => {
  it.each([
    ['an access token', { access_token: 't' }, { ...known, accessToken: 't' }],
    [
      'all',
      { access_token: 't', refresh_token: 'r', expires_in: 60, scope: 'b  c' },
      { ...known, accessToken: 't', refreshToken: 'r', expiresMs: 61_000, lifeMs: 60_000, scopes: ['b', 'c'] },
    ],
    [
      'a time as a text',
      { access_token: 't', expires_in: '60' },
      { ...known, accessToken: 't', expiresMs: 61_000, lifeMs: 60_000 },
    ],
    ['a time that is none', { access_token: 't', expires_in: 'soon' }, { ...known, accessToken: 't' }],
  ])('reads %s', (_, json, expected) => {
    expect(toTokens(given(json), known, 1_000)).toEqual(expected);
  });

  it.each([
    [
      { error: 'invalid_grant', error_description: 'used' },
      400,
      'no token was given: 400 S, invalid_grant, used',
      true,
    ],
    [{ access_token: 's3cret' }, 500, 'no token was given: 500 S', false],
    [{ access_token: '' }, 200, 'no token was given: 200 S', false],
    [{ access_token: 'a\r\nx-evil: 1' }, 200, 'no token was given: 200 S', false],
    [{}, 401, 'no token was given: 401 S', true],
  ])('refuses %j with status %d', (json, status, message, isFinal) => {
    expect(() => toTokens(given(json, status), known, 0)).toThrow(expect.objectContaining({ message, isFinal }));
  });
});
