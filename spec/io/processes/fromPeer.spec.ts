import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { of } from 'rxjs';
import { fromPeer } from '../../../src/io/processes/fromPeer';
import { noBackpressure } from '../../../src/streams/backpressure';

const spec = { argv: ['prog'], cwd: '/', env: {} };
const turn = () => new Promise(setImmediate);

describe('fromPeer', () => {
  it('writes the lines to the program, and emits all it does but that it started', async () => {
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const child = Object.assign(new EventEmitter(), { pid: 2 ** 30, ...streams });
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const deps = {
      spawn: () => child as unknown as ChildProcess,
      backpressure: noBackpressure,
      signals: {},
      watch: () => () => {},
    };
    const seen: unknown[] = [];
    of('one', 'two')
      .pipe(fromPeer(deps, spec))
      .subscribe({ next: (event) => seen.push(event), complete: () => seen.push('|') });
    child.stdout.write('out');
    await turn();
    child.emit('exit', 0, null);
    child.emit('close');
    await turn();
    kill.mockRestore();
    expect([String(child.stdin.read()), child.stdin.writableEnded]).toEqual(['one\ntwo\n', true]);
    expect(seen).toEqual([
      { kind: 'output', stream: 'stdout', chunk: Buffer.from('out') },
      { kind: 'exited', exitCode: 0 },
      { kind: 'closed' },
      '|',
    ]);
  });
});
