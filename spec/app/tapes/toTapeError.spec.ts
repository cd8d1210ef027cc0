import { toTapeError } from '../../../src/app/tapes/loadTape';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { TapeError } from '../../../src/tapes/format/tape';

describe('toTapeError', () => {
  it('names the tape of a failure of its server, without a login', () => {
    const error = toTapeError('nats://user:pass@h/tape', new NatsError('timeout', 'no response in time'));
    expect(error).toBeInstanceOf(TapeError);
    expect(error).toHaveProperty('message', expect.stringMatching(/^nats:\/\/.*h\/tape: no response in time$/));
    expect((error as Error).message).not.toContain('pass');
  });

  it('names it once', () => {
    const reason = 'nats://h/tape: it is being written';
    expect(toTapeError('nats://h/tape', new NatsError('timeout', reason))).toHaveProperty('message', reason);
  });

  it('takes missing bytes for a tape that cannot be used', () => {
    const missing = Object.assign(new Error('bytes are missing'), { name: 'MissingBytes' });
    expect(toTapeError('nats://h/t', missing)).toBeInstanceOf(TapeError);
  });

  it('leaves any other error as it is', () => {
    const other = new Error('other');
    expect(toTapeError('nats://h/t', other)).toBe(other);
    expect(toTapeError('nats://h/t', 'text')).toBe('text');
  });
});
