import { delay, of } from 'rxjs';
import { answer, marbleMatchers, type Phase, request, type Server } from '../../src/testing';
import { timeline } from '../streams/marbles/timelines';

describe('marbleMatchers', () => {
  const echo: Server = () => of('{"jsonrpc":"2.0","id":0,"result":{}}').pipe(delay(5));
  const phase: Phase = { client: 'i', server: '-----I|', values: { i: request('x'), I: answer('i', {}) } };
  const other: Phase = { ...phase, values: { ...phase.values, I: answer('i', 7) } };
  beforeAll(() => expect.extend(marbleMatchers));

  it('hold a server to its marbles', async () => {
    await expect(echo).toPlay(phase);
    await expect(echo).not.toPlay(other);
    await expect(expect(echo).toPlay(other)).rejects.toThrow('message.result: expected 7, actual {}');
  });

  it('hold a server to the time of its marbles', () => {
    const inTime = { ...phase, server: '-----(I|)' };
    expect(echo).toPlayInTime(inTime);
    expect(() => expect(echo).toPlayInTime({ ...inTime, server: '---(I|)' })).toThrow('at 3 ms and at 5 ms');
  });

  it('compare timelines', () => {
    expect(timeline('a-b|')).toMatchMarbles(timeline('a-b|'));
    expect(() => expect(timeline('a-b|')).toMatchMarbles(timeline('a-c|'))).toThrow(/\^/);
  });

  it('let faults of the spec pass as what they are', async () => {
    await expect(expect(echo).toPlay({ client: 'w', server: '' })).rejects.toThrow(/w stands for nothing/);
    expect(() => expect(echo).toPlayInTime({ client: 'w', server: '' })).toThrow(/w stands for nothing/);
  });
});
