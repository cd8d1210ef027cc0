import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { type Faults, faultRow, readFaults } from '../../../src/tapes/faults/faults';
import { faultyBody } from '../../../src/tapes/faults/faultyBody';
import { cuts, tokenize } from '../../support/streams';

const EVENTS = 'text/event-stream; charset=utf-8';

const passer = (row: string) => {
  const remarks: string[] = [];
  const pass = faultyBody({
    next: faultRow(readFaults(row) as Faults, 1),
    remark: (text) => remarks.push(text),
  });
  return { pass, remarks };
};

/** What comes out of a body of this type, its faults, and whether it ended. */
const passed = async (row: string, type: string, chunks: readonly string[]) => {
  const { pass, remarks } = passer(row);
  const [from, to] = [new PassThrough(), new PassThrough({ highWaterMark: 2 ** 26 })];
  const faults: unknown[] = [];
  let isOver = false;
  const passing = pass(type)?.(from, to).subscribe({
    next: (fault) => faults.push(fault),
    complete: () => {
      isOver = true;
    },
  });
  for (const chunk of chunks) from.write(chunk);
  from.end();
  await new Promise((done) => from.once('end', () => setImmediate(done)));
  passing?.unsubscribe();
  return { text: String(to.read() ?? ''), faults, isOver, remarks };
};

const STREAM =
  ': hi\n\nid: 1\ndata: {"id":1,"result":{}}\n\nevent: ping\ndata: x\n\nid: 2\ndata: {"id":2,"result":{}}\n\n';

describe('faultyBody', () => {
  it('loses, doubles and cuts the messages of an event stream, and passes what is between them', async () => {
    const { text, faults, isOver, remarks } = await passed('xc', EVENTS, [STREAM]);
    expect(text).toBe(': hi\n\nevent: ping\ndata: x\n\nid: 2\ndata: {"id":2,"r\n\n');
    expect(faults).toEqual([
      { message: 0, injected: 'is lost' },
      { message: 1, injected: 'is cut in half' },
    ]);
    expect(remarks).toEqual(['fault: line 1 (response) is lost', 'fault: line 2 (response) is cut in half']);
    expect(isOver).toBe(true);
    expect((await passed('-D', EVENTS, [STREAM])).text).toBe(`${STREAM}id: 2\ndata: {"id":2,"result":{}}\n\n`);
  });

  it('passes an event stream as it is, wherever it is cut', () =>
    fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom('\n', '\r\n'), async (places, end) => {
        const text = STREAM.replaceAll('\n', end);
        expect((await passed('-*', EVENTS, tokenize(text, places))).text).toBe(text);
      }),
      { numRuns: 30 },
    ));

  it('passes an event that is too long as it is, and counts it', async () => {
    const long = `data: ${'x'.repeat(5_000_000)}\n\n`;
    const { text, faults } = await passed('x*', EVENTS, [
      long.slice(0, 4_500_000),
      long.slice(4_500_000),
      'data: 2\n\n',
    ]);
    expect(text === long).toBe(true);
    expect(faults).toEqual([{ message: 1, injected: 'is lost' }]);
  });

  it('never ends a JSON body that is lost, as its client waits for it', async () => {
    const body = '{"id":1,\n"result":{}}';
    expect(await passed('x', 'application/json', [body])).toMatchObject({
      text: '',
      faults: [{ message: 0, injected: 'is lost' }],
      isOver: false,
    });
    expect(await passed('-', 'application/json', [body])).toMatchObject({ text: body, faults: [], isOver: true });
    expect(await passed('x', 'application/json', [])).toMatchObject({ text: '', faults: [], isOver: true });
  });

  it('goes on in its row with the next body', async () => {
    const { pass } = passer('-x');
    const one = async () => {
      const [from, to] = [new PassThrough(), new PassThrough()];
      const passing = pass(EVENTS)?.(from, to).subscribe();
      from.end('data: 1\n\n');
      await new Promise((done) => from.once('end', () => setImmediate(done)));
      passing?.unsubscribe();
      return String(to.read() ?? '');
    };
    expect([await one(), await one(), await one()]).toEqual(['data: 1\n\n', '', 'data: 1\n\n']);
  });

  it('passes bodies of other types in no way of its own', () => {
    expect(passer('x').pass('text/html')).toBeUndefined();
  });
});
