/** `userInfo`: who is logged in. */
import { of } from 'rxjs';
import { toResult } from '../../../rpc';
import type { CodexHost } from '../host';
import type { CodexMethod } from '../method';

/** The address is what the login says, and nobody has checked it. Source: the app-server protocol of the releases after 0.28.0. */
export const userInfo =
  ({ email }: Pick<CodexHost, 'email'>): CodexMethod =>
  () =>
    of(toResult({ allegedUserEmail: email() ?? null }));
