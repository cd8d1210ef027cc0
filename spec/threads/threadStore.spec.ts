import { of } from 'rxjs';
import { lazyStore, toSessionMeta } from '../../src/threads/threadStore';
import { marbles } from '../support/marbles';
import { storeOf } from '../support/threadStore';

describe('lazyStore', () => {
  it(
    'opens the store once, when something is first asked of it',
    marbles(({ expectObservable, flush }) => {
      const opened: string[] = [];
      const store = lazyStore(() => {
        opened.push('open');
        return storeOf({ list: () => of([]) }).store;
      });
      store.close();
      expect(opened).toEqual([]);
      expectObservable(store.list({ limit: 1, archived: false })).toBe('(l|)', { l: [] });
      expectObservable(store.list({ limit: 1, archived: false })).toBe('(l|)', { l: [] });
      flush();
      expect(opened).toEqual(['open']);
    }),
  );

  it(
    'fails what is asked with what keeps it from opening, and tries again',
    marbles(({ expectObservable }) => {
      const fault = new Error('no');
      const store = lazyStore(() => {
        throw fault;
      });
      expectObservable(store.resume('a')).toBe('#', undefined, fault);
      expectObservable(store.remove('a')).toBe('#', undefined, fault);
    }),
  );
});

const begun = { id: 'i', cwd: '/w', provider: 'p', own: { profile: 'q' } };

describe('toSessionMeta', () => {
  it('has what Codex reads, and what is ours', () => {
    expect(toSessionMeta({ version: '1' }, begun, 1_000)).toEqual({
      id: 'i',
      session_id: 'i',
      timestamp: '1970-01-01T00:00:01.000Z',
      cwd: '/w',
      originator: 'codex_rx',
      cli_version: '1',
      source: 'vscode',
      model_provider: 'p',
      codex_rx: { profile: 'q' },
    });
  });

  it('has the instructions that a caller gave', () => {
    expect(toSessionMeta({ version: '1' }, { ...begun, baseInstructions: 'Be.' }, 0)).toMatchObject({
      base_instructions: { text: 'Be.' },
    });
  });
});
