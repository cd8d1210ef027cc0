/** What is written to a rollout, in the envelope that Codex writes since 0.142. */
import { fromRows, type SettingsWith, type ThreadSettings } from '../../protocol/codex/settings';
import type { ResponseItem } from '../../protocol/model/items';

/**
 * One line. `response_item`: what the model reads again; `event_msg`: what a client shows of a stored thread; `turn_context`: the
 * settings of a turn; `compacted`: the history so far is replaced.
 */
export type RolloutEntry =
  | { type: 'session_meta'; payload: SessionMeta }
  | { type: 'turn_context'; payload: TurnContext }
  | { type: 'response_item'; payload: ResponseItem }
  | { type: 'event_msg'; payload: { type: string } & Record<string, unknown> }
  | { type: 'compacted'; payload: { message: string; replacement_history: readonly ResponseItem[] } };

/** The first line. */
export type SessionMeta = {
  /** The id of the thread. */
  id: string;
  /** The same id, under the name of newer releases. */
  session_id: string;
  /** When the thread began, in ISO 8601. */
  timestamp: string;
  /** The folder that it began in. */
  cwd: string;
  /** The program that began it. */
  originator: string;
  /** The version of that program. */
  cli_version: string;
  /** The kind of that program. */
  source: string;
  /** The id of the model's provider. */
  model_provider: string;
  /** The instructions that the caller gave. */
  base_instructions?: { text: string };
  /** The id of the thread with the same past. */
  forked_from_id?: string;
  /** What Codex has no name for. */
  codex_rx?: OwnSettings;
};

type NamelessSettings = Pick<ThreadSettings, SettingsWith<{ stored: { in: 'codex_rx' } }>>;

/** What the first line has of a thread that this program started. */
export type OwnSettings = NamelessSettings & {
  /** The machine that it began on, which has its files; absent for this one. */
  environment?: OwnEnvironment;
  /** Where its folders led then; absent if nothing is known of them. */
  folders?: OwnFolders;
};

/** Where the folders of a thread led when it began to work in them, by the absolute paths that named them. */
export type OwnFolders = Readonly<Record<string, OwnFolder>>;

/** What a folder must still be when the thread is continued. */
export type OwnFolder = {
  /** Its path without the links that a user could have made. */
  path: string;
  /** The user to whom it belongs; 0 for root, and for the user of the server. Absent if that is not known. */
  owner?: number;
};

/** An environment, and its executor if it is a pool. */
export type OwnEnvironment = {
  /** Its id in environments.toml. */
  id: string;
  /** The name of the executor in the pool. */
  executor?: string;
};

/** What the first line of a thread keeps of its settings in `codex_rx`. */
export const toOwnSettings = (settings: ThreadSettings): NamelessSettings =>
  fromRows(({ stored }, name) =>
    stored?.in === 'codex_rx' && settings[name] !== undefined ? [name, settings[name]] : null,
  );

/** Settings that a turn context has no name for, but the first line of a rollout may have. */
export type ChangedSettings = NamelessSettings &
  Pick<ThreadSettings, SettingsWith<{ stored: { in: 'session_meta'; name: string } }>>;

/** What a turn context keeps in `codex_rx` of settings that are not as the rollout has them. */
export const toChangedSettings = (settings: ThreadSettings, recorded: ThreadSettings): ChangedSettings =>
  fromRows(({ stored }, name) => {
    const isNamed = stored === null || stored.in === 'turn_context';
    return isNamed || settings[name] === undefined || settings[name] === recorded[name] ? null : [name, settings[name]];
  });

/** The settings of a turn, in the names of Codex. */
export type TurnContext = {
  /** The id of the turn. */
  turn_id: string;
  /** The folder of the thread. */
  cwd: string;
  /** When a person was asked. */
  approval_policy: string;
  /** What commands could write to. */
  sandbox_policy: { type: string } & Record<string, unknown>;
  /** The name of the model. */
  model: string;
  /** How much it reasoned. */
  effort?: string;
  /** What was shown of its reasoning. */
  summary: string;
  /** What has changed since the thread began or was resumed: settings, and folders; the machine that it ran on, unless that was always this one. */
  codex_rx?: ChangedSettings & Pick<OwnSettings, 'environment' | 'folders'>;
};

/**
 * One line of a rollout, with its line end.
 * @param nowMs ms since 1970; @param ordinal the number of the line, in a rollout whose lines are counted
 */
export const toRolloutLine = ({ type, payload }: RolloutEntry, nowMs: number, ordinal?: number): string => {
  const timestamp = new Date(nowMs).toISOString();
  return `${JSON.stringify(ordinal === undefined ? { timestamp, type, payload } : { timestamp, ordinal, type, payload })}\n`;
};
