import { EMPTY, NEVER, of } from 'rxjs';
import { execMethods } from '../../../src/executor/server/execMethods';
import { filesOf } from './files';
import { LIMITS, SURROUNDINGS } from './support';

const methodsWith = (own: Partial<Parameters<typeof execMethods>[0]> = {}) =>
  execMethods({
    backendFor: () => ({ start: () => EMPTY }),
    isLikelyDenied: () => false,
    limits: LIMITS,
    environment: {},
    files: filesOf().files,
    fetch: () => EMPTY,
    serverEnvironment: SURROUNDINGS,
    insideOf: () => ({ request: () => NEVER, alive$: NEVER, hint: '' }),
    methodLimits: { allow: [], deny: [], network: 'open' },
    ...own,
  });

describe('execMethods', () => {
  it('has the methods of all families', () => {
    expect(Object.keys(methodsWith()).sort()).toEqual([
      'environment/info',
      'environment/status',
      'fs/applyChanges',
      'fs/canonicalize',
      'fs/close',
      'fs/copy',
      'fs/createDirectory',
      'fs/getMetadata',
      'fs/open',
      'fs/readBlock',
      'fs/readDirectory',
      'fs/readFile',
      'fs/remove',
      'fs/settleChanges',
      'fs/writeBlock',
      'fs/writeFile',
      'http/request',
      'process/acknowledge',
      'process/closeStdin',
      'process/read',
      'process/signal',
      'process/start',
      'process/terminate',
      'process/write',
    ]);
  });

  it('lets another process carry out the methods of files where there is one', () => {
    const { files, calls } = filesOf();
    const sent: unknown[] = [];
    const request = (method: string) => {
      sent.push(method);
      return of({});
    };
    const inside = { request, alive$: NEVER, hint: '' };
    methodsWith({ files, inside })['fs/readFile']?.({ path: '/a' }).subscribe().unsubscribe();
    expect([sent, calls]).toEqual([['fs/readFile'], []]);
  });
});
