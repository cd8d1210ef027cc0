/** Keeps what the user wrote in Codex's own file of prompts, where the configuration asks for it. */
import { type MonoTypeOperatorFunction, merge, type Observable } from 'rxjs';
import type { Event } from '../../protocol/codex/events';
import { textOf } from '../../protocol/codex/input';
import type { Prompt } from '../../threads/keepPrompt';
import type { InputTurn } from '../turn/runTurn';

/** @param keepPrompt emits nothing, completes when the prompt is stored or given up, and never errors */
export type RecordPromptDeps = { keepPrompt: (prompt: Prompt) => Observable<never> };

/**
 * Stores the text of a turn's input when the turn begins. Emits the events unchanged.
 *   in      s-m-z|
 *   keep    --|
 *   out     s-m-z|
 */
export const recordPrompt = (
  { keepPrompt }: RecordPromptDeps,
  { thread: { id, config }, op }: InputTurn,
): MonoTypeOperatorFunction<Event> => {
  const { persistence, maxBytes } = config.history;
  const text = textOf(op.input);
  if (persistence === 'none' || text === '') return (event$) => event$;
  return (event$) => merge(keepPrompt({ threadId: id, text, ...(maxBytes !== undefined && { maxBytes }) }), event$);
};
