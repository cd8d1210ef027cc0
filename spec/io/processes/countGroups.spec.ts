import { countGroups } from '../../../src/io/processes/countGroups';

/** Groups, what was watched and forgotten of them, and how often it was reported that none is left. */
const open = () => {
  const emitted: string[] = [];
  const { watch, none$ } = countGroups((id, what = 'group') => {
    emitted.push(`+${what} ${id}`);
    return () => emitted.push(`-${id}`);
  });
  const received = { none: 0 };
  const listen = () => none$.subscribe({ complete: () => received.none++ });
  return { watch, listen, emitted, received };
};

describe('countGroups', () => {
  it('has none to wait for where nothing was started', () => {
    const { listen, received } = open();
    listen();
    expect(received.none).toBe(1);
  });

  it('waits for the last', () => {
    const { watch, listen, emitted, received } = open();
    const first = watch(1);
    const second = watch(2, 'process');
    listen();
    first();
    first();
    expect(received.none).toBe(0);
    second();
    expect(received.none).toBe(1);
    expect(emitted).toEqual(['+group 1', '+process 2', '-1', '-1', '-2']);
    listen();
    expect(received.none).toBe(2);
  });

  it('notifies nobody who has unsubscribed', () => {
    const { watch, listen, received } = open();
    const over = watch(1);
    listen().unsubscribe();
    over();
    expect(received.none).toBe(0);
  });
});
