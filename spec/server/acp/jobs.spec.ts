import { firstValueFrom, of, toArray } from 'rxjs';
import type { CodexHost, SessionRequest } from '../../../src/protocol/methods/host';
import { jobOf } from '../../../src/server/acp/jobs';
import { asked } from '../../protocol/methods/host';
import { machineWith, promptly } from '../../support/acp';
import { uuid } from '../../support/conversations';

const resultOf = async (host: Partial<CodexHost>, method: string, params: object = {}): Promise<unknown> => {
  const events = await firstValueFrom(
    jobOf({ ...machineWith({}, host), ...promptly }, { request: asked(method, params) }).pipe(toArray()),
  );
  const [last] = events.slice(-1);
  return last?.kind === 'result' ? last.result : undefined;
};

describe('naming a session that is not open', () => {
  const named: unknown[] = [];
  const host = (has: boolean): Partial<CodexHost> => ({
    sessions: {
      ...machineWith().sessions,
      has: () => of(has),
      rename: (...given) => {
        named.push(given);
        return of(undefined);
      },
    },
  });
  const name = (sessionId: string, has: boolean) => resultOf(host(has), 'session/set_title', { sessionId, title: 'x' });

  it('needs a stored thread of this whole id', async () => {
    expect(await name(uuid(1), false)).toBeNull();
    expect(await name(uuid(1).slice(0, 8), true)).toBeNull();
    expect(named).toEqual([]);
    expect(await name(uuid(1), true)).toEqual({ title: 'x' });
    expect(named).toEqual([[uuid(1), 'x']]);
  });
});

describe('putting a session away', () => {
  const archived: unknown[] = [];
  const sessions: CodexHost['sessions'] = {
    ...machineWith().sessions,
    setArchived: (...given) => {
      archived.push(given);
      return of(given[0] === uuid(1) ? {} : null);
    },
  };

  it.each([
    ['session/archive', true],
    ['session/unarchive', false],
  ])('by %s needs a stored thread of this whole id', async (method, is) => {
    archived.length = 0;
    expect(await resultOf({ sessions }, method, { sessionId: uuid(1) })).toEqual({});
    expect(await resultOf({ sessions }, method, { sessionId: uuid(2) })).toBeNull();
    expect(await resultOf({ sessions }, method, { sessionId: uuid(1).slice(0, 8) })).toBeNull();
    expect(archived).toEqual([
      [uuid(1), is],
      [uuid(2), is],
    ]);
  });

  it('is no part of its status: it is saved, or there is none', async () => {
    const storedIs = (has: boolean) => ({ sessions: { ...sessions, has: () => of(has) } });
    expect(await resultOf(storedIs(true), 'session/status', { sessionId: uuid(1) })).toEqual({ status: 'saved' });
    expect(await resultOf(storedIs(false), 'session/status', { sessionId: uuid(1) })).toBeNull();
  });
});

describe('finding a session', () => {
  const find = async (mcpServers: object[], more: object = {}): Promise<SessionRequest | undefined> => {
    let request: SessionRequest | undefined;
    const sessions: CodexHost['sessions'] = {
      ...machineWith().sessions,
      find: (asked) => {
        request = asked;
        return of(null);
      },
      remove: () => of(null),
    };
    await resultOf({ sessions }, 'session/new', { cwd: '/w', additionalDirectories: ['/x'], mcpServers, ...more });
    return request;
  };

  it('gives the servers of the client the tables of config.toml', async () => {
    const env = [{ name: 'KEY', value: 'v' }];
    const headers = [{ name: 'X', value: 'y' }];
    expect(
      await find([
        { name: 'my docs', command: '/bin/docs', args: ['a'], env },
        { type: 'http', name: 'web', url: 'https://a', headers },
      ]),
    ).toEqual({
      cwd: '/w',
      folders: ['/x'],
      servers: {
        my_docs: { command: '/bin/docs', args: ['a'], env: { KEY: 'v' } },
        web: { url: 'https://a', http_headers: { X: 'y' } },
      },
    });
  });

  it('hands on the instructions of the client as one text', async () => {
    const content = ['Write tests.', 'Be brief.'].map((text) => ({ type: 'text', text }));
    const instructed = (systemPrompt: object) => find([], { systemPrompt });
    expect(await instructed({ mode: 'append', content })).toMatchObject({ instructions: 'Write tests.\n\nBe brief.' });
    await expect(instructed({ mode: 'override', content })).rejects.toThrow(/mode/);
    await expect(instructed({ mode: 'append', content: [] })).rejects.toThrow(/content/);
  });

  it('looks for whole ids only', async () => {
    expect(await resultOf({}, 'session/load', { sessionId: '00', cwd: '/w' })).toBeNull();
    expect(await resultOf({}, 'session/fork', { sessionId: '00', cwd: '/w' })).toBeNull();
    expect(await resultOf({}, 'session/delete', { sessionId: '00' })).toEqual({});
  });
});
