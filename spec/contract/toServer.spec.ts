/** A command as a server of lines. */
import { lastValueFrom, of, toArray } from 'rxjs';
import { FloodError } from '../../src/tapes/sessions/playSession';
import { toServer } from '../../src/tapes/sessions/toServer';

const deps = { env: process.env, cwd: process.cwd(), version: '1', started: new Date(0) };
const run = (script: string, more: object = {}) =>
  lastValueFrom(
    of('line').pipe(toServer({ ...deps, ...more }, [process.execPath, '-e', script], 'lines')(of()), toArray()),
  );

describe('toServer', () => {
  it('emits the lines and the end, and shows what is written before its line ends', async () => {
    const written: string[] = [];
    const onOutput = (chunk: Uint8Array) => void written.push(Buffer.from(chunk).toString());
    const events = await run(`process.stdout.write('{"a":1}')`, { onOutput });
    expect(events).toContainEqual({ kind: 'line', line: '{"a":1}' });
    expect(events).toContainEqual({ kind: 'ended', trouble: '', exitCode: 0 });
    expect(written).toEqual(['{"a":1}']);
  });

  it('errors with a server that sends too much', async () => {
    await expect(run(`process.stdout.write('x'.repeat(2000))`, { maxBytes: 1_000 })).rejects.toThrow(FloodError);
  });
});
