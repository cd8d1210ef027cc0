import { toArray } from 'rxjs';
import { environmentMethods } from '../../../src/executor/server/environmentMethods';
import { SURROUNDINGS } from './support';

const answerTo = (name: string) => {
  const outputs: unknown[][] = [];
  environmentMethods({ serverEnvironment: SURROUNDINGS })
    [name]?.({})
    .pipe(toArray())
    .subscribe((all) => outputs.push(all));
  return outputs[0];
};

describe('environmentMethods', () => {
  it('has the serverEnvironment, folders as URIs', () => {
    expect(answerTo('environment/info')).toEqual([
      {
        kind: 'result',
        result: {
          shell: { name: 'sh', path: '/bin/sh' },
          executorVersion: '1.2.3',
          cwd: 'file:///w%20o',
          userHomeDir: 'file:///h',
          platformOs: 'linux',
          prependPathDirs: [],
          temporaryDirectories: [],
          tempDir: 'file:///t',
          capabilities: { fileWriteStreaming: true },
        },
      },
    ]);
  });

  it('is ready', () => {
    expect(answerTo('environment/status')).toEqual([{ kind: 'result', result: { status: 'ready' } }]);
  });
});
