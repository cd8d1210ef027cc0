import { freeName } from '../../../src/tapes/specWriter/freeName';

describe('freeName', () => {
  it.each<[string, string[], string]>([
    ['taskId', [], 'taskId'],
    ['taskId', ['taskId'], 'taskId2'],
    ['taskId', ['taskId', 'taskId2'], 'taskId3'],
    ['file name!', [], 'file_name'],
    ['0_', [], 'value'],
  ])('makes of %j with %j in use %j', (label, used, name) => {
    expect(freeName(label, new Set(used))).toBe(name);
  });
});
