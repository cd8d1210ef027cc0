/** The door of what shortens a conversation: the budget in tokens, cutting old outputs, the summary. */
export { type Budget, budgetOf, takesMore, tokensOf } from './budget';
export { compact, compactedEvent } from './compact';
export { cutOutputs } from './cutOutputs';
