/** What a row of the table of thread settings has. */

/** What a value of a setting is: a text, true or false, a whole number, a table with any members, or one of these words. */
export type SettingType = 'text' | 'flag' | 'whole' | 'table' | readonly string[];

/** The values of a type. */
export type ValueOf<T extends SettingType> = T extends 'text'
  ? string
  : T extends 'flag'
    ? boolean
    : T extends 'whole'
      ? number
      : T extends 'table'
        ? Record<string, unknown>
        : T[number];

/** A release whose tools clients of it are shown. */
export type OldRelease = '0.28' | '0.153';

/** One setting, and its name everywhere. Each member must be given, so that none is forgotten. */
export type SettingRow = {
  /** What its values are. */
  type: SettingType;
  /** The argument of the tool `codex`: its name, its text for the model of the client, and the old releases that had it; null if the tool has none. */
  argument: { name: string; about: string; releases: readonly OldRelease[] } | null;
  /**
   * The key of config.toml that means the same, and its text for editors; the argument overrides it. `declared` in the table: it is optional, and may be in
   * a profile. In the schema: it has a default, or is at the top only. null if there is no such key.
   */
  key: { name: string; about: string; declared: 'in the table' | 'in the schema' } | null;
  /** Whether the params of `newConversation` and the overrides of `resumeConversation` have it, under the name of the row. */
  inConversation: boolean;
  /**
   * What a rollout keeps of it: in the context of each turn, by its name there; in the first line, by its name there; or in `codex_rx`, which holds what
   * Codex has no name for, under the name of the row. null if it is not kept.
   */
  stored: { in: 'turn_context' | 'session_meta'; name: string } | { in: 'codex_rx' } | null;
  /** How an installed Codex gets it with `thread/start` and `thread/resume`: as a param of this name, or in `config`, under its key; null if not by itself. */
  appServer: { param: string } | 'config' | null;
};
