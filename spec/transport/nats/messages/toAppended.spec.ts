import type { Msg } from '@nats-io/transport-node';
import * as fc from 'fast-check';
import { toAppended } from '../../../../src/transport/nats/messages/toAppended';
import { toNatsError } from '../../../../src/transport/nats/toNatsError';

const ack = (content: unknown): Msg => ({ data: Buffer.from(JSON.stringify(content)) }) as unknown as Msg;
const kindOf = (message: Msg): string => {
  try {
    toAppended(message);
    return 'stored';
  } catch (error) {
    return toNatsError('x', error).kind;
  }
};

describe('toAppended', () => {
  it('is where the stream has the message, and whether it had it before', () => {
    expect(toAppended(ack({ stream: 's', seq: 7 }))).toEqual({ seq: 7, isDuplicate: false });
    expect(toAppended(ack({ stream: 's', seq: 7, duplicate: true }))).toEqual({ seq: 7, isDuplicate: true });
  });

  it('throws the reason of a stream that refuses the message, by its code', () => {
    expect(kindOf(ack({ error: { err_code: 10077, description: 'maximum bytes exceeded' } }))).toBe('full');
    expect(kindOf(ack({ error: { err_code: 10071, description: 'wrong last sequence: 4' } }))).toBe('conflict');
    expect(kindOf(ack({ error: { err_code: 10076, description: 'off' } }))).toBe('noResponder');
    expect(kindOf(ack({ error: { err_code: 10039, description: 'off' } }))).toBe('noResponder');
    expect(kindOf(ack({ error: { code: 503, description: 'raft: not leader' } }))).toBe('noResponder');
    expect(kindOf(ack({ error: {} }))).toBe('failed');
    expect(() => toAppended(ack({ error: { err_code: 10077, description: 'maximum bytes exceeded' } }))).toThrow(
      'maximum bytes exceeded',
    );
  });

  it('throws where no stream takes the subject, and for what is no acknowledgement', () => {
    const nobody = { data: new Uint8Array(), headers: { code: 503 } } as unknown as Msg;
    expect(kindOf(nobody)).toBe('noResponder');
    expect(kindOf(ack({ seq: 7 }))).toBe('failed');
    expect(kindOf(ack({ stream: '', seq: 7 }))).toBe('failed');
    expect(kindOf(ack({ stream: 's' }))).toBe('failed');
  });

  it('takes any bytes for an acknowledgement or throws an error', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (data) => {
        expect(['stored', 'failed', 'noResponder']).toContain(kindOf({ data } as unknown as Msg));
      }),
    );
  });
});
