import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asyncScheduler, firstValueFrom, from, map, NEVER, of, throwError } from 'rxjs';
import type { Wiring } from '../../../src/agent/wiring/wiring';
import { FileError } from '../../../src/io/files/fileError';
import { silentLog } from '../../../src/protocol/log';
import { HostError } from '../../../src/protocol/methods/host';
import { accountHere, storedConversations, toHostErrors, toShownEvent } from '../../../src/server/host/homeHere';
import { AuthError } from '../../../src/settings/auth/authError';
import type { LoginEvent } from '../../../src/settings/auth/browserLogin';
import { type Pausing, startsInTurns } from '../../../src/streams/pausing';
import { ThreadError } from '../../../src/threads/threadError';
import type { ThreadStore } from '../../../src/threads/threadStore';
import { openHome, removeHomes } from '../../support/home';
import { marbles } from '../../support/marbles';

afterEach(removeHomes);

const here = (auth?: object, toml = '') => {
  const home = openHome();
  home.write('.codex/config.toml', toml);
  if (auth !== undefined) home.write('.codex/auth.json', JSON.stringify(auth));
  const codexHome = String(home.env.CODEX_HOME ?? join(home.work, '..', '.codex'));
  const wiring = {
    processInfo: { env: {}, cwd: home.work, codexHome },
    options: { overrides: [] },
    log: silentLog,
    over$: NEVER,
  } as unknown as Wiring;
  return { account: accountHere(wiring), codexHome };
};

const context = JSON.stringify({
  timestamp: '',
  type: 'turn_context',
  payload: { model: 'm', cwd: '/', approval_policy: 'never' },
});

/** Hides a text, in two steps. */
const hidden = (secret: string) =>
  function* (text: string): Pausing<string> {
    yield;
    return text.replaceAll(secret, '***');
  };

const store = {
  read: (ref: string) => of({ summary: { id: ref, path: `/h/${ref}.jsonl` }, lines: [context] }),
  archive: () => throwError(() => new ThreadError('in use')),
} as unknown as ThreadStore;

const { findStored, readStored, archiveStored } = storedConversations({
  open: () => store,
  hide: hidden('nothing'),
  starts: asyncScheduler,
});

const ID = '00000000-0000-4000-8000-000000000001';

/** A rollout with one answer. */
const rollout = [
  { timestamp: '2026-11-29T10:00:00.000Z', type: 'session_meta', payload: { id: ID, timestamp: '', cwd: '/' } },
  {
    timestamp: '2026-11-29T10:00:01.000Z',
    type: 'response_item',
    payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'the key is sk-1' }] },
  },
].map((line) => JSON.stringify(line));

const bug = new TypeError('no');

describe('accountHere', () => {
  it('shows a key with its token, and nothing without a login', () => {
    expect(here().account.current()).toEqual({});
    expect(here({ OPENAI_API_KEY: 'sk-1' }).account.current()).toEqual({ method: 'apikey', token: 'sk-1' });
    expect(here({ OPENAI_API_KEY: 5, tokens: {} }).account.current()).toEqual({});
  });

  it('removes the login', async () => {
    const { account, codexHome } = here({ OPENAI_API_KEY: 'sk-1' });
    await firstValueFrom(account.logout$);
    expect([account.current(), existsSync(join(codexHome, 'auth.json'))]).toEqual([{}, false]);
  });

  it('shows of a login where to log in, with spaces in hexadecimal, and that it is done', () => {
    const url = 'https://auth/x?scope=a+b+c';
    expect(toShownEvent({ kind: 'waiting', url } as LoginEvent)).toEqual({
      kind: 'waiting',
      url: 'https://auth/x?scope=a%20b%20c',
    });
    expect(toShownEvent({ kind: 'loggedIn', login: 'secret' } as unknown as LoginEvent)).toEqual({ kind: 'loggedIn' });
  });
});

describe('storedConversations', () => {
  it(
    'finds a conversation by its id or its rollout, with the model of its last turn',
    marbles(({ expectObservable }) => {
      const path = `/h/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${ID}.jsonl`;
      expectObservable(findStored({ path })).toBe('(F|)', { F: { id: ID, path: `/h/${ID}.jsonl`, model: 'm' } });
      expectObservable(findStored({ path: '/etc/passwd' })).toBe(
        '#',
        {},
        new HostError('name it by conversationId, or by the path of its rollout'),
      );
    }),
  );

  it(
    'reads a conversation as texts, without secrets',
    marbles(({ expectObservable }) => {
      const texts$ = readStored(ID).pipe(map(({ transcript, answer }) => [transcript, answer]));
      expectObservable(texts$).toBe('(T|)', { T: [`# Thread ${ID}\n`, ''] });
      expectObservable(readStored('0000')).toBe('#', {}, new HostError('name the conversation by its whole id'));
      const texts = storedConversations({
        open: () =>
          ({
            ...store,
            read: () => from(rollout).pipe(map((line) => ({ summary: {}, lines: [line] }))),
          }) as unknown as ThreadStore,
        hide: hidden('sk-1'),
        starts: asyncScheduler,
      }).readStored(ID);
      expectObservable(texts.pipe(map(({ answer }) => answer))).toBe('(A|)', { A: 'the key is ***' });
    }),
  );

  it('makes the texts of a conversation in turns of the event loop', () => {
    let nowMs = 0;
    const turns: (() => void)[] = [];
    const starts = startsInTurns({ now: () => (nowMs += 6), soon: (run) => void turns.push(run) });
    const texts: string[] = [];
    storedConversations({ open: () => store, hide: hidden('nothing'), starts })
      .readStored(ID)
      .subscribe(({ transcript }) => void texts.push(transcript));
    const ofTurns = [texts.length];
    for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
      turn();
      ofTurns.push(texts.length);
    }
    expect(ofTurns).toEqual([0, 1, 1]); // not in the turn in which they were requested
  });

  it(
    'errors with the reason if a thread cannot be used',
    marbles(({ expectObservable }) => {
      const whole = '01a204a1-3f92-7243-96c5-2be9fe898371';
      expectObservable(archiveStored(whole)).toBe('#', {}, new HostError('in use'));
      const partly = new HostError('name the conversation by its whole id');
      expectObservable(archiveStored('01a204a1')).toBe('#', {}, partly);
    }),
  );
});

describe('toHostErrors', () => {
  it.each([
    ['a login', new AuthError('no'), new HostError('no')],
    ['a file', new FileError('no'), new HostError('no')],
    ['a thread', new ThreadError('no'), new HostError('no')],
    ['a bug, which stays one', bug, bug],
  ])('passes values, and the error of %s', (_, error, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-#', {}, error).pipe(toHostErrors())).toBe('a-#', {}, expected);
    })(),
  );

  it(
    'passes an end',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-|').pipe(toHostErrors())).toBe('a-|');
    }),
  );
});
