/** Wires the accounts to this machine: auth.json in the folder of Codex, HTTP. */
import { join } from 'node:path';
import { filesHere } from '../../io/disk/filesHere';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { httpPost } from '../../io/http/sendRequest';
import { readIfThere } from '../../io/paths/look';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { noBackpressure } from '../../streams/backpressure';
import { type Accounts, accounts } from '../auth/accounts';
import type { PreferredMethod } from '../auth/chooseLogin';
import { CLIENT_ID, OPENAI_ISSUER } from '../auth/tokenRequest';

/** @param issuer one other than OpenAI, named on the command line; @param preferred that of the configuration; default: chatgpt */
export type AccountsHere = {
  processInfo: Pick<ProcessInfo, 'codexHome' | 'env'>;
  issuer?: string;
  preferred?: () => PreferredMethod;
};

/** What logins of this home share. */
export const loginDeps = ({ processInfo: { codexHome, env }, issuer = OPENAI_ISSUER }: AccountsHere) => {
  const { files } = filesHere(codexHome);
  return {
    // auth.json may be a symbolic link, as where secrets are mounted; links are followed for reading only.
    files: { ...files, read: readIfThere } satisfies PrivateFiles,
    path: join(codexHome, 'auth.json'),
    lockPath: join(codexHome, 'codex-rx', 'locks', 'auth.lock'),
    post: httpPost({ backpressure: noBackpressure, env }),
    issuer: issuer.replace(/\/+$/, ''),
    clientId: CLIENT_ID,
    now: Date.now,
  };
};

/** The accounts of this home. */
export const accountsHere = (here: AccountsHere): Accounts =>
  accounts({ ...loginDeps(here), env: here.processInfo.env, preferred: here.preferred ?? (() => 'chatgpt') });
