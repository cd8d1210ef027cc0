import { toArray } from 'rxjs';
import { environmentMethods, type ServerEnvironment } from '../../../src/executor/server/environmentMethods';
import { SURROUNDINGS } from './support';

const answerTo = (name: string, serverEnvironment: ServerEnvironment = SURROUNDINGS) => {
  const outputs: unknown[][] = [];
  environmentMethods({ serverEnvironment })
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

  it('leaves out the home of a user who has none', () => {
    const [answer] = answerTo('environment/info', { ...SURROUNDINGS, home: undefined }) ?? [];
    expect(answer).toMatchObject({ result: { cwd: 'file:///w%20o' } });
    expect(answer).not.toMatchObject({ result: { userHomeDir: expect.anything() } });
  });

  it('is ready', () => {
    expect(answerTo('environment/status')).toEqual([{ kind: 'result', result: { status: 'ready' } }]);
  });
});
