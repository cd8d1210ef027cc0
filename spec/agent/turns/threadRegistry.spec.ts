import { type ThreadEntry, threadRegistry } from '../../../src/agent/turns/threadRegistry';

const ID = '0199a213-81c0-7800-8aa1-bbab2a035a53';
const OTHER = '0199a213-81c0-7800-8aa1-bbab2a035a54';
type Thread = { id: string; name?: string };
type Entry = ThreadEntry<Thread>;

const registry = (stored?: Thread[]) => {
  const { resolve, find, keep, forget, release } = threadRegistry<Thread>(stored);
  const start = (): Entry => resolve({ start: { model: 'm' } }) as Entry;
  const named = (id: string): Entry => resolve({ id }) as Entry;
  return { start, named, newest: () => resolve({ newest: true }), find, keep, forget, release };
};

describe('threadRegistry', () => {
  it('takes each start for a thread of its own, with its settings', () => {
    const { start } = registry();
    const first = start();
    expect(first).toEqual({ settings: { model: 'm' } });
    expect(start()).not.toBe(first);
  });

  it('finds a thread by its id once it is kept', () => {
    const { start, named, keep } = registry();
    const entry = start();
    expect(named(OTHER)).not.toBe(entry);
    keep(entry, { id: ID });
    expect(named(ID)).toBe(entry);
    expect(entry).toEqual({ id: ID, settings: { model: 'm' }, thread: { id: ID } });
  });

  it.each(['open', 'being opened'])('refuses a new thread with the id of one that is %s', (state) => {
    const { start, named, keep } = registry();
    const known = state === 'open' ? start() : named(ID);
    if (state === 'open') keep(known, { id: ID });
    const lying = start();
    expect(() => keep(lying, { id: ID })).toThrow(
      `the engine opened a new thread as ${ID}, which is a thread that is there already`,
    );
    expect(named(ID)).toBe(known);
    expect(lying.thread).toBeUndefined();
  });

  it('keeps the newest state of a thread', () => {
    const { start, named, keep } = registry();
    const entry = start();
    keep(entry, { id: ID });
    keep(entry, { id: ID, name: 'later' });
    expect(named(ID).thread).toEqual({ id: ID, name: 'later' });
  });

  it.each([ID, ID.toUpperCase(), ID.replaceAll('-', ''), `urn:uuid:${ID}`, `{${ID}}`])(
    'reads %s as the same id',
    (id) => {
      const { named } = registry();
      const entry = named(ID);
      expect(entry).toEqual({ id: ID });
      expect(named(id)).toBe(entry);
    },
  );

  it('takes the thread that was used last for the newest', () => {
    const { start, named, newest } = registry();
    expect(newest()).toBeUndefined();
    const one = start();
    const two = named(ID);
    expect(newest()).toBe(two);
    expect(newest()).toBe(two);
    start();
    named(ID);
    expect(newest()).toBe(two);
    expect(one).not.toBe(two);
  });

  it('takes the one before for the newest where the newest could not be opened, until it is', () => {
    const { start, named, newest, keep, forget } = registry();
    const begun = start();
    keep(begun, { id: 'x' });
    const lost = named(ID);
    forget(lost);
    expect(newest()).toBe(begun);
    expect(named(ID)).not.toBe(lost);
    forget(named(ID));
    keep(lost, { id: ID });
    expect(newest()).toBe(lost);
    expect(named(ID)).toBe(lost);
    forget(lost);
    forget(begun);
    expect(newest()).toBeUndefined();
  });

  it('leaves the newest as it is where an older thread is forgotten', () => {
    const { start, newest, forget } = registry();
    const [one, two] = [start(), start()];
    forget(one);
    expect(newest()).toBe(two);
  });

  it('knows stored threads from the start, the last one as the newest', () => {
    const { named, newest } = registry([{ id: 'x' }, { id: ID, name: 'stored' }]);
    expect(newest()?.thread).toEqual({ id: ID, name: 'stored' });
    expect(named('x').thread).toEqual({ id: 'x' });
    expect(newest()?.thread).toEqual({ id: 'x' });
  });

  it('finds a known thread without making it the newest', () => {
    const { start, named, newest, find } = registry();
    expect(find({ newest: true })).toBeUndefined();
    const older = named(ID);
    const last = start();
    expect([find({ id: ID }), find({ id: OTHER }), find({ start: {} })]).toEqual([older, undefined, undefined]);
    expect(find({ id: ID })).toBe(older);
    expect(find({ newest: true })).toBe(last);
    expect(newest()).toBe(last);
  });

  it('knows a released thread by its id where it is the newest, and forgets another', () => {
    const { named, newest, find, release } = registry([{ id: OTHER }, { id: ID }]);
    const [older, last] = [find({ id: OTHER }) as Entry, find({ id: ID }) as Entry];
    for (const entry of [older, last]) release(entry);
    expect(last).toEqual({ id: ID });
    expect(newest()).toBe(last);
    expect(named(ID)).toBe(last);
    expect(find({ id: OTHER })).toBeUndefined();
  });
});
