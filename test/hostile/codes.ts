/**
 * Everything that an archive, a caller or a machine may do to us, by code, and what becomes of it. A test that
 * shows one begins its name with the code: `T4: …`, or with several: `T1, T2: …`. `codes.test.ts` looks for them.
 */

interface Code {
  what: string
  verdict: string
}

export const CODES: Readonly<Record<string, Code>> = {
  T1: { what: 'an absolute path', verdict: 'refused: path-hostile' },
  T2: { what: 'a path with ..', verdict: 'refused: path-hostile' },
  T3: { what: 'a path with a drive or a server', verdict: 'refused: path-hostile' },
  T4: {
    what: 'backslashes in a path',
    verdict: 'read as ordinary characters; refused where they lead out: path-hostile',
  },
  T5: {
    what: 'an empty name, dots and spaces at its end, names of devices',
    verdict:
      'no name is refused: path-hostile; the others are read, and written out under safe names',
  },
  T6: {
    what: 'control characters, escape sequences and bidi overrides in names',
    verdict: 'read, and shown as escapes; NUL is refused: path-hostile',
  },
  T7: {
    what: 'names that are not UTF-8, or equal but for case, normal form or ligature',
    verdict: 'kept apart; bytes that are not UTF-8 are reported: path-not-utf8',
  },
  T8: {
    what: 'two members of one name, a file with the name of a folder',
    verdict: 'both are read and reported: entry-repeated',
  },
  T9: { what: 'links of every kind', verdict: 'left out and reported: entry-type' },
  T10: {
    what: 'devices, sparse files and unknown types',
    verdict:
      'left out and reported: entry-type; a sparse file that hides the next header is refused: archive-unsupported',
  },
  T11: {
    what: 'PAX and GNU headers that contradict, lie or are too large',
    verdict:
      'the last PAX header counts; what leads out, or is too large, is refused: limit-header',
  },
  T12: {
    what: 'sizes and checksums that are wrong',
    verdict:
      'refused: tar-damaged, tar-truncated; times and modes that are no numbers are read as none',
  },
  T13: {
    what: 'no end, or more after it',
    verdict: 'refused: tar-truncated, tar-damaged; a second tar is read',
  },
  T14: {
    what: 'gzip that is cut, damaged, in parts, or no gzip at all',
    verdict:
      'refused: gzip-truncated, gzip-damaged, not-an-archive; parts and a plain tar are read; garbage at the end is reported: gzip-trailing',
  },
  T15: {
    what: 'more than there is room for: a thousand to one, millions of members, endless paths',
    verdict:
      'refused: limit-expansion, limit-entries, limit-path, limit-parts; large sizes are read',
  },
  T16: {
    what: 'an archive that is a link, a pipe or a folder, or that changes meanwhile',
    verdict: 'read; what changes is refused as damaged',
  },
  J1: {
    what: 'a file that is no array of objects in UTF-8',
    verdict: 'refused: json-damaged, json-not-array; a byte order mark is reported: text-bom',
  },
  J2: { what: 'deep nesting', verdict: 'refused: limit-depth' },
  J3: { what: 'large records', verdict: 'read; beyond the limit refused: limit-record' },
  J4: { what: 'numbers that a double changes', verdict: 'read, and kept as they are written' },
  J5: {
    what: 'members twice, names of JavaScript, objects in place of scalars',
    verdict: 'kept; what an object cannot hold is reported: member-repeated, member-order',
  },
  J6: {
    what: 'lone surrogates, NUL, bytes that are not UTF-8',
    verdict: 'kept; what is not UTF-8 is reported: text-not-utf8',
  },
  J7: {
    what: 'unknown kinds and members, wrong types, urls that are missing or repeated',
    verdict:
      'kept and reported: kind-unknown, member-unknown, record-type, record-without-url, record-duplicate',
  },
  J8: { what: 'urls of any scheme and host', verdict: 'read as the texts they are' },
  J9: { what: 'names that look like SQL, very many members', verdict: 'kept and reported' },
  J10: { what: 'dates of any form', verdict: 'read as the texts they are' },
  J11: { what: 'record files with odd numbers', verdict: 'read' },
  J12: {
    what: 'schema.json that is missing, late or of another version',
    verdict: 'read; reported: schema-version, schema-invalid',
  },
  F1: { what: 'references that lead nowhere', verdict: 'read; check tells of them' },
  F2: { what: 'issues that are duplicates of each other', verdict: 'read' },
  F3: { what: 'a comment before its issue, or without it', verdict: 'read' },
  F4: { what: 'a review comment without a thread', verdict: 'read; check tells of it' },
  F5: { what: 'logins equal but for case, ghosts, bots', verdict: 'read, and kept apart' },
  F6: { what: 'an issue and a pull request with one number', verdict: 'read, and kept apart' },
  F7: { what: 'an issue that was moved', verdict: 'read' },
  A1: {
    what: 'an address of a file that leads out',
    verdict: 'reported, nothing is written',
  },
  A2: {
    what: 'an address of another scheme',
    verdict: 'reported, nothing is written',
  },
  A3: {
    what: 'files that are missing, empty or of another size',
    verdict: 'reported',
  },
  A4: {
    what: 'names of uploads that no disk takes',
    verdict: 'written under safe names',
  },
  A5: {
    what: 'HTML and SVG with scripts',
    verdict: 'written as they are, never opened',
  },
  A6: { what: 'one content a thousand times', verdict: 'stored and written once' },
  G1: {
    what: 'configuration and hooks that run programs',
    verdict: 'never run, never copied',
  },
  G2: { what: 'files that lead Git elsewhere', verdict: 'left out and reported' },
  G3: { what: 'links among objects', verdict: 'left out and reported' },
  G4: {
    what: 'packs and indexes that are damaged',
    verdict: 'refused: git-object-damaged',
  },
  G5: {
    what: 'refs that Git would not take',
    verdict: 'left out and reported: git-ref-invalid',
  },
  G6: { what: 'trees that lead out', verdict: 'shown as escapes, never written' },
  G7: { what: 'repositories without commits or HEAD', verdict: 'read' },
  D1: {
    what: 'values of a database that would become paths, lines of files or words of a command',
    verdict: 'refused where they are read: database-damaged, path-hostile; doctor tells of them',
  },
  P1: { what: 'a process that is killed', verdict: 'everything is as before' },
  P2: {
    what: 'a disk that is full or cannot be written to',
    verdict: 'refused, nothing is left behind',
  },
  P3: {
    what: 'two loads at once, a reader during a load',
    verdict: 'one waits or is refused: database-busy',
  },
  P4: { what: 'little memory', verdict: 'enough' },
  P5: { what: 'interrupts and closed pipes', verdict: 'ends with 130, or quietly' },
  P6: { what: 'output that is the input', verdict: 'refused' },
  P7: {
    what: 'a million of one character, which a pattern may look at from each of them',
    verdict: 'looked at once: the time grows with the length, not with its square',
  },
  Q1: {
    what: 'SQL that writes, changes settings or never ends',
    verdict: 'refused: query-writes, query-invalid, query-timeout',
  },
  Q2: {
    what: 'ten million rows',
    verdict: 'come one by one; refused beyond --max-rows: limit-rows',
  },
  Q3: {
    what: 'cells with control characters and formulas',
    verdict: 'shown as escapes; --csv-safe',
  },
  D2: {
    what: 'triggers, views and generated columns with side effects or errors',
    verdict: 'refused: database-damaged',
  },
  D3: {
    what: 'tables that are missing, of somebody else, or views',
    verdict: 'refused: database-damaged',
  },
  D4: { what: 'flipped bytes on any page', verdict: 'answered, or refused: database-damaged' },
  D5: {
    what: 'values that no column expects',
    verdict: 'answered, or refused: database-damaged',
  },
  D6: { what: 'a kind named like a table of ours', verdict: 'kept in a table of another name' },
  M1: {
    what: 'a cache, history, state or folder for compiled code that others can write to, or with links in it',
    verdict: 'not used; refused where it is needed: usage, folder-foreign, folder-linked',
  },
  M4: {
    what: 'a name of output of 256 bytes, links in a folder of output',
    verdict: 'refused, and no link is followed: output-refused',
  },
  M2: {
    what: 'a folder that cannot be made, below /proc, for the cache or for output',
    verdict: 'refused at once: usage, output-refused',
  },
}
