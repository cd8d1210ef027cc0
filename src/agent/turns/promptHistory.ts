/** What `session_configured` reports of the file in which Codex keeps the prompts of its user. */

/** `history_log_id` is the inode of history.jsonl, 0 without the file; `history_entry_count` the number of its lines. */
export type PromptHistory = { history_log_id: number; history_entry_count: number };
