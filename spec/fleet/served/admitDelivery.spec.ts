import {
  type Admitted,
  admitDelivery,
  type Connections,
  NO_CONNECTIONS,
} from '../../../src/fleet/served/serveConnections';

const LIMITS = { maxConnections: 3, maxMessageBytes: 10 };
const respond = () => {};

/** What the reducer gives for deliveries, each as `CONNECTION KIND DATA`; `x CONNECTION` for one that is over. */
const run = (...lines: string[]): { state: Connections; outputs: string[] } =>
  lines.reduce(
    ({ state, outputs }, line) => {
      const [connection = '', kind = '', data = ''] = line.split(' ');
      const headers: Record<string, string> = kind === 'last' ? {} : { 'Codex-Rx-Kind': kind };
      const delivery = { subject: `p.e.${connection}`, data: Buffer.from(data), headers, respond };
      const arrival =
        connection === 'x' ? ({ kind: 'over', connection: kind } as const) : ({ kind: 'received', delivery } as const);
      const step = admitDelivery(LIMITS)(state, arrival);
      return { state: step.state, outputs: [...outputs, ...(step.output ? [shown(step.output)] : [])] };
    },
    { state: NO_CONNECTIONS, outputs: [] as string[] },
  );
const shown = ({ connection, kind, isOpen, text }: Admitted) =>
  [connection, kind, ...(isOpen ? [] : ['closed']), ...(text === undefined ? [] : [text])].join(' ');

describe('admitDelivery', () => {
  it('opens a connection with its begin, joins its messages, and forgets it when it is over', () => {
    const { state, outputs } = run(
      'a last 1',
      'a begin 2',
      'a more 3',
      'b ping',
      'a ping',
      'a last 4',
      'x a',
      'a last 5',
    );
    expect(outputs).toEqual([
      ...['a last closed', 'a begin 2', 'a more', 'b ping closed', 'a ping', 'a last 34', 'a last closed'],
    ]);
    expect(state.size).toBe(0);
  });

  it('opens none beyond the limit, nor under a name that is none', () => {
    expect(run('a begin 1', 'b begin 1', 'c begin 1', 'd begin 1', 'x a', '* begin 1', 'd begin 2').outputs).toEqual([
      ...['a begin 1', 'b begin 1', 'c begin 1', 'd begin closed', '* begin closed', 'd begin 2'],
    ]);
  });

  it('keeps what an open connection has sent when its begin comes again', () => {
    expect(run('a begin', 'a more 1', 'a begin 2').outputs).toEqual(['a begin ', 'a more', 'a begin 12']);
  });

  it('lets what is not whole have all of the budget', () => {
    const { outputs } = run('a begin', 'b begin', 'a more 12345', 'b more 67890', 'a last', 'b last');
    expect(outputs.slice(-2)).toEqual(['a last 12345', 'b last 67890']);
  });

  it('has one budget for all that is not whole: beyond it the connection with most of it loses that', () => {
    const { state, outputs } = run(
      ...['a begin', 'b begin', 'c begin', 'a more 1234', 'b more 12345', 'c more 67'],
      ...['b more 678', 'b last 9', 'a last 56', 'c last 8', 'b last whole'],
    );
    expect(outputs.filter((line) => / last/.test(line))).toEqual([
      'b last ',
      'a last 123456',
      'c last 678',
      'b last whole',
    ]);
    expect([...state.values()].every(({ bytes }) => bytes === 0)).toBe(true);
  });

  it('holds no more than the budget, whatever comes in parts', () => {
    const many = Array.from({ length: 200 }, (_, i) => `${'abc'[i % 3]} more ${'x'.repeat(i % 11)}`);
    many.forEach((_, count) => {
      const { state } = run('a begin', 'b begin', 'c begin', ...many.slice(0, count));
      expect([...state.values()].reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(10);
    });
  });
});
