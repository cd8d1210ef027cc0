import { problemsIn } from '../../src/cli/command';
import { overrideOption } from '../../src/cli/commonOptions';

describe('overrideOption', () => {
  const options = { config: overrideOption('a setting') };

  it('names each flag that sets nothing', () => {
    expect(problemsIn(options, { config: ['model', 'model=o3', '=x'] })).toEqual([
      "-c model: Invalid override (missing '='), expected key=value",
      '-c =x: Empty key in override, expected key=value',
    ]);
  });

  it('takes flags that set something, and none', () => {
    expect(problemsIn(options, { config: ['model=o3', 'a.b='] })).toEqual([]);
    expect(problemsIn(options, { config: [] })).toEqual([]);
  });
});
