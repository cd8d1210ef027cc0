import { callLayer } from '../../../src/settings/layers/callLayer';

const layer = (config: Record<string, unknown>) =>
  callLayer(config, '/w').map(({ where, ...setting }) => ({ ...setting, where: where(setting.path) }));

describe('callLayer', () => {
  it('has an assignment for each key, in their order, at its dotted path', () => {
    expect(layer({ 'tools.web_search': true, model: 'm', none: undefined })).toEqual([
      { path: ['tools', 'web_search'], value: true, folder: '/w', where: 'argument config, key tools.web_search' },
      { path: ['model'], value: 'm', folder: '/w', where: 'argument config, key model' },
    ]);
  });

  it.each([
    ['a whole number  ', 5, 5n],
    ['a text as a text', '[1, "a"]', '[1, "a"]'],
    ['null            ', null, ''],
    ['a table         ', { a: [1.5] }, { a: [1.5] }],
  ])('keeps %s', (_, given, value) => {
    expect(layer({ a: given })[0]?.value).toEqual(value);
  });

  it('throws for a key that is nested too deeply', () => {
    expect(() => layer({ [Array(65).fill('a').join('.')]: 1 })).toThrow(
      /^argument config, key a\..*: nested more than 64/,
    );
  });
});
