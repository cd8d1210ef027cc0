import { NEVER, of, throwError } from 'rxjs';
import { type ChoiceDeps, chooseEngine } from '../../src/agent/chooseEngine';
import type { Choice } from '../../src/tapes/seams/ports';
import { marbles } from '../support/marbles';

const usable = { usable: true, only: false, needsLogin: true, reason: 'the model provider openai can be used' };
const unusable = { usable: false, only: false, needsLogin: true, reason: 'no key' };
const here: ChoiceDeps = {
  native: () => unusable,
  find: () => ({ path: '/bin/codex', argv: ['/bin/codex'], folders: [] }),
  mayBeLoggedIn: () => true,
  account: () =>
    of({ account: { type: 'apiKey' }, requiresOpenaiAuth: true, release: '0.171.0', configFault: undefined }),
};
const loggedOut = () => of({ account: null, requiresOpenaiAuth: true, release: '0.171.0', configFault: undefined });
const free = () => of({ account: null, requiresOpenaiAuth: false, release: '0.171.0', configFault: undefined });
const mustNot = () => {
  throw new Error('Codex must not be looked at');
};

const LOG_IN = 'run codex login, then restart this server';
const RENAME = 'correct --codex or CODEX_BIN, then restart this server';
const UPDATE = expect.stringContaining('install another release (npm install -g @openai/codex');

describe('chooseEngine', () => {
  it.each<[string, Partial<ChoiceDeps>, Choice]>([
    [
      'an installed Codex that is logged in, whatever the native engine could do',
      { native: () => usable },
      { engine: 'app-server', reason: '/bin/codex is logged in' },
    ],
    [
      'an installed Codex that is newer than all that were tried, and says so',
      { account: () => of({ account: {}, requiresOpenaiAuth: true, release: '99.0.1', configFault: undefined }) },
      {
        engine: 'app-server',
        reason: expect.stringMatching(
          /^\/bin\/codex is logged in, and newer than [\d.]+, the newest release that was tried$/,
        ),
      },
    ],
    [
      'an installed Codex that is older than all that were tried, and says so',
      { account: () => of({ account: {}, requiresOpenaiAuth: true, release: '0.99.10', configFault: undefined }) },
      {
        engine: 'app-server',
        reason: '/bin/codex is logged in, and older than 0.142.0, the oldest release that was tried',
      },
    ],
    [
      'the native engine where the model is scripted, without a look at Codex',
      { native: () => ({ ...usable, only: true, reason: 'scripted' }), find: mustNot, account: mustNot },
      { engine: 'native', reason: 'scripted' },
    ],
    [
      'the native engine where the Codex that was named is not there, with a warning',
      { find: () => ({ looked: ['/x/codex'], isNamed: true }), account: mustNot },
      { engine: 'native', reason: 'the codex that was named is not there: /x/codex; no key', remedy: RENAME },
    ],
    [
      'the native engine where there is no Codex',
      { find: () => ({ looked: ['/a', '/b'], isNamed: false }), account: mustNot },
      { engine: 'native', reason: 'no codex in /a, /b; no key' },
    ],
    [
      'the native engine where only the workspace has a Codex, which is named without advice to take it',
      { find: () => ({ looked: ['/a'], isNamed: false, leftOut: '/w/bin/codex' }), account: mustNot },
      {
        engine: 'native',
        reason:
          'no codex in /a; /w/bin/codex belongs to the working folder, and is run only if --codex names it; no key',
      },
    ],
    [
      'the native engine where Codex is plainly not logged in, without starting it',
      { native: () => usable, mayBeLoggedIn: () => false, account: mustNot },
      { engine: 'native', reason: `/bin/codex is not logged in; ${usable.reason}`, remedy: LOG_IN },
    ],
    [
      'the native engine where Codex says that it is not logged in',
      { native: () => usable, account: loggedOut },
      { engine: 'native', reason: `/bin/codex is not logged in; ${usable.reason}`, remedy: LOG_IN },
    ],
    [
      'the native engine, whose error says what is missing, where neither can be used',
      { account: loggedOut },
      { engine: 'native', reason: '/bin/codex is not logged in; no key', remedy: LOG_IN },
    ],
    [
      'a Codex that needs no login, where the native engine cannot be used',
      { account: free },
      { engine: 'app-server', reason: 'the model provider of /bin/codex needs no login' },
    ],
    [
      'a Codex whose model provider needs no login before the native engine, though nobody ever logged in',
      { native: () => ({ ...usable, needsLogin: false }), account: free, mayBeLoggedIn: () => false },
      { engine: 'app-server', reason: 'the model provider of /bin/codex needs no login' },
    ],
    [
      'the native engine where Codex cannot use its configuration, and names the line',
      {
        native: () => usable,
        account: () =>
          of({ account: {}, requiresOpenaiAuth: true, release: '', configFault: '/c.toml:7:12: wire_api' }),
      },
      {
        engine: 'native',
        remedy: 'correct that, then restart this server',
        reason: `/bin/codex cannot use its configuration (/c.toml:7:12: wire_api); ${usable.reason}`,
      },
    ],
    [
      'the native engine where the app-server does not work',
      { account: () => throwError(() => new Error('exit code 2')) },
      { engine: 'native', remedy: UPDATE, reason: '/bin/codex has no app-server that works (exit code 2); no key' },
    ],
  ])('auto takes %s', (_, more, choice) =>
    marbles(({ expectObservable }) => {
      expectObservable(chooseEngine({ ...here, ...more }, 'auto')).toBe('(c|)', { c: choice });
    })(),
  );

  it(
    'waits no longer than ten seconds for an app-server that does not respond',
    marbles(({ expectObservable }) => {
      expectObservable(chooseEngine({ ...here, account: () => NEVER }, 'auto')).toBe('10s (c|)', {
        c: {
          engine: 'native',
          remedy: UPDATE,
          reason: '/bin/codex has no app-server that works (it sent nothing for 10 s); no key',
        },
      });
    }),
  );

  it.each(['native', 'app-server', 'tape'] as const)('takes %s as it is, when it is named', (engine) =>
    marbles(({ expectObservable }) => {
      const deps = { native: mustNot, find: mustNot, mayBeLoggedIn: mustNot, account: mustNot };
      expectObservable(chooseEngine(deps, engine)).toBe('(c|)', { c: { engine, reason: `--engine ${engine}` } });
    })(),
  );
});
