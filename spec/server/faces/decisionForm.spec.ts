import { decisionForm } from '../../../src/server/faces/toElicitation';

describe('decisionForm', () => {
  const labels = ['Run it', 'Run it, and this same command again without asking', 'Do not run it', 'Stop the turn'];
  const schemaFor = (own: object) => decisionForm({ capabilities: {}, ...own }, "touch 'a b': may it run?", labels);

  it('asks for a choice that must be made, with titles as the revision of the client has them', () => {
    const choice = { type: 'string', title: 'Decision', default: 'approved' };
    expect(schemaFor({ revision: '2025-06-18' })).toEqual({
      type: 'object',
      properties: {
        decision: {
          ...choice,
          description:
            "touch 'a b': may it run? (approved: Run it; approved_for_session: Run it, and this same command again without asking; denied: Do not run it; abort: Stop the turn)",
          enum: ['approved', 'approved_for_session', 'denied', 'abort'],
          enumNames: labels,
        },
      },
      required: ['decision'],
    });
    for (const revision of ['2025-11-25', '2026-07-28']) {
      expect(schemaFor({ revision })).toEqual({
        type: 'object',
        properties: {
          decision: {
            ...choice,
            description: "touch 'a b': may it run?",
            oneOf: [
              { const: 'approved', title: 'Run it' },
              { const: 'approved_for_session', title: 'Run it, and this same command again without asking' },
              { const: 'denied', title: 'Do not run it' },
              { const: 'abort', title: 'Stop the turn' },
            ],
          },
        },
        required: ['decision'],
      });
    }
  });

  it('names no default to a client that fills it in unseen', () => {
    const capabilities = { elicitation: { form: { applyDefaults: true } } };
    expect(schemaFor({ capabilities })).not.toHaveProperty('properties.decision.default');
    expect(schemaFor({ capabilities: { elicitation: { form: {} } } })).toHaveProperty('properties.decision.default');
  });
});
