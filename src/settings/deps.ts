/** What a Config is made from: the home folder, the process's environment, the file system and the server's flags. */

/** What the operator lets calls set. */
export type CallLimits = {
  /** The file config.toml is a ceiling too. */
  lock: boolean;
  /** There is no ceiling. */
  allowCallOverride: boolean;
  /** Keys that calls may set although they could run programs or move credentials. */
  allowCallConfig: readonly string[];
  /** A call may bring MCP servers, and a provider of models with its key: its person has configured them, and no model. Not below a sandbox of the operator. */
  bringsServers?: true;
};

/** The machine, and the flags of the server. */
export type ConfigDeps = {
  /** The folder of `config.toml`; it need not exist. */
  codexHome: string;
  /** The working folder of the server; absolute. */
  cwd: string;
  /** The environment of the server; never changed. */
  env: Record<string, string | undefined>;
  /** The text of a file; undefined if there is no such file. Throws for any other reason. */
  readFile: (path: string) => string | undefined;
  /** The names in a folder; empty if there is no such folder, or it cannot be read. */
  namesIn: (folder: string) => readonly string[];
  /** Whether anything is there; follows links. */
  exists: (path: string) => boolean;
  /** Whether there is such a folder; follows links. */
  isDirectory: (path: string) => boolean;
  /** The path without links; the path itself if nothing is there. */
  realpath: (path: string) => string;
  /** Absolute paths of files and folders of keys and passwords, without links; resolved once, as there are dozens of them. */
  secretPlaces: () => readonly string[];
  /** The values of the server's `-c` flags, in order. */
  overrides: readonly string[];
  /** The value of the server's `-m`. */
  model?: string;
  /** The value of the server's `-p`. */
  profile?: string;
  /** What the operator lets calls set. */
  limits?: CallLimits;
};
