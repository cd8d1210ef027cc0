import { parseLine, type TapeMessage } from '../../../src/protocol/jsonrpc/parseLine';
import { nearestLine, toSubstitution, toUnrecorded } from '../../../src/tapes/replayServer/nearestLine';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const call = (params?: object) => ({ id: 1, method: 'tools/call', ...(params && { params }) });
const { clientLines } = toSessionIndex(
  sessionFrom([0, 'in', { method: 'ready' }], [1, 'in', call({ a: 1, b: 1 })], [2, 'in', call({ a: 2, b: 2 })]),
);
const messageOf = (message: object): TapeMessage => parseLine(JSON.stringify(message)).messages[0] as TapeMessage;

describe('nearestLine', () => {
  it.each<[string, object, number | undefined]>([
    ['the line with the fewest differences', call({ a: 2, b: 3 }), 3],
    ['the first of several', call({ a: 3, b: 3 }), 2],
    ['a line for a message without params', call(), 2],
    ['no line of another method', { id: 1, method: 'tools/list' }, undefined],
    ['no line for a response', { id: 1, result: {} }, undefined],
  ])('finds %s', (_, message, lineNumber) => {
    expect(nearestLine(clientLines, messageOf(message))?.line.lineNumber).toBe(lineNumber);
  });

  it('compares no more than 200 lines', () => {
    const calls = Array.from({ length: 201 }, (_, at): [number, string, object] => [at, 'in', call({ at })]);
    const { clientLines: many } = toSessionIndex(sessionFrom(...calls));
    expect(nearestLine(many, messageOf(call({ at: 199 })))?.line.lineNumber).toBe(200);
    expect(nearestLine(many, messageOf(call({ at: 200 })))?.line.lineNumber).toBe(1);
  });
});

describe('toUnrecorded', () => {
  it('names the nearest line and how it differs', () => {
    expect(toUnrecorded(clientLines, messageOf(call({ a: 1, b: 2 })))).toEqual({
      message: 'Not recorded: tools/call. Nearest is line 2: tools/call; params.b: recorded 1, now 2',
      data: {
        nearest: { line: 2, method: 'tools/call', params: { a: 1, b: 1 } },
        differences: [{ path: 'params.b', recorded: 1, now: 2 }],
      },
    });
  });

  it('reports when the tape has no line of the method, and when the line was sent fewer times', () => {
    expect(toUnrecorded(clientLines, messageOf({ id: 1, method: 'x' }))).toEqual({
      message: 'Not recorded: x; the tape has nothing of that method',
    });
    expect(toUnrecorded(clientLines, messageOf(call({ a: 1, b: 1 }))).message).toContain('was sent fewer times');
  });
});

describe('toSubstitution', () => {
  it('names the line that was taken', () => {
    const message = messageOf(call({ a: 1, b: 2 }));
    const near = nearestLine(clientLines, message);
    expect(near && toSubstitution(message, near)).toBe(
      'tools/call is taken for line 2: tools/call; params.b: recorded 1, now 2',
    );
  });
});
