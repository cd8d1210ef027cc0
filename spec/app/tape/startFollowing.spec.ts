import { PassThrough } from 'node:stream';
import { startFollowing } from '../../../src/app/tape/startFollowing';
import { noColours } from '../../../src/terminal';

const lineOf = (t: number, dir: string, message: object) =>
  `${JSON.stringify({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) })}\n`;

/** Until what was written has been read. */
const settled = () => new Promise((done) => setImmediate(done));

describe('startFollowing, of stdin', () => {
  it('emits a line for each message as it comes, and completes with stdin', async () => {
    const stdin = new PassThrough();
    const lines: string[] = [];
    let ends = 0;
    const never = () => {
      throw new Error('no tape on NATS is opened');
    };
    startFollowing({ stdin, remark: never, nats: never }, '-', { paint: noColours, width: 80 }).subscribe({
      next: (line) => lines.push(line),
      complete: () => {
        ends += 1;
      },
    });
    stdin.write('{"meta":{}}\n');
    stdin.write(lineOf(0, 'in', { id: 1, method: 'ping' }));
    await settled();
    expect([lines.length, ends]).toEqual([1, 0]);
    expect(lines[0]).toMatch(/ping/);
    stdin.end(lineOf(7, 'out', { id: 1, result: {} }));
    await settled();
    await settled();
    expect([lines.length, ends]).toEqual([2, 1]);
  });
});
