/** Turns a rejection into a value. */
import { systemText } from './systemText';

/** Why something could not be done, as error text of the system; undefined if it was. */
export const attempt = async (run: () => Promise<void>): Promise<string | undefined> => {
  try {
    await run();
    return undefined;
  } catch (error) {
    return systemText(error);
  }
};
