import { configJsonSchema } from '../../../src/settings/schema/schema';

describe('configJsonSchema', () => {
  const schema = configJsonSchema() as { properties: Record<string, Record<string, unknown>> };

  it('describes every key at the top, and demands none', () => {
    expect(schema).not.toHaveProperty('required');
    const bare = Object.entries(schema.properties).filter(([, { description }]) => typeof description !== 'string');
    expect(bare).toEqual([]);
    expect(schema.properties.sandbox_mode).toMatchObject({
      enum: ['read-only', 'workspace-write', 'danger-full-access'],
    });
  });

  it('knows numbers, tables of tables, and what a provider needs', () => {
    expect(schema.properties.model_context_window).toMatchObject({ type: 'integer', minimum: 0 });
    expect(schema.properties.model_providers).toMatchObject({
      additionalProperties: { required: ['name'], properties: { max_retries: { type: 'integer' } } },
    });
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
  });
});
