import { silentLog } from '../../../src/protocol/log';
import { faceOf } from '../../../src/server/faces/faceOf';
import type { Command } from '../../../src/server/mcp/command';
import { serveCodex } from '../../../src/server/mcp/mcpServer';
import { asked, hostWith } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';

const commands: Record<string, Command> = {
  u: { kind: 'codex', request: asked('userInfo', {}, 5) },
  r: { kind: 'response', id: 1, result: {} },
  z: { kind: 'end', cause: 'over' },
};

describe('serveCodex', () => {
  it(
    'makes the machine for the first Codex method, and serves nothing else',
    marbles(({ hot, expectObservable }) => {
      const made: string[] = [];
      const codexHost = () => {
        made.push('machine');
        return hostWith();
      };
      const command$ = hot(' -r-u-u-(z|)', commands);
      const expected = '     ---U-U-|';
      const response = { kind: 'response', id: 5, result: { allegedUserEmail: null } };
      expectObservable(
        command$.pipe(serveCodex({ codexHost, log: silentLog, face: faceOf('union', '1'), newCallId: () => 'id' })),
      ).toBe(expected, { U: response });
      command$.subscribe({ complete: () => expect(made).toEqual(['machine']) });
    }),
  );

  it(
    'answers each method with an error if the machine cannot be made',
    marbles(({ hot, expectObservable }) => {
      const codexHost = () => {
        throw new Error('gone');
      };
      const response = { kind: 'response', id: 5, error: { code: -32603, message: 'Internal error' } };
      expectObservable(
        hot('u-u-(z|)', commands).pipe(
          serveCodex({ codexHost, log: silentLog, face: faceOf('union', '1'), newCallId: () => 'id' }),
        ),
      ).toBe('U-U-|', { U: response });
    }),
  );
});
