import { EMPTY } from 'rxjs';
import { execMethods } from '../../../src/executor';
import { filesOf } from './files';
import { LIMITS, SURROUNDINGS } from './support';

describe('execMethods', () => {
  it('has the methods of all families', () => {
    const methods = execMethods({
      backendFor: () => ({ start: () => EMPTY }),
      limits: LIMITS,
      environment: {},
      files: filesOf().files,
      fetch: () => EMPTY,
      surroundings: SURROUNDINGS,
    });
    expect(Object.keys(methods).sort()).toEqual([
      'environment/info',
      'environment/status',
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
      'fs/writeBlock',
      'fs/writeFile',
      'http/request',
      'process/closeStdin',
      'process/read',
      'process/signal',
      'process/start',
      'process/terminate',
      'process/write',
    ]);
  });
});
