import { delay, of } from 'rxjs';
import { answer, marbleMatchers, type Phase, request, type Server, type TimedEvent } from '../../src/testing';
import { timeline } from '../marbles/timelines';

describe('marbleMatchers', () => {
  const echo: Server = () => of('{"jsonrpc":"2.0","id":0,"result":{}}').pipe(delay(5));
  const phase: Phase = { client: 'i', server: '-----I|', values: { i: request('x'), I: answer('i', {}) } };
  const other: Phase = { ...phase, values: { ...phase.values, I: answer('i', 7) } };
  type Extended = {
    toPlay: (...phases: Phase[]) => Promise<void>;
    toPlayInTime: (...phases: Phase[]) => void;
    toMatchMarbles: (expected: readonly TimedEvent[]) => void;
  };
  const expecting = (value: unknown): Extended & { not: Extended } =>
    expect(value) as unknown as Extended & { not: Extended };

  beforeAll(() => expect.extend(marbleMatchers));

  it('hold a server to its marbles', async () => {
    await expecting(echo).toPlay(phase);
    await expecting(echo).not.toPlay(other);
    await expect(expecting(echo).toPlay(other)).rejects.toThrow('message.result: expected 7, actual {}');
  });

  it('hold a server to the time of its marbles', () => {
    const inTime = { ...phase, server: '-----(I|)' };
    expecting(echo).toPlayInTime(inTime);
    expect(() => expecting(echo).toPlayInTime({ ...inTime, server: '---(I|)' })).toThrow('at 3 ms and at 5 ms');
  });

  it('compare timelines', () => {
    expecting(timeline('a-b|')).toMatchMarbles(timeline('a-b|'));
    expect(() => expecting(timeline('a-b|')).toMatchMarbles(timeline('a-c|'))).toThrow(/\^/);
  });

  it('let faults of the spec pass as what they are', async () => {
    await expect(expecting(echo).toPlay({ client: 'w', server: '' })).rejects.toThrow(/w stands for nothing/);
    expect(() => expecting(echo).toPlayInTime({ client: 'w', server: '' })).toThrow(/w stands for nothing/);
  });
});
