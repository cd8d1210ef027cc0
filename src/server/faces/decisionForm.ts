/** The form by which a client is asked for a decision. */
import { DECISIONS, type ReviewDecision } from '../../protocol/codex/approval';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { Era } from './clientInfo';

/** What the form depends on: the revision of the client, and its capabilities. */
export type AskedClient = Pick<Era, 'revision' | 'capabilities'>;

/** The first revision with titles of choices in JSON Schema. Source: 2025-11-25 client/elicitation "Requested Schema". */
const FIRST_TITLED = '2025-11-25';

/** The choices with their titles. The description explains the values too in revisions whose clients often show no titles. */
const choicesOf = ({ revision = '' }: AskedClient, description: string, labels: string[]): JsonObject => {
  if (revision >= FIRST_TITLED) {
    return { description, oneOf: DECISIONS.map((decision, at) => ({ const: decision, title: labels[at] })) };
  }
  const meanings = DECISIONS.map((decision, at) => `${decision}: ${labels[at]}`);
  return { description: `${description} (${meanings.join('; ')})`, enum: DECISIONS, enumNames: labels };
};

/**
 * True for a client that fills the default into an accepted form that names no choice, without a person who sees it.
 * Source: MCP TypeScript SDK, `elicitation.form.applyDefaults`.
 */
const fillsDefaults = ({ capabilities: { elicitation } }: AskedClient): boolean =>
  isObject(elicitation) && isObject(elicitation.form) && elicitation.form.applyDefaults === true;

const PRESELECTED: ReviewDecision = 'approved';

/**
 * The one field of the form, which must be answered. Its default is the choice that clients preselect and show; `denied` would turn a yes into a no,
 * because they send it for a form that a person accepts unchanged.
 * Source: Claude Code 2.1.330 and Inspector 2.12.
 */
export const decisionForm = (client: AskedClient, description: string, labels: string[]): JsonObject => ({
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'Decision',
      ...choicesOf(client, description, labels),
      ...(!fillsDefaults(client) && { default: PRESELECTED }),
    },
  },
  required: ['decision'],
});
