import { silentLog } from '../../src/protocol/log';

describe('silentLog', () => {
  it('drops every record', () => {
    const write = jest.spyOn(process.stderr, 'write');
    expect(silentLog('error', 'message', { a: 1 })).toBeUndefined();
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
  });
});
