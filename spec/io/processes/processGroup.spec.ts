import { endGroup, signalGroup } from '../../../src/io/processes/groupLife';

const fails = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe('a process group', () => {
  let kill: jest.SpyInstance;
  beforeEach(() => {
    kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    jest.useFakeTimers();
  });
  afterEach(() => {
    kill.mockRestore();
    jest.useRealTimers();
  });

  describe('signalGroup', () => {
    it('signals every process of the group', () => {
      signalGroup(7, 'SIGINT');
      expect(kill.mock.calls).toEqual([[-7, 'SIGINT']]);
    });

    it.each(['ESRCH', 'EPERM'])('takes %s for a group that is gone', (code) => {
      kill.mockImplementation(fails(code));
      expect(() => signalGroup(7, 'SIGINT')).not.toThrow();
    });

    it('throws another error', () => {
      kill.mockImplementation(fails('EINVAL'));
      expect(() => signalGroup(7, 'SIGINT')).toThrow('EINVAL');
    });
  });

  describe('endGroup', () => {
    const signal = (name: NodeJS.Signals) => signalGroup(7, name);

    it('kills at once without grace, and leaves the input alone', () => {
      const closeInput = jest.fn();
      endGroup(signal, closeInput, undefined)();
      expect([kill.mock.calls, closeInput.mock.calls]).toEqual([[[-7, 'SIGKILL']], []]);
    });

    it('closes the input, then terminates, then kills', () => {
      const closeInput = jest.fn();
      endGroup(signal, closeInput, { inputMs: 100, termMs: 50 });
      const sent: unknown[] = [];
      for (const ms of [0, 99, 1, 49, 1]) {
        jest.advanceTimersByTime(ms);
        sent.push(kill.mock.calls.map(([, signal]) => signal).join());
      }
      expect(closeInput).toHaveBeenCalledTimes(1);
      expect(sent).toEqual(['', '', 'SIGTERM', 'SIGTERM', 'SIGTERM,SIGKILL']);
    });

    it('stops waiting on request', () => {
      endGroup(signal, () => {}, { inputMs: 100, termMs: 50 })();
      jest.runAllTimers();
      expect(kill).not.toHaveBeenCalled();
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
