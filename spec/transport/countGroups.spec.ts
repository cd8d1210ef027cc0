import { countGroups } from '../../src/transport';

/** Groups, what was watched and forgotten of them, and how often somebody heard that none is left. */
const open = () => {
  const told: string[] = [];
  const { watch, none$ } = countGroups((id, what = 'group') => {
    told.push(`+${what} ${id}`);
    return () => told.push(`-${id}`);
  });
  const heard = { none: 0 };
  const listen = () => none$.subscribe({ complete: () => heard.none++ });
  return { watch, listen, told, heard };
};

describe('countGroups', () => {
  it('has none to wait for where nothing was started', () => {
    const { listen, heard } = open();
    listen();
    expect(heard.none).toBe(1);
  });

  it('waits for the last', () => {
    const { watch, listen, told, heard } = open();
    const first = watch(1);
    const second = watch(2, 'process');
    listen();
    first();
    first();
    expect(heard.none).toBe(0);
    second();
    expect(heard.none).toBe(1);
    expect(told).toEqual(['+group 1', '+process 2', '-1', '-1', '-2']);
    listen();
    expect(heard.none).toBe(2);
  });

  it('notifies nobody who has unsubscribed', () => {
    const { watch, listen, heard } = open();
    const over = watch(1);
    listen().unsubscribe();
    over();
    expect(heard.none).toBe(0);
  });
});
