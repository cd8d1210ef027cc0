/** Loads what a server offers: from a tape of any size, or from a JSON file with the members of its lists. */
import { map, type Observable, of } from 'rxjs';
import { isFile, readRegular } from '../../io/paths/look';
import { parseJson, toObject } from '../../protocol/jsonrpc/json';
import { TapeError } from '../../tapes/format/tape';
import { isNothing, type Offers, offersOf, offersReader } from '../../tapes/offers/offers';
import { foldAll } from './foldTape';
import { isLarge, type LoadDeps } from './loadTape';

/** The last lists of a tape, or those of a JSON file. Emits them and completes. Errors with TapeError if there are none. */
export const loadOffers = (deps: LoadDeps, path: string): Observable<Offers> => {
  const inJson = offersInJson(path);
  if (inJson !== undefined) return of(inJson);
  return foldAll(deps, { path, number: undefined }, offersReader).pipe(
    map((sessions) => {
      const listed = sessions.map(({ result }) => result).findLast((offers) => !isNothing(offers));
      if (listed === undefined)
        throw new TapeError(
          `${path} holds no list of a server: record a session with tools/list, or name another file`,
        );
      return listed;
    }),
  );
};

/** The lists of a JSON file, or of a response in it; undefined for what may be a tape. */
const offersInJson = (path: string): Offers | undefined => {
  if (!isFile(path) || isLarge(path)) return undefined; // the loader of tapes reports what is wrong with it
  const value = parseJson(readRegular(path));
  const offers = offersOf(toObject(value).result ?? value);
  return isNothing(offers) ? undefined : offers;
};
