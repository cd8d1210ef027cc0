import * as fc from 'fast-check';
import { cutNatsFrames } from '../../../../src/transport/nats/sockets/cutNatsFrames';

const message = (payload: string, verb = 'MSG') => `${verb} a.b 1 ${payload.length}\r\n${payload}\r\n`;

/** What is emitted of these chunks, each read by `take`, or into the room of a frame that has begun. */
const cut = (chunks: readonly string[], isRoomUsed = false) => {
  const emitted: string[] = [];
  const { room, filled, take } = cutNatsFrames((frames) => emitted.push(frames.toString('latin1')));
  for (const chunk of chunks) {
    let rest = Buffer.from(chunk, 'latin1');
    while (rest.length > 0) {
      const target = isRoomUsed ? room() : undefined;
      const bytes = target === undefined ? rest.length : rest.copy(target);
      if (target === undefined) take(rest);
      else filled(bytes);
      rest = rest.subarray(bytes);
    }
  }
  return emitted;
};

describe('cutNatsFrames', () => {
  it('emits whole frames together, and one in parts when it is whole', () => {
    const long = message('x'.repeat(30));
    expect(cut(['PING\r\n+OK\r\nPO', 'NG\r\n'])).toEqual(['PING\r\n+OK\r\n', 'PONG\r\n']);
    expect(cut([`${message('')}${long.slice(0, 20)}`, long.slice(20, 30), `${long.slice(30)}PI`, 'NG\r\n'])).toEqual([
      ...[message(''), long, 'PING\r\n'],
    ]);
    expect(cut([message('MSG a 1 9\r\n', 'hmsg'), 'INFO {}\r\n'])).toEqual([
      message('MSG a 1 9\r\n', 'hmsg'),
      'INFO {}\r\n',
    ]);
  });

  it('emits the bytes that came, cut at ends of frames, however they are cut on their way', () => {
    const frame = fc.oneof(
      fc.constantFrom('PING\r\n', '+OK\r\n', "-ERR 'no 3'\r\n", 'INFO {"max_payload":9}\r\n'),
      fc.string({ maxLength: 300, unit: 'binary-ascii' }).map((payload) => message(payload)),
      fc
        .string({ maxLength: 9 })
        .map((payload) => `HMSG a 1 _I.x 0 ${payload.length}\r\n${payload}\r\n`.replace(/[^ -~\r\n]/g, '?')),
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), sizes, fc.boolean(), (frames, steps, isRoomUsed) => {
        const whole = frames.join('');
        const ends = new Set(frames.map((_, i) => frames.slice(0, i + 1).join('').length));
        const emitted = cut(inPieces(whole, steps), isRoomUsed);
        expect(emitted.join('')).toBe(whole);
        emitted.reduce((at, { length }) => {
          expect(ends.has(at + length)).toBe(true);
          return at + length;
        }, 0);
      }),
    );
  });

  it('keeps nothing of the bytes that were read, as the next ones come to the same place', () => {
    const emitted: Buffer[] = [];
    const { take } = cutNatsFrames((frames) => emitted.push(frames));
    const scratch = Buffer.from('PING\r\nPO');
    take(scratch);
    scratch.fill('-');
    take(Buffer.from('NG\r\n'));
    expect(emitted.map(String)).toEqual(['PING\r\n', 'PONG\r\n']);
  });

  it('has a buffer of the length of a message in parts', () => {
    const emitted: Buffer[] = [];
    const { room, take } = cutNatsFrames((frames) => emitted.push(frames));
    const text = message('x'.repeat(10_000));
    take(Buffer.from(text.slice(0, 50)));
    expect(room()).toHaveLength(text.length - 50);
    take(Buffer.from(text.slice(50)));
    expect(emitted[0]?.buffer.byteLength).toBe(text.length);
    expect(room()).toBeUndefined();
  });

  it.each([
    ['a message that no server takes', `MSG a 1 ${2 ** 28}\r\n`],
    ['a message of endless length', `MSG a 1 ${'9'.repeat(400)}\r\n`],
    ['a line without end', 'x'.repeat(1_100_000)],
  ])('throws for %s', (_, text) => {
    expect(() => cut([text])).toThrow('the server of NATS sent');
  });
});

const inPieces = (text: string, steps: readonly number[]): string[] => {
  const pieces: string[] = [];
  for (let at = 0, i = 0; at < text.length; i += 1) {
    const size = steps[i % steps.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};
