import { acceptedTools, NOTHING_REFUSED, type Refused, refusedAfter } from '../../../src/agent/modelHttp/refused';
import type { FunctionSpec } from '../../../src/protocol/model/request';

const tool = (
  name: string,
  parameters: object = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } },
): FunctionSpec => ({
  type: 'function',
  name,
  description: '',
  strict: false,
  parameters: parameters as never,
});
const tools = [tool('s__find'), tool('s__get')];
const next = (refused: Refused, body: string, status = 400) =>
  refusedAfter({ refusable: { include: /include/ }, tools }, refused, { status, body });

describe('refusedAfter', () => {
  it('adds the member that the text names, once', () => {
    const refused = next(NOTHING_REFUSED, "Unknown parameter: 'include'");
    expect(refused).toEqual({ members: new Set(['include']), schemas: {} });
    expect(next(refused as Refused, "Unknown parameter: 'include'")).toBeUndefined();
  });

  it.each([
    [401, "Unknown parameter: 'include'"],
    [429, "Unknown parameter: 'include'"],
    [400, 'no such model'],
  ])('adds nothing for the status %d and the text %j', (status, text) => {
    expect(next(NOTHING_REFUSED, text, status)).toBeUndefined();
  });

  it('reduces the schema of the tool that the text names, in two steps', () => {
    const text = "Invalid schema for function 's__get': schema must not have 'anyOf' at the top level.";
    const first = next(NOTHING_REFUSED, text);
    expect(first?.schemas).toEqual({ s__get: 'choices' });
    const second = next(first as Refused, text);
    expect(second?.schemas).toEqual({ s__get: 'objects' });
    expect(next(second as Refused, text)?.allSchemas).toBe('choices');
  });

  it.each([
    'Invalid JSON payload received. Unknown name "$schema" at \'tools[0].function_declarations[0].parameters\'',
    'tools.0.custom.input_schema: JSON schema is invalid',
    'failed to parse grammar',
  ])('reduces all schemas if the text names no tool: %s', (text) => {
    const first = next(NOTHING_REFUSED, text, text.includes('grammar') ? 500 : 400);
    expect(first).toEqual({ ...NOTHING_REFUSED, allSchemas: 'choices' });
    const second = next(first as Refused, text);
    expect(second?.allSchemas).toBe('objects');
    expect(next(second as Refused, text)).toBeUndefined();
  });
});

describe('acceptedTools', () => {
  it('sends schemas as they are, until they are refused', () => {
    expect(acceptedTools(tools, NOTHING_REFUSED)).toEqual(tools);
    const reduced = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(acceptedTools(tools, { ...NOTHING_REFUSED, schemas: { s__get: 'choices' } })).toEqual([
      tools[0],
      tool('s__get', reduced),
    ]);
    expect(acceptedTools(tools, { ...NOTHING_REFUSED, allSchemas: 'objects' })).toEqual([
      tool('s__find', reduced),
      tool('s__get', reduced),
    ]);
  });

  it('leaves tools of the provider as they are', () => {
    const search = { type: 'web_search_preview' } as const;
    expect(acceptedTools([search], { ...NOTHING_REFUSED, allSchemas: 'choices' })).toEqual([search]);
  });
});
