/**
 * The tables of the store, from one form to the next; the first step makes them.
 */
/** One an earlier papertape has released is never changed. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE tape (
     id INTEGER PRIMARY KEY AUTOINCREMENT, symbol TEXT NOT NULL, kind TEXT NOT NULL, interval INTEGER,
     conditions INTEGER NOT NULL, marked INTEGER NOT NULL, UNIQUE (symbol, kind, interval)
   ) STRICT;
   CREATE TABLE block (
     id INTEGER PRIMARY KEY AUTOINCREMENT, tape INTEGER NOT NULL REFERENCES tape, first INTEGER NOT NULL, last INTEGER NOT NULL,
     entry TEXT NOT NULL, bytes BLOB NOT NULL
   ) STRICT;
   CREATE INDEX block_of_tape ON block (tape, first, last, id);
   CREATE TABLE gap (
     id INTEGER PRIMARY KEY, tape INTEGER NOT NULL REFERENCES tape, start INTEGER NOT NULL, stop INTEGER NOT NULL, why TEXT NOT NULL,
     UNIQUE (tape, start, stop)
   ) STRICT;
   CREATE TABLE newest (
     id INTEGER PRIMARY KEY, tape INTEGER NOT NULL REFERENCES tape, time INTEGER NOT NULL, trade ANY NOT NULL,
     price INTEGER NOT NULL, qty INTEGER NOT NULL, buyer_maker INTEGER NOT NULL,
     price_precision INTEGER NOT NULL, qty_precision INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX newest_of_tape ON newest (tape, id);
   CREATE TABLE import (
     id INTEGER PRIMARY KEY AUTOINCREMENT, tape INTEGER NOT NULL REFERENCES tape, manifest TEXT NOT NULL
   ) STRICT;`,
  `CREATE TABLE run (id TEXT PRIMARY KEY, kept_at INTEGER NOT NULL, summary TEXT NOT NULL) STRICT;
   CREATE TABLE run_file (
     run TEXT NOT NULL REFERENCES run, name TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (run, name)
   ) STRICT;`,
  `CREATE TABLE trial (
     id TEXT PRIMARY KEY, strategy TEXT NOT NULL, source TEXT, tape TEXT NOT NULL, params TEXT NOT NULL, digest TEXT, sharpe REAL,
     statistics TEXT NOT NULL, ran_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX trial_of_strategy ON trial (strategy, tape, sharpe);`,
]
