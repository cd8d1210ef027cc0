import { of } from 'rxjs';
import { lazyStore } from '../../src/threads/lazyStore';
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
