/** The fact of a database into which a copy was begun. While it is there, no server starts on it. */
export const copyFact = 'copy';

export const unfinishedCopy =
  'A restore or a move into this database was begun and not finished. Run it again; it goes on where it ended';
