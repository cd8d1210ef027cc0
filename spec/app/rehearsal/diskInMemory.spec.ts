import { diskInMemory } from '../../../src/app/rehearsal/diskInMemory';

describe('diskInMemory', () => {
  it('has its folder, and nothing in it', () => {
    const disk = diskInMemory('/');
    expect([disk.isDirectory('/'), disk.exists('/'), disk.isFile('/')]).toEqual([true, true, false]);
    expect([disk.isDirectory('/etc'), disk.exists('/etc'), disk.isFile('/etc/passwd')]).toEqual([false, false, false]);
    expect([disk.readIfThere('/etc/passwd'), disk.realpath('/etc')]).toEqual([undefined, '/etc']);
    expect(disk.promptHistory('/')()).toEqual({ history_log_id: 0, history_entry_count: 0 });
  });
});
