import { diskInMemory } from '../../../src/app/warmUp/diskInMemory';

describe('diskInMemory', () => {
  it('has its folder, and nothing in it', () => {
    const disk = diskInMemory('/');
    expect(disk.namesIn('/')).toEqual([]);
    expect([disk.isDirectory('/'), disk.exists('/'), disk.bytesOf('/')]).toEqual([true, true, undefined]);
    expect([disk.isDirectory('/etc'), disk.exists('/etc'), disk.bytesOf('/etc/passwd')]).toEqual([
      false,
      false,
      undefined,
    ]);
    expect([disk.readIfThere('/etc/passwd'), disk.realpath('/etc')]).toEqual([undefined, '/etc']);
    expect(disk.promptHistory('/')()).toEqual({ history_log_id: 0, history_entry_count: 0 });
  });
});
